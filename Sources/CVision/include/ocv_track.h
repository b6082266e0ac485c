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

/// A pair of networks of the Siamese kind. The calls compute one thing each, return 0 on success, may come from
/// different threads, and must outlive the trackers made with them. All values are 32-bit floats, dense.
typedef struct {
    void *context;
    /// Sides of the pictures that the networks take, in pixels, and the pixels from one cell to the next.
    int32_t templateSize, searchSize, stride;
    /// Features: `channels` × cells × cells.
    int32_t channels, templateCells, searchCells;
    /// Scores: `scoreChannels` × `scoreCells` × `scoreCells`, as logits: 1 (object) or 2 (background, object).
    int32_t scoreCells, scoreChannels;
    /// Features of a template or of a search window from 3 planes (blue, green, red; 0…255).
    int32_t (*embedTemplate)(void *context, const float *pixels, float *features);
    int32_t (*embedSearch)(void *context, const float *pixels, float *features);
    /// For each cell its score, and how far the object's left, top, right and bottom sides are from it, in pixels of the
    /// search window: 4 × `scoreCells` × `scoreCells`. The middle of the window is in cell `scoreCells` / 2.
    int32_t (*compare)(
        void *context, const float *templateFeatures, const float *searchFeatures, float *scores, float *sides);
} ocv_tracker_networks;

typedef struct {
    int32_t level;
    /// A place with this confidence or less is not the object, 0…1.
    double minimumConfidence;
    /// Frames in a row without the object that are bridged by prediction before it is lost.
    int32_t patience;
    /// Whether a lost object is looked for (1) or stays lost (0).
    int32_t redetect;
    /// Whether what is out of sight is looked for in the whole picture at once (1), which is dear.
    int32_t thorough;
} ocv_tracker_options;

typedef struct {
    ocv_box box;
    /// 0…1; over 0.5 in normal tracking, 0.3 or less where this is no longer the object.
    double confidence;
    int32_t state;
} ocv_tracker_result;

typedef struct ocv_tracker ocv_tracker;

/// One tracker for one object, to be destroyed by the caller. Its calls must come one after another but may come from
/// different threads; several trackers may work at once. `networks`: those to follow with, copied; NULL to follow with
/// correlation filters alone.
ocv_status ocv_tracker_create(ocv_tracker_options options, const ocv_tracker_networks *networks, ocv_tracker **out)
    OCV_NOEXCEPT;
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
