#include "Text/quads.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace ocv::text {
namespace {

float cross(cv::Point2f a, cv::Point2f b) { return a.x * b.y - a.y * b.x; }

/// Where the lines a–b and c–d meet; false where they are all but parallel.
bool meet(cv::Point2f a, cv::Point2f b, cv::Point2f c, cv::Point2f d, cv::Point2f &place) {
    const cv::Point2f u = b - a, v = d - c;
    const float determinant = cross(u, v);
    if (std::abs(determinant) < 1e-3f * float(cv::norm(u) * cv::norm(v))) return false;
    place = a + u * (cross(c - a, v) / determinant);
    return true;
}

/// A convex quad around a hull: sides are left out one by one, always the one whose neighbours, made longer, add least.
bool reduced(std::vector<cv::Point2f> hull, Quad &quad) {
    while (hull.size() > 4) {
        const size_t n = hull.size();
        float least = 1e30f;
        size_t side = n;
        cv::Point2f corner;
        for (size_t i = 0; i < n; i++) {
            const cv::Point2f a = hull[(i + n - 1) % n], b = hull[i], c = hull[(i + 1) % n], d = hull[(i + 2) % n];
            cv::Point2f place;
            if (!meet(a, b, d, c, place)) continue;
            // Beyond both ends of the side, or the hull would be cut.
            if ((place - b).dot(b - a) < 0 || (place - c).dot(c - d) < 0) continue;
            const float added = std::abs(cross(c - b, place - b)) / 2;
            if (added < least) {
                least = added;
                side = i;
                corner = place;
            }
        }
        if (side == n) return false;
        hull[side] = corner;
        hull.erase(hull.begin() + long((side + 1) % n));
    }
    if (hull.size() < 4) return false;
    std::copy_n(hull.begin(), 4, quad.begin());
    return true;
}

double angleBetween(cv::Point2f a, cv::Point2f b) { return std::atan2(std::abs(cross(a, b)), std::abs(a.dot(b))); }

/// Clockwise from the side that the docstring promises to be the first.
void order(Quad &quad) {
    if (cross(quad[1] - quad[0], quad[2] - quad[1]) < 0) std::reverse(quad.begin(), quad.end());
    const double even = cv::norm(quad[1] - quad[0]) + cv::norm(quad[3] - quad[2]);
    const double odd = cv::norm(quad[2] - quad[1]) + cv::norm(quad[0] - quad[3]);
    if (odd > even) std::rotate(quad.begin(), quad.begin() + 1, quad.end());
    const cv::Point2f along = quad[1] - quad[0] + quad[2] - quad[3];
    const bool isUpright = std::abs(along.y) > std::abs(along.x);
    if ((isUpright ? along.y : along.x) < 0) std::rotate(quad.begin(), quad.begin() + 2, quad.end());
}

} // namespace

bool quadAround(const std::vector<cv::Point> &contour, Quad &quad) {
    std::vector<cv::Point> points;
    cv::convexHull(contour, points);
    if (points.size() < 3) return false;
    const cv::RotatedRect box = cv::minAreaRect(points);
    if (box.size.width < 1 || box.size.height < 1) return false;
    box.points(quad.data());
    order(quad);
    std::vector<cv::Point2f> hull(points.begin(), points.end());
    Quad tight;
    if (cv::contourArea(hull) < 0.9 * area(quad) && reduced(hull, tight)) {
        order(tight);
        const double ends = std::max(
            angleBetween(tight[1] - tight[0], tight[3] - tight[0]), angleBetween(tight[1] - tight[0], tight[2] - tight[1]));
        const double slope = angleBetween(tight[1] - tight[0], tight[2] - tight[3]);
        const double left = cv::norm(tight[3] - tight[0]), right = cv::norm(tight[2] - tight[1]);
        const bool isPlausible = ends > 0.7 && slope < 0.4 && std::min(left, right) > 0.45 * std::max(left, right) &&
                                 angleBetween(tight[1] - tight[0], tight[3] - tight[0]) > 0.7;
        if (isPlausible && area(tight) < 0.9 * area(quad)) quad = tight;
    }
    return true;
}

Quad grown(const Quad &quad, float way) {
    std::array<cv::Point2f, 4> from, to;
    for (size_t i = 0; i < 4; i++) {
        const cv::Point2f side = quad[(i + 1) % 4] - quad[i];
        const float length = std::max(float(cv::norm(side)), 1e-6f);
        // Clockwise with y down: outwards is to the left of a side.
        const cv::Point2f out(side.y / length, -side.x / length);
        from[i] = quad[i] + out * way;
        to[i] = quad[(i + 1) % 4] + out * way;
    }
    Quad result;
    for (size_t i = 0; i < 4; i++) {
        const size_t before = (i + 3) % 4;
        if (!meet(from[before], to[before], from[i], to[i], result[i])) result[i] = quad[i];
    }
    return result;
}

double area(const Quad &quad) {
    double twice = 0;
    for (size_t i = 0; i < 4; i++) twice += cross(quad[i], quad[(i + 1) % 4]);
    return std::abs(twice) / 2;
}

double areaOf(const ocv_text_region &region) {
    Quad quad;
    for (size_t i = 0; i < 4; i++) quad[i] = cv::Point2f(float(region.corners[i].x), float(region.corners[i].y));
    return area(quad);
}

double perimeter(const Quad &quad) {
    double sum = 0;
    for (size_t i = 0; i < 4; i++) sum += cv::norm(quad[(i + 1) % 4] - quad[i]);
    return sum;
}

double shorterSide(const Quad &quad) {
    const double even = std::min(cv::norm(quad[1] - quad[0]), cv::norm(quad[3] - quad[2]));
    const double odd = std::min(cv::norm(quad[2] - quad[1]), cv::norm(quad[0] - quad[3]));
    return std::min(even, odd);
}

} // namespace ocv::text
