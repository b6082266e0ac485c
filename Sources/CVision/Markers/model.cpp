#include "Markers/model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <opencv2/core.hpp>

namespace ocv::markers {
namespace {

/// Standard deviations of the blur along a cell from which on edges are far enough apart to be located one by one.
constexpr double sharpestCell = 8;
/// How much of what is around a marker is looked at, cells: of ground where other things may be near, and of ground that is
/// known.
constexpr double margin = 0.3, knownMargin = 1;
/// How much the view, in cells, and the blur, as a share of itself, still change when there is nothing left to gain; and up
/// to which every few of the pixels will do.
constexpr double smallestMove = 1e-2, smallestChange = 0.05, coarseMove = 0.1, coarseChange = 0.3;
constexpr int coarseStride = 4;
/// Of more pixels an even part is taken: corners are known well enough then.
constexpr int enoughPixels = 600;
constexpr int mostSteps = 12, mostEdges = 11;
/// Standard deviations of the blur, pixels: the least, and what is expected.
constexpr double leastBlur = 0.3, firstBlur = 0.7;
/// The farthest that a corner is moved, pixels and cells.
constexpr double farthestMove = 1.5, farthestCells = 0.6;
/// The least that the model must explain of what is seen, as a share of its variance.
constexpr double leastExplained = 0.9;
/// Standard deviation of the noise that isn't held against a code, luma levels.
constexpr double mostNoise = 3;
/// By how much light cells may differ from the ground, as a share of its rise, where they are of one paper.
constexpr double evenLight = 0.2;

/// View (8: the homography from pixels to cells, its last number being 1), blur (3: its covariance, which motion draws out
/// to one side), light: the level of the dark cells and its slope across (3), the light cells' and the ground's rise above
/// it (2).
constexpr int viewCount = 8, blurIndex = 8, blurCount = 3, lightIndex = 11, lightCount = 5, unknowns = 16;
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

/// How much of the light comes from between two edges; how that changes with the place; with the blur, in units of itself;
/// and the normal densities' difference at the two edges.
struct Share {
    double value, slope, widening, density;

    /// From beyond an edge.
    static Share beyond(double place, double edge, double blur) {
        const double t = (place - edge) / blur;
        if (std::abs(t) >= Normal::farthest) return {t > 0 ? 1.0 : 0.0, 0, 0, 0};
        double share, density;
        normalDistribution.at(t, share, density);
        return {share, density / blur, -t * density, density};
    }
    Share operator-(const Share &other) const {
        return {value - other.value, slope - other.slope, widening - other.widening, density - other.density};
    }
};

constexpr Share everything{1, 0, 0, 0}, nothing{0, 0, 0, 0};

/// The blurred edges along one axis as they are seen at one place.
struct Edges {
    /// What comes from each cell, from all of them, and from the three parts of the surroundings: before the gap, from there
    /// to the other gap's end, and behind that.
    Share cells[mostEdges - 1], all, before, within, behind;
    /// The cells from which light comes.
    int first, last;

    /// - place, blur: in cells.
    /// - gap: in front of the first cell and behind the last, cells.
    Edges(double place, double blur, int count, double gap) {
        first = std::clamp(int(std::floor(place - Normal::farthest * blur)), 0, count - 1);
        last = std::clamp(int(std::floor(place + Normal::farthest * blur)), 0, count - 1);
        Share edge = Share::beyond(place, first, blur);
        const Share start = first == 0 ? edge : everything;
        for (int i = first; i <= last; ++i) {
            const Share next = Share::beyond(place, i + 1, blur);
            cells[i] = edge - next;
            edge = next;
        }
        all = start - (last == count - 1 ? edge : nothing);
        before = everything - Share::beyond(place, -gap, blur);
        behind = Share::beyond(place, count + gap, blur);
        within = everything - before - behind;
    }
};

/// What a place shows, 0 to 1, and how that changes: with the place, with the blur across and down in units of itself, and
/// with the correlation of these two.
struct Light {
    double value = 0, across = 0, down = 0, widening[2] = {}, correlated = 0;

