#ifndef OCV_FOLLOW_H
#define OCV_FOLLOW_H

// How the camera moved between two frames.

#include "ocv_pixels.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A similarity: (x, y) goes to (a·x − b·y + tx, b·x + a·y + ty), in pixels of the planes.
typedef struct {
    double a, b, tx, ty;
} ocv_similarity;

/// How the background moved from one plane to the next, which must be as large: corners followed by pyramidal
/// Lucas–Kanade, there and back, and the similarity that most of them agree on (RANSAC).
///
/// - Parameters:
///   - things: boxes in the first plane, pixels, that aren't background.
///   - motion: the identity where too few corners agree.
ocv_status ocv_camera_motion(
    ocv_plane first, ocv_plane second, const ocv_box *things, int32_t count, ocv_similarity *motion) OCV_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
