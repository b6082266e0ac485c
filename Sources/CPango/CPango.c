#include "CPango.h"
#include "CWorker.h"

#include <hb.h>
#include <pango/pangocairo.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A label is a few words; longer text only costs time, and Cairo refuses surfaces above 32,767 pixels.
enum { MAXIMUM_BYTES = 1024, MAXIMUM_SIDE = 16384 };

struct cpg_renderer {
    PangoFontMap *fontMap;
    PangoContext *context;
    PangoLayout *layout;
    // Sets the same font without hinting.
    PangoContext *plainContext;
    PangoLayout *plainLayout;
    uint8_t *coverage;
    size_t capacity;
};

static cpg_status status(int32_t code, const char *message) {
    cpg_status result = {.code = code};
    snprintf(result.message, sizeof result.message, "%s", message);
    return result;
}

static const cpg_status success = {.code = CPG_OK};

static PangoContext *context(PangoFontMap *map, bool hinted) {
    PangoContext *context = pango_font_map_create_context(map);
    // The default comes from the locale and chooses between national forms of Han characters.
    pango_context_set_language(context, pango_language_from_string("en"));
    pango_context_set_round_glyph_positions(context, hinted);

    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_subpixel_order(options, CAIRO_SUBPIXEL_ORDER_DEFAULT);
    cairo_font_options_set_hint_style(options, hinted ? CAIRO_HINT_STYLE_SLIGHT : CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, hinted ? CAIRO_HINT_METRICS_ON : CAIRO_HINT_METRICS_OFF);
    pango_cairo_context_set_font_options(context, options);
    cairo_font_options_destroy(options);
    return context;
}

// Pango looks fonts up in threads of its own, and GLib ends the process where one can't be started.
static void on_error(const char *domain, GLogLevelFlags level, const char *message, void *data) {
    (void)data;
    cwk_end_in_lack();
    g_log_default_handler(domain, level, message, NULL);
}

static void watch_errors(void) { g_log_set_handler("GLib", G_LOG_LEVEL_ERROR | G_LOG_FLAG_FATAL, on_error, NULL); }

