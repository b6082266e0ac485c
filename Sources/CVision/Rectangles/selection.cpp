#include "Pixels/modules.hpp"
#include "Rectangles/parts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ocv::rectangles {

namespace {

double area(const Rectangle &rectangle) { return std::abs(signedArea(rectangle.quad)); }

/// How far two rectangles that are one edge seen twice, perhaps with a side or corner astray, lie apart: the mean
/// distance of their corners, none of them further than an eighth of the shorter side. Infinite when they aren't.
double twinDistance(const Rectangle &a, const Rectangle &b) {
    double shorter, longer;
    sideLengths(area(a) < area(b) ? a.quad : b.quad, shorter, longer);
    double least = std::numeric_limits<double>::infinity();
    // A near-square turned by 45° may begin at another corner.
    for (int turn = 0; turn < 4; ++turn) {
        double furthest = 0, sum = 0;
        for (int i = 0; i < 4; ++i) {
            const double distance = cv::norm(a.quad[i] - b.quad[(i + turn) % 4]);
            furthest = std::max(furthest, distance);
            sum += distance;
        }
        if (furthest < shorter / 8) least = std::min(least, sum / 4);
    }
    if (least < 1 || (!surrounds(a.quad, b.quad) && !surrounds(b.quad, a.quad))) return least;
    return std::numeric_limits<double>::infinity();
}

/// Less than 1 where the picture falls on one side and rises on another, or luma shows one and chroma another: that may
/// be two edges of a frame mixed up.
double purity(const Rectangle &rectangle) {
    const auto &polarity = rectangle.polarity, &plane = rectangle.plane;
    for (int i = 1; i < 4; ++i)
        if (polarity[i] != polarity[0] || plane[i] != plane[0]) return 0.7;
    return 1;
}

/// How well a rectangle goes with those inside it, 0.3…1: a frame is parallel to what it frames, a frame with one side
/// mistaken for its shadow or for a seam nearby isn't.
double harmony(const Rectangle &rectangle, const std::vector<Rectangle> &all) {
    double best = 1;
    for (const Rectangle &inner : all) {
        double unevenness;
        if (frames(rectangle.quad, inner.quad, &unevenness)) best = std::min(best, unevenness);
    }
    return 1 - 0.7 * best;
}

/// How well the luma bears a rectangle out; of contrast, what is beyond a clearly visible step counts little.
double evidence(const Rectangle &rectangle) {
    double weakest = 1;
    for (int i = 0; i < 4; ++i)
        if (i != rectangle.cut) weakest = std::min(weakest, rectangle.support[i]);
    const double contrast = rectangle.contrast();
    return rectangle.confidence() * (0.5 + 0.5 * weakest) * contrast / (contrast + 15);
}

/// Whether the sides of `other` are clearer than those of `rectangle` where the two differ. What they share can't tell
/// which is right: the shadow's edge beside a frame's, or a seam beside it, differs from the truth on one side alone.
bool isClearer(const Rectangle &other, const Rectangle &rectangle, const std::vector<Rectangle> &all) {
    double ratio = purity(other) * harmony(other, all) / (purity(rectangle) * harmony(rectangle, all));
    for (int i = 0; i < 4; ++i) {
        const Point a = rectangle.quad[i], b = rectangle.quad[(i + 1) % 4], along = (b - a) / cv::norm(b - a);
        const double apart =
            std::max(std::abs(along.cross(other.quad[i] - a)), std::abs(along.cross(other.quad[(i + 1) % 4] - a)));
        const auto clarity = [i](const Rectangle &of) {
            return std::max(0.01, of.support[i] * of.support[i] * of.strength[i] / (of.strength[i] + 15));
        };
        ratio *= std::pow(clarity(other) / clarity(rectangle), std::min(apart, 1.0));
    }
    return ratio > 1.1;
}

/// Whether two rectangles can't both be there: they cover much of each other, or cross. Opaque things lie beside or on
/// top of one another; what crosses is made of one object's sides and another's.
bool compete(const Rectangle &a, const Rectangle &b) {
    if (frames(a.quad, b.quad) || frames(b.quad, a.quad)) return false;
    const auto points = [](const Quad &quad) { return std::vector<cv::Point2f>(quad.begin(), quad.end()); };
    std::vector<cv::Point2f> overlap;
    const double common = cv::intersectConvexConvex(points(a.quad), points(b.quad), overlap);
    const double share = common / std::min(area(a), area(b));
    const bool cover = common > 0.5 * (area(a) + area(b) - common);
    return cover || (share > 0.2 && share < 0.9);
}

/// Of rectangles that frame one another leaves the outermost that the luma bears out; `rectangles`, largest first.
void dropFramed(std::vector<Rectangle> &rectangles) {
    std::vector<bool> dropped(rectangles.size());
    for (size_t outer = 0; outer < rectangles.size(); ++outer)
        for (size_t inner = outer + 1; inner < rectangles.size() && !dropped[outer]; ++inner) {
            if (dropped[inner] || !frames(rectangles[outer].quad, rectangles[inner].quad)) continue;
            dropped[bearsOut(rectangles[outer], rectangles[inner]) ? inner : outer] = true;
        }
    size_t count = 0;
    for (size_t index = 0; index < rectangles.size(); ++index)
        if (!dropped[index]) rectangles[count++] = rectangles[index];
    rectangles.resize(count);
}

/// Drops what competes with a clearly better rectangle.
void dropLosers(std::vector<Rectangle> &rectangles) {
    std::vector<Rectangle> winners;
    for (const Rectangle &candidate : rectangles) {
        const bool loses = std::any_of(rectangles.begin(), rectangles.end(), [&](const Rectangle &other) {
            return evidence(candidate) < 0.9 * evidence(other) && compete(candidate, other) &&
                   !(surrounds(candidate.quad, other.quad) && bearsOut(candidate, other));
        });
        if (!loses) winners.push_back(candidate);
    }
    rectangles.swap(winners);
}

/// What is more prominent comes first; equals from top to bottom, left to right.
bool isMoreProminent(const Rectangle &a, const Rectangle &b) {
    const double first = a.confidence() * area(a), second = b.confidence() * area(b);
    if (first != second) return first > second;
    return isBefore(a.quad, b.quad);
}

} // namespace

void mergeTwins(std::vector<Rectangle> &rectangles) {
    // Largest first, so that of two edges of a drawn line the outer is kept unless the inner is clearly the better one.
    std::sort(rectangles.begin(), rectangles.end(), [&](const Rectangle &a, const Rectangle &b) {
        return area(a) != area(b) ? area(a) > area(b) : isMoreProminent(a, b);
    });
    std::vector<Rectangle> kept;
    for (const Rectangle &candidate : rectangles) {
        Rectangle *twin = nullptr;
        double nearest = std::numeric_limits<double>::infinity();
        for (Rectangle &other : kept) {
            const double distance = twinDistance(candidate, other);
            if (distance < nearest) {
                nearest = distance;
                twin = &other;
            }
        }
        if (!twin)
            kept.push_back(candidate);
        else if (isClearer(candidate, *twin, rectangles))
            *twin = candidate;
    }
    std::sort(kept.begin(), kept.end(), [&](const Rectangle &a, const Rectangle &b) {
        return area(a) != area(b) ? area(a) > area(b) : isMoreProminent(a, b);
    });
    rectangles.swap(kept);
}

void select(std::vector<Rectangle> &rectangles) {
    mergeTwins(rectangles);
    dropLosers(rectangles);
    dropFramed(rectangles);
    std::sort(rectangles.begin(), rectangles.end(), isMoreProminent);
}

} // namespace ocv::rectangles
