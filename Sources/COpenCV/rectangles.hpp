#pragma once
#include "Guard.hpp"
#include "ocv_rectangles.h"

#include <algorithm>
#include <array>
#include <vector>

// The parts of the rectangle detector; see ocv_rectangles.h for the method as a whole.
namespace ocv::rectangles {

using Point = cv::Point2d;
/// Corners in clockwise order (y down). Integer coordinates are pixel centres of the picture it was measured in.
using Quad = std::array<Point, 4>;

/// How far each side bulges towards the inside at a quarter, half and three quarters of its length, pixels: paper curls
/// and lenses bend straight lines.
using Bends = std::array<std::array<double, 3>, 4>;

/// A quadrilateral that some contour suggests.
struct Proposal {
    Quad quad;
    Bends bends{};
};

/// A quadrilateral that the luma confirms.
struct Rectangle {
    Quad quad;
    Bends bends{};
    /// Share of each side along which the luma steps.
    std::array<double, 4> support;
    /// Which way the luma steps on each side: 0 falls towards the inside, 1 rises.
    std::array<int, 4> polarity;
    /// Height of the step on the faintest side, grey levels.
    double contrast;

    double confidence() const;
};

// MARK: rectangles_geometry.cpp

double signedArea(const Quad &quad);
bool isConvex(const Quad &quad);
/// Largest deviation of a corner from 90°, degrees; `mean` is the mean deviation.
double angleDeviation(const Quad &quad, double *mean = nullptr);
/// Means of the opposite sides: the shorter and the longer.
void sideLengths(const Quad &quad, double &shorter, double &longer);
/// Which corner is the nearest to the picture's top left.
int firstCorner(const Quad &quad);
/// Turns an array of corners or sides so that `first` comes first.
template <typename Element> void turn(std::array<Element, 4> &array, int first) {
    std::rotate(array.begin(), array.begin() + first, array.end());
}
/// Where the line through `a` and `b` meets the one through `c` and `d`; false when they're nearly parallel.
bool intersect(Point a, Point b, Point c, Point d, Point &at);
/// Whether `quad` satisfies the options; `slack` widens the tolerance for a quad that has yet to be fitted.
bool admissible(const Quad &quad, const ocv_rectangle_options &options, double minimumSide, double slack);
/// `quad` of a picture reduced by `scaleX`, `scaleY`, in the picture itself.
Quad enlarged(Quad quad, double scaleX, double scaleY);

// MARK: rectangles_regions.cpp

/// The reduced pictures, their binarisations, and the memory for them.
struct Regions {
    /// About 512×288 pixels, and half of that either way.
    cv::Mat working, coarse;
    /// From `working` to the picture, and from `coarse` to `working`.
    double scaleX = 1, scaleY = 1, coarseX = 1, coarseY = 1;

    void reduce(const cv::Mat &luma);
    /// Calls `body(contours, isCoarse)` for each binarisation.
    template <typename Body> void forEachBinarisation(Body &&body) {
        for (int index = 0; index < binarisationCount; ++index) {
            const bool isCoarse = binarise(index);
            body(contours, isCoarse);
        }
    }

  private:
    static constexpr int binarisationCount = 13;
    cv::Mat halves[2], smooth, dx, dy, mean, binary, smoothCoarse;
    std::array<int, 8> levels{};
    std::vector<std::vector<cv::Point>> contours;

    bool binarise(int index);
    void trace();
};

// MARK: rectangles_proposals.cpp

/// Adds the quadrilaterals that `contour` may be the outline of.
void propose(const std::vector<cv::Point> &contour, double minimumSide, std::vector<Proposal> &proposals);

// MARK: rectangles_sides.cpp

/// Tests `proposal` against the luma and moves its sides to where the steps are, up to `reach` pixels away.
/// False when some side isn't there.
bool confirm(const cv::Mat &luma, const Proposal &proposal, double reach, Rectangle &rectangle);
/// Fits the sides once more on the full-size `luma`, `reach` pixels either side; keeps `rectangle` where that fails.
void refine(const cv::Mat &luma, double reach, Rectangle &rectangle);

// MARK: rectangles_selection.cpp

/// Leaves one of the rectangles that outline the same object and puts the most prominent first.
void select(std::vector<Rectangle> &rectangles);

} // namespace ocv::rectangles
