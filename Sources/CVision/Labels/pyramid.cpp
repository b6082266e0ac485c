#include "Labels/pyramid.hpp"

#include <algorithm>
#include <opencv2/features2d.hpp>
#include <opencv2/imgproc.hpp>

namespace ocv::labels {

namespace {

/// A level smaller than this on a side holds no patch.
constexpr int smallestSide = 20;
/// Features are found at this many pixels on the longer side or fewer: corners that survive motion blur and zooms.
constexpr int searchSide = 960;
constexpr int searchFeatures = 1200;

} // namespace

Pyramid::Pyramid(const cv::Mat &luma) : size_(luma.size()) {
    images_.push_back(luma.clone());
    while (levels() < depth) {
        const cv::Mat &last = images_.back();
        const cv::Size half(last.cols / 2, last.rows / 2);
        if (std::min(half.width, half.height) < smallestSide) break;
        cv::Mat next;
        cv::resize(last(cv::Rect(0, 0, half.width * 2, half.height * 2)), next, half, 0, 0, cv::INTER_AREA);
        images_.push_back(std::move(next));
    }
}

Pyramid Pyramid::crop(cv::Rect rectangle) const {
    // Origins that every level divides keep the levels' grids where they are.
    constexpr int step = 1 << (depth - 1);
    const cv::Rect whole(cv::Point(0, 0), size_);
    cv::Rect part = rectangle & whole;
    Pyramid result;
    result.size_ = size_;
    result.origin_ = {part.x / step * step, part.y / step * step};
    for (int level = 0; level < levels(); level++) {
        const cv::Point from = result.origin(level);
        const cv::Point to(
            std::min((part.br().x >> level) + 1, image(level).cols),
            std::min((part.br().y >> level) + 1, image(level).rows));
        if (to.x - from.x < 1 || to.y - from.y < 1) break;
        result.images_.push_back(image(level)(cv::Rect(from, to)).clone());
    }
    return result;
}

const Features &Frame::features() const {
    std::call_once(once_, [&] {
        int level = 0;
        while (level + 1 < pyramid.levels() &&
               std::max(pyramid.image(level).cols, pyramid.image(level).rows) > searchSide)
            level++;
        const auto detector = cv::ORB::create(searchFeatures, 1.2f, 8, 31, 0, 2, cv::ORB::HARRIS_SCORE, 31, 12);
        std::vector<cv::KeyPoint> keypoints;
        detector->detectAndCompute(pyramid.image(level), cv::noArray(), keypoints, features_.descriptors);
        features_.points.reserve(keypoints.size());
        for (const auto &keypoint : keypoints) features_.points.push_back(fromLevel(cv::Point2d(keypoint.pt), level));
    });
    return features_;
}

} // namespace ocv::labels
