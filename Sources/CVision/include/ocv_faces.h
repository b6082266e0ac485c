#ifndef OCV_FACES_H
#define OCV_FACES_H

// The pose of a head from its landmarks.

#include "ocv_pixels.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How a head is turned, degrees; 0, 0, 0 looks straight along the camera's axis, out of the picture.
typedef struct {
    /// Clockwise in the picture, −180…180.
    double roll;
    /// Towards the picture's right, −90…90.
    double yaw;
    /// Upwards, −180…180.
    double pitch;
} ocv_head_angles;

/// The angles under which a generic head is seen with its landmarks where they are: the reprojection error's minimum
/// (Levenberg–Marquardt from a head that looks at the camera, rolled as its eyes are; `cv::solvePnP`), then taken apart as
/// roll · yaw · pitch. Good to some 10°, since heads and cameras differ.
///
/// - Parameters:
///   - landmarks: 5 (the eye on the picture's left, the other, the tip of the nose, the corner of the mouth on the
///     picture's left, the other) or 68 (in the order of iBUG 300-W).
///   - center: the picture's middle, where the camera's axis meets it.
///   - focalLength: of the camera, pixels.
/// - Returns: a failure for other counts, or places that aren't finite or all but one.
ocv_status ocv_head_pose(
    const ocv_point *landmarks, int32_t count, ocv_point center, double focalLength,
    ocv_head_angles *angles) OCV_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