    void add(const Share &u, const Share &v, double correlation) { put(1, u, v, correlation); }
    void subtract(const Share &u, const Share &v, double correlation) { put(-1, u, v, correlation); }

private:
    void put(double sign, const Share &u, const Share &v, double correlation) {
        // Out of sight.
        if (u.value == 0 || v.value == 0) return;
        // Where the axes aren't seen at a right angle, or blur has a direction, the blur along one goes with that along the
        // other: the first term of Mehler's series.
        value += sign * (u.value * v.value + correlation * u.density * v.density);
        across += sign * u.slope * v.value;
        down += sign * u.value * v.slope;
        widening[0] += sign * u.widening * v.value;
        widening[1] += sign * u.value * v.widening;
        correlated += sign * u.density * v.density;
    }
};

/// The covariance of a blur (xx, xy, yy), pixels².
using Covariance = cv::Vec3d;

/// The nearest one whose standard deviations lie between two.
Covariance limited(const Covariance &blur, double least, double most) {
    const double mean = (blur[0] + blur[2]) / 2, half = (blur[0] - blur[2]) / 2;
    const double spread = std::sqrt(half * half + blur[1] * blur[1]);
    const double high = std::clamp(mean + spread, least * least, most * most);
    const double low = std::clamp(mean - spread, least * least, most * most);
    const double scale = spread > 0 ? (high - low) / 2 / spread : 0;
    return {(high + low) / 2 + half * scale, blur[1] * scale, (high + low) / 2 - half * scale};
}

/// What the ground around a marker shows.
Light groundLight(const Edges &across, const Edges &down, const Surroundings &surroundings, double correlation) {
    Light ground;
    ground.add(everything, everything, 0);
    if (surroundings.kind == Surroundings::Kind::unknown) return ground;
    // On a chessboard a dark square beside a light one is as wide as that, on a grid one marker as the other; across the
    // corners there are light squares, or markers.
    const bool isGrid = surroundings.kind == Surroundings::Kind::grid;
    const Share &column = isGrid ? across.all : across.within, &row = isGrid ? down.all : down.within;
    const auto &is = surroundings.hasNeighbour;
    if (is[0]) ground.subtract(column, down.before, correlation);
    if (is[1]) ground.subtract(across.behind, row, correlation);
    if (is[2]) ground.subtract(column, down.behind, correlation);
    if (is[3]) ground.subtract(across.before, row, correlation);
    if (isGrid && is[0] && is[1]) ground.subtract(across.behind, down.before, correlation);
    if (isGrid && is[1] && is[2]) ground.subtract(across.behind, down.behind, correlation);
    if (isGrid && is[2] && is[3]) ground.subtract(across.before, down.behind, correlation);
    if (isGrid && is[3] && is[0]) ground.subtract(across.before, down.before, correlation);
    return ground;
}

/// How far beyond one of its sides a marker is looked at, cells: on a chessboard into the dark square, whose edges tell as much
/// as the marker's; else over ground that is light.
double reachBeyond(size_t side, const Surroundings &surroundings, double gap) {
    if (surroundings.kind == Surroundings::Kind::unknown) return margin;
    const double light = std::min(gap, knownMargin);
    const bool isSquare = surroundings.kind == Surroundings::Kind::chessboard && surroundings.hasNeighbour[side];
    return isSquare ? gap + light / 2 : light;
}

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

bool ModelFit::isWorthwhile(double blur) { return blur * sharpestCell > 1; }

double ModelFit::doubt(int correctedBits) const {
    // A cell of the other shade adds its share of the area; about a quarter of the contrast squared is the whole's variance.
    const double wrong = 4.0 * correctedBits / (side * side);
    return unexplained / ((1 - leastExplained + wrong) * variance + mostNoise * mostNoise);
}

bool ModelFit::refine(ocv_plane luma, Quad &quad, int bits, uint64_t code, const Surroundings &surroundings) {
    const int cells = bits + 2;
    unexplained = std::numeric_limits<double>::infinity();
    side = cells;
    if (cells >= mostEdges) return false;
    const Point middle = (quad[0] + quad[1] + quad[2] + quad[3]) * 0.25;
    const double scale = perimeter(quad) / 8, cell = 2 * scale / cells;
    const double perPixel = 1 / (scale * scale);
    const double gap = surroundings.gap * cells;
    std::array<double, 4> reach;
    for (size_t side = 0; side < 4; ++side) reach[side] = reachBeyond(side, surroundings, gap);
    cv::Matx33d h = toCells(quad, cells, middle, scale);
    double left = 1e9, top = 1e9, end = -1e9, bottom = -1e9;
    for (const Point &corner : quad) {
        const Point out = corner + (corner - middle) * (2 * *std::max_element(reach.begin(), reach.end()) / cells);
        left = std::min(left, out.x), top = std::min(top, out.y);
        end = std::max(end, out.x), bottom = std::max(bottom, out.y);
    }
    const double area = cell * cell * (cells + reach[1] + reach[3]) * (cells + reach[0] + reach[2]);
    const int part = std::max(1, int(std::lround(area / enoughPixels)));
    pixels.clear();
    double sum = 0, squares = 0;
    for (int y = std::max(0, int(std::ceil(top))); y <= std::min(luma.height - 1, int(bottom)); ++y)
        for (int x = std::max(0, int(std::ceil(left))); x <= std::min(luma.width - 1, int(end)); ++x) {
            if ((x + 2 * y) % part != 0) continue;
            const double px = (x - middle.x) / scale, py = (y - middle.y) / scale;
            const double w = h(2, 0) * px + h(2, 1) * py + 1;
            const double u = (h(0, 0) * px + h(0, 1) * py + h(0, 2)) / w;
            const double v = (h(1, 0) * px + h(1, 1) * py + h(1, 2)) / w;
            if (!(w > 0) || !(u > -reach[3] && v > -reach[0] && u < cells + reach[1] && v < cells + reach[2])) continue;
            const double value = luma.data[int64_t(y) * luma.stride + x];
            pixels.push_back({px, py, value});
            sum += value, squares += value * value;
        }
    const double count = double(pixels.size());
    if (count < 5 * unknowns) return false;
    variance = squares / count - sum * sum / (count * count);
    // The light is found in the first step, in which it is linear.
    Covariance blur(firstBlur * firstBlur, 0, firstBlur * firstBlur);
    double limit = 1, explained = 0, light[lightCount] = {};
    bool isFirst = true;
    size_t stride = pixels.size() >= size_t(coarseStride * 5 * unknowns) ? coarseStride : 1;
    for (int step = 0; step < mostSteps; ++step) {
        Matrix normal = Matrix::zeros();
        Vector right = Vector::zeros();
        double rest = 0;
        residuals.clear();
        for (size_t index = 0; index < pixels.size(); index += stride) {
            const auto &[px, py, value] = pixels[index];
            const double w = h(2, 0) * px + h(2, 1) * py + 1;
            const double u = (h(0, 0) * px + h(0, 1) * py + h(0, 2)) / w;
            const double v = (h(1, 0) * px + h(1, 1) * py + h(1, 2)) / w;
            const double ux = (h(0, 0) - u * h(2, 0)) / w, uy = (h(0, 1) - u * h(2, 1)) / w;
            const double vx = (h(1, 0) - v * h(2, 0)) / w, vy = (h(1, 1) - v * h(2, 1)) / w;
            // The blur's variances and covariance in cells, by each of its own in pixels.
            const Covariance byUU = Covariance(ux * ux, 2 * ux * uy, uy * uy) * perPixel;
            const Covariance byVV = Covariance(vx * vx, 2 * vx * vy, vy * vy) * perPixel;
            const Covariance byUV = Covariance(ux * vx, ux * vy + uy * vx, uy * vy) * perPixel;
            const double uu = blur.dot(byUU), vv = blur.dot(byVV), root = std::sqrt(uu * vv);
            const double correlation = blur.dot(byUV) / root;
            const Edges across(u, std::sqrt(uu), cells, gap), down(v, std::sqrt(vv), cells, gap);
            Light white, marker;
            marker.add(across.all, down.all, correlation);
            const Light ground = groundLight(across, down, surroundings, correlation);
            for (int row = std::max(down.first, 1); row <= std::min(down.last, bits); ++row)
                for (int column = std::max(across.first, 1); column <= std::min(across.last, bits); ++column)
                    if ((code >> (bits * bits - 1 - (row - 1) * bits - (column - 1)) & 1) != 0)
                        white.add(across.cells[column], down.cells[row], correlation);
            const double around = ground.value - marker.value;
            const double seen = light[0] + light[1] * px + light[2] * py + light[3] * white.value + light[4] * around;
            const auto change = [&](double byWhite, double byGround, double byMarker) {
                return light[3] * byWhite + light[4] * (byGround - byMarker);
            };
            const double byU = change(white.across, ground.across, marker.across);
            const double byV = change(white.down, ground.down, marker.down);
            const double byWidth = change(white.widening[0], ground.widening[0], marker.widening[0]) / (2 * uu);
            const double byHeight = change(white.widening[1], ground.widening[1], marker.widening[1]) / (2 * vv);
            const double byCorrelation = change(white.correlated, ground.correlated, marker.correlated);
            const Covariance byBlur = (byWidth - byCorrelation * correlation / (2 * uu)) * byUU +
                                      (byHeight - byCorrelation * correlation / (2 * vv)) * byVV +
                                      (byCorrelation / root) * byUV;
            const double rows[unknowns] = {
                byU * px / w,
                byU * py / w,
                byU / w,
                byV * px / w,
                byV * py / w,
                byV / w,
                -(byU * u + byV * v) * px / w,
                -(byU * u + byV * v) * py / w,
                byBlur[0],
                byBlur[1],
                byBlur[2],
                1,
                px,
                py,
                white.value,
                around};
            const double off = value - seen, ratio = isFirst ? 0 : off / limit;
            residuals.push_back(std::abs(off));
            rest += off * off;
            // Cauchy's weight: a glint or a finger on the marker is no part of the model.
            const double weight = 1 / (1 + ratio * ratio);
            for (int i = isFirst ? lightIndex : 0; i < unknowns; ++i) {
                right(i) += weight * rows[i] * off;
                for (int j = i; j < unknowns; ++j) normal(i, j) += weight * rows[i] * rows[j];
            }
        }
        for (int i = 0; i < unknowns; ++i) {
            for (int j = 0; j < i; ++j) normal(i, j) = normal(j, i);
            normal(i, i) = isFirst && i < lightIndex ? 1 : normal(i, i) * (1 + 1e-6) + 1e-9;
        }
        explained = 1 - rest / double(residuals.size()) / variance;
        Vector move;
        if (!cv::solve(normal, right, move, cv::DECOMP_CHOLESKY)) return false;
        for (int i = 0; i < lightCount; ++i) light[i] += move(lightIndex + i);
        if (!isFirst) {
            for (int i = 0; i < viewCount; ++i) h.val[i] += move(i);
            Covariance change(move(blurIndex), move(blurIndex + 1), move(blurIndex + 2));
            const double most = blur[0] + blur[2], size = cv::norm(change);
            if (size > most) change *= most / size;
            blur = limited(blur + change, leastBlur, std::max(0.5, cell));
            std::nth_element(residuals.begin(), residuals.begin() + long(residuals.size() / 2), residuals.end());
            limit = std::max(2.0, 2.4 * 1.4826 * residuals[residuals.size() / 2]);
            double farthestMove = 0;
            for (int i = 0; i < viewCount; ++i) farthestMove = std::max(farthestMove, std::abs(move(i)));
            const bool isStill = farthestMove < smallestMove && size < smallestChange * most;
            if (stride == 1 && isStill) break;
            if (isStill || (farthestMove < coarseMove && size < coarseChange * most)) stride = 1;
        }
        isFirst = false;
    }
    if (!(light[3] > 0) || !(light[4] > 0)) return false;
    unexplained = (1 - explained) * variance;
    if (!(explained >= leastExplained)) return false;
    const cv::Matx33d back = h.inv();
    Quad result;
    for (int k = 0; k < 4; ++k) {
        const double u = k == 1 || k == 2 ? cells : 0, v = k >= 2 ? cells : 0;
        const cv::Vec3d p = back * cv::Vec3d(u, v, 1);
        result[size_t(k)] = Point(p[0], p[1]) * (scale / p[2]) + middle;
        // Also false for what isn't a number.
        if (!(length(result[size_t(k)] - quad[size_t(k)]) <= std::max(farthestMove, farthestCells * cell)))
            return false;
    }
    if (!isConvexClockwise(result)) return false;
    plain = std::abs(light[3] - light[4]) < evenLight * light[4];
    quad = result;
    return true;
}

} // namespace ocv::markers
