#include "Pixels/Guard.hpp"
#include "Pixels/modules.hpp"
#include "ocv_follow.h"

#include <algorithm>
#include <cmath>
#include <opencv2/calib3d.hpp>
#include <opencv2/video/tracking.hpp>
#include <vector>

namespace ocv {
namespace {

constexpr int mostCorners = 200;
/// Pixels that a corner may be off after it went there and back.
constexpr float mostDrift = 1;
/// Corners that must agree, and their share of those that were followed.
constexpr int fewest = 12;
constexpr double leastShare = 0.4;
/// A camera doesn't do more from one frame to the next: what says so is wrong.
constexpr double mostZoom = 1.3;

/// What isn't covered by things.
cv::Mat background(cv::Size size, const ocv_box *things, int count) {
    cv::Mat mask(size, CV_8U, cv::Scalar(255));
    for (int i = 0; i < count; i++) {
        const ocv_box &box = things[i];
        const int left = int(std::clamp(std::floor(box.x), 0.0, double(size.width)));
        const int top = int(std::clamp(std::floor(box.y), 0.0, double(size.height)));
        const int right = int(std::clamp(std::ceil(box.x + box.width), 0.0, double(size.width)));
        const int bottom = int(std::clamp(std::ceil(box.y + box.height), 0.0, double(size.height)));
        if (right > left && bottom > top) mask(cv::Rect(left, top, right - left, bottom - top)).setTo(0);
    }
    return mask;
}

ocv_similarity motion(const cv::Mat &first, const cv::Mat &second, const cv::Mat &mask) {
    const ocv_similarity none{1, 0, 0, 0};
    std::vector<cv::Point2f> points, there, back, from, to;
    cv::goodFeaturesToTrack(first, points, mostCorners, 0.01, 5, mask);
    if (int(points.size()) < fewest) return none;
    std::vector<uchar> isThere, isBack;
    cv::calcOpticalFlowPyrLK(first, second, points, there, isThere, cv::noArray());
    cv::calcOpticalFlowPyrLK(second, first, there, back, isBack, cv::noArray());
    for (size_t i = 0; i < points.size(); i++) {
        const cv::Point2f drift = back[i] - points[i];
        if (isThere[i] && isBack[i] && drift.dot(drift) < mostDrift * mostDrift) {
            from.push_back(points[i]);
            to.push_back(there[i]);
        }
    }
    if (int(from.size()) < fewest) return none;
    std::vector<uchar> fits;
    const cv::Mat found = cv::estimateAffinePartial2D(from, to, fits, cv::RANSAC, 1.0);
    const int agreed = cv::countNonZero(fits);
    if (found.empty() || agreed < fewest || agreed < leastShare * double(from.size())) return none;
    const ocv_similarity result{
        found.at<double>(0, 0), found.at<double>(1, 0), found.at<double>(0, 2), found.at<double>(1, 2)};
    const double zoom = std::hypot(result.a, result.b);
    return zoom < mostZoom && zoom > 1 / mostZoom ? result : none;
}

} // namespace
} // namespace ocv

ocv_status ocv_camera_motion(
    ocv_plane first, ocv_plane second, const ocv_box *things, int32_t count, ocv_similarity *out) noexcept {
    return ocv::guarded([&] {
        CV_Assert(out && first.width == second.width && first.height == second.height && (things || count == 0));
        const cv::Mat a = ocv::view(first), b = ocv::view(second);
        *out = ocv::motion(a, b, ocv::background(a.size(), things, count));
    });
}
