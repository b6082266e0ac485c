#ifndef OCV_IMAGES_H
#define OCV_IMAGES_H

// Finds flat pictures whose look is known and follows them through a video, by luma.

#include "ocv_pixels.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One frame's luma at several sizes, each half the one before. Immutable; several threads may read one.
typedef struct ocv_pyramid ocv_pyramid;

/// Copies the plane, so that the pyramid outlives it. To be destroyed by the caller.
ocv_status ocv_pyramid_create(ocv_plane luma, ocv_pyramid **out) OCV_NOEXCEPT;
void ocv_pyramid_destroy(ocv_pyramid *pyramid) OCV_NOEXCEPT;

/// What makes a picture unfit to be found.
enum {
    OCV_IMAGE_FIT = 0,
    OCV_IMAGE_TINY = 1,      ///< fewer than `OCV_IMAGE_LEAST_SIDE` pixels on its shorter side
    OCV_IMAGE_FLAT = 2,      ///< all of nearly one tone
    OCV_IMAGE_PLAIN = 3,     ///< too few places that differ from their surroundings, or all in one part of it
    OCV_IMAGE_REPEATING = 4, ///< it looks the same when it is shifted
    OCV_IMAGE_SYMMETRIC = 5, ///< it looks the same when it is turned
};
enum { OCV_IMAGE_LEAST_SIDE = 48 };

/// What was found out about a picture.
typedef struct {
    /// One of `OCV_IMAGE_…`.
    int32_t verdict;
    /// Places with detail, and how many of the picture's 16 parts have some.
    int32_t places, parts;
    /// Standard deviation of its luma, codes.
    double contrast;
    /// The best correlation with itself shifted, or turned; −1…1.
    double repetition;
} ocv_image_quality;

/// A picture that is looked for. Immutable; several threads may use one.
typedef struct ocv_image_reference ocv_image_reference;

/// Learns a picture from its luma, all of it. `quality->verdict` says whether it can be found; `*out` is NULL where not.
ocv_status ocv_image_reference_create(ocv_plane luma, ocv_image_reference **out, ocv_image_quality *quality)
    OCV_NOEXCEPT;
void ocv_image_reference_destroy(ocv_image_reference *reference) OCV_NOEXCEPT;

/// What a frame shows to someone who looks for pictures.
typedef struct ocv_image_features ocv_image_features;

ocv_status ocv_image_features_create(const ocv_pyramid *frame, ocv_image_features **out) OCV_NOEXCEPT;
void ocv_image_features_destroy(ocv_image_features *features) OCV_NOEXCEPT;

/// Follows one picture. Its calls must come one after another but may come from different threads.
typedef struct ocv_image_tracker ocv_image_tracker;

typedef struct {
    /// The picture's outer edge, clockwise from its own top left.
    ocv_quad quad;
    /// How far the whole quad can be believed, 0…1: which share of the picture's places that lie in the frame was seen,
    /// times how surely these tell where all four corners are, in the frame or not. 1 ÷ (1 + (e ÷ t)²), where e is the
    /// standard deviation of the worst corner and t 0.4 % of the longest side, 1 pixel at least.
    double confidence;
    /// False where it was not seen; the rest means nothing then.
    bool found;
} ocv_image_sighting;

/// - Parameter reference: must live as long as the tracker.
ocv_status ocv_image_tracker_create(const ocv_image_reference *reference, ocv_image_tracker **out) OCV_NOEXCEPT;
void ocv_image_tracker_destroy(ocv_image_tracker *tracker) OCV_NOEXCEPT;

/// Looks for the picture in the whole frame; `features` are the frame's.
ocv_status ocv_image_tracker_search(
    ocv_image_tracker *tracker, const ocv_pyramid *frame, const ocv_image_features *features,
    ocv_image_sighting *sighting) OCV_NOEXCEPT;

/// Takes the picture to be at a quad and aligns it there.
ocv_status ocv_image_tracker_place(
    ocv_image_tracker *tracker, const ocv_pyramid *frame, const ocv_quad *quad,
    ocv_image_sighting *sighting) OCV_NOEXCEPT;

/// Follows the picture into the next frame. Where it isn't found it may be tried again with frames after that one, as
/// long as it can't have gone far.
/// - Parameter interval: how many of the video's frames lie between the last call's frame and this one; 1 for neighbours.
ocv_status ocv_image_tracker_follow(
    ocv_image_tracker *tracker, const ocv_pyramid *frame, double interval, ocv_image_sighting *sighting) OCV_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
