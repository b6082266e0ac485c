#ifndef OCV_POSE_H
#define OCV_POSE_H

// Where a flat thing of known size is in front of a camera.

#include "ocv.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A pinhole camera with lens distortion, as `cv::projectPoints` has it. Pixels; integer coordinates are pixel centres.
typedef struct {
    double focalX, focalY, centerX, centerY;
    /// k1, k2, p1, p2, k3, k4, k5, k6; `distortionCount` of them: 0, 4, 5 or 8.
    double distortion[8];
    int32_t distortionCount;
} ocv_camera;

/// From the thing's own coordinates to the camera's (x right, y down, z forward; metres): a Rodrigues vector and a
/// translation, as `cv::solvePnP` gives them.
typedef struct {
    double rotation[3];
    double translation[3];
    /// Root mean square of the distances between points seen and points projected, pixels.
    double error;
} ocv_pose;

/// The poses at which flat points are seen where they are, the smaller reprojection error first.
///
/// What is flat and not seen at a steep perspective has two: they differ by the sign of its tilt (Collins and Bartoli,
/// “Infinitesimal plane-based pose estimation”, 2014; `cv::SOLVEPNP_IPPE`). Both are then brought to the nearest minimum
/// of the reprojection error (Levenberg–Marquardt). A second one that falls together with the first there is no minimum
/// of its own: it stays where it was, with its larger error.
///
/// `flat` holds `count` points, 4 or more, in the thing's plane (z = 0; metres), `seen` their places in the picture.
/// Writes one or two poses to `out` and their number to `found`; none where every pose lies behind the camera.
ocv_status ocv_pose_of_plane(
    const ocv_camera *camera, const ocv_point *flat, const ocv_point *seen, int32_t count, ocv_pose out[2],
    int32_t *found) OCV_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
