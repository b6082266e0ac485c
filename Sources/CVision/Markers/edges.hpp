#pragma once
#include "Markers/geometry.hpp"

#include <vector>

namespace ocv::markers {

/// Sub-pixel corners from the sides' edges in the full-size luma.
///
/// Across each side the edge is located by the moment-preserving rule (Tabatabai and Mitchell, “Edge location to
/// subpixel values in digital imagery”, 1984): the place that splits the rise from dark to light into two equal
/// areas, which blur doesn't move. A line goes through those places by robust least squares weighted by contrast, as
/// in AprilTag 2 (Wang and Olson 2016); a parabola where lens or paper measurably bends the side.
class EdgeFit {
public:
    /// Refines `quad`, whose corners are off by at most a few times `uncertainty` pixels. `cells` is the number of
    /// marker cells along a side: the search across a side stays within one. Tells by corner whether it was fitted;
    /// the others are left as they were. What is lighter than `ceiling` counts as that: a lighter ground behind narrow paper
    /// would be the steeper edge. A rise that is wider than what is looked at is followed to its ends, up to a cell, where
    /// `followsBlur` says so: corners are measured by that, and codes read without.
    std::array<bool, 4> refine(
        const Sampler &luma, Quad &quad, int cells, double uncertainty, double contrast, float ceiling = 255,
        bool followsBlur = false);

    /// The blur at the side where it is widest for the cells across it, of the last quad that was refined: standard deviation,
    /// cells. Infinite where a side wasn't found.
    double blur() const { return widest; }

private:
    /// A side as it was found: from `origin` along `direction` (unit), leaving that line by
    /// offset + slope·u + bend·u² outward, u in −1…1 from end to end.
    struct Side {
        Point origin, direction, outward;
        double half = 0, offset = 0, slope = 0, bend = 0;
        bool fitted = false;

        double height(double u) const { return offset + u * (slope + u * bend); }
        Point at(double u) const { return origin + direction * (half * u) + outward * height(u); }
        Point tangent(double u) const { return direction * half + outward * (slope + 2 * bend * u); }
    };
    /// Where the edge is, what it rises by in all, and in its steepest step.
    struct Place {
        double along, across, weight, rise;
    };

    void locate(const Sampler &luma, const Side &side, int count, double reach, double contrast, float ceiling);
    /// Fits the side to the places; false where fewer than half of those `expected` were found, or they disagree.
    bool fit(Side &side, int expected);
    /// The standard deviation of the blur at the places, pixels.
    double spread() const;
    static bool meet(const Side &before, const Side &after, Point &corner);

    double widest = 0;
    /// Whether the rise goes on at the end of most of the profiles in which it was looked for last.
    bool isCut = false;
    std::vector<Place> places;
    std::vector<double> residuals, sorted;
};

} // namespace ocv::markers
