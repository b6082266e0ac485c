#include "Images/reference.hpp"

#include "Pixels/Guard.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <opencv2/imgproc.hpp>
#include <stdexcept>

namespace ocv::images {
namespace {

constexpr int workingSide = 640;
/// Of the smallest level.
constexpr int smallestSide = 24;
/// Parts along the longer side, each with one place at the most.
constexpr int parts = 12;
/// Codes per pixel, squared: a place's window changes by more than noise along its better direction.
constexpr double leastEnergy = 16;

/// The place in each part with the strongest gradient in both directions (Shi and Tomasi 1994).
std::vector<cv::Point2d> places(const cv::Mat &picture, double scale) {
    cv::Mat dx, dy;
    cv::Sobel(picture, dx, CV_32F, 1, 0, 3, 1.0 / 8);
    cv::Sobel(picture, dy, CV_32F, 0, 1, 3, 1.0 / 8);
    cv::Mat xx, xy, yy;
    const cv::Size window(9, 9);
    cv::boxFilter(dx.mul(dx), xx, CV_32F, window);
    cv::boxFilter(dx.mul(dy), xy, CV_32F, window);
    cv::boxFilter(dy.mul(dy), yy, CV_32F, window);
    const int side = std::max(6, (std::max(picture.cols, picture.rows) + parts - 1) / parts);
    const int margin = 4;
    struct Place {
        cv::Point at;
        double strength;
    };
    std::vector<Place> found;
    for (int top = 0; top < picture.rows; top += side) {
        for (int left = 0; left < picture.cols; left += side) {
            Place best{{}, 0};
            for (int y = std::max(top, margin); y < std::min(top + side, picture.rows - margin); ++y) {
                for (int x = std::max(left, margin); x < std::min(left + side, picture.cols - margin); ++x) {
                    const double a = xx.at<float>(y, x), b = xy.at<float>(y, x), c = yy.at<float>(y, x);
                    const double spread = std::sqrt((a - c) * (a - c) / 4 + b * b);
                    const double weak = (a + c) / 2 - spread, strong = (a + c) / 2 + spread;
                    // An edge helps as well, across itself.
                    const double strength = weak + 0.05 * strong;
                    if (strong >= leastEnergy && strength > best.strength) best = {{x, y}, strength};
                }
            }
            if (best.strength > 0) found.push_back(best);
        }
    }
    std::vector<cv::Point2d> result;
    for (const Place &place : found) result.emplace_back(place.at.x * scale, place.at.y * scale);
    return result;
}

} // namespace
} // namespace ocv::images

using namespace ocv::images;

ocv_status ocv_image_reference_create(ocv_plane luma, ocv_image_reference **out, ocv_image_quality *quality) noexcept {
    *out = nullptr;
    *quality = {};
    return ocv::guarded([&] {
        if (!luma.data || luma.width < 1 || luma.height < 1) throw std::invalid_argument("a picture without pixels");
        if (std::min(luma.width, luma.height) < OCV_IMAGE_LEAST_SIDE) {
            quality->verdict = OCV_IMAGE_TINY;
            return;
        }
        auto made = std::make_unique<ocv_image_reference>();
        cv::Mat picture = ocv::view(luma);
        const double scale = double(workingSide) / std::max(picture.cols, picture.rows);
        if (scale < 1) {
            const cv::Size size(std::max(1, cvRound(picture.cols * scale)), std::max(1, cvRound(picture.rows * scale)));
            cv::resize(picture, picture, size, 0, 0, cv::INTER_AREA);
        } else {
            picture = picture.clone();
        }
        if (std::min(picture.cols, picture.rows) < smallestSide) {
            quality->verdict = OCV_IMAGE_TINY;
            return;
        }
        made->levels.push_back(picture);
        while (std::min(made->levels.back().cols, made->levels.back().rows) >= 2 * smallestSide) {
            cv::Mat half;
            cv::pyrDown(made->levels.back(), half);
            made->levels.push_back(half);
        }
        for (size_t level = 0; level < made->levels.size(); ++level)
            made->places.push_back(places(made->levels[level], double(1 << level)));
        *quality = assess(*made);
        if (quality->verdict == OCV_IMAGE_FIT) *out = made.release();
    });
}

void ocv_image_reference_destroy(ocv_image_reference *reference) noexcept { delete reference; }
