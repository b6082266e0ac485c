#include "Pixels/Guard.hpp"
#include "Pixels/cubic.hpp"
#include "Pixels/modules.hpp"
#include "ocv_barcodes.h"
#include "ocv_pixels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

namespace ocv::barcodes {
namespace {

/// Ways in which a look may lie otherwise: those of a homography.
constexpr int freedoms = 8;
using Corners = std::array<cv::Point2d, 4>;
using Step = cv::Vec<double, freedoms>;

/// The most samples of a look, and along a side; the fewest, and down bars, which are the same all the way.
constexpr double mostSamples = 7000, longest = 400, shortest = 12, downBars = 14;
/// What is looked at around an outline, in its sides: where bars end is seen there.
constexpr double margin = 0.08;
/// How much coarser the first steps are, and how many there are of either at the most.
constexpr int coarser = 3, coarseSteps = 8, fineSteps = 5;
/// Pixels of the picture by which no corner moves any more, at either.
constexpr double coarselyStill = 0.5, still = 0.1;
/// The step of samples, pixels, from which on what is between them counts as well.
constexpr double dense = 1.75;
/// Samples along a side of a piece.
constexpr int piece = 10;
/// Of a look's grey values, standard deviation: with less there is nothing to be seen.
constexpr double leastContrast = 6;

constexpr double us[] = {-1, 1, 1, -1}, vs[] = {-1, -1, 1, 1};

/// Lengths of a quad's sides: the mean of those across, and of those down.
cv::Size2d sides(const Corners &c) {
    return {(cv::norm(c[1] - c[0]) + cv::norm(c[2] - c[3])) / 2, (cv::norm(c[3] - c[0]) + cv::norm(c[2] - c[1])) / 2};
}

cv::Matx33d map(const Corners &corners) {
    cv::Point2f from[4], to[4];
    for (size_t i = 0; i < 4; i++) {
        from[i] = cv::Point2f(float(us[i]), float(vs[i]));
        to[i] = cv::Point2f(float(corners[i].x), float(corners[i].y));
    }
    return cv::Matx33d(cv::getPerspectiveTransform(from, to));
}

cv::Point2d mapped(const cv::Matx33d &map, double u, double v) {
    const cv::Vec3d p = map * cv::Vec3d(u, v, 1);
    return {p[0] / p[2], p[1] / p[2]};
}

/// An outline, with so much on each side of what is in it.
Corners grown(const Corners &corners, double by) {
    const cv::Matx33d m = map(corners);
    Corners out;
    for (size_t i = 0; i < 4; i++) out[i] = mapped(m, us[i] * (1 + 2 * by), vs[i] * (1 + 2 * by));
    return out;
}

/// Whether a quad is all within a picture; it isn't where it has gone astray.
bool isWithin(const Corners &corners, const ocv_plane &luma) {
    return std::all_of(corners.begin(), corners.end(), [&](const cv::Point2d &p) {
        return p.x >= 0 && p.y >= 0 && p.x <= luma.width - 1 && p.y <= luma.height - 1;
    });
}

/// A quad of a picture as so many samples of mean 0 and variance 1; nothing where nothing is to be seen.
std::optional<cv::Mat> sampled(const ocv_plane &luma, const Corners &corners, cv::Size size) {
    cv::Mat pixels(size, CV_8U), values;
    const cv::Size2d length = sides(corners);
    if (!(length.width < 1e4 && length.height < 1e4)) return std::nullopt;
    if (std::min(length.width / size.width, length.height / size.height) < dense) {
        const cv::Matx33d patch(
            2.0 / size.width, 0, 1.0 / size.width - 1, 0, 2.0 / size.height, 1.0 / size.height - 1, 0, 0, 1);
        warpCubic(ocv::view(luma), map(corners) * patch, pixels);
    } else {
        ocv_point quad[4];
        for (size_t i = 0; i < 4; i++) quad[i] = {corners[i].x, corners[i].y};
        if (ocv_sample_patch(luma, quad, OCV_PATCH_PLAIN, size.width, size.height, pixels.data).code)
            return std::nullopt;
    }
    int64_t sum = 0, squares = 0;
    for (const uint8_t *p = pixels.data, *end = p + pixels.total(); p < end; p++) sum += *p, squares += *p * *p;
    const double n = double(pixels.total()), mean = double(sum) / n, variance = double(squares) / n - mean * mean;
    if (variance < leastContrast * leastContrast) return std::nullopt;
    const double scale = 1 / std::sqrt(variance);
    pixels.convertTo(values, CV_32F, scale, -mean * scale);
    return values;
}

/// What a quad looked like at one resolution, and how that changes with each of the freedoms.
///
/// Baker and Matthews, “Lucas-Kanade 20 Years On: A Unifying Framework” (IJCV 2004), inverse compositional: what is costly is
/// done once for all frames.
class Level {
public:
    cv::Mat values;

