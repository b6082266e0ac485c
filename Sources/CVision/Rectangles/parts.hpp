#pragma once
#include "Pixels/Guard.hpp"
#include "ocv_rectangles.h"

#include <algorithm>
#include <array>
#include <cmath>
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

/// A quadrilateral that the picture confirms.
struct Rectangle {
    Quad quad;
    Bends bends{};
    /// Share of each side along which the picture steps.
    std::array<double, 4> support;
    /// Which plane shows each side: 0 luma, 1 Cb, 2 Cr.
    std::array<int, 4> plane{};
    /// Which way that plane steps on each side: 0 falls towards the inside, 1 rises.
    std::array<int, 4> polarity;
    /// Height of the step on each side, grey levels.
    std::array<double, 4> strength;

    /// How far off the sides may be, pixels of the working picture.
    double doubt = 1.25;
    /// Drawn by hand, its sides in the middle of the strokes.
    bool isDrawn = false;
    /// The side that the picture's border cuts off, −1 for none.
    int cut = -1;
    /// How many times as wide as of what is sharp the widest of its sides' ramps is, 0 where none is wider.
    double smear = 0;

    double confidence() const;
    /// Height of the step on the faintest side.
    double contrast() const { return *std::min_element(strength.begin(), strength.end()); }
};

// MARK: geometry.cpp

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
/// An order of quads by place, for what is equal otherwise.
bool isBefore(const Quad &a, const Quad &b);
/// Where the line through `a` and `b` meets the one through `c` and `d`; false when they're nearly parallel.
bool intersect(Point a, Point b, Point c, Point d, Point &at);
/// Two points of a side.
struct Line {
    Point from, to;
};
/// The side `a` → `b` moved inwards by `start` at `a` and by `end` at `b`.
Line moved(Point a, Point b, double start, double end);
/// The quadrilateral that four sides enclose, each beginning at the corner of its index; false when they make none.
bool enclose(const std::array<Line, 4> &sides, Quad &quad);
/// Whether all corners of `inner` are in `outer`, or no further than 2 pixels outside.
bool covers(const Quad &outer, const Quad &inner);
/// Whether `quad` satisfies the options; `slack` widens the tolerance for a quad that has yet to be fitted.
bool admissible(const Quad &quad, const ocv_rectangle_options &options, double minimumSide, double slack);

/// The least aspect ratio in the picture: a rectangle turned away by the tolerance looks narrower than it is.
double leastAspectRatio(const ocv_rectangle_options &options);
/// `quad` of a picture reduced by `scaleX`, `scaleY`, in the picture itself.
Quad enlarged(Quad quad, double scaleX, double scaleY);

// MARK: planes.cpp

/// A plane of the picture as it was decoded, and where its samples lie: sample (x, y) at (x · scaleX + shiftX, …) of the
/// picture. Luma has scale 1 and shift 0.
struct Plane {
    cv::Mat samples;
    double scaleX = 1, scaleY = 1, shiftX = 0, shiftY = 0;

    Point toPicture(Point at) const { return {at.x * scaleX + shiftX, at.y * scaleY + shiftY}; }
    Point fromPicture(Point at) const { return {(at.x - shiftX) / scaleX, (at.y - shiftY) / scaleY}; }
    /// Pixels of the picture per sample, across a line of any direction.
    double scale() const { return std::sqrt(scaleX * scaleY); }
};

using Planes = std::array<Plane, 3>;

/// Luma, and Cb and Cr where the picture has them; fails where a plane's layout makes no sense.
Planes planes(const ocv_picture &picture);

// MARK: regions.cpp

/// How many global thresholds are tried.
constexpr int levelCount = 8;

/// A plane's reduced pictures, their binarisations, and the memory for them.
struct Regions {
    /// About 512×288 pixels, and half of that either way.
    cv::Mat working, coarse;
    /// Twice to three times the size of `working`; the picture itself where that is small.
    cv::Mat finer;
    /// From `working` to the picture, from `working` to `finer`, and from `coarse` to `working`.
    double scaleX = 1, scaleY = 1, finerX = 1, finerY = 1, coarseX = 1, coarseY = 1;

