#include "Pixels/modules.hpp"
#include "Rectangles/parts.hpp"
#include "Rectangles/runs.hpp"

#include <algorithm>
#include <cmath>

namespace ocv::rectangles {

namespace {

/// How far the contour bulges inwards from the side `a` → `b` at a quarter, half and three quarters of it.
std::array<double, 3> bend(const Polygon &contour, Point a, Point b) {
    const double length = cv::norm(b - a);
    const Point along = (b - a) / length, inward(-along.y, along.x);
    // A side that bulges by more than a thirtieth of its length isn't one.
    const double limit = length / 30;
    std::array<double, 3> offsets{};
    std::array<bool, 3> crossed{};
    Point before = Point(contour.back()) - a;
    for (const cv::Point &point : contour) {
        const Point after = Point(point) - a;
        const double t0 = along.dot(before) / length, t1 = along.dot(after) / length;
        for (int i = 0; i < 3; ++i) {
            const double t = 0.25 * (i + 1);
            if ((t0 < t) == (t1 < t)) continue;
            const double share = (t - t0) / (t1 - t0);
            const double offset = inward.dot(before) * (1 - share) + inward.dot(after) * share;
            if (std::abs(offset) > limit || (crossed[i] && std::abs(offset) >= std::abs(offsets[i]))) continue;
            offsets[i] = offset;
            crossed[i] = true;
        }
        before = after;
    }
    const bool bent = std::any_of(offsets.begin(), offsets.end(), [](double offset) { return std::abs(offset) > 2; });
    return bent ? offsets : std::array<double, 3>{};
}

/// Proposes a polygon of four corners; where its sides are bent on `contour`, the bent form too.
void add(const Polygon &polygon, const Polygon &contour, std::vector<Proposal> &proposals) {
    Proposal proposal;
    for (int i = 0; i < 4; ++i) proposal.quad[i] = polygon[i];
    if (signedArea(proposal.quad) < 0) std::swap(proposal.quad[1], proposal.quad[3]);
    if (!isConvex(proposal.quad)) return;
    proposals.push_back(proposal);
    bool bent = false;
    for (int i = 0; i < 4; ++i) {
        proposal.bends[i] = bend(contour, proposal.quad[i], proposal.quad[(i + 1) % 4]);
        bent = bent || proposal.bends[i] != std::array<double, 3>{};
    }
    if (bent) proposals.push_back(proposal);
}

/// Four runs, each about a right angle on from the one before, make a quadrilateral when they cover its sides.
void combine(std::vector<Run> runs, double minimumSide, std::vector<Proposal> &proposals) {
    if (runs.size() > 12) runs.resize(12);
    std::sort(runs.begin(), runs.end(), [](const Run &a, const Run &b) {
        return a.angle != b.angle ? a.angle < b.angle : isBefore(a, b);
    });
    const int count = int(runs.size());
    const auto turnsRight = [&](int i, int j) {
        double turn = runs[j].angle - runs[i].angle;
        if (turn < 0) turn += 2 * CV_PI;
        return turn > 0.25 * CV_PI && turn < 0.75 * CV_PI;
    };
    struct Candidate {
        Quad quad;
        double score;
    };
    std::vector<Candidate> candidates;
    for (int i = 0; i < count; ++i)
        for (int j = i + 1; j < count; ++j) {
            if (!turnsRight(i, j)) continue;
            for (int k = j + 1; k < count; ++k) {
                if (!turnsRight(j, k)) continue;
                for (int l = k + 1; l < count; ++l) {
                    if (!turnsRight(k, l) || !turnsRight(l, i)) continue;
                    const int sides[4] = {i, j, k, l};
                    Quad quad;
                    bool meets = true;
                    for (int s = 0; s < 4 && meets; ++s) {
                        const Run &side = runs[sides[s]], &next = runs[sides[(s + 1) % 4]];
                        meets = intersect(side.from, side.to, next.from, next.to, quad[(s + 1) % 4]);
                    }
                    if (!meets || !isConvex(quad)) continue;
                    double shorter, longer;
                    sideLengths(quad, shorter, longer);
                    if (shorter < 0.8 * minimumSide) continue;
                    double least = 1, sum = 0;
                    for (int s = 0; s < 4; ++s) {
                        const double share = runs[sides[s]].coverage(quad[s], quad[(s + 1) % 4]);
                        least = std::min(least, share);
                        sum += share;
                    }
                    if (least < 0.3 || sum < 2.3) continue;
                    candidates.push_back({quad, sum * std::sqrt(shorter * longer)});
                }
            }
        }
    std::sort(candidates.begin(), candidates.end(), [](const Candidate &a, const Candidate &b) {
        if (a.score != b.score) return a.score > b.score;
        return isBefore(a.quad, b.quad);
    });
    for (size_t index = 0; index < std::min<size_t>(candidates.size(), 3); ++index)
        proposals.push_back({candidates[index].quad, {}});
}

/// Makes the polygon run clockwise, so that a run's right-hand side is inside.
void orient(Polygon &polygon) {
    if (cv::contourArea(polygon, true) < 0) std::reverse(polygon.begin(), polygon.end());
}

} // namespace

void propose(const std::vector<cv::Point> &contour, double minimumSide, std::vector<Proposal> &proposals) {
    if (contour.size() < 4) return;
    const cv::Rect box = cv::boundingRect(contour);
    if (std::min(box.width, box.height) < 0.85 * minimumSide) return;

    const double perimeter = cv::arcLength(contour, true);
    // The rougher outline is taken from the finer one, which has far fewer points than the contour.
    Polygon fine, polygon;
    cv::approxPolyDP(contour, fine, 2, true);
    cv::approxPolyDP(fine, polygon, std::max(1.5, 0.02 * perimeter), true);
    if (polygon.size() == 4) add(polygon, contour, proposals);

    Polygon hull, outline;
    cv::convexHull(contour, hull);
    cv::approxPolyDP(hull, outline, std::max(1.5, 0.01 * cv::arcLength(hull, true)), true);
    if (outline.size() == 4) {
        add(outline, contour, proposals);
    } else if (outline.size() > 4) {
        orient(outline);
        combine(joinedRuns(straightPieces(outline, 0.2 * minimumSide)), minimumSide, proposals);
    }

    // The first polygon being the outline already, the runs would only repeat it.
    if (polygon.size() == 4 && cv::isContourConvex(polygon)) return;
    if (fine.size() < 5) return;
    orient(fine);
    combine(joinedRuns(straightPieces(fine, std::max(5.0, 0.15 * minimumSide))), minimumSide, proposals);
}

} // namespace ocv::rectangles
