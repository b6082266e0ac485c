#pragma once
#include "Markers/geometry.hpp"

#include <vector>

namespace ocv::markers {

/// What is known to be around a marker, as dark as itself.
struct Surroundings {
    /// On a chessboard the marker lies in the middle of a light square, with dark squares beside it; on a grid other markers of
    /// its size are beside it and across its corners.
    enum class Kind { unknown, chessboard, grid };

    Kind kind = Kind::unknown;
    /// From the marker to the dark squares or other markers, as a share of its side.
    double gap = 0;
    /// At which of its sides, clockwise from its own top, they are; at the others is light ground.
    std::array<bool, 4> hasNeighbour{};
};

/// Sub-pixel corners of small markers, from every pixel of them: since the code is known, so is what the picture shows of
/// it, but for the view, the blur and the light. These are found by least squares (Gauss and Newton, one pixel one
/// equation), so that what is next to an edge and draws it to its side when blurred, cells of the code or what is known to
/// be around the marker, doesn't move the corners.
class ModelFit {
public:
    /// Whether neighbouring edges blur into one another.
    ///
    /// - blur: standard deviation, cells.
    static bool isWorthwhile(double blur);

    /// - quad: clockwise from the marker's own top left, a pixel off at most; left as it was where the model doesn't fit.
    /// - bits: of the code along a side; `code` is the dictionary's.
    /// - expected: the blur that the sides show, standard deviation, cells.
    /// - returns: whether the corners were set.
    bool refine(
        ocv_plane luma, Quad &quad, int bits, uint64_t code, double expected, const Surroundings &surroundings = {});

    /// Whether the light cells of the last code that was fitted are as light as the ground, as on paper: cells of another code
    /// would be dark in part.
    bool isPlain() const { return plain; }

    /// The standard deviation of the last fit's blur where it is widest, pixels; 0 where nothing could be fitted.
    double width() const { return widest; }

    /// How unlike the last code that was fitted what is seen is: what of it the code doesn't explain, as a share of what blur,
    /// paper and noise make of a true one at the most, and bits of it that were corrected. Over 1 it isn't that code;
    /// infinite where nothing could be fitted.
    double doubt(int correctedBits) const;

private:
    struct Pixel {
        double x, y, value;
    };
    bool plain = false;
    /// Luma levels²: of all pixels, and of what the code doesn't explain; and the cells along a side.
    double variance = 0, unexplained = 0, widest = 0;
    int side = 0;
    std::vector<Pixel> pixels;
    std::vector<double> residuals;
};

} // namespace ocv::markers
