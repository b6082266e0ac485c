#ifndef TESS_H
#define TESS_H

// Tesseract as plain C: what Swift imports. Every function is noexcept.

#include <stdint.h>

#ifdef __cplusplus
#define TESS_NOEXCEPT noexcept
extern "C" {
#else
#define TESS_NOEXCEPT
#endif

/// What a call came to: `code` 0 is success; otherwise `message` says what went wrong, in one line.
typedef struct {
    int32_t code;
    char message[252];
} tess_status;

/// A recogniser with its models, for one thread at a time.
typedef struct tess tess;

/// A word or a character. The memory is the line's.
typedef struct {
    /// UTF-8.
    const char *text;
    /// 0…1.
    double confidence;
    /// Left, top, right and bottom edge in the picture, pixels.
    int32_t left, top, right, bottom;
} tess_part;

/// What a line says.
typedef struct {
    int32_t wordCount, characterCount;
    const tess_part *words, *characters;
} tess_line;

/// Loads the models of some languages.
///
/// - Parameters:
///   - languages: as Tesseract joins them: “eng+deu”.
///   - folder: where the models are; NULL for the installation's.
tess_status tess_open(const char *languages, const char *folder, tess **recogniser) TESS_NOEXCEPT;

void tess_close(tess *recogniser) TESS_NOEXCEPT;

/// Recognises one line of dark letters on a light ground: 8-bit grey pixels, row by row. What it says depends on the
/// pixels alone.
///
/// - Parameters:
///   - mode: Tesseract's page segmentation mode: 7 for a line, 8 for a word, 13 for a line as it is.
///   - resolution: pixels an inch that the line is taken to have.
///   - line: receives what is to be given to `tess_free`; NULL where nothing was recognised.
tess_status tess_read(
    tess *recogniser, const uint8_t *pixels, int32_t width, int32_t height, int32_t mode, int32_t resolution,
    tess_line **line) TESS_NOEXCEPT;

void tess_free(tess_line *line) TESS_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
