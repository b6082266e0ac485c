#pragma once
#include "Pixels/Guard.hpp"

#include <algorithm>
#include <array>
#include <cmath>

// Small geometry that the parts of the marker detector share.

namespace ocv::markers {

using Point = cv::Point2d;

/// Four corners, clockwise as seen in the picture (y down).
using Quad = std::array<Point, 4>;

/// A quadrilateral outline that may be a marker, in pixels of the full-size picture.
struct Candidate {
    /// Polygon corners: whole pixels of the searched level.
    Quad polygon;
    /// Corners of the lines fitted to the contour: the start of everything that follows.
    Quad fitted;
    /// Full-size pixels per pixel of the level on which it was found: 1, 2, 4, …
    double scale;
    double perimeter;
    /// The luma that its paper has at the most, where what is around that is lighter still.
    float ceiling = 255;
};

inline double cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }
inline double length(Point a) { return std::sqrt(a.x * a.x + a.y * a.y); }

inline double perimeter(const Quad &quad) {
    double sum = 0;
    for (int i = 0; i < 4; ++i) sum += length(quad[(i + 1) % 4] - quad[i]);
    return sum;
}

/// Whether every turn goes the same, clockwise way.
inline bool isConvexClockwise(const Quad &quad) {
    for (int i = 0; i < 4; ++i) {
        const Point a = quad[(i + 1) % 4] - quad[i], b = quad[(i + 2) % 4] - quad[(i + 1) % 4];
        if (!(cross(a, b) > 0)) return false;
    }
    return true;
}

/// The place where two lines (point and direction) meet; false where they are nearly parallel.
inline bool intersect(Point p, Point d, Point q, Point e, Point &out) {
    const double denominator = cross(d, e);
    if (std::abs(denominator) < 1e-3 * length(d) * length(e) || denominator == 0) return false;
    out = p + d * (cross(q - p, e) / denominator);
    return true;
}

/// Maps the unit square (0,0) (1,0) (1,1) (0,1) onto a quadrilateral: Heckbert, “Fundamentals of Texture Mapping and
/// Image Warping” (1989), section 2.2.3.
class SquareToQuad {
public:
    explicit SquareToQuad(const Quad &q) {
        const Point d1 = q[1] - q[2], d2 = q[3] - q[2], s = q[0] - q[1] + q[2] - q[3];
        const double denominator = cross(d1, d2);
        g = cross(s, d2) / denominator;
        h = cross(d1, s) / denominator;
        a = q[1] - q[0] + g * q[1];
        b = q[3] - q[0] + h * q[3];
        c = q[0];
    }
    Point operator()(double u, double v) const {
        const double w = 1 / (g * u + h * v + 1);
        return {(a.x * u + b.x * v + c.x) * w, (a.y * u + b.y * v + c.y) * w};
    }

private:
    double g, h;
    Point a, b, c;
};

/// Bilinear reading of a plane; outside, the nearest pixel counts on.
class Sampler {
public:
    explicit Sampler(ocv_plane plane) : plane(plane), right(plane.width - 1), bottom(plane.height - 1) {}

    float operator()(double x, double y) const {
        // The comparison is written so that NaN ends at 0, inside.
        x = x > 0 ? std::min(x, right) : 0;
        y = y > 0 ? std::min(y, bottom) : 0;
        const int left = int(x), top = int(y);
        const float fx = float(x - left), fy = float(y - top);
        const uint8_t *p = plane.data + int64_t(top) * plane.stride + left;
        const int64_t next = left < plane.width - 1 ? 1 : 0, below = top < plane.height - 1 ? plane.stride : 0;
        const float upper = p[0] + fx * (p[next] - p[0]);
        const float lower = p[below] + fx * (p[below + next] - p[below]);
        return upper + fy * (lower - upper);
    }
    float operator()(Point p) const { return (*this)(p.x, p.y); }

private:
    ocv_plane plane;
    double right, bottom;
};

} // namespace ocv::markers
