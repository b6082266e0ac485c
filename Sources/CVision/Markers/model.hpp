#pragma once
#include "Markers/geometry.hpp"

#include <vector>

namespace ocv::markers {

/// Sub-pixel corners of small markers, from every pixel of them: since the code is known, so is what the picture shows of
/// it, but for the view, the blur and the light. These are found by least squares (Gauss and Newton, one pixel one
/// equation), so that the cells next to the border, which draw a blurred edge to their side, don't move the corners.
class ModelFit {
public:
    /// Whether cells are so small that neighbouring edges blur into one another.
    static bool isWorthwhile(const Quad &quad, int cells);

    /// - quad: clockwise from the marker's own top left, a pixel off at most; left as it was where the model doesn't fit.
    /// - bits: of the code along a side; `code` is the dictionary's.
    /// - returns: whether the corners were set.
    bool refine(ocv_plane luma, Quad &quad, int bits, uint64_t code);

private:
    struct Pixel {
        double x, y, value;
    };
    std::vector<Pixel> pixels;
    std::vector<double> residuals;
};

} // namespace ocv::markers
