#include "Images/alignment.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace ocv::images {
namespace {

/// Half the side of a window without its middle, pixels of the frame's level.
constexpr int reach = 7;
constexpr int side = 2 * reach + 1;
/// A window's rows are filled up to whole lanes, with pixels of no weight.
constexpr int lanes = 8, stride = 16, area = side * stride;
constexpr int steps = 10;
/// The farthest that a window is moved, pixels of the frame's level.
constexpr double farthest = 5;
/// The least correlation of a window with what is seen, and the least spread of both, codes.
constexpr double leastCorrelation = 0.7, leastSpread = 1.5;
/// The share of a window that must lie on the reference.
constexpr double leastShare = 0.6;
/// Along the way that motion smears a pixel.
constexpr int mostSamples = 10;
/// A smear that makes no difference, pixels of the frame's level.
constexpr double leastSmear = 1;
/// What is left of a window's error when its noise is averaged away, pixels of the frame's level.
constexpr double floorError = 0.05;

/// A window of the reference as it is seen in the frame.
struct Window {
    std::array<float, area> value, dx, dy, weight;
    float count, mean, spread;
    /// The products of its own gradients and values, which don't change from step to step.
    float ownX, ownY;
    cv::Matx22d hessian, inverse;
};

/// Adds up f(0) … f(area − 1), the same way on every machine.
template <typename Term> inline float sum(Term &&term) {
    std::array<float, lanes> sums{};
    for (int index = 0; index < area; index += lanes)
        for (int lane = 0; lane < lanes; ++lane) sums[size_t(lane)] += term(size_t(index + lane));
    return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

/// - Parameter isWithin: Whether the place is known to lie within the picture, with a pixel after it: most do, and cost half.
template <bool isWithin> float sample(const cv::Mat &picture, double x, double y) {
    int column = int(x), row = int(y);
    double right = x - column, down = y - row;
    if (!isWithin) {
        column = std::min(std::max(int(std::floor(x)), 0), picture.cols - 2);
        row = std::min(std::max(int(std::floor(y)), 0), picture.rows - 2);
        right = std::clamp(x - column, 0.0, 1.0);
        down = std::clamp(y - row, 0.0, 1.0);
    }
    const float u = float(right), v = float(down);
    const uint8_t *a = picture.data + size_t(row) * picture.step.p[0] + column, *b = a + picture.step.p[0];
    const float upper = float(a[0]) + u * float(a[1] - a[0]), lower = float(b[0]) + u * float(b[1] - b[0]);
    return upper + v * (lower - upper);
}

constexpr int wideSide = side + 2;
using Wide = std::array<float, wideSide * wideSide>;

/// The pixels of a window and those around it, smeared.
template <bool isWithin>
void sampleWide(
    const cv::Mat &picture, cv::Point2d place, const cv::Matx22d &step, cv::Vec2d way, int samples, Wide &wide) {
    size_t index = 0;
    for (int y = -reach - 1; y <= reach + 1; ++y) {
        for (int x = -reach - 1; x <= reach + 1; ++x) {
            const double px = place.x + step(0, 0) * x + step(0, 1) * y, py = place.y + step(1, 0) * x + step(1, 1) * y;
            float value = 0;
            for (int i = 0; i < samples; ++i) {
                const double share = (i + 0.5) / samples - 0.5;
                value += sample<isWithin>(picture, px + way[0] * share, py + way[1] * share);
            }
            wide[index++] = value / float(samples);
        }
    }
}

/// - Parameters:
///   - place: In the level's own coordinates.
///   - step: How far the reference goes on for a pixel of the frame's level.
///   - smear: How far what is seen moved while the shutter was open, pixels of the frame's level.
bool makeWindow(const cv::Mat &picture, cv::Point2d place, const cv::Matx22d &step, cv::Vec2d smear, Window &window) {
    const int samples = std::clamp(int(std::ceil(cv::norm(smear) / 1.5)), 1, mostSamples);
    const cv::Vec2d way = step * smear;
    Wide wide;
    window.value.fill(0);
    window.weight.fill(0);
    window.dx.fill(0);
    window.dy.fill(0);
    const double far = reach + 1, wideX = far * (std::abs(step(0, 0)) + std::abs(step(0, 1))) + std::abs(way[0]),
                 wideY = far * (std::abs(step(1, 0)) + std::abs(step(1, 1))) + std::abs(way[1]);
    const bool isWithin = place.x - wideX > 1 && place.y - wideY > 1 && place.x + wideX < picture.cols - 2 &&
                          place.y + wideY < picture.rows - 2;
    if (isWithin)
        sampleWide<true>(picture, place, step, way, samples, wide);
    else
        sampleWide<false>(picture, place, step, way, samples, wide);
    for (int y = -reach; y <= reach; ++y) {
        for (int x = -reach; x <= reach; ++x) {
            const double px = place.x + step(0, 0) * x + step(0, 1) * y, py = place.y + step(1, 0) * x + step(1, 1) * y;
            const size_t index = size_t((y + reach) * stride + x + reach);
            const bool isInside = isWithin || (px >= 0 && py >= 0 && px <= picture.cols - 1 && py <= picture.rows - 1);
            window.value[index] = wide[size_t((y + reach + 1) * wideSide + x + reach + 1)];
            window.weight[index] = isInside ? 1 : 0;
        }
    }
    window.count = sum([&](size_t i) { return window.weight[i]; });
    if (window.count < leastShare * side * side) return false;
    window.mean = sum([&](size_t i) { return window.weight[i] * window.value[i]; }) / window.count;
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
            const size_t index = size_t(y * stride + x);
            const float *middle = wide.data() + (y + 1) * wideSide + x + 1;
            window.value[index] = window.weight[index] * (window.value[index] - window.mean);
            window.dx[index] = window.weight[index] * (middle[1] - middle[-1]) / 2;
            window.dy[index] = window.weight[index] * (middle[wideSide] - middle[-wideSide]) / 2;
        }
    }
    window.spread = std::sqrt(sum([&](size_t i) { return window.value[i] * window.value[i]; }) / window.count);
    if (window.spread < leastSpread) return false;
    // An offset of brightness is free: what of the gradients looks like one says nothing.
    const float meanX = sum([&](size_t i) { return window.dx[i]; }) / window.count;
    const float meanY = sum([&](size_t i) { return window.dy[i]; }) / window.count;
    for (size_t i = 0; i < area; ++i) {
        window.dx[i] -= window.weight[i] * meanX;
        window.dy[i] -= window.weight[i] * meanY;
    }
    const double xx = double(sum([&](size_t i) { return window.dx[i] * window.dx[i]; }));
    const double xy = double(sum([&](size_t i) { return window.dx[i] * window.dy[i]; }));
    const double yy = double(sum([&](size_t i) { return window.dy[i] * window.dy[i]; }));
    window.ownX = sum([&](size_t i) { return window.dx[i] * window.value[i]; });
    window.ownY = sum([&](size_t i) { return window.dy[i] * window.value[i]; });
    // Along an edge a window stays where it is.
    const double hold = 1e-3 * (xx + yy);
    window.hessian = {xx + hold, xy, xy, yy + hold};
    const double determinant = window.hessian(0, 0) * window.hessian(1, 1) - xy * xy;
    if (!(determinant > 0)) return false;
    window.inverse = cv::Matx22d{window.hessian(1, 1), -xy, -xy, window.hessian(0, 0)} * (1 / determinant);
    return true;
}

