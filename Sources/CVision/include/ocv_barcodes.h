#ifndef OCV_BARCODES_H
#define OCV_BARCODES_H

// Where codes of bars or modules may be, and pictures of such places that a decoder can read. All functions are pure and
// thread-safe; they keep nothing.

#include "ocv_pixels.h"

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

/// What a code looked like where it was read.
typedef struct ocv_code_look ocv_code_look;

/// Takes note of what a code looks like.
/// - Parameters:
///   - corners: the code's, pixels, in the order of its outline.
///   - isRow: the code is one row of bars.
///   - out: receives the look; null where the code is too small or too faint for one.
ocv_status ocv_code_look_create(ocv_plane luma, const ocv_point corners[4], bool isRow, ocv_code_look **out)
    OCV_NOEXCEPT;

void ocv_code_look_destroy(ocv_code_look *look) OCV_NOEXCEPT;

/// Lays a look over another picture.
/// - Parameters:
///   - corners: where the code is supposed to be; receives where it is most like its look.
///   - difference: receives how different it is there where it is so most, over some ten samples of a code's hundred each way: root
///     mean square over the look's own standard deviation. 2 where it can't be told.
ocv_status ocv_code_look_find(const ocv_code_look *look, ocv_plane luma, ocv_point corners[4], double *difference)
    OCV_NOEXCEPT;

/// Finds places that may be codes: at three scales, cells with strong edges are joined to regions (as Gallo and Manduchi
/// 2011 do for bars), and the smallest rectangle around each is taken.
///
/// - Parameters:
///   - regions: receives the best `capacity`, the best first.
ocv_status ocv_find_code_regions(ocv_plane luma, ocv_code_region *regions, int32_t capacity, int32_t *count)
    OCV_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
