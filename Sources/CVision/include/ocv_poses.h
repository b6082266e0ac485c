#ifndef OCV_POSES_H
#define OCV_POSES_H

// Where a flat thing of known size is in front of a camera.

#include "ocv_pixels.h"

#ifdef __cplusplus
extern "C" {
#endif

/// From the thing's own coordinates to the camera's (x right, y down, z forward; metres): a Rodrigues vector and a
/// translation, as `cv::solvePnP` gives them.
typedef struct {
    double rotation[3];
    double translation[3];
    /// Root mean square of the distances between points seen and points projected, by their weights, pixels.
    double error;
} ocv_pose;

enum { OCV_POSE_MAX_GROUPS = 8 };

/// The poses at which flat points are seen where they are, the smaller reprojection error first.
///
/// What is flat and not seen at a steep perspective has two: they differ by the sign of its tilt (Collins and Bartoli,
/// “Infinitesimal plane-based pose estimation”, 2014; `cv::SOLVEPNP_IPPE`). Both are then brought to the nearest minimum
/// of the reprojection error (Levenberg–Marquardt). A second one that falls together with the first there is no minimum
/// of its own: it stays where it was, with its larger error.
///
/// `flat` holds `count` points, 4 or more, in the thing's plane (z = 0; metres), `seen` their places in the picture. Where
/// `groups` is not NULL it says for each how it was measured, 0 … OCV_POSE_MAX_GROUPS − 1: how much the points of a group
/// count follows from how well they agree (variance components), and one that disagrees counts little. With NULL all count
/// alike.
///
/// Writes one or two poses to `out` and their number to `found`; none where every pose lies behind the camera.
ocv_status ocv_pose_of_plane(
    const ocv_camera *camera, const ocv_point *flat, const ocv_point *seen, const int32_t *groups, int32_t count,
    ocv_pose out[2], int32_t *found) OCV_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
