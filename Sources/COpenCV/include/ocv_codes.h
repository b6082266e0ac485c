#ifndef OCV_CODES_H
#define OCV_CODES_H

// Where codes of bars or modules may be, and pictures of such places that a decoder can read. All functions are pure and
// thread-safe; they keep nothing.

#include "ocv.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A place that is full of edges and has about the form of a rectangle.
typedef struct {
    /// Clockwise in the picture. From the first corner to the second is the direction across bars, where the edges have
    /// one direction.
    ocv_point corners[4];
    /// How much the edges have one direction, 0…1: bars have over 0.5.
    double coherence;
    /// How likely it is a code, from 0; for ranking.
    double score;
} ocv_code_region;

/// Finds places that may be codes: at three scales, cells with strong edges are joined to regions (as Gallo and Manduchi
/// 2011 do for bars), and the smallest rectangle around each is taken.
///
/// - Parameters:
///   - regions: receives the best `capacity`, the best first.
ocv_status ocv_find_code_regions(
    ocv_plane luma, ocv_code_region *regions, int32_t capacity, int32_t *count) OCV_NOEXCEPT;

/// How a patch's grey values are treated.
typedef enum {
    OCV_PATCH_PLAIN = 0,
    /// Blur is partly undone (an unsharp mask), and the range stretched.
    OCV_PATCH_SHARPENED = 1,
    /// Black and white by local thresholds.
    OCV_PATCH_BINARY = 2
} ocv_patch_treatment;

/// Samples a quad of the picture into `out`, `width` × `height` bytes, by bicubic interpolation, or by averaging where
/// it is made smaller. Beyond the picture its border goes on. Pixel (i, j) is the place ((i + 0.5) ÷ width, (j + 0.5) ÷
/// height) of the quad, whose corners are its outer edge.
ocv_status ocv_sample_patch(
    ocv_plane luma, const ocv_point corners[4], ocv_patch_treatment treatment, int32_t width, int32_t height,
    uint8_t *out) OCV_NOEXCEPT;

/// Takes a place of a patch back to the picture.
ocv_point ocv_patch_to_picture(
    const ocv_point corners[4], int32_t width, int32_t height, ocv_point place) OCV_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
