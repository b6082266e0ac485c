#ifndef OCV_LABELS_H
#define OCV_LABELS_H

// Keeps hold of one physical point, given by its place in one frame, through the frames after it.

#include "ocv_pixels.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What an update came to.
enum {
    OCV_ANCHOR_TRACKED = 0,   ///< the point was seen
    OCV_ANCHOR_PREDICTED = 1, ///< not seen just now; what is around it says where it is
    OCV_ANCHOR_LOST = 2,      ///< covered, out of the picture or not found; there is no place
    OCV_ANCHOR_RECOVERED = 3, ///< seen again after it was lost
};

typedef struct {
    /// How far around the point its surface is looked at, pixels; more is taken where there is too little to see.
    double radius;
    /// Frames in a row in which the point is not seen before it is lost.
    int32_t patience;
    /// Seconds between two searches of the whole picture for a lost point.
    double searchInterval;
} ocv_anchor_options;

typedef struct {
    ocv_point point;
    /// 0…1: how much of what is around the point was found where it should be, and how like itself the point looks.
    double confidence;
    int32_t state;
} ocv_anchor_result;

/// One frame's luma as anchors need it: shared by all of them, immutable.
typedef struct ocv_anchor_frame ocv_anchor_frame;
typedef struct ocv_anchor ocv_anchor;

/// Copies a frame's luma into a pyramid, to be destroyed by the caller; anchors keep what they need of it.
ocv_status ocv_anchor_frame_create(ocv_plane luma, ocv_anchor_frame **out) OCV_NOEXCEPT;
void ocv_anchor_frame_destroy(ocv_anchor_frame *frame) OCV_NOEXCEPT;

/// An anchor at a point of a frame, to be destroyed by the caller. Its calls must come one after another but may come
/// from different threads; several anchors may work at once, on the same frames too.
/// `isHeld`: 0 where there is nothing around the point to hold it by; such an anchor is lost from the start.
ocv_status ocv_anchor_create(
    const ocv_anchor_frame *frame, ocv_point point, ocv_anchor_options options, int32_t *isHeld,
    ocv_anchor **out) OCV_NOEXCEPT;
void ocv_anchor_destroy(ocv_anchor *anchor) OCV_NOEXCEPT;

/// Finds the point in the next frame, which must be as large as the first. `seconds`: the frame's time.
ocv_status ocv_anchor_update(
    ocv_anchor *anchor, const ocv_anchor_frame *frame, double seconds, ocv_anchor_result *result) OCV_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
