#ifndef OCV_ALTER_H
#define OCV_ALTER_H

// Built-in picture styles. All functions are pure and thread-safe: the same picture gives the same result.

#include "ocv_pixels.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    /// Scorched paper: sepia and fibres, charred irregular edges with a glowing rim.
    OCV_STYLE_BURNED_PAPER = 0,
    /// Stained glass: cells of one colour each, with a bevel, in lead.
    OCV_STYLE_MOSAIC = 1,
    /// Graphite on white paper: lines by colour dodge, shade by cross-hatching.
    OCV_STYLE_PENCIL_SKETCH = 2,
    /// Flat washes of colour with dark rims, on grained paper.
    OCV_STYLE_WATERCOLOR = 3,
    /// Strokes of thick paint: a Kuwahara filter, lit from the upper left.
    OCV_STYLE_OIL_PAINT = 4,
    /// Flat colours with printed dots and ink lines.
    OCV_STYLE_COMIC = 5,
    /// Glowing contours of the picture's own hues on black.
    OCV_STYLE_NEON = 6,
    /// Black lines on cream whose width is the tone, as a copper plate prints.
    OCV_STYLE_ENGRAVING = 7
} ocv_style;

/// Applies a style to a picture of blue, green and red, 8 bits each. Sizes of strokes and cells follow the picture's
/// shorter side, except where they would be too fine to be seen.
///
/// - Parameters:
///   - bgr: height rows of width × 3 bytes, rows `stride` bytes apart.
///   - width, height: 8…4096.
///   - reduction: how many times smaller the picture is shown; strokes become as much coarser, at most four times.
///   - out: room for height rows, `outStride` bytes apart; not the same memory as `bgr`.
/// - Returns: a failure for sizes out of range or an unknown style.
ocv_status ocv_apply_style(
    ocv_style style, const uint8_t *bgr, int64_t stride, int32_t width, int32_t height, double reduction, uint8_t *out,
    int64_t outStride) OCV_NOEXCEPT;

/// How sharp a picture of blue, green and red is: the variance of its Laplacian's luma at a size of 128 × 128.
ocv_status ocv_picture_sharpness(const uint8_t *bgr, int64_t stride, int32_t width, int32_t height, double *sharpness)
    OCV_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