/// Moves `at` to where the window is seen; false where it isn't.
bool align(const Window &window, const cv::Mat &frame, cv::Point2d &at, double &correlation) {
    const cv::Point2d start = at;
    std::array<float, area> seen{};
    for (int step = 0; step < steps; ++step) {
        const double left = at.x - reach, top = at.y - reach;
        const int column = int(std::floor(left)), row = int(std::floor(top));
        if (column < 0 || row < 0 || column + side >= frame.cols || row + side >= frame.rows) return false;
        const float u = float(left - column), v = float(top - row);
        const float a = (1 - u) * (1 - v), b = u * (1 - v), c = (1 - u) * v, d = u * v;
        for (int y = 0; y < side; ++y) {
            const uint8_t *upper = frame.ptr<uint8_t>(row + y) + column,
                          *lower = frame.ptr<uint8_t>(row + y + 1) + column;
            float *line = seen.data() + y * stride;
            for (int x = 0; x < side; ++x)
                line[x] = a * float(upper[x]) + b * float(upper[x + 1]) + c * float(lower[x]) + d * float(lower[x + 1]);
        }
        const float mean = sum([&](size_t i) { return window.weight[i] * seen[i]; }) / window.count;
        for (size_t i = 0; i < area; ++i) seen[i] = window.weight[i] * (seen[i] - mean);
        const float spread = std::sqrt(sum([&](size_t i) { return seen[i] * seen[i]; }) / window.count);
        if (spread < leastSpread) return false;
        const float product = sum([&](size_t i) { return seen[i] * window.value[i]; });
        correlation = double(product) / (double(window.count) * spread * window.spread);
        // The gain that explains it best; the gradients' own values are those of the reference.
        const float gain = window.spread / spread;
        const double errorX = double(gain * sum([&](size_t i) { return window.dx[i] * seen[i]; }) - window.ownX);
        const double errorY = double(gain * sum([&](size_t i) { return window.dy[i] * seen[i]; }) - window.ownY);
        const cv::Vec2d move = window.inverse * cv::Vec2d(errorX, errorY);
        at -= cv::Point2d(move[0], move[1]);
        const double gone = std::hypot(at.x - start.x, at.y - start.y);
        if (!(gone <= farthest)) return false;
        if (move.dot(move) < 0.01 * 0.01) break;
    }
    return correlation >= leastCorrelation;
}

} // namespace

