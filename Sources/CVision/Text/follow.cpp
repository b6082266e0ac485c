#include "Pixels/Guard.hpp"
#include "Text/quads.hpp"
#include "ocv_text.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/video/tracking.hpp>

namespace {

/// Corners that a line is followed by, at the most and at least.
constexpr int mostCorners = 32, leastCorners = 5;
constexpr int levels = 4;
const cv::Size window(13, 13);

/// The good corners of a line's letters and of what is close around them.
void corners(const cv::Mat &luma, const ocv_quad &quad, std::vector<cv::Point2f> &points) {
    std::vector<cv::Point2f> outline;
    for (const ocv_point &p : quad.corners) outline.emplace_back(float(p.x), float(p.y));
    const cv::Rect box = cv::boundingRect(outline) & cv::Rect(0, 0, luma.cols, luma.rows);
    if (box.width < 6 || box.height < 4) return;
    cv::Mat mask = cv::Mat::zeros(box.size(), CV_8U);
    std::vector<cv::Point> inside;
    for (const cv::Point2f &p : outline)
        inside.emplace_back(int(std::lround(p.x)) - box.x, int(std::lround(p.y)) - box.y);
    cv::fillConvexPoly(mask, inside, 255);
    std::vector<cv::Point2f> found;
    // Spread over the whole line, however long it is.
    const double apart = std::max(3.0, std::sqrt(cv::contourArea(outline) / mostCorners) * 0.6);
    cv::goodFeaturesToTrack(luma(box), found, mostCorners, 0.05, apart, mask, 3);
    for (const cv::Point2f &p : found) points.push_back(p + cv::Point2f(box.tl()));
}

} // namespace

struct ocv_text_frame {
    cv::Mat luma;
    /// With derivatives, as `cv::calcOpticalFlowPyrLK` wants them.
    std::vector<cv::Mat> pyramid;
};

ocv_status ocv_text_frame_create(ocv_plane luma, ocv_text_frame **out) OCV_NOEXCEPT {
    *out = nullptr;
    if (!luma.data || luma.width < 1 || luma.height < 1) return ocv::failure("lines are followed in a picture");
    return ocv::guarded([&] {
        auto made = std::make_unique<ocv_text_frame>();
        made->luma = ocv::view(luma).clone();
        cv::buildOpticalFlowPyramid(made->luma, made->pyramid, window, levels);
        *out = made.release();
    });
}

void ocv_text_frame_destroy(ocv_text_frame *frame) OCV_NOEXCEPT { delete frame; }

ocv_status ocv_follow_text(
    const ocv_text_frame *before, const ocv_text_frame *now, const ocv_quad *lines, int32_t count,
    ocv_text_motion *motions) OCV_NOEXCEPT {
    return ocv::guarded([&] {
        const cv::Mat &old = before->luma, &fresh = now->luma;
        std::vector<cv::Point2f> points;
        std::vector<size_t> starts{0};
        for (int32_t i = 0; i < count; i++) {
            motions[i] = {};
            corners(old, lines[i], points);
            starts.push_back(points.size());
        }
        if (points.empty() || old.size() != fresh.size()) return;
        const std::vector<cv::Mat> &first = before->pyramid, &second = now->pyramid;
        std::vector<cv::Point2f> there, back;
        std::vector<uchar> isThere, isBack;
        const cv::TermCriteria enough(cv::TermCriteria::COUNT + cv::TermCriteria::EPS, 20, 0.02);
        cv::calcOpticalFlowPyrLK(first, second, points, there, isThere, cv::noArray(), window, levels, enough);
        cv::calcOpticalFlowPyrLK(second, first, there, back, isBack, cv::noArray(), window, levels, enough);
        for (int32_t i = 0; i < count; i++) {
            std::vector<cv::Point2f> from, to;
            for (size_t k = starts[size_t(i)]; k < starts[size_t(i) + 1]; k++) {
                if (!isThere[k] || !isBack[k] || cv::norm(back[k] - points[k]) > 0.7) continue;
                from.push_back(points[k]);
                to.push_back(there[k]);
            }
            if (int(from.size()) < leastCorners) continue;
            std::vector<uchar> fits;
            cv::Mat motion = cv::estimateAffinePartial2D(from, to, fits, cv::RANSAC, 1.5);
            if (motion.empty()) continue;
            size_t kept = 0;
            for (size_t k = 0; k < from.size(); k++) {
                if (!fits[k]) continue;
                from[kept] = from[k];
                to[kept++] = to[k];
            }
            if (int(kept) < leastCorners || kept * 5 < from.size() * 2) continue;
            from.resize(kept);
            to.resize(kept);
            // More of them tell of perspective too, as far as it is affine.
            if (kept >= 12) {
                const cv::Mat full = cv::estimateAffine2D(from, to, cv::noArray(), cv::RANSAC, 1.5);
                if (!full.empty()) motion = full;
            }
            const double a = motion.at<double>(0, 0), b = motion.at<double>(0, 1);
            const double c = motion.at<double>(1, 0), d = motion.at<double>(1, 1);
            const double scale = a * d - b * c;
            if (!(scale > 0.5 && scale < 2)) continue;
            for (int k = 0; k < 6; k++) motions[i].affine[k] = motion.at<double>(k / 3, k % 3);
            motions[i].isKnown = true;
        }
    });
}

ocv_status ocv_text_likeness(
    ocv_plane luma, const ocv_point corners[4], int32_t width, int32_t height, const uint8_t *reference,
    double *likeness) OCV_NOEXCEPT {
    return ocv::guarded([&] {
        *likeness = 0;
        std::vector<uint8_t> pixels(size_t(width) * size_t(height));
        const ocv_status status = ocv_sample_patch(luma, corners, OCV_PATCH_PLAIN, width, height, pixels.data());
        if (status.code) return;
        double sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
        for (size_t i = 0; i < pixels.size(); i++) {
            const double a = reference[i], b = pixels[i];
            sa += a, sb += b, saa += a * a, sbb += b * b, sab += a * b;
        }
        const double n = double(pixels.size());
        const double varianceA = saa - sa * sa / n, varianceB = sbb - sb * sb / n;
        if (varianceA <= 0 || varianceB <= 0) return;
        *likeness = (sab - sa * sb / n) / std::sqrt(varianceA * varianceB);
    });
}
