#include "Images/search.hpp"

#include "Images/pyramid.hpp"
#include "Pixels/Guard.hpp"

#include <algorithm>
#include <memory>
#include <opencv2/calib3d.hpp>
#include <opencv2/features2d.hpp>

namespace ocv::images {
namespace {

/// The longer side of the picture that is searched, pixels, at the most.
constexpr int longestFrame = 1280;
constexpr int keypointsOfFrame = 1500;
/// How much nearer the best match must be than the second (Lowe 2004), and the farthest of all, bits of 256.
constexpr float ratio = 0.85F, farthestMatch = 80;
constexpr int leastMatches = 8;

} // namespace

std::optional<cv::Matx33d> find(const ocv_image_reference &reference, const ocv_image_features &frame) {
    if (reference.descriptors.rows < leastMatches || frame.descriptors.rows < leastMatches) return {};
    const cv::BFMatcher matcher(cv::NORM_HAMMING);
    std::vector<std::vector<cv::DMatch>> pairs;
    // A place of the reference may be one of several of its sizes: each asks for itself.
    matcher.knnMatch(reference.descriptors, frame.descriptors, pairs, 2);
    std::vector<cv::Point2f> own, seen;
    for (const std::vector<cv::DMatch> &pair : pairs) {
        if (pair.size() < 2 || pair[0].distance > farthestMatch || pair[0].distance > ratio * pair[1].distance)
            continue;
        own.push_back(reference.keyPlaces[size_t(pair[0].queryIdx)]);
        seen.push_back(frame.places[size_t(pair[0].trainIdx)]);
    }
    if (own.size() < leastMatches) return {};
    std::vector<uint8_t> agrees;
    const cv::Mat found = cv::findHomography(own, seen, cv::RANSAC, 6, agrees, 3000, 0.999);
    if (found.empty() || cv::countNonZero(agrees) < leastMatches) return {};
    return cv::Matx33d(found);
}

} // namespace ocv::images

using namespace ocv::images;

ocv_status ocv_image_features_create(const ocv_pyramid *frame, ocv_image_features **out) noexcept {
    *out = nullptr;
    return ocv::guarded([&] {
        auto made = std::make_unique<ocv_image_features>();
        size_t level = 0;
        while (level + 1 < frame->levels.size() &&
               std::max(frame->levels[level].cols, frame->levels[level].rows) > longestFrame) {
            ++level;
        }
        describe(frame->levels[level], keypointsOfFrame, made->places, made->descriptors);
        for (cv::Point2f &place : made->places) place *= float(1 << level);
        *out = made.release();
    });
}

void ocv_image_features_destroy(ocv_image_features *features) noexcept { delete features; }