    explicit Level(cv::Mat look) : values(std::move(look)), changes(values.total() * freedoms) {
        const int w = values.cols, h = values.rows;
        cv::Matx<double, freedoms, freedoms> sums = cv::Matx<double, freedoms, freedoms>::zeros();
        float *out = changes.data();
        for (int y = 0; y < h; y++) {
            for (int x = 0; x < w; x++, out += freedoms) {
                const int left = std::max(x - 1, 0), right = std::min(x + 1, w - 1);
                const int top = std::max(y - 1, 0), low = std::min(y + 1, h - 1);
                const double gu =
                    double(values.at<float>(y, right) - values.at<float>(y, left)) / (right - left) * w / 2;
                const double gv = double(values.at<float>(low, x) - values.at<float>(top, x)) / (low - top) * h / 2;
                const double u = (2 * x + 1.0) / w - 1, v = (2 * y + 1.0) / h - 1, all = gu * u + gv * v;
                const double change[freedoms] = {gu, gu * u, gu * v, gv, gv * u, gv * v, -all * u, -all * v};
                for (int i = 0; i < freedoms; i++) {
                    out[i] = float(change[i]);
                    for (int j = 0; j <= i; j++) sums(i, j) += change[i] * change[j];
                }
            }
        }
        // What hardly changes anything, as the way along bars, isn't followed far.
        double most = 0;
        for (int i = 0; i < freedoms; i++) most = std::max(most, sums(i, i));
        for (int i = 0; i < freedoms; i++) {
            for (int j = i + 1; j < freedoms; j++) sums(i, j) = sums(j, i);
            sums(i, i) += 1e-4 * most;
        }
        inverse = sums.inv(cv::DECOMP_CHOLESKY);
    }

    /// Moves a quad to where the picture looks most like this.
    /// - Returns: what it looks like there, before the last step; nothing where it went astray.
    std::optional<cv::Mat> settle(const ocv_plane &luma, Corners &corners, int steps, double still) const {
        std::optional<cv::Mat> now;
        for (int step = 0; step < steps; step++) {
            now = sampled(luma, corners, values.size());
            if (!now) return now;
            float sums[freedoms] = {};
            const float *change = changes.data(), *a = values.ptr<float>(), *b = now->ptr<float>();
            for (size_t k = 0; k < values.total(); k++, change += freedoms) {
                const float off = b[k] - a[k];
                for (int i = 0; i < freedoms; i++) sums[i] += change[i] * off;
            }
            Step way;
            for (int i = 0; i < freedoms; i++) way[i] = sums[i];
            way = inverse * way;
            const cv::Matx33d warp(1 + way[1], way[2], way[0], way[4], 1 + way[5], way[3], way[6], way[7], 1);
            const cv::Matx33d back = map(corners) * warp.inv();
            double moved = 0;
            for (size_t i = 0; i < 4; i++) {
                const cv::Point2d to = mapped(back, us[i], vs[i]);
                moved = std::max(moved, cv::norm(to - corners[i]));
                corners[i] = to;
            }
            if (!(moved < 1e3)) return std::nullopt;
            if (moved < still) break;
        }
        return now;
    }

private:
    std::vector<float> changes;
    cv::Matx<double, freedoms, freedoms> inverse;
};

/// The greatest difference of two looks over a piece of them, root mean square: 0 where they are alike, 1.4 where they have nothing
/// in common.
double difference(const cv::Mat &a, const cv::Mat &b) {
    // What is beyond the outline is something else's.
    const double share = margin / (1 + 2 * margin);
    const int left = int(std::lround(a.cols * share)), top = int(std::lround(a.rows * share));
    const int width = a.cols - 2 * left, height = a.rows - 2 * top;
    const int across = std::max(1, width / piece), down = std::max(1, height / piece);
    double most = 0;
    for (int j = 0; j < down; j++) {
        for (int i = 0; i < across; i++) {
            const int x0 = left + width * i / across, x1 = left + width * (i + 1) / across;
            const int y0 = top + height * j / down, y1 = top + height * (j + 1) / down;
            double sum = 0;
            for (int y = y0; y < y1; y++) {
                const float *p = a.ptr<float>(y), *q = b.ptr<float>(y);
                for (int x = x0; x < x1; x++) sum += double(p[x] - q[x]) * double(p[x] - q[x]);
            }
            most = std::max(most, sum / std::max((x1 - x0) * (y1 - y0), 1));
        }
    }
    return std::sqrt(most);
}

} // namespace
} // namespace ocv::barcodes

