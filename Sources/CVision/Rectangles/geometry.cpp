#include "Rectangles/parts.hpp"

#include <algorithm>
#include <cmath>

namespace ocv::rectangles {

double Rectangle::confidence() const {
    double mean = 0;
    angleDeviation(quad, &mean);
    const double outline = (support[0] + support[1] + support[2] + support[3]) / 4;
    // Where a smeared side lies is told the worse the wider it is.
    const double doubt = smear > 1 ? 3 / (2 + smear) : 1;
    return std::clamp(outline * (1 - mean / 90) * doubt, 0.0, 1.0);
}

double signedArea(const Quad &quad) { return ((quad[2] - quad[0]).cross(quad[3] - quad[1])) / 2; }

bool isConvex(const Quad &quad) {
    for (int i = 0; i < 4; ++i) {
        const Point a = quad[i], b = quad[(i + 1) % 4], c = quad[(i + 2) % 4];
        if ((b - a).cross(c - b) <= 0) return false;
    }
    return true;
}

double angleDeviation(const Quad &quad, double *mean) {
    double largest = 0, sum = 0;
    for (int i = 0; i < 4; ++i) {
        const Point u = quad[(i + 3) % 4] - quad[i], v = quad[(i + 1) % 4] - quad[i];
        const double degrees = std::abs(std::atan2(std::abs(u.cross(v)), u.dot(v)) * 180 / CV_PI - 90);
        largest = std::max(largest, degrees);
        sum += degrees;
    }
    if (mean) *mean = sum / 4;
    return largest;
}

void sideLengths(const Quad &quad, double &shorter, double &longer) {
    const double a = (cv::norm(quad[1] - quad[0]) + cv::norm(quad[2] - quad[3])) / 2;
    const double b = (cv::norm(quad[2] - quad[1]) + cv::norm(quad[3] - quad[0])) / 2;
    shorter = std::min(a, b);
    longer = std::max(a, b);
}

int firstCorner(const Quad &quad) {
    const auto nearer = [](Point a, Point b) { return a.dot(a) < b.dot(b); };
    return int(std::min_element(quad.begin(), quad.end(), nearer) - quad.begin());
}

bool isBefore(const Quad &a, const Quad &b) {
    for (int i = 0; i < 4; ++i) {
        if (a[i].y != b[i].y) return a[i].y < b[i].y;
        if (a[i].x != b[i].x) return a[i].x < b[i].x;
    }
    return false;
}

bool intersect(Point a, Point b, Point c, Point d, Point &at) {
    const Point u = b - a, v = d - c;
    const double cross = u.cross(v);
    // Under 20° the crossing point says more about noise than about a corner.
    if (std::abs(cross) < 0.34 * cv::norm(u) * cv::norm(v) || cross == 0) return false;
    at = a + u * ((c - a).cross(v) / cross);
    return true;
}

Line moved(Point a, Point b, double start, double end) {
    const Point along = (b - a) / cv::norm(b - a), inward(-along.y, along.x);
    return {a + inward * start, b + inward * end};
}

bool enclose(const std::array<Line, 4> &sides, Quad &quad) {
    for (int i = 0; i < 4; ++i) {
        const Line &before = sides[(i + 3) % 4], &side = sides[i];
        if (!intersect(before.from, before.to, side.from, side.to, quad[i])) return false;
    }
    return isConvex(quad);
}

bool covers(const Quad &outer, const Quad &inner) {
    for (int i = 0; i < 4; ++i) {
        const Point a = outer[i], b = outer[(i + 1) % 4], along = (b - a) / cv::norm(b - a);
        for (const Point &corner : inner)
            if (along.cross(corner - a) < -2) return false;
    }
    return true;
}

double leastAspectRatio(const ocv_rectangle_options &options) {
    return options.minimumAspectRatio * std::cos(options.quadratureTolerance * CV_PI / 180);
}

bool admissible(const Quad &quad, const ocv_rectangle_options &options, double minimumSide, double slack) {
    if (!isConvex(quad)) return false;
    double shorter, longer;
    sideLengths(quad, shorter, longer);
    const double tolerance = 0.05 + 0.1 * slack;
    if (std::sqrt(shorter * longer) < minimumSide * (1 - tolerance)) return false;
    if (shorter < leastAspectRatio(options) * (1 - tolerance) * longer) return false;
    if (shorter > options.maximumAspectRatio * (1 + tolerance) * longer) return false;
    return angleDeviation(quad) <= options.quadratureTolerance + 1.5 + 4 * slack;
}

Quad enlarged(Quad quad, double scaleX, double scaleY) {
    for (Point &corner : quad) {
        corner.x = (corner.x + 0.5) * scaleX - 0.5;
        corner.y = (corner.y + 0.5) * scaleY - 0.5;
    }
    return quad;
}

} // namespace ocv::rectangles
