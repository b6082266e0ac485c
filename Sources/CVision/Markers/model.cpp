#include "Markers/model.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/core.hpp>

namespace ocv::markers {
namespace {

/// Pixels along a cell from which on edges are far enough apart to be located one by one.
constexpr double largestCell = 7;
/// How much of the light ground around the marker is looked at, cells: other things may be near.
constexpr double margin = 0.3;
/// Cells.
constexpr double smallestMove = 1e-2;
/// Of more pixels an even part is taken: corners are known well enough then.
constexpr int enoughPixels = 400;
constexpr int mostSteps = 8, mostEdges = 11;
/// The farthest that a corner is moved, pixels and cells.
constexpr double farthest = 1.5, farthestCells = 0.6;
/// The least that the model must explain of what is seen, as a share of its variance.
constexpr double leastExplained = 0.9;

/// View (8: the homography from pixels to cells, its last number being 1), blur (1), light: the level of the dark cells
/// and its slope across (3), the light cells' and the ground's rise above it (2).
constexpr int viewCount = 8, blurIndex = 8, lightIndex = 9, unknowns = 14;
using Vector = cv::Matx<double, unknowns, 1>;
using Matrix = cv::Matx<double, unknowns, unknowns>;

/// The normal distribution and its density, by table: what an edge shows at t standard deviations from it.
class Normal {
public:
    /// In standard deviations: an edge that is farther away leaves 0.02 % of its light.
    static constexpr double farthest = 3.5;

    Normal() {
        for (int i = 0; i < size; ++i) {
            const double t = double(i) / perUnit - farthest;
            below[i] = 0.5 * std::erfc(-t / std::sqrt(2.0));
            density[i] = std::exp(-0.5 * t * t) / std::sqrt(2 * CV_PI);
        }
    }
    void at(double t, double &share, double &steepness) const {
        const double place = (t + farthest) * perUnit;
        const int i = std::clamp(int(place), 0, size - 2);
        const double rest = place - i;
        share = below[i] + rest * (below[i + 1] - below[i]);
        steepness = density[i] + rest * (density[i + 1] - density[i]);
    }

private:
    static constexpr int perUnit = 64, size = int(2 * farthest * perUnit) + 1;
    double below[size], density[size];
};

const Normal normalDistribution;

/// The blurred edges between the cells along one axis as they are seen at one place.
struct Edges {
    /// How much of the light comes from a cell, or from all of them; how that changes with the place; with the blur, in
    /// units of itself; and the normal densities' difference at its two ends.
    struct Share {
        double value, slope, widening, density;
    };
    Share cells[mostEdges - 1], all;
    /// The cells from which light comes.
    int first, last;

    /// - place, blur: in cells.
    Edges(double place, double blur, int count) {
        first = std::clamp(int(std::floor(place - Normal::farthest * blur)), 0, count - 1);
        last = std::clamp(int(std::floor(place + Normal::farthest * blur)), 0, count - 1);
        Share before = edge(place, first, blur);
        const Share start = first == 0 ? before : Share{1, 0, 0, 0};
        for (int i = first; i <= last; ++i) {
            const Share after = edge(place, i + 1, blur);
            cells[i] = difference(before, after);
            before = after;
        }
        all = difference(start, last == count - 1 ? before : Share{0, 0, 0, 0});
    }

private:
    static Share edge(double place, int edge, double blur) {
        const double t = (place - edge) / blur;
        if (std::abs(t) >= Normal::farthest) return {t > 0 ? 1.0 : 0.0, 0, 0, 0};
        double share, density;
        normalDistribution.at(t, share, density);
        return {share, density / blur, -t * density, density};
    }
    static Share difference(const Share &a, const Share &b) {
        return {a.value - b.value, a.slope - b.slope, a.widening - b.widening, a.density - b.density};
    }
};

/// What a place shows, 0 to 1, and how that changes with it.
struct Light {
    double value = 0, across = 0, down = 0, widening = 0;

