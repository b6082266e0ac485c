#ifndef OCV_FACES_H
#define OCV_FACES_H

// Faces without a network: a cascade of boosted classifiers on luma; and the pose of a head from its landmarks.

#include "ocv_pixels.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A cascade with its scratch memory. Not thread-safe: give every thread its own.
typedef struct ocv_cascade ocv_cascade;

typedef struct {
    /// In pixels of the plane searched.
    ocv_box box;
    /// How many windows of about this place and size passed the cascade, 3 at least.
    int32_t windows;
} ocv_cascade_face;

/// Reads a cascade of Haar-like or LBP features in OpenCV's form (Viola and Jones 2001; `cv::CascadeClassifier`).
/// Close it with `ocv_cascade_close`.
///
/// - Returns: a failure for a file that is no such cascade; `*cascade` is then NULL.
ocv_status ocv_cascade_open(const char *path, ocv_cascade **cascade) OCV_NOEXCEPT;

/// NULL is allowed.
void ocv_cascade_close(ocv_cascade *cascade) OCV_NOEXCEPT;

/// How many stages a window must pass.
int32_t ocv_cascade_stages(const ocv_cascade *cascade) OCV_NOEXCEPT;

/// Finds faces at every size from `minimumSize` on, steps of 10 %, overlapping windows merged; a place with fewer
/// than 3 of them is left out.
///
/// - Parameters:
///   - longestSide: the plane is made smaller, by averaging, until its longer side has no more pixels.
///   - minimumSize: of a face, in pixels of `luma`; the cascade's own window is the least all the same.
///   - faces: room for `capacity` results; `*count` is how many there are, and may be more.
ocv_status ocv_cascade_detect(
    ocv_cascade *cascade, ocv_plane luma, int32_t longestSide, double minimumSize, ocv_cascade_face *faces,
    int32_t capacity, int32_t *count) OCV_NOEXCEPT;

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
