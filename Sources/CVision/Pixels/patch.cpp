#include "Pixels/Guard.hpp"
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
        const cv::Mat picture = ocv::view(luma);
        double longest = 0;
        for (int i = 0; i < 4; i++) {
            const ocv_point &a = corners[i], &b = corners[(i + 1) % 4];
            longest = std::max(longest, std::hypot(b.x - a.x, b.y - a.y) / (i % 2 ? height : width));
        }
        // Made smaller: sampled finely, then averaged.
        const int fine = std::clamp(int(std::ceil(longest - 0.25)), 1, 4);
        cv::Mat sampled;
        cv::warpPerspective(
            picture, fine > 1 ? sampled : patch, map(corners, width * fine, height * fine),
            cv::Size(width * fine, height * fine), cv::INTER_CUBIC | cv::WARP_INVERSE_MAP, cv::BORDER_REPLICATE);
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