    void add(const Edges::Share &u, const Edges::Share &v, double correlation) {
        // Where the axes aren't seen at a right angle the blur along one goes with that along the other: the first term
        // of Mehler's series.
        value += u.value * v.value + correlation * u.density * v.density;
        across += u.slope * v.value;
        down += u.value * v.slope;
        widening += u.widening * v.value + u.value * v.widening;
    }
};

/// The homography from pixels, relative to the middle and in units of `scale`, to cells.
cv::Matx33d toCells(const Quad &quad, int cells, Point middle, double scale) {
    cv::Matx<double, 8, 8> equations = cv::Matx<double, 8, 8>::zeros();
    cv::Matx<double, 8, 1> right;
    for (int k = 0; k < 4; ++k) {
        const double u = k == 1 || k == 2 ? cells : 0, v = k >= 2 ? cells : 0;
        const Point p = (quad[size_t(k)] - middle) * (1 / scale);
        const double rows[2][8] = {
            {p.x, p.y, 1, 0, 0, 0, -u * p.x, -u * p.y}, {0, 0, 0, p.x, p.y, 1, -v * p.x, -v * p.y}};
        for (int axis = 0; axis < 2; ++axis)
            for (int i = 0; i < 8; ++i) equations(2 * k + axis, i) = rows[axis][i];
        right(2 * k) = u, right(2 * k + 1) = v;
    }
    const cv::Matx<double, 8, 1> h = equations.solve(right, cv::DECOMP_LU);
    return {h(0), h(1), h(2), h(3), h(4), h(5), h(6), h(7), 1};
}

} // namespace

bool ModelFit::isWorthwhile(const Quad &quad, int cells) { return perimeter(quad) < 4 * cells * largestCell; }

bool ModelFit::refine(ocv_plane luma, Quad &quad, int bits, uint64_t code) {
    const int cells = bits + 2;
    if (cells >= mostEdges) return false;
    const Point middle = (quad[0] + quad[1] + quad[2] + quad[3]) * 0.25;
    const double scale = perimeter(quad) / 8, cell = 2 * scale / cells;
    cv::Matx33d h = toCells(quad, cells, middle, scale);
    double left = 1e9, top = 1e9, right = -1e9, bottom = -1e9;
    for (const Point &corner : quad) {
        const Point out = corner + (corner - middle) * (2 * margin / cells);
        left = std::min(left, out.x), top = std::min(top, out.y);
        right = std::max(right, out.x), bottom = std::max(bottom, out.y);
    }
    const int part = std::max(1, int(std::lround(perimeter(quad) * perimeter(quad) / 16 / enoughPixels)));
    pixels.clear();
    double sum = 0, squares = 0;
    for (int y = std::max(0, int(std::ceil(top))); y <= std::min(luma.height - 1, int(bottom)); ++y)
        for (int x = std::max(0, int(std::ceil(left))); x <= std::min(luma.width - 1, int(right)); ++x) {
            if ((x + 2 * y) % part != 0) continue;
            const double px = (x - middle.x) / scale, py = (y - middle.y) / scale;
            const double w = h(2, 0) * px + h(2, 1) * py + 1;
            const double u = (h(0, 0) * px + h(0, 1) * py + h(0, 2)) / w;
            const double v = (h(1, 0) * px + h(1, 1) * py + h(1, 2)) / w;
            if (!(w > 0) || !(u > -margin && v > -margin && u < cells + margin && v < cells + margin)) continue;
            const double value = luma.data[int64_t(y) * luma.stride + x];
            pixels.push_back({px, py, value});
            sum += value, squares += value * value;
        }
    const double count = double(pixels.size());
    if (count < 5 * unknowns) return false;
    const double variance = squares / count - sum * sum / (count * count);
    // Standard deviation of the blur, pixels; the light is found in the first step, in which it is linear.
    double blur = 0.7, limit = 1, explained = 0;
    double light[5] = {};
    bool isFirst = true;
    residuals.assign(pixels.size(), 0);
    for (int step = 0; step < mostSteps; ++step) {
        Matrix normal = Matrix::zeros();
        Vector side = Vector::zeros();
        double unexplained = 0;
        for (size_t index = 0; index < pixels.size(); ++index) {
            const auto &[px, py, value] = pixels[index];
            const double w = h(2, 0) * px + h(2, 1) * py + 1;
            const double u = (h(0, 0) * px + h(0, 1) * py + h(0, 2)) / w;
            const double v = (h(1, 0) * px + h(1, 1) * py + h(1, 2)) / w;
            const double ux = (h(0, 0) - u * h(2, 0)) / w, uy = (h(0, 1) - u * h(2, 1)) / w;
            const double vx = (h(1, 0) - v * h(2, 0)) / w, vy = (h(1, 1) - v * h(2, 1)) / w;
            // How fast cells pass by, a pixel.
            const double uRate = std::sqrt(ux * ux + uy * uy) / scale, vRate = std::sqrt(vx * vx + vy * vy) / scale;
            const double correlation = (ux * vx + uy * vy) / (scale * scale * uRate * vRate);
            const Edges across(u, blur * uRate, cells), down(v, blur * vRate, cells);
            Light white, marker;
            marker.add(across.all, down.all, correlation);
            for (int row = std::max(down.first, 1); row <= std::min(down.last, bits); ++row)
                for (int column = std::max(across.first, 1); column <= std::min(across.last, bits); ++column)
                    if ((code >> (bits * bits - 1 - (row - 1) * bits - (column - 1)) & 1) != 0)
                        white.add(across.cells[column], down.cells[row], correlation);
            const double ground = 1 - marker.value;
            const double seen = light[0] + light[1] * px + light[2] * py + light[3] * white.value + light[4] * ground;
            const double byU = light[3] * white.across - light[4] * marker.across;
            const double byV = light[3] * white.down - light[4] * marker.down;
            const double byBlur = (light[3] * white.widening - light[4] * marker.widening) / blur;
            const double rows[unknowns] = {
                byU * px / w,
                byU * py / w,
                byU / w,
                byV * px / w,
                byV * py / w,
                byV / w,
                -(byU * u + byV * v) * px / w,
                -(byU * u + byV * v) * py / w,
                byBlur,
                1,
                px,
                py,
                white.value,
                ground};
            const double off = value - seen, ratio = isFirst ? 0 : off / limit;
            residuals[index] = std::abs(off);
            unexplained += off * off;
            // Cauchy's weight: a glint or a finger on the marker is no part of the model.
            const double weight = 1 / (1 + ratio * ratio);
            for (int i = isFirst ? lightIndex : 0; i < unknowns; ++i) {
                side(i) += weight * rows[i] * off;
                for (int j = i; j < unknowns; ++j) normal(i, j) += weight * rows[i] * rows[j];
            }
        }
        for (int i = 0; i < unknowns; ++i) {
            for (int j = 0; j < i; ++j) normal(i, j) = normal(j, i);
            normal(i, i) = isFirst && i < lightIndex ? 1 : normal(i, i) * (1 + 1e-6) + 1e-9;
        }
        explained = 1 - unexplained / count / variance;
        Vector move;
        if (!cv::solve(normal, side, move, cv::DECOMP_CHOLESKY)) return false;
        for (int i = 0; i < 5; ++i) light[i] += move(lightIndex + i);
        if (!isFirst) {
            for (int i = 0; i < viewCount; ++i) h.val[i] += move(i);
            blur = std::clamp(blur + std::clamp(move(blurIndex), -0.3, 0.3), 0.3, std::max(0.5, cell));
            std::nth_element(residuals.begin(), residuals.begin() + long(residuals.size() / 2), residuals.end());
            limit = std::max(2.0, 2.4 * 1.4826 * residuals[residuals.size() / 2]);
            double most = 0;
            for (int i = 0; i < viewCount; ++i) most = std::max(most, std::abs(move(i)));
            if (step > 1 && most < smallestMove) break;
        }
        isFirst = false;
    }
    if (!(explained >= leastExplained) || !(light[3] > 0) || !(light[4] > 0)) return false;
    const cv::Matx33d back = h.inv();
    Quad result;
    for (int k = 0; k < 4; ++k) {
        const double u = k == 1 || k == 2 ? cells : 0, v = k >= 2 ? cells : 0;
        const cv::Vec3d p = back * cv::Vec3d(u, v, 1);
        result[size_t(k)] = Point(p[0], p[1]) * (scale / p[2]) + middle;
        // Also false for what isn't a number.
        if (!(length(result[size_t(k)] - quad[size_t(k)]) <= std::max(farthest, farthestCells * cell))) return false;
    }
    if (!isConvexClockwise(result)) return false;
    quad = result;
    return true;
}

} // namespace ocv::markers
