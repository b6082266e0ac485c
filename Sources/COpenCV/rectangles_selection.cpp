#include "rectangles.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace ocv::rectangles {

namespace {

double area(const Rectangle &rectangle) { return std::abs(signedArea(rectangle.quad)); }

/// Whether two rectangles outline one object: the inner and the outer edge of a frame, two sides of a drawn line.
/// No corner is further from its counterpart than an eighth of the shorter side.
bool same(const Rectangle &a, const Rectangle &b) {
    double shorter, longer;
    sideLengths(area(a) < area(b) ? a.quad : b.quad, shorter, longer);
    // A near-square turned by 45° may begin at another corner.
    for (int turn = 0; turn < 4; ++turn) {
        double furthest = 0;
        for (int i = 0; i < 4; ++i) furthest = std::max(furthest, cv::norm(a.quad[i] - b.quad[(i + turn) % 4]));
        if (furthest < shorter / 8) return true;
    }
    return false;
}

/// How well the luma bears a rectangle out; of contrast, what is beyond a clearly visible step counts little.
double evidence(const Rectangle &rectangle) {
    const double weakest = *std::min_element(rectangle.support.begin(), rectangle.support.end());
    return rectangle.confidence() * (0.5 + 0.5 * weakest) * rectangle.contrast / (rectangle.contrast + 15);
}

/// Whether two rectangles can't both be there: they cover much of each other, or cross. Opaque things lie beside or on
/// top of one another; what crosses is made of one object's sides and another's.
bool compete(const Rectangle &a, const Rectangle &b) {
    const auto points = [](const Quad &quad) { return std::vector<cv::Point2f>(quad.begin(), quad.end()); };
    std::vector<cv::Point2f> overlap;
    const double common = cv::intersectConvexConvex(points(a.quad), points(b.quad), overlap);
    const double share = common / std::min(area(a), area(b));
    const bool cover = common > 0.5 * (area(a) + area(b) - common);
    return cover || (share > 0.2 && share < 0.9);
}

/// Drops what competes with a clearly better rectangle.
void dropLosers(std::vector<Rectangle> &rectangles) {
    std::vector<Rectangle> winners;
    for (const Rectangle &candidate : rectangles) {
        const bool loses = std::any_of(rectangles.begin(), rectangles.end(), [&](const Rectangle &other) {
            return evidence(candidate) < 0.9 * evidence(other) && compete(candidate, other);
        });
        if (!loses) winners.push_back(candidate);
    }
    rectangles.swap(winners);
}

} // namespace

void select(std::vector<Rectangle> &rectangles) {
    const auto before = [](const Rectangle &a, const Rectangle &b) {
        const double first = a.confidence() * area(a), second = b.confidence() * area(b);
        if (first != second) return first > second;
        for (int i = 0; i < 4; ++i) {
            if (a.quad[i].y != b.quad[i].y) return a.quad[i].y < b.quad[i].y;
            if (a.quad[i].x != b.quad[i].x) return a.quad[i].x < b.quad[i].x;
        }
        return false;
    };
    // Largest first, so that of two edges of one frame the outer is kept unless the inner is clearly the better one.
    std::sort(rectangles.begin(), rectangles.end(), [&](const Rectangle &a, const Rectangle &b) {
        return area(a) != area(b) ? area(a) > area(b) : before(a, b);
    });
    std::vector<Rectangle> kept;
    for (const Rectangle &candidate : rectangles) {
        const auto twin = std::find_if(kept.begin(), kept.end(), [&](const Rectangle &other) {
            return same(candidate, other);
        });
        if (twin == kept.end())
            kept.push_back(candidate);
        else if (evidence(*twin) < 0.92 * evidence(candidate))
            *twin = candidate;
    }
    dropLosers(kept);
    std::sort(kept.begin(), kept.end(), before);
    rectangles.swap(kept);
}

} // namespace ocv::rectangles
