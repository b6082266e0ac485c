#ifndef OCV_FACES_H
#define OCV_FACES_H

// What networks look at to find faces, and the pose of a head from its landmarks.

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

/// The most pixels a side that `ocv_face_view` takes.
enum { OCV_FACE_VIEW_MOST = 32000 };

/// Samples a parallelogram of a picture bilinearly, each plane at its own resolution: several times cheaper than
/// `ocv_crop`, and as good for networks that look for faces. Nothing is averaged: take a smaller picture for a large region.
///
/// - Parameters:
///   - picture: with planes of at most `OCV_FACE_VIEW_MOST` a side, and strides that aren't negative.
///   - corners: the region's, as `ocv_quad` has them; the third is taken for granted.
///   - isPadded: what lies beyond the picture is black; else the picture's border goes on.
///   - rgb: receives side² pixels.
ocv_status ocv_face_view(
    const ocv_picture *picture, const ocv_point corners[4], int32_t side, bool isPadded, uint8_t *rgb) OCV_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