cv::Point2d map(const cv::Matx33d &h, cv::Point2d p) {
    const double w = h(2, 0) * p.x + h(2, 1) * p.y + h(2, 2);
    return {(h(0, 0) * p.x + h(0, 1) * p.y + h(0, 2)) / w, (h(1, 0) * p.x + h(1, 1) * p.y + h(1, 2)) / w};
}

namespace {

/// How a homography stretches the surroundings of a point.
cv::Matx22d derivative(const cv::Matx33d &h, cv::Point2d p) {
    const double w = h(2, 0) * p.x + h(2, 1) * p.y + h(2, 2);
    const cv::Point2d q = map(h, p);
    return {
        (h(0, 0) - q.x * h(2, 0)) / w, (h(0, 1) - q.x * h(2, 1)) / w, (h(1, 0) - q.y * h(2, 0)) / w,
        (h(1, 1) - q.y * h(2, 1)) / w};
}

cv::Matx22d inverse(const cv::Matx22d &m) {
    const double determinant = m(0, 0) * m(1, 1) - m(0, 1) * m(1, 0);
    return cv::Matx22d{m(1, 1), -m(0, 1), -m(1, 0), m(0, 0)} * (1 / determinant);
}

} // namespace

Look look(
    const ocv_image_reference &reference, const ocv_pyramid &frame, int level, const cv::Matx33d &homography,
    const Motion *motion) {
    Look result;
    const cv::Mat &picture = frame.levels[size_t(level)];
    const double scale = double(1 << level);
    const cv::Point2d middle{reference.width() / 2, reference.height() / 2};
    const double stretch = std::sqrt(std::abs(cv::determinant(derivative(homography, middle)))) / scale;
    if (!(stretch > 0) || !std::isfinite(stretch)) return result;
    const int last = int(reference.levels.size()) - 1;
    const int source = std::clamp(int(std::lround(-std::log2(stretch))), 0, last);
    Window window;
    for (const cv::Point2d &place : reference.places[size_t(source)]) {
        const cv::Point2d there = map(homography, place);
        cv::Point2d at{there.x / scale, there.y / scale};
        const double margin = reach + 1;
        if (!(at.x >= margin && at.y >= margin && at.x < picture.cols - margin - 1 && at.y < picture.rows - margin - 1))
            continue;
        ++result.inFrame;
        const cv::Matx22d step = inverse(derivative(homography, place)) * (scale / double(1 << source));
        const cv::Point2d own{place.x / (1 << source), place.y / (1 << source)};
        double correlation = 0;
        cv::Vec2d smear(0, 0);
        if (motion) {
            const cv::Point2d moved = (there - map(motion->before, place)) * (motion->shutter * motion->frame / scale);
            if (cv::norm(moved) >= leastSmear) smear = {moved.x, moved.y};
        }
        if (!makeWindow(reference.levels[size_t(source)], own, step, smear, window)) continue;
        if (!align(window, picture, at, correlation)) continue;
        // What of the window isn't explained is noise, of at least a code or two.
        const double noise = std::max(double(window.spread) * window.spread * (1 - correlation * correlation), 4.0);
        cv::Matx22d covariance = window.inverse * noise;
        covariance(0, 0) += floorError * floorError;
        covariance(1, 1) += floorError * floorError;
        PlaceSeen seen;
        seen.place = place;
        seen.seen = {at.x * scale, at.y * scale};
        seen.information = inverse(covariance) * (1 / (scale * scale));
        result.seen.push_back(seen);
        result.correlation += correlation;
    }
    return result;
}

} // namespace ocv::images
