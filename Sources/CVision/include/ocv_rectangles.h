#ifndef OCV_RECTANGLES_H
#define OCV_RECTANGLES_H

// Rectangles seen in perspective: sheets, cards, screens, posters, drawn quadrilaterals.
//
// How: the picture is reduced to about 512 × 288 pixels and binarised in several ways (Canny edges, local and
// global thresholds, after OpenCV's samples/cpp/squares.cpp). Each contour proposes quadrilaterals: its Douglas–Peucker
// polygon, its hull, and the intersections of its longest straight runs, which outlive rounded corners and overlaps.
// A proposal is believed only if the picture itself shows a straight step along all four sides. The sides of what is
// left are fitted on the full-size planes and intersected, so corners are sub-pixel.
//
// Luma is looked at always, Cb and Cr, each for itself, where they have edges that luma lacks: a sheet on a table of
// about its own brightness. A side that luma shows clearly is taken from luma, which is finer.
//
// An object is found once, by its outermost edge: of quadrilaterals that lie in one another like the edges of a frame,
// a mat and a picture (margins about alike on all sides, up to a quarter of the short side) only the outermost is given,
// unless the luma bears it out much worse than what is inside. A frame that only a shadow or a seam hides is looked for
// outside of what has been found. What lies off-centre or askew on something, or much smaller, is an object of its own.
// A frame of which the picture's border cuts off one side is completed from what it lies around, while that is whole; its
// confidence says how much of the outline is seen.
//
// Strokes of a pen or marker that sway too much for straight edges are told across each side, and the sides run through
// their middle.

#include "ocv_pixels.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What counts as a rectangle; names and meanings are those of Vision's VNDetectRectanglesRequest.
///
/// The limits are compared with a small tolerance, because a side measured in pixels is not exact: 5 % of the limit
/// for the ratios and the size, 1.5° for the angle.
typedef struct {
    /// Short side ÷ long side (each the mean of two opposite sides), 0…1. Turned away from the camera, a rectangle looks
    /// narrower: as much as `quadratureTolerance` would do it, × cos(30°) by default, is allowed for.
    double minimumAspectRatio;
    double maximumAspectRatio;
    /// How far each corner may deviate from 90°, degrees, 0…45.
    double quadratureTolerance;
    /// Mean side (the root of the sides' product) ÷ smaller dimension of the picture, 0…1. Sides under 12 pixels of the
    /// reduced picture aren't found.
    double minimumSize;
    /// Least `confidence`, 0…1.
    double minimumConfidence;
    /// At most so many rectangles, the most prominent (confidence × area) first; 0 is no limit.
    int32_t maximumObservations;
} ocv_rectangle_options;

/// One rectangle in the picture.
typedef struct {
    /// Corners, clockwise as seen in the picture; the first is the one nearest to the picture's top left corner.
    ocv_point corners[4];
    /// 0…1: the share of the outline where the picture shows a straight step, × (1 − mean deviation of the corners from
    /// 90° ÷ 90°), and less the wider motion or defocus has smeared its sides. A clean sheet seen from above has 1.
    double confidence;
} ocv_rectangle;

typedef struct ocv_rectangle_detector ocv_rectangle_detector;

/// Makes a detector; fails when an option is outside its range. The caller owns `*detector` and destroys it.
/// A detector keeps scratch buffers and nothing about past pictures; use one per thread.
ocv_status ocv_rectangle_detector_create(ocv_rectangle_options options, ocv_rectangle_detector **detector) OCV_NOEXCEPT;

/// Accepts NULL.
void ocv_rectangle_detector_destroy(ocv_rectangle_detector *detector) OCV_NOEXCEPT;

/// Finds the rectangles of `picture`, grey or planar Y′CbCr, ordered by confidence × area (ties: top to bottom, left to
/// right).
/// Writes at most `capacity` of them to `rectangles` and says in `*count` how many were written.
/// Equal input gives equal output.
ocv_status ocv_rectangle_detect(
    ocv_rectangle_detector *detector, const ocv_picture *picture, ocv_rectangle *rectangles, int32_t capacity,
    int32_t *count) OCV_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