using namespace ocv::barcodes;

struct ocv_code_look {
    Level fine, coarse;
};

ocv_status ocv_code_look_create(ocv_plane luma, const ocv_point corners[4], bool isRow, ocv_code_look **out) noexcept {
    if (!luma.data || luma.width < 1 || luma.height < 1 || !corners || !out)
        return ocv::failure("a code's look needs a picture, four corners and room for the result");
    *out = nullptr;
    return ocv::guarded([&] {
        Corners outline;
        for (size_t i = 0; i < 4; i++) outline[i] = {corners[i].x, corners[i].y};
        const Corners around = grown(outline, margin);
        if (!isWithin(around, luma)) return;
        const cv::Size2d size = sides(around);
        if (!(size.width >= shortest && size.height >= shortest / 2 && size.area() < 1e7)) return;
        const double step = std::max({1.0, size.width / longest, isRow ? 0 : std::sqrt(size.area() / mostSamples)});
        const double stepDown = isRow ? std::max(step, size.height / downBars) : step;
        const auto samples = [](double length) { return std::max(int(shortest) / 2, int(std::lround(length))); };
        auto fine = sampled(luma, around, {samples(size.width / step), samples(size.height / stepDown)});
        auto coarse = sampled(
            luma, around,
            {samples(size.width / (step * coarser)), samples(size.height / (isRow ? stepDown : step * coarser))});
        if (fine && coarse) *out = new ocv_code_look{Level(*fine), Level(*coarse)};
    });
}

void ocv_code_look_destroy(ocv_code_look *look) noexcept { delete look; }

ocv_status ocv_code_look_find(
    const ocv_code_look *look, ocv_plane luma, ocv_point corners[4], double *difference) noexcept {
    if (!look || !luma.data || luma.width < 1 || luma.height < 1 || !corners || !difference)
        return ocv::failure("a code is followed by its look, in a picture, from where it is supposed to be");
    *difference = 2;
    return ocv::guarded([&] {
        Corners outline;
        for (size_t i = 0; i < 4; i++) outline[i] = {corners[i].x, corners[i].y};
        Corners around = grown(outline, margin);
        if (!look->coarse.settle(luma, around, coarseSteps, coarselyStill)) return;
        const auto seen = look->fine.settle(luma, around, fineSteps, still);
        if (!seen) return;
        const Corners found = grown(around, -margin / (1 + 2 * margin));
        if (!isWithin(around, luma)) return;
        for (size_t i = 0; i < 4; i++) corners[i] = {found[i].x, found[i].y};
        *difference = ocv::barcodes::difference(look->fine.values, *seen);
    });
}
