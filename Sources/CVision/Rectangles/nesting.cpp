#include "Pixels/modules.hpp"
#include "Rectangles/steps.hpp"

#include <cmath>

namespace ocv::rectangles {

namespace {

/// Distances of the inner quad's corners from each of the outer quad's sides, as they would be seen from straight
/// ahead, in pixels of the outer's mean sides. Perspective makes the far side of a frame thinner than the near one.
using Margins = std::array<std::array<double, 2>, 4>;

/// `inner` as seen in the unit square that `outer` becomes when seen from straight ahead; starts at the corner that
/// lies nearest to the outer's first.
std::array<cv::Point2f, 4> normalised(const Quad &outer, const Quad &inner) {
    const std::array<cv::Point2f, 4> square{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
    std::array<cv::Point2f, 4> from;
    std::copy(outer.begin(), outer.end(), from.begin());
    const cv::Matx33d map(cv::getPerspectiveTransform(from.data(), square.data()));
    std::array<cv::Point2f, 4> seen;
    for (int i = 0; i < 4; ++i) {
        const cv::Vec3d at = map * cv::Vec3d(inner[i].x, inner[i].y, 1);
        seen[i] = at[2] == 0 ? cv::Point2f(-1, -1) : cv::Point2f(float(at[0] / at[2]), float(at[1] / at[2]));
    }
    const auto nearer = [](cv::Point2f a, cv::Point2f b) { return a.dot(a) < b.dot(b); };
    turn(seen, int(std::min_element(seen.begin(), seen.end(), nearer) - seen.begin()));
    return seen;
}

Margins margins(const Quad &outer, const Quad &inner) {
    const auto seen = normalised(outer, inner);
    const double width = (cv::norm(outer[1] - outer[0]) + cv::norm(outer[2] - outer[3])) / 2;
    const double height = (cv::norm(outer[2] - outer[1]) + cv::norm(outer[3] - outer[0])) / 2;
    return {{
        {seen[0].y * height, seen[1].y * height},
        {(1 - seen[1].x) * width, (1 - seen[2].x) * width},
        {(1 - seen[2].y) * height, (1 - seen[3].y) * height},
        {seen[3].x * width, seen[0].x * width},
    }};
}

} // namespace

bool surrounds(const Quad &outer, const Quad &inner) {
    if (std::abs(signedArea(outer)) <= std::abs(signedArea(inner))) return false;
    double shorter, longer;
    sideLengths(outer, shorter, longer);
    for (const auto &side : margins(outer, inner))
        if (std::min(side[0], side[1]) < 0.5 + 0.01 * shorter) return false;
    return true;
}

bool frames(const Quad &outer, const Quad &inner, double *unevenness) {
    const double outerArea = std::abs(signedArea(outer)), innerArea = std::abs(signedArea(inner));
    if (innerArea >= outerArea || innerArea < 0.15 * outerArea) return false;
    double shorter, longer;
    sideLengths(outer, shorter, longer);
    if (cv::norm((outer[0] + outer[1] + outer[2] + outer[3]) - (inner[0] + inner[1] + inner[2] + inner[3])) > shorter)
        return false;
    // What an edge's place is uncertain by; grows with the rectangle, as its bends do.
    const double slack = 0.5 + 0.015 * shorter;
    const Margins margin = margins(outer, inner);
    std::array<double, 4> mean;
    double tilt = 0;
    for (int i = 0; i < 4; ++i) {
        mean[i] = (margin[i][0] + margin[i][1]) / 2;
        tilt = std::max(tilt, std::abs(margin[i][0] - margin[i][1]));
        // Not parallel, or the same edge seen twice.
        if (std::abs(margin[i][0] - margin[i][1]) > 0.25 * mean[i] + slack || mean[i] < slack) return false;
        if (mean[i] > 0.25 * shorter + slack) return false;
    }
    const auto alike = [&](double a, double b, double factor) {
        return std::max(a, b) <= factor * std::min(a, b) + slack;
    };
    // A mat is often wider below than above; left and right of a picture seen aslant scale differently from both.
    const auto ends = std::minmax_element(mean.begin(), mean.end());
    if (unevenness) *unevenness = (*ends.second - *ends.first + tilt) / *ends.second;
    return alike(mean[0], mean[2], 1.5) && alike(mean[1], mean[3], 1.5) && alike(*ends.first, *ends.second, 2);
}

bool bearsOut(const Rectangle &outer, const Rectangle &inner) {
    // Of a frame that the picture's border cuts three sides bear witness.
    if (outer.cut >= 0) return outer.contrast() >= 0.08 * inner.contrast();
    const double weakest = *std::min_element(outer.support.begin(), outer.support.end());
    return weakest >= 0.7 && outer.confidence() >= 0.8 * inner.confidence() &&
           outer.contrast() >= 0.08 * inner.contrast();
}

bool grow(const cv::Mat &luma, const Quad &quad, Quad &outer) {
    double shorter, longer;
    sideLengths(quad, shorter, longer);
    // A wider margin than this has been seen by the binarisations.
    const int reach = std::min(maximumReach, int(shorter * 0.2)), nearest = 2;
    std::array<std::array<float, maximumReach + 1>, 4> ridges;
    for (int side = 0; side < 4; ++side) ridges[side] = ridgesOutside(luma, quad[side], quad[(side + 1) % 4], reach);

    // The margin at which every side has a step, give or take a quarter; of several the one whose
    // faintest step is clearest and that is most even.
    float clearest = 0;
    std::array<int, 4> best{};
    for (int margin = nearest; margin <= reach; ++margin) {
        const int first = std::max(nearest, margin - std::max(1, margin / 4));
        const int last = std::min(reach, margin + std::max(1, margin / 4));
        float faintest = 255;
        int thinnest = last, widest = first;
        std::array<int, 4> place;
        for (int side = 0; side < 4; ++side) {
            const auto at = std::max_element(ridges[side].begin() + first, ridges[side].begin() + last + 1);
            place[side] = int(at - ridges[side].begin());
            faintest = std::min(faintest, *at);
            thinnest = std::min(thinnest, place[side]);
            widest = std::max(widest, place[side]);
        }
        const float score = faintest * (1 - float(widest - thinnest) / float(widest));
        if (faintest < 5 || score <= clearest) continue;
        clearest = score;
        best = place;
    }
    if (best[0] == 0) return false;

    std::array<Point, 4> from, to;
    for (int side = 0; side < 4; ++side) {
        const Point a = quad[side], b = quad[(side + 1) % 4], along = (b - a) / cv::norm(b - a);
        const Point outward(along.y, -along.x);
        from[side] = a + outward * best[side];
        to[side] = b + outward * best[side];
    }
    for (int side = 0; side < 4; ++side) {
        const int before = (side + 3) % 4;
        if (!intersect(from[before], to[before], from[side], to[side], outer[side])) return false;
    }
    return isConvex(outer);
}

} // namespace ocv::rectangles
