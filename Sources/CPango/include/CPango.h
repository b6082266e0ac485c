#ifndef CPANGO_H
#define CPANGO_H

// Text as coverage bitmaps, by Pango and Cairo. The header is plain C; no Pango, GLib or Cairo type shows in it.

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a call came to: `code` 0 is success; otherwise `message` says what went wrong, in one line.
typedef struct {
    int32_t code;
    char message[124];
} cpg_status;

enum {
    CPG_OK = 0,
    CPG_BAD_ARGUMENT = 1,
    CPG_OUT_OF_MEMORY = 2,
    /// No font at all is installed.
    CPG_NO_FONT = 3,
    /// Cairo refused to draw.
    CPG_DRAWING_FAILED = 4,
};

/// Renders text at one size. A handle has a font map of its own and shares nothing with other handles: different
/// handles may be used on different threads at once, one handle by one thread at a time.
typedef struct cpg_renderer cpg_renderer;

/// One line of text, rendered. Pixels; the origin is the pen's start on the baseline, x right, y down.
typedef struct {
    /// Coverage, 0…255, `height` rows of `stride` bytes; NULL where there is no ink. It belongs to the renderer and
    /// is overwritten by the next call.
    const uint8_t *coverage;
    /// Size of the ink.
    int32_t width, height, stride;
    /// Where the ink's top left pixel lies, relative to the origin: `top` is usually negative.
    int32_t left, top;
    /// The logical width, spaces included: where a next word would start.
    int32_t advance;
    /// True where the text was cut to the maximum width and ends in “…”.
    bool ellipsized;
} cpg_text;

/// Makes a renderer for text of `pixels` (4…512) an em.
///
/// The font is the first of `family` (names apart by commas) that is installed; glyphs that it lacks come from other
/// installed fonts or show as a box with the code point. Anti-aliasing (grey), hinting (slight) and metrics (whole
/// pixels) are set here, and neither the screen's settings nor the locale count.
/// On success `*out` is owned by the caller, who releases it by `cpg_renderer_free`.
cpg_status cpg_renderer_create(const char *family, double pixels, bool bold, cpg_renderer **out);

/// NULL is allowed.
void cpg_renderer_free(cpg_renderer *renderer);

/// Renders `length` bytes of UTF-8 as one line.
///
/// Invalid sequences become U+FFFD, control characters and line breaks spaces; text beyond 1,024 bytes is left out.
/// A `maximumWidth` (pixels) above 0 cuts longer text and ends it with “…”.
cpg_status cpg_render(cpg_renderer *renderer, const char *utf8, int64_t length, int32_t maximumWidth, cpg_text *out);

/// The font that a renderer uses where it has the letters, for other programs that set the same text.
typedef struct {
    char family[96];
    /// The font file's own reach above and below the baseline, in parts of an em: OS/2's usWinAscent and usWinDescent, or
    /// hhea's where it has none. Their sum is what Windows and scripts after it call the font's size.
    double ascent, descent;
} cpg_font;

cpg_status cpg_renderer_font(cpg_renderer *renderer, cpg_font *out);

/// The logical width in pixels of a line that is set without hinting, as the outlines are drawn elsewhere. The text is taken
/// as by `cpg_render`, and never cut.
cpg_status cpg_measure(cpg_renderer *renderer, const char *utf8, int64_t length, double *out);

#ifdef __cplusplus
}
#endif
#endif
