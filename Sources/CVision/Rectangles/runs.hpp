#pragma once
#include "Rectangles/parts.hpp"

#include <tuple>
#include <utility>

namespace ocv::rectangles {

using Polygon = std::vector<cv::Point>;

/// A straight edge of a polygon.
struct Piece {
    Point from, to;
    double length;
};

/// Pieces that lie on one line.
struct Run {
    /// Ends of the longest piece.
    Point from, to;
    /// Direction of from → to, radians.
    double angle;
    /// Sum of the pieces' lengths.
    double length;
    /// Where the pieces begin and end along from → to, pixels from `from`.
    std::vector<std::pair<double, double>> pieces;

    Point along() const { return (to - from) / cv::norm(to - from); }
    /// The share of the line between its points nearest to `a` and `b` that the pieces cover.
    double coverage(Point a, Point b) const;
};

/// An order of pieces or runs by place, for what is equal otherwise.
template <typename Shape> auto isBefore(const Shape &a, const Shape &b) -> decltype(a.from.y < b.to.x) {
    return std::tie(a.from.y, a.from.x, a.to.y, a.to.x) < std::tie(b.from.y, b.from.x, b.to.y, b.to.x);
}

/// The polygon's edges of at least `shortest` pixels.
std::vector<Piece> straightPieces(const Polygon &polygon, double shortest);

/// Joins the pieces of one line, longest run first: two parts of one side, with a gap or something that overlaps
/// between them, become one. Pieces that run in opposite directions are opposite sides and stay apart.
std::vector<Run> joinedRuns(std::vector<Piece> pieces);

} // namespace ocv::rectangles
