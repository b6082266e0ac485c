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
