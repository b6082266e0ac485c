#include "Pixels/Guard.hpp"
#include "Text/quads.hpp"
#include "ocv_text.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <tuple>

namespace ocv::text {
namespace {

/// The mean of the map inside a quad.
double meanInside(const cv::Mat &map, const Quad &quad) {
    const cv::Rect all(0, 0, map.cols, map.rows);
    const cv::Rect box = cv::boundingRect(std::vector<cv::Point2f>(quad.begin(), quad.end())) & all;
    if (box.empty()) return 0;
    cv::Mat mask = cv::Mat::zeros(box.size(), CV_8U);
    std::vector<cv::Point> corners;
    for (const cv::Point2f &p : quad)
        corners.push_back({int(std::lround(p.x)) - box.x, int(std::lround(p.y)) - box.y});
    cv::fillConvexPoly(mask, corners, 1);
    return cv::mean(map(box), mask)[0];
}

} // namespace
} // namespace ocv::text

ocv_status ocv_text_regions(
    const float *map, int32_t width, int32_t height, ocv_text_region_options options, ocv_text_region *regions,
    int32_t capacity, int32_t *count) OCV_NOEXCEPT {
    return ocv::guarded([&] {
        using namespace ocv::text;
        *count = 0;
        const cv::Mat probability(height, width, CV_32F, const_cast<float *>(map));
        cv::Mat mask;
        cv::compare(probability, options.threshold, mask, cv::CMP_GT);
        cv::dilate(mask, mask, cv::Mat::ones(2, 2, CV_8U));
        std::vector<std::vector<cv::Point>> contours;
        cv::findContours(mask, contours, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_SIMPLE);
        std::vector<ocv_text_region> found;
        for (const std::vector<cv::Point> &contour : contours) {
            Quad quad;
            if (!quadAround(contour, quad) || shorterSide(quad) < options.leastSide) continue;
            const double score = meanInside(probability, quad);
            if (score < options.leastScore) continue;
            // The network was taught text that had been shrunk by a part of its area over its perimeter.
            const double way = options.unclip * area(quad) / perimeter(quad);
            const Quad whole = grown(quad, float(way));
            ocv_text_region region{};
            for (size_t i = 0; i < 4; i++) region.corners[i] = {whole[i].x, whole[i].y};
            region.score = score;
            region.grown = way;
            found.push_back(region);
        }
        std::sort(found.begin(), found.end(), [](const ocv_text_region &a, const ocv_text_region &b) {
            const double first = a.score * std::sqrt(areaOf(a)), second = b.score * std::sqrt(areaOf(b));
            return std::tie(second, a.corners[0].y, a.corners[0].x) < std::tie(first, b.corners[0].y, b.corners[0].x);
        });
        for (const ocv_text_region &region : found) {
            if (*count == capacity) break;
            regions[(*count)++] = region;
        }
    });
}
