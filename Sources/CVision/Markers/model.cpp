#include "Markers/model.hpp"
#include "Markers/light.hpp"

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
/// How much the view, in pixels of the corners and in cells, and the blur, as a share of itself, still change when there is
/// nothing left to gain; and up to which every few of the pixels will do.
constexpr double smallestMove = 0.03, smallestCellMove = 1e-2, smallestChange = 0.03, coarseMove = 0.1,
                 coarseChange = 0.3;
constexpr int coarseStride = 4;
/// Of more pixels an even part is taken: corners are known well enough then.
constexpr int enoughPixels = 600;
constexpr int mostSteps = 16;
/// Standard deviations of the blur, pixels: the least, and the least to begin with.
constexpr double leastBlur = 0.3, firstBlur = 0.7;
/// How much of the blur that the sides show is begun with, since a motion's is less along the other ones; and from how many
/// cells on they show none.
constexpr double startShare = 0.7, mostExpected = 0.6;
/// The farthest that the view moves in one step, cells.
constexpr double longestStep = 0.3;
/// The farthest that a corner is moved, pixels and cells, since wide blur misleads the sides; a cell further on another code would
/// be seen.
constexpr double farthestMove = 1.5, farthestCells = 1;
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

bool ModelFit::refine(
    ocv_plane luma, Quad &quad, int bits, uint64_t code, double expected, const Surroundings &surroundings) {
    const int cells = bits + 2;
    unexplained = std::numeric_limits<double>::infinity();
    widest = 0;
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
    const double sharpest = expected < mostExpected ? std::max(firstBlur, startShare * expected * cell) : firstBlur;
    Covariance blur(sharpest * sharpest, 0, sharpest * sharpest);
    double limit = 1, explained = 0, light[lightCount] = {};
    bool isFirst = true;
    // Adds what a place shows, and how that changes, to what is already in the rows; returns how it changes with the place.
    const auto addSeen = [&](double *rows, double px, double py, const Covariance &blur) {
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
        const double byView[viewCount] = {
            byU * px / w,
            byU * py / w,
            byU / w,
            byV * px / w,
            byV * py / w,
            byV / w,
            -(byU * u + byV * v) * px / w,
            -(byU * u + byV * v) * py / w};
        for (int i = 0; i < viewCount; ++i) rows[i] += byView[i];
        for (int i = 0; i < blurCount; ++i) rows[blurIndex + i] += byBlur[i];
        rows[lightIndex + 3] += white.value;
        rows[lightIndex + 4] += ground.value - marker.value;
        return Point(byU * ux + byV * vx, byU * uy + byV * vy);
    };
    size_t stride = pixels.size() >= size_t(coarseStride * 5 * unknowns) ? coarseStride : 1;
    for (int step = 0; step < mostSteps; ++step) {
        Matrix normal = Matrix::zeros();
        Vector right = Vector::zeros();
        double rest = 0;
        residuals.clear();
        const Motion motion(blur);
        for (size_t index = 0; index < pixels.size(); index += stride) {
            const auto &[px, py, value] = pixels[index];
            double rows[unknowns] = {};
            Point slope;
            for (int part = 0; part < motion.steps; ++part) {
                const double at = motion.at(part);
                const Point away = motion.way * (at * motion.length / scale);
                slope += addSeen(rows, px - away.x, py - away.y, motion.each) * at;
            }
            for (double &row : rows) row /= motion.steps;
            const Covariance byBlur = motion.change(
                {rows[blurIndex], rows[blurIndex + 1], rows[blurIndex + 2]}, slope * (1 / (scale * motion.steps)));
            for (int i = 0; i < blurCount; ++i) rows[blurIndex + i] = byBlur[i];
            rows[lightIndex] = 1, rows[lightIndex + 1] = px, rows[lightIndex + 2] = py;
            double seen = 0;
            for (int i = 0; i < lightCount; ++i) seen += light[i] * rows[lightIndex + i];
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
            double farthestMove = 0;
            for (int i = 0; i < viewCount; ++i) farthestMove = std::max(farthestMove, std::abs(move(i)));
            const double taken = std::min(1.0, longestStep / farthestMove);
            for (int i = 0; i < viewCount; ++i) h.val[i] += taken * move(i);
            Covariance change(move(blurIndex), move(blurIndex + 1), move(blurIndex + 2));
            const double most = blur[0] + blur[2], size = cv::norm(change);
            if (size > most) change *= most / size;
            blur = limited(blur + change, leastBlur, std::max(0.5, cell));
            std::nth_element(residuals.begin(), residuals.begin() + long(residuals.size() / 2), residuals.end());
            limit = std::max(2.0, 2.4 * 1.4826 * residuals[residuals.size() / 2]);
            const bool isStill =
                farthestMove < std::min(smallestMove / cell, smallestCellMove) && size < smallestChange * most;
            if (stride == 1 && isStill) break;
            if (isStill || (farthestMove < coarseMove && size < coarseChange * most)) stride = 1;
        }
        isFirst = false;
    }
    if (!(light[3] > 0) || !(light[4] > 0)) return false;
    widest = std::sqrt((blur[0] + blur[2]) / 2 + std::hypot((blur[0] - blur[2]) / 2, blur[1]));
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
