#pragma once
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The words of a family of markers, hexadecimal, in the order of their ids, with white space between: cells row by row from the
/// top left, first bit highest, 1 is white. `scripts/draw/marker-words.py` writes them: they are those of `cv::aruco` (Apache-2.0),
/// which has its AprilTag families from the AprilTag library (BSD-2-Clause).
typedef struct {
    const char *name;
    /// Cells a side, without the border.
    int bits;
    const char *text;
    size_t length;
} ocv_marker_words;

/// The families; the last one's name is null.
extern const ocv_marker_words ocv_marker_families[];

#ifdef __cplusplus
}
#endif
