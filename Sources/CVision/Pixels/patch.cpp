#include "Pixels/Guard.hpp"
#include "Pixels/cubic.hpp"
#include "Pixels/modules.hpp"

#include <algorithm>
#include <cmath>

namespace ocv {
namespace {

/// From patch to picture, both in pixel centres.
cv::Matx33d map(const ocv_point corners[4], int width, int height) {
    const cv::Point2f patch[4] = {
        {-0.5f, -0.5f}, {width - 0.5f, -0.5f}, {width - 0.5f, height - 0.5f}, {-0.5f, height - 0.5f}};
    cv::Point2f picture[4];
    for (int i = 0; i < 4; i++) picture[i] = cv::Point2f(float(corners[i].x), float(corners[i].y));
    return cv::Matx33d(cv::getPerspectiveTransform(patch, picture));
}

bool isUsable(const ocv_point corners[4], int width, int height) {
    if (!corners || width < 1 || height < 1 || width > 8192 || height > 8192) return false;
    return std::all_of(corners, corners + 4, [](const ocv_point &p) {
        return std::isfinite(p.x) && std::isfinite(p.y) && std::abs(p.x) < 1e5 && std::abs(p.y) < 1e5;
    });
}

/// A picture, or the part of it around a quad, at the size or halves of it, and where the quad is there.
struct Source {
    cv::Mat picture;
    ocv_point corners[4];
};

/// The sides of a patch's pixels in pixels of the picture: the shortest and the longest.
struct Steps {
    double least, most;
};

/// From what length on, along either side and everywhere, what is sampled is halved first: halving costs a tenth of sampling.
constexpr double longestStep = 1.75;

/// The part of a picture around a convex quad, halved as often as nothing that a patch shows is lost by it.
/// - Parameter steps: receives the same in pixels of the result.
Source halved(const cv::Mat &picture, const ocv_point corners[4], Steps &steps) {
    Source out{picture, {corners[0], corners[1], corners[2], corners[3]}};
    int levels = 0;
    for (double left = steps.least; left >= longestStep && levels < 6; left /= 2) levels++;
    std::vector<cv::Point2f> quad;
    for (const ocv_point &p : out.corners) quad.emplace_back(float(p.x), float(p.y));
    if (levels == 0 || !cv::isContourConvex(quad)) return out;
    // What interpolation reaches for, and whole blocks.
    const int block = 1 << levels, margin = 3 * block;
    const auto within = [block](double value, int size) { return std::clamp(int(value), 0, size) / block * block; };
    const auto [left, right] = std::minmax({quad[0].x, quad[1].x, quad[2].x, quad[3].x});
    const auto [top, bottom] = std::minmax({quad[0].y, quad[1].y, quad[2].y, quad[3].y});
    const cv::Point from(
        within(std::floor(left) - margin, picture.cols), within(std::floor(top) - margin, picture.rows));
    const cv::Point to(
        within(std::ceil(right) + margin + block, picture.cols),
        within(std::ceil(bottom) + margin + block, picture.rows));
    if (to.x - from.x < 2 * block || to.y - from.y < 2 * block) return out;
    out.picture = picture(cv::Rect(from, to));
    for (int level = 0; level < levels; level++) {
        cv::Mat half;
        cv::resize(out.picture, half, out.picture.size() / 2, 0, 0, cv::INTER_AREA);
        out.picture = half;
    }
    steps = {steps.least / block, steps.most / block};
    for (ocv_point &p : out.corners) p = {(p.x - from.x + 0.5) / block - 0.5, (p.y - from.y + 0.5) / block - 0.5};
    return out;
}

void sharpen(cv::Mat &patch) {
    cv::Mat smooth;
    cv::GaussianBlur(patch, smooth, cv::Size(), 2.0);
    cv::addWeighted(patch, 2.5, smooth, -1.5, 0, patch);
    cv::normalize(patch, patch, 0, 255, cv::NORM_MINMAX);
}

} // namespace
} // namespace ocv

using namespace ocv;

ocv_status ocv_sample_patch(
    ocv_plane luma, const ocv_point corners[4], ocv_patch_treatment treatment, int32_t width, int32_t height,
    uint8_t *out) noexcept {
    if (!luma.data || luma.width < 1 || luma.height < 1 || !isUsable(corners, width, height) || !out)
        return ocv::failure("a patch needs a picture, four corners near it and room for the result");
    return ocv::guarded([&] {
        cv::Mat patch(height, width, CV_8U, out);
        Steps steps{1e9, 0};
        for (int i = 0; i < 4; i++) {
            const ocv_point &a = corners[i], &b = corners[(i + 1) % 4];
            const double step = std::hypot(b.x - a.x, b.y - a.y) / (i % 2 ? height : width);
            steps = {std::min(steps.least, step), std::max(steps.most, step)};
        }
        const Source source = halved(ocv::view(luma), corners, steps);
        // Made smaller: sampled finely, then averaged.
        const int fine = std::clamp(int(std::ceil(steps.most - 0.25)), 1, 4);
        cv::Mat sampled = patch;
        if (fine > 1) sampled = cv::Mat(height * fine, width * fine, CV_8U);
        warpCubic(source.picture, map(source.corners, width * fine, height * fine), sampled);
        if (fine > 1) cv::resize(sampled, patch, patch.size(), 0, 0, cv::INTER_AREA);
        if (treatment == OCV_PATCH_SHARPENED) sharpen(patch);
    });
}

ocv_point ocv_patch_to_picture(const ocv_point corners[4], int32_t width, int32_t height, ocv_point place) noexcept {
    if (!isUsable(corners, width, height)) return place;
    ocv_point out = place;
    (void)ocv::guarded([&] {
        const cv::Vec3d p = map(corners, width, height) * cv::Vec3d(place.x, place.y, 1);
        if (p[2] != 0) out = {p[0] / p[2], p[1] / p[2]};
    });
    return out;
}