cpg_status cpg_renderer_create(const char *family, double pixels, bool bold, cpg_renderer **out) {
    if (out == NULL) return status(CPG_BAD_ARGUMENT, "no place for the renderer");
    *out = NULL;
    if (family == NULL) return status(CPG_BAD_ARGUMENT, "no font family");
    if (!(pixels >= 4 && pixels <= 512)) return status(CPG_BAD_ARGUMENT, "a font size is 4 to 512 pixels");
    cpg_renderer *renderer = calloc(1, sizeof *renderer);
    if (renderer == NULL) return status(CPG_OUT_OF_MEMORY, "out of memory");

    static pthread_once_t watching = PTHREAD_ONCE_INIT;
    pthread_once(&watching, watch_errors);
    // Not pango_cairo_font_map_get_default(): that one is shared by the thread and outlives us.
    renderer->fontMap = pango_cairo_font_map_new();
    if (renderer->fontMap == NULL) {
        cpg_renderer_free(renderer);
        return status(CPG_NO_FONT, "Pango has no font map");
    }
    // The size below is in pixels whatever the resolution; 96 keeps hinting choices the same everywhere.
    pango_cairo_font_map_set_resolution(PANGO_CAIRO_FONT_MAP(renderer->fontMap), 96);
    renderer->context = context(renderer->fontMap, true);
    renderer->plainContext = context(renderer->fontMap, false);

    PangoFontDescription *font = pango_font_description_new();
    pango_font_description_set_family(font, family);
    pango_font_description_set_weight(font, bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
    pango_font_description_set_absolute_size(font, pixels * PANGO_SCALE);
    // Without any font Pango lays out text of absurd extents, so ask first.
    PangoFont *loaded = pango_context_load_font(renderer->context, font);
    if (loaded == NULL) {
        pango_font_description_free(font);
        cpg_renderer_free(renderer);
        return status(CPG_NO_FONT, "no font is installed (Debian: fonts-dejavu-core)");
    }
    g_object_unref(loaded);
    renderer->layout = pango_layout_new(renderer->context);
    pango_layout_set_font_description(renderer->layout, font);
    pango_layout_set_single_paragraph_mode(renderer->layout, TRUE);
    pango_layout_set_ellipsize(renderer->layout, PANGO_ELLIPSIZE_END);
    renderer->plainLayout = pango_layout_new(renderer->plainContext);
    pango_layout_set_font_description(renderer->plainLayout, font);
    pango_layout_set_single_paragraph_mode(renderer->plainLayout, TRUE);
    pango_font_description_free(font);

    *out = renderer;
    return success;
}

void cpg_renderer_free(cpg_renderer *renderer) {
    if (renderer == NULL) return;
    if (renderer->plainLayout != NULL) g_object_unref(renderer->plainLayout);
    if (renderer->plainContext != NULL) g_object_unref(renderer->plainContext);
    if (renderer->layout != NULL) g_object_unref(renderer->layout);
    if (renderer->context != NULL) g_object_unref(renderer->context);
    if (renderer->fontMap != NULL) g_object_unref(renderer->fontMap);
    free(renderer->coverage);
    free(renderer);
}

// Valid UTF-8 without control characters and line breaks, at most MAXIMUM_BYTES long; NULL without memory. Pango
// would warn about the one and show boxes for the other.
static char *sanitized(const char *utf8, int64_t length, size_t *outLength) {
    size_t count = length > MAXIMUM_BYTES ? MAXIMUM_BYTES : (size_t)length;
    // Cut before a sequence, not inside.
    if ((int64_t)count < length)
        while (count > 0 && ((uint8_t)utf8[count] & 0xC0) == 0x80) count--;
    // g_utf8_make_valid replaces each wrong byte by the three bytes of U+FFFD.
    char *valid = g_utf8_make_valid(utf8, (gssize)count);
    size_t end = 0;
    for (const char *p = valid, *next; *p != 0; p = next) {
        gunichar c = g_utf8_get_char(p);
        // Before the character is overwritten by a shorter one. GLib's macro for it reads a table of its library.
        next = p + (c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4);
        bool control = c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029;
        end += (size_t)g_unichar_to_utf8(control ? ' ' : c, valid + end);
    }
    valid[end] = 0;
    *outLength = end;
    return valid;
}

static cpg_status draw(cpg_renderer *renderer, PangoRectangle ink, int32_t stride) {
    cairo_surface_t *surface =
        cairo_image_surface_create_for_data(renderer->coverage, CAIRO_FORMAT_A8, ink.width, ink.height, stride);
    cairo_t *cairo = cairo_create(surface);
    cairo_set_source_rgba(cairo, 0, 0, 0, 1);
    cairo_move_to(cairo, -ink.x, -ink.y);
    pango_cairo_show_layout(cairo, renderer->layout);
    cairo_surface_flush(surface);
    cairo_status_t outcome = cairo_status(cairo);
    if (outcome == CAIRO_STATUS_SUCCESS) outcome = cairo_surface_status(surface);
    cairo_destroy(cairo);
    cairo_surface_destroy(surface);
    return outcome == CAIRO_STATUS_SUCCESS ? success : status(CPG_DRAWING_FAILED, cairo_status_to_string(outcome));
}

cpg_status cpg_render(cpg_renderer *renderer, const char *utf8, int64_t length, int32_t maximumWidth, cpg_text *out) {
    if (renderer == NULL || out == NULL || length < 0 || (utf8 == NULL && length > 0))
        return status(CPG_BAD_ARGUMENT, "no renderer, text or place for the result");
    *out = (cpg_text){0};
    if (length == 0) return success;

    size_t textLength = 0;
    char *text = sanitized(utf8, length, &textLength);
    if (maximumWidth <= 0 || maximumWidth > MAXIMUM_SIDE) maximumWidth = MAXIMUM_SIDE;
    pango_layout_set_width(renderer->layout, maximumWidth * PANGO_SCALE);
    pango_layout_set_text(renderer->layout, text, (int)textLength);
    g_free(text);

    PangoRectangle ink, logical;
    pango_layout_get_pixel_extents(renderer->layout, &ink, &logical);
    // Right-to-left text is set flush right in the layout's width: count from where the line starts.
    out->advance = logical.width;
    out->left = ink.x - logical.x;
    out->ellipsized = pango_layout_is_ellipsized(renderer->layout);
    int baseline = PANGO_PIXELS(pango_layout_get_baseline(renderer->layout));
    out->top = ink.y - baseline;
    if (ink.width <= 0 || ink.height <= 0) return success;
    if (ink.width > 2 * MAXIMUM_SIDE || ink.height > MAXIMUM_SIDE)
        return status(CPG_DRAWING_FAILED, "the text is too large");

    int stride = cairo_format_stride_for_width(CAIRO_FORMAT_A8, ink.width);
    size_t needed = (size_t)stride * (size_t)ink.height;
    if (needed > renderer->capacity) {
        uint8_t *grown = realloc(renderer->coverage, needed);
        if (grown == NULL) return status(CPG_OUT_OF_MEMORY, "out of memory");
        renderer->coverage = grown;
        renderer->capacity = needed;
    }
    memset(renderer->coverage, 0, needed);
    cpg_status outcome = draw(renderer, ink, stride);
    if (outcome.code != CPG_OK) return outcome;
    out->coverage = renderer->coverage;
    out->width = ink.width;
    out->height = ink.height;
    out->stride = stride;
    return success;
}

// A big-endian number of 16 bits in a font file's table; 0 beyond its end.
static int number(hb_blob_t *table, unsigned offset, bool is_signed) {
    unsigned length = 0;
    const uint8_t *data = (const uint8_t *)hb_blob_get_data(table, &length);
    if (data == NULL || offset + 2 > length) return 0;
    uint16_t value = (uint16_t)(data[offset] << 8 | data[offset + 1]);
    return is_signed ? (int16_t)value : value;
}

cpg_status cpg_renderer_font(cpg_renderer *renderer, cpg_font *out) {
    if (renderer == NULL || out == NULL) return status(CPG_BAD_ARGUMENT, "no renderer or place for the font");
    *out = (cpg_font){0};
    PangoFont *font = pango_context_load_font(renderer->context, pango_layout_get_font_description(renderer->layout));
    if (font == NULL) return status(CPG_NO_FONT, "no font is installed (Debian: fonts-dejavu-core)");
    PangoFontDescription *description = pango_font_describe(font);
    const char *family = pango_font_description_get_family(description);
    snprintf(out->family, sizeof out->family, "%s", family == NULL ? "" : family);
    pango_font_description_free(description);

    // Both belong to the font.
    hb_font_t *shaper = pango_font_get_hb_font(font);
    hb_face_t *face = shaper == NULL ? NULL : hb_font_get_face(shaper);
    double em = face == NULL ? 0 : hb_face_get_upem(face);
    if (em > 0) {
        hb_blob_t *windows = hb_face_reference_table(face, HB_TAG('O', 'S', '/', '2'));
        hb_blob_t *header = hb_face_reference_table(face, HB_TAG('h', 'h', 'e', 'a'));
        int ascent = number(windows, 74, true), descent = number(windows, 76, true);
        if (ascent + descent == 0) {
            ascent = number(header, 4, true);
            descent = -number(header, 6, true);
        }
        out->ascent = ascent / em;
        out->descent = descent / em;
        hb_blob_destroy(windows);
        hb_blob_destroy(header);
    }
    g_object_unref(font);
    // A font without these tables, a bitmap one say.
    return out->ascent + out->descent > 0 ? success : status(CPG_NO_FONT, "the font doesn't say how tall it is");
}

cpg_status cpg_measure(cpg_renderer *renderer, const char *utf8, int64_t length, double *out) {
    if (renderer == NULL || out == NULL || length < 0 || (utf8 == NULL && length > 0))
        return status(CPG_BAD_ARGUMENT, "no renderer, text or place for the result");
    *out = 0;
    if (length == 0) return success;
    size_t textLength = 0;
    char *text = sanitized(utf8, length, &textLength);
    pango_layout_set_text(renderer->plainLayout, text, (int)textLength);
    g_free(text);
    PangoRectangle logical;
    pango_layout_get_extents(renderer->plainLayout, NULL, &logical);
    *out = (double)logical.width / PANGO_SCALE;
    return success;
}
