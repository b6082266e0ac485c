#ifndef OCV_HORIZON_H
#define OCV_HORIZON_H

// The horizon in one picture. Pure and thread-safe.

#include "ocv_pixels.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a horizon was found by.
typedef enum {
    OCV_HORIZON_NONE = 0,
    /// A straight border across the picture.
    OCV_HORIZON_LINE = 1,
    /// A ragged border: hills, roofs.
    OCV_HORIZON_SKYLINE = 2
} ocv_horizon_kind;

typedef struct {
    ocv_horizon_kind kind;
    /// Degrees, clockwise: over 0 where it falls towards the right.
    double angle;
    /// From the picture's middle to the line, at right angles to it, pixels; over 0 where the middle is above the line.
    double offset;
    /// 0…1: how much of its length is there to be seen, and how much the sides differ.
    double confidence;
} ocv_horizon;

/// Finds the line that parts what is above from what is below, within 60° of level and at least three quarters as long as
/// the picture is wide. Uniform bars along the picture's edges don't count.
///
/// Lines come from the edges, at two scales (Hough 1962), and from the split of the picture into two regions whose colours
/// differ most within themselves least (Ettinger et al. 2002). One counts in three cases, the border being seen along most
/// of it from one side of the picture to the other:
/// - It has the sky above it, brighter than what is below at the border and as a whole. The sky is even, or the border
///   stands out from all that is in it and nearly all of it is brighter than the ground. A ragged border is fitted with a
///   wider reach.
/// - It is the far shore of a lake: it is darker above it, and above that band, which is low, brighter again.
/// - The picture is like its mirror image about it: still water. So the shore is found under hills, where it may not be
///   seen itself.
/// A shore counts rather than the outline of what is beyond it. Sky, ground and water have to have colours that they may have,
/// and a sky that gets darker towards the line, or has a second border along it that is as clear, is none. What lies near the
/// picture's edge has less confidence.
ocv_status ocv_find_horizon(const ocv_picture *picture, ocv_horizon *horizon) OCV_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