    void reduce(const cv::Mat &luma);
    /// Reduces a plane of chroma to the size of luma's working picture; what is needed to look for edges comes first,
    /// the rest with `prepare`.
    void reduce(const cv::Mat &chroma, const Regions &luma);
    /// Whether this plane of chroma has edges that `luma` lacks, enough of them for a side of `minimumSide` pixels of
    /// the working picture.
    bool addsTo(const Regions &luma, double minimumSide);
    /// Makes ready for the binarisations.
    void prepare();
    /// Calls `body(contours, isCoarse)` for each binarisation. All edges of the working picture come last, and only
    /// where rectangles may be small, `minimumSide` pixels: they cost most, and the others show what is larger.
    /// Of chroma, which light hardly changes, the reduced ones show what is large.
    template <typename Body> void forEachBinarisation(double minimumSide, bool isChroma, Body &&body) {
        const int count = levelCount + (minimumSide < 48 ? 5 : 4);
        for (int index = 0; index < count; ++index) {
            if (isChroma && minimumSide >= 48 && (index == 1 || index == 2)) continue;
            const bool isCoarse = binarise(index);
            body(contours, isCoarse);
        }
    }

private:
    cv::Mat halves[2], smooth, dx, dy, mean, binary, smoothCoarse, slope, known;
    std::array<int, levelCount> levels{};
    std::vector<std::vector<cv::Point>> contours;

    bool binarise(int index);
    void trace();
};

// MARK: proposals.cpp

/// Adds the quadrilaterals that `contour` may be the outline of.
void propose(const std::vector<cv::Point> &contour, double minimumSide, std::vector<Proposal> &proposals);

// MARK: sides.cpp

/// The working pictures of luma and, where they show more, of Cb and Cr; null where not.
using Views = std::array<const cv::Mat *, 3>;

/// Tests `proposal` against the planes and moves its sides to where the steps are, up to `reach` pixels away: all sides
/// on one plane, luma where it shows them clearly. False when some side isn't there.
bool confirm(const Views &views, const Proposal &proposal, double reach, Rectangle &rectangle);
/// Tests one side of `proposal`, of which a part may be outside of the picture: fills in what `rectangle` has of that
/// side, and where it lies.
bool confirmSide(
    const Views &views, const Proposal &proposal, int side, double reach, Rectangle &rectangle, Line &line);
/// Fits the sides once more on the full-size planes, `reach` pixels of the picture either side; keeps `rectangle` where
/// that fails.
void refine(const Planes &planes, double reach, Rectangle &rectangle);
/// Whether some side is but a faint streak or seam at which its neighbours, seen much more clearly, go on: of what the picture's
/// border cuts a part would be taken for the whole. Planes without samples aren't asked.
bool goesOn(const Planes &planes, const Rectangle &rectangle);

// MARK: ramps.cpp

/// Moves sides that motion or defocus has smeared to the middle of the ramp that they have become: by the steepest place alone
/// they lie anywhere on it. Ramps up to `sharp` pixels of the picture wide stay where they are.
void settle(const Planes &planes, double sharp, Rectangle &rectangle);

// MARK: strokes.cpp

/// A quadrilateral drawn as lines: its sides run in the middle of the strokes, which may sway, stop short of a corner or
/// go beyond it.
struct Drawing {
    Rectangle rectangle;
    /// Of the strokes, pixels.
    double width = 0;
    /// How far the strokes stray from even curves, root mean square, pixels.
    double sway = 0;
};

/// Looks for strokes along all sides of `quad`, up to `reach` pixels away: dark or light on paper that is about alike on
/// both sides of them. False when some side isn't one.
bool trace(const cv::Mat &luma, const Quad &quad, double reach, Drawing &drawing);

// MARK: nesting.cpp

/// Whether `outer` lies around `inner` as a frame or mat lies around a picture: about as wide on all four sides, and no
/// wider than a quarter of its short side. What lies off-centre or askew on something is another object.
/// `unevenness`, when it does, is 0 for margins all alike and grows with what sets them apart.
bool frames(const Quad &outer, const Quad &inner, double *unevenness = nullptr);
/// Whether `inner` is inside `outer` and touches none of its sides.
bool surrounds(const Quad &outer, const Quad &inner);
/// Whether the luma shows `outer` about as well as the rectangle inside it.
bool bearsOut(const Rectangle &outer, const Rectangle &inner);
/// Looks for a frame around `quad`: a step on all four sides at about the same distance.
bool grow(const cv::Mat &luma, const Quad &quad, Quad &outer);

// MARK: cut.cpp

/// Completes a frame of which the picture's border cuts off one side: three sides of `proposal` are seen, and where the
/// fourth is follows from `inner`, which it lies around. Its support says how much of the outline is seen.
bool complete(const Views &views, const Proposal &proposal, const Rectangle &inner, Rectangle &outer);

// MARK: selection.cpp

/// Leaves one of the rectangles that are one edge seen twice, perhaps with a side or corner astray.
void mergeTwins(std::vector<Rectangle> &rectangles);
/// Leaves one of the rectangles that outline the same object and puts the most prominent first.
void select(std::vector<Rectangle> &rectangles);

} // namespace ocv::rectangles
