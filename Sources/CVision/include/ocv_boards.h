#ifndef OCV_BOARDS_H
#define OCV_BOARDS_H

// Corners of chessboards, and the camera that they tell of.

#include "ocv_pixels.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Where points of a plane are seen, by the homography of others of it (`cv::findHomography`): no lens distortion, so those
/// should be near.
///
/// `flat` holds `count` points, 4 or more, of the plane and `seen` their places in the picture; `out` has room for as many
/// points as `places`. `*isFound` is false, and `out` undefined, where they tell of no homography.
ocv_status ocv_plane_project(
    const ocv_point *flat, const ocv_point *seen, int32_t count, const ocv_point *places, int32_t placeCount,
    ocv_point *out, bool *isFound) OCV_NOEXCEPT;

/// Finds one corner of a chessboard near where it is expected, by the gradients around (`cv::cornerSubPix`) in a window of
/// 2 · `window` + 1 pixels.
///
/// `*isFound` is false, and `*out` undefined, where the corner lies outside of the picture or is not near where it should
/// be.
ocv_status ocv_crossing_find(ocv_plane luma, ocv_point expected, int32_t window, ocv_point *out, bool *isFound)
    OCV_NOEXCEPT;

/// Finds the inner corners of a chessboard, row by row (`cv::findChessboardCornersSB`, then `cv::findChessboardCorners`;
/// `cv::cornerSubPix`).
///
/// `out` has room for columns · rows points; `*isFound` is false, and `out` undefined, unless all are seen.
ocv_status ocv_chessboard_find(ocv_plane luma, int32_t columns, int32_t rows, ocv_point *out, bool *isFound)
    OCV_NOEXCEPT;

/// How many inner corners the chessboard that is seen has along its longer and its shorter side, 3 or more; 0 and 0 where
/// none is found.
ocv_status ocv_chessboard_count(ocv_plane luma, int32_t *longer, int32_t *shorter) OCV_NOEXCEPT;

/// The variance of the luma's Laplacian in a box, a measure of sharpness; 0 where nothing of it is in the picture.
ocv_status ocv_sharpness(ocv_plane luma, ocv_box box, double *out) OCV_NOEXCEPT;

/// Computes the camera from views of a plane (`cv::calibrateCamera`): focal lengths, principal point, k1, k2, p1, p2, k3.
///
/// View v has `counts[v]` points, one view after the other in `flat` (metres) and `seen` (pixels). `errors` has room for
/// a root mean square a view, `deviations` for the standard deviations of fx, fy, cx, cy (pixels).
ocv_status ocv_calibrate(
    int32_t width, int32_t height, const ocv_point *flat, const ocv_point *seen, const int32_t *counts, int32_t views,
    ocv_camera *camera, double *rms, double *errors, double deviations[4]) OCV_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
