#include "Markers/candidates.hpp"

#include <algorithm>

namespace ocv::markers {

namespace {

/// Share of the outline's length by which it may leave its polygon, as in `cv::aruco`.
constexpr double polygonTolerance = 0.03;
constexpr int mostVertices = 10;

/// A polygon corner. Where a blunt corner was restored, the sides on its two hands end at different outline points.
struct Vertex {
    Point at;
    int sideBefore, sideAfter;
};

struct Polygon {
    std::array<Vertex, mostVertices> vertices;
    int count = 0;

    bool add(const Vertex &vertex) {
        if (count == mostVertices) return false;
        vertices[size_t(count++)] = vertex;
        return true;
    }
    void remove(int index) {
        std::move(vertices.begin() + index + 1, vertices.begin() + count, vertices.begin() + index);
        --count;
    }
    Vertex &at(int index) { return vertices[size_t((index + count) % count)]; }
};

using Outline = std::vector<cv::Point>;

int farthest(const Outline &outline, cv::Point from) {
    int best = 0;
    int most = -1;
    for (int i = 0; i < int(outline.size()); ++i) {
        const int dx = outline[size_t(i)].x - from.x, dy = outline[size_t(i)].y - from.y, apart = dx * dx + dy * dy;
        if (apart > most) most = apart, best = i;
    }
    return best;
}

/// Splits the arc between two outline points wherever it leaves its chord (Douglas and Peucker 1973), and adds its
/// first point and the splits to the polygon; false where it has too many corners.
bool simplify(const Outline &outline, int begin, int end, double tolerance, Polygon &polygon) {
    const int size = int(outline.size());
    const cv::Point a = outline[size_t(begin % size)], d = outline[size_t(end % size)] - a;
    int most = 0, split = -1;
    for (int i = begin + 1; i < end; ++i) {
        const cv::Point p = outline[size_t(i < size ? i : i - size)] - a;
        const int away = std::abs(d.x * p.y - d.y * p.x);
        if (away > most) most = away, split = i;
    }
    if (split >= 0 && double(most) > tolerance * std::sqrt(double(d.dot(d))))
        return simplify(outline, begin, split, tolerance, polygon) && simplify(outline, split, end, tolerance, polygon);
    return polygon.add({Point(a), begin % size, begin % size});
}

double distanceToLine(Point p, Point a, Point b) {
    const double size = length(b - a);
    return size > 0 ? std::abs(cross(b - a, p - a)) / size : length(p - a);
}

/// Doubled area, positive where clockwise as seen.
double doubledArea(const Outline &outline) {
    // Relative to one of its points the products stay small, and the neighbours are one step apart.
    int64_t sum = 0;
    const cv::Point base = outline.front();
    cv::Point p = outline.back() - base;
    for (const cv::Point point : outline) {
        const cv::Point q = point - base;
        sum += p.x * (q.y - p.y) - p.y * (q.x - p.x);
        p = q;
    }
    return double(sum);
}

/// Brings a polygon with a few corners too many down to four: a dent goes, and a cut corner is restored where the
/// sides on both hands of the cut meet. Blur, noise and JPEG blocks do both to small markers.
bool reduceToFour(Polygon &polygon, double size) {
    while (polygon.count > 4) {
        int shortest = 0, dent = -1;
        for (int i = 0; i < polygon.count; ++i) {
            const Point here = polygon.at(i).at, next = polygon.at(i + 1).at;
            if (length(next - here) < length(polygon.at(shortest + 1).at - polygon.at(shortest).at)) shortest = i;
            if (cross(here - polygon.at(i - 1).at, next - here) <= 0) dent = i;
        }
        if (dent >= 0) {
            polygon.remove(dent);
            continue;
        }
        Vertex &a = polygon.at(shortest), &b = polygon.at(shortest + 1);
        const Point before = polygon.at(shortest - 1).at, after = polygon.at(shortest + 2).at;
        Point corner;
        if (length(b.at - a.at) > 0.12 * size || !intersect(before, a.at - before, after, b.at - after, corner))
            return false;
        if (length(corner - (a.at + b.at) * 0.5) > 0.12 * size) return false;
        a = {corner, a.sideBefore, b.sideAfter};
        polygon.remove((shortest + 1) % polygon.count);
    }
    return polygon.count == 4;
}

/// The line through the outline points between two corners, by least squares across it.
void fitSide(const Outline &outline, const Vertex &from, const Vertex &to, Point &at, Point &direction) {
    const int size = int(outline.size()), span = (to.sideBefore - from.sideAfter + size) % size;
    // Corners are rounded by blur: a tenth of the side at each end says nothing about where the side runs.
    const int skip = std::max(1, span / 10);
    at = from.at;
    direction = to.at - from.at;
    if (span - 2 * skip < 4) return;
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;
    for (int k = skip; k <= span - skip; ++k) {
        const cv::Point p = outline[size_t((from.sideAfter + k) % size)] - outline[size_t(from.sideAfter)];
        n += 1, sx += p.x, sy += p.y;
        sxx += p.x * p.x, sxy += p.x * p.y, syy += p.y * p.y;
    }
    const double mx = sx / n, my = sy / n;
    const double angle = 0.5 * std::atan2(2 * (sxy / n - mx * my), sxx / n - mx * mx - syy / n + my * my);
    const Point fitted(std::cos(angle), std::sin(angle));
    at = Point(outline[size_t(from.sideAfter)]) + Point(mx, my);
    direction = fitted.dot(direction) < 0 ? -fitted : fitted;
}

/// Corners of the lines along the sides, moved out to the edge of the dark pixels; the polygon's own corner where
/// neighbouring lines don't meet near it.
Quad fitSides(const Outline &outline, const std::array<Vertex, 4> &corners, double size) {
    std::array<Point, 4> at, direction;
    for (size_t i = 0; i < 4; ++i) {
        fitSide(outline, corners[i], corners[(i + 1) % 4], at[i], direction[i]);
        // The outline runs through the centres of the outermost dark pixels, on average half a step inside the edge.
        const Point unit = direction[i] * (1 / length(direction[i])), outward(unit.y, -unit.x);
        at[i] += outward * (0.5 * std::max(std::abs(outward.x), std::abs(outward.y)));
    }
    Quad quad;
    for (size_t i = 0; i < 4; ++i) {
        const size_t before = (i + 3) % 4;
        if (!intersect(at[before], direction[before], at[i], direction[i], quad[i]) ||
            length(quad[i] - corners[i].at) > std::max(2.0, 0.05 * size))
            quad[i] = corners[i].at;
    }
    return quad;
}

} // namespace

std::optional<Candidate> quadFromOutline(Outline &outline, cv::Size level, double scale) {
    const int size = int(outline.size());
    double area = doubledArea(outline);
    // Lines, text and texture have little area for their length; a square seen at 80° still has more than this.
    if (std::abs(area) < 0.02 * size * size) return {};
    if (area < 0) {
        std::reverse(outline.begin(), outline.end());
        area = -area;
    }

    int first = farthest(outline, outline[0]);
    int opposite = farthest(outline, outline[size_t(first)]);
    if (first > opposite) std::swap(first, opposite);
    const double tolerance = std::max(1.0, polygonTolerance * size);
    Polygon polygon;
    if (!simplify(outline, first, opposite, tolerance, polygon) ||
        !simplify(outline, opposite, first + size, tolerance, polygon))
        return {};
    // The two corners that the search began with need not be corners.
    for (int i = 0; i < polygon.count && polygon.count > 4; ++i)
        if (distanceToLine(polygon.at(i).at, polygon.at(i - 1).at, polygon.at(i + 1).at) <= tolerance)
            polygon.remove(i--);
    if (polygon.count < 4 || !reduceToFour(polygon, size)) return {};

    std::array<Vertex, 4> corners;
    std::copy_n(polygon.vertices.begin(), 4, corners.begin());
    Quad quad;
    for (size_t i = 0; i < 4; ++i) quad[i] = corners[i].at;
    if (!isConvexClockwise(quad)) return {};
    const double quadArea = cross(quad[2] - quad[0], quad[3] - quad[1]);
    if (area < 0.75 * quadArea || area > 1.3 * quadArea) return {};
    const double round = perimeter(quad);
    for (size_t i = 0; i < 4; ++i) {
        if (length(quad[(i + 1) % 4] - quad[i]) < 0.04 * round) return {};
        // Cut off by the picture's edge.
        if (quad[i].x < 1 || quad[i].y < 1 || quad[i].x > level.width - 2 || quad[i].y > level.height - 2) return {};
    }

    Quad fitted = fitSides(outline, corners, size);
    if (!isConvexClockwise(fitted)) fitted = quad;

    Candidate candidate{quad, fitted, scale, round * scale};
    for (Quad *corner : {&candidate.polygon, &candidate.fitted})
        for (Point &p : *corner) p = Point((p.x + 0.5) * scale - 0.5, (p.y + 0.5) * scale - 0.5);
    return candidate;
}

bool isPlausibleSquare(const Quad &quad, double scale, double pictureSize) {
    // No lens but a fisheye has a focal length of less than this share of the picture: 110° across.
    constexpr double shortestFocalLength = 0.35;
    double sides[4];
    for (size_t i = 0; i < 4; ++i) sides[i] = length(quad[(i + 1) % 4] - quad[i]);
    const double longest = *std::max_element(sides, sides + 4);
    const double depth = std::min(0.8, longest / (2 * shortestFocalLength * pictureSize));
    for (size_t i = 0; i < 2; ++i) {
        const double longer = std::max(sides[i], sides[i + 2]), shorter = std::min(sides[i], sides[i + 2]);
        // Corners are known to about a pixel of the level, and paper may be bent.
        if (longer > 1.1 * shorter * (1 + depth) / (1 - depth) + 2 * scale) return false;
    }
    return true;
}

} // namespace ocv::markers
