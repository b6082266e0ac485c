#include "Track/figure.hpp"
#include "Track/features.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace ocv::track {

namespace {

/// Pixels of the box, and the box's sides in sides of what is looked at.
/// The box's sides in sides of what is looked at.
constexpr double share = 0.6;
constexpr int figureBits = 4;
/// Share of the box that must be told from the surroundings, and the most that is believed.
constexpr double leastTold = 0.15;
/// How much of the correlation is believed.
constexpr double believed = 0.6;
/// Of a pixel's colour in the box that is none in its surroundings: fewer are chance.
constexpr float chance = 2e-4f;

} // namespace

cv::Mat figureOf(const cv::Mat &picture, const Place &place, cv::Size box) {
    const cv::Size all(int(box.width / share), int(box.height / share));
    cv::Mat patch;
    sample(
        picture, Window{place.middle, place.size.width / box.width, place.size.height / box.height, place.angle}, all,
        patch);
    const int channels = patch.channels();
    const cv::Rect inside((all.width - box.width) / 2, (all.height - box.height) / 2, box.width, box.height);
    const auto binOf = [&](const uint8_t *pixel) {
        size_t bin = 0;
        for (int c = 0; c < channels; c++) bin = bin << figureBits | pixel[c] >> (8 - figureBits);
        return bin;
    };
    std::vector<float> own(size_t(1) << figureBits * channels, 0), other(own.size(), 0);
    for (int y = 0; y < all.height; y++) {
        const uint8_t *row = patch.ptr(y);
        for (int x = 0; x < all.width; x++) {
            const bool isInside = inside.contains({x, y});
            (isInside ? own : other)[binOf(row + x * channels)] +=
                1.0f / float(isInside ? box.area() : all.area() - box.area());
        }
    }
    cv::Mat told(box, CV_32F);
    for (int y = 0; y < box.height; y++) {
        const uint8_t *row = patch.ptr(inside.y + y);
        for (int x = 0; x < box.width; x++) {
            const size_t bin = binOf(row + (inside.x + x) * channels);
            told.at<float>(y, x) = own[bin] / (own[bin] + other[bin] + chance);
        }
    }
    cv::blur(told, told, cv::Size(5, 5));
    return told;
}

double leanOf(const cv::Mat &told) {
    double sum = 0, sumX = 0, sumY = 0, xx = 0, xy = 0, yy = 0;
    for (int y = 0; y < told.rows; y++) {
        for (int x = 0; x < told.cols; x++) {
            const double weight = std::max(0.0, 2.0 * told.at<float>(y, x) - 1);
            sum += weight;
            sumX += weight * x;
            sumY += weight * y;
            xx += weight * x * x;
            xy += weight * x * y;
            yy += weight * y * y;
        }
    }
    if (sum < leastTold * double(told.total())) return 0;
    xx -= sumX * sumX / sum;
    xy -= sumX * sumY / sum;
    yy -= sumY * sumY / sum;
    return xx * yy > 0 ? believed * xy / std::sqrt(xx * yy) : 0;
}

} // namespace ocv::track
