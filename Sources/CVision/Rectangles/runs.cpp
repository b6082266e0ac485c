#include "Rectangles/runs.hpp"

#include <algorithm>
#include <cmath>

namespace ocv::rectangles {

double Run::coverage(Point a, Point b) const {
    const Point direction = along();
    double begin = direction.dot(a - from), end = direction.dot(b - from);
    if (begin > end) std::swap(begin, end);
    double covered = 0;
    for (const auto &piece : pieces)
        covered += std::max(0.0, std::min(end, piece.second) - std::max(begin, piece.first));
    return std::min(1.0, covered / std::max(1.0, end - begin));
}

std::vector<Piece> straightPieces(const Polygon &polygon, double shortest) {
    std::vector<Piece> pieces;
    for (size_t i = 0; i < polygon.size(); ++i) {
        const Point a = polygon[i], b = polygon[(i + 1) % polygon.size()];
        const double length = cv::norm(b - a);
        if (length >= shortest) pieces.push_back({a, b, length});
    }
    return pieces;
}

namespace {

/// Pieces may overlap (the two edges of one line); their union is what counts.
void makeDisjoint(std::vector<std::pair<double, double>> &pieces) {
    std::sort(pieces.begin(), pieces.end());
    size_t last = 0;
    for (size_t i = 1; i < pieces.size(); ++i)
        if (pieces[i].first <= pieces[last].second)
            pieces[last].second = std::max(pieces[last].second, pieces[i].second);
        else
            pieces[++last] = pieces[i];
    pieces.resize(std::min(pieces.size(), last + 1));
}

} // namespace

std::vector<Run> joinedRuns(std::vector<Piece> pieces) {
    std::sort(pieces.begin(), pieces.end(), [](const Piece &a, const Piece &b) {
        return a.length != b.length ? a.length > b.length : isBefore(a, b);
    });
    std::vector<Run> runs;
    for (const Piece &piece : pieces) {
        bool joined = false;
        for (Run &run : runs) {
            const Point along = run.along();
            // What a long line's direction is worth grows with its length.
            const double off = 2 + 0.01 * cv::norm(run.to - run.from);
            if (along.dot(piece.to - piece.from) <= 0) continue;
            if (std::abs(along.cross(piece.from - run.from)) > off) continue;
            if (std::abs(along.cross(piece.to - run.from)) > off) continue;
            const std::pair<double, double> ends =
                std::minmax({along.dot(piece.from - run.from), along.dot(piece.to - run.from)});
            run.pieces.push_back(ends);
            joined = true;
            break;
        }
        if (joined || runs.size() >= 24) continue;
        const Point along = piece.to - piece.from;
        runs.push_back({piece.from, piece.to, std::atan2(along.y, along.x), piece.length, {{0.0, piece.length}}});
    }
    for (Run &run : runs) {
        makeDisjoint(run.pieces);
        run.length = 0;
        for (const auto &piece : run.pieces) run.length += piece.second - piece.first;
    }
    std::sort(runs.begin(), runs.end(), [](const Run &a, const Run &b) {
        return a.length != b.length ? a.length > b.length : isBefore(a, b);
    });
    return runs;
}

} // namespace ocv::rectangles
