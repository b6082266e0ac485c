#ifndef OCV_TRACK_H
#define OCV_TRACK_H

// Follows one object, given by a box in one frame, through the frames after it.

#include "ocv_pixels.h"

#ifdef __cplusplus
extern "C" {
#endif

/// `accurate` looks finely and learns from every frame; `fast` coarsely, and learns from every other one.
enum { OCV_TRACKER_ACCURATE = 0, OCV_TRACKER_FAST = 1 };

/// What an update came to.
enum {
    OCV_TRACKER_TRACKED = 0,   ///< the object was seen
    OCV_TRACKER_PREDICTED = 1, ///< not seen just now; the box is where its motion would have taken it
    OCV_TRACKER_LOST = 2,      ///< not seen for longer; the box is the last one and means nothing
    OCV_TRACKER_RECOVERED = 3, ///< seen again after it was lost
};

typedef struct {
    int32_t level;
    /// A place with this confidence or less is not the object, 0…1.
    double minimumConfidence;
    /// Frames in a row without the object that are bridged by prediction before it is lost.
    int32_t patience;
    /// Whether a lost object is looked for (1) or stays lost (0).
    int32_t redetect;
} ocv_tracker_options;

typedef struct {
    ocv_box box;
    /// 0…1; over 0.5 in normal tracking, 0.3 or less where this is no longer the object.
    double confidence;
    int32_t state;
} ocv_tracker_result;

typedef struct ocv_tracker ocv_tracker;

/// The defaults of a level: minimum confidence 0.3, patience 8 frames, re-detection on.
ocv_tracker_options ocv_tracker_default_options(int32_t level) OCV_NOEXCEPT;

/// One tracker for one object, to be destroyed by the caller. Its calls must come one after another but may come from
/// different threads; several trackers may work at once.
ocv_status ocv_tracker_create(ocv_tracker_options options, ocv_tracker **out) OCV_NOEXCEPT;
void ocv_tracker_destroy(ocv_tracker *tracker) OCV_NOEXCEPT;

/// 1 where the frames must be 3 interleaved channels (blue, green, red), 0 where they must be luma alone.
int32_t ocv_tracker_needs_color(const ocv_tracker *tracker) OCV_NOEXCEPT;

/// Learns the object in `box` (pixels, origin top left, integer coordinates are pixel centres) and forgets any other.
/// `frame`: `width` × `height` pixels of the channels above, `stride` in bytes; not kept after the call.
/// Fails where the box is empty or has no part in the frame.
ocv_status ocv_tracker_seed(ocv_tracker *tracker, ocv_plane frame, ocv_box box) OCV_NOEXCEPT;

/// Finds the object in the next frame, which must be as large as the seed's.
ocv_status ocv_tracker_update(ocv_tracker *tracker, ocv_plane frame, ocv_tracker_result *result) OCV_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
