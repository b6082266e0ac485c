#include "Images/reference.hpp"
#include "Pixels/blur.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <set>

namespace ocv::images {
namespace {

/// Codes.
constexpr double leastContrast = 6;
constexpr int leastPlaces = 12, leastParts = 5;
/// A correlation with itself from which on a picture can't be told from itself shifted or turned.
constexpr double mostRepetition = 0.8, mostSymmetry = 0.9;
/// The longer side of the picture that is shifted, pixels.
constexpr int shiftedSide = 96;

/// The picture without its coarse light and shade, small: what is left is what tells places apart.
cv::Mat detail(const cv::Mat &picture, cv::Size size) {
    cv::Mat small, coarse;
    cv::resize(picture, small, size, 0, 0, cv::INTER_AREA);
    small.convertTo(small, CV_32F);
    const double side = std::max(size.width, size.height) / 8.0;
    ocv::blurFloats(small, coarse, side, side);
    return small - coarse;
}

double correlation(const cv::Mat &a, const cv::Mat &b) {
    cv::Scalar meanA, spreadA, meanB, spreadB;
    cv::meanStdDev(a, meanA, spreadA);
    cv::meanStdDev(b, meanB, spreadB);
    const double product = spreadA[0] * spreadB[0];
    // A part of nearly one tone correlates with nothing.
    if (product < 1) return 0;
    return (a.dot(b) / double(a.total()) - meanA[0] * meanB[0]) / product;
}

/// The best correlation of the picture with itself shifted by more than a tenth, where half of it still overlaps.
double repetition(const cv::Mat &picture) {
    const int width = picture.cols, height = picture.rows;
    const double least = std::max(width, height) * 0.1;
    double best = -1;
    for (int y = 0; y <= height / 3; ++y) {
        for (int x = -width / 3; x <= width / 3; ++x) {
            if (x * x + y * y < least * least) continue;
            const int w = width - std::abs(x), h = height - y;
            const cv::Mat here = picture(cv::Rect(std::max(x, 0), y, w, h));
            const cv::Mat there = picture(cv::Rect(std::max(-x, 0), 0, w, h));
            best = std::max(best, correlation(here, there));
        }
    }
    return best;
}

/// The best correlation with itself turned by a quarter, a half or three quarters; by a half where it isn't square.
double symmetry(const cv::Mat &picture) {
    double best = -1;
    for (const int turn : {cv::ROTATE_90_CLOCKWISE, cv::ROTATE_180, cv::ROTATE_90_COUNTERCLOCKWISE}) {
        cv::Mat turned;
        cv::rotate(picture, turned, turn);
        if (turned.size() == picture.size()) best = std::max(best, correlation(picture, turned));
    }
    return best;
}

} // namespace

ocv_image_quality assess(const ocv_image_reference &reference) {
    ocv_image_quality quality{};
    const cv::Mat &picture = reference.levels[0];
    cv::Scalar mean, spread;
    cv::meanStdDev(picture, mean, spread);
    quality.contrast = spread[0];
    // The places of the level of some 160 pixels: what is left of the picture at a distance.
    size_t level = 0;
    while (level + 1 < reference.levels.size() && std::max(picture.cols, picture.rows) >> level > 240) ++level;
    std::set<int> parts;
    for (const cv::Point2d &place : reference.places[level]) {
        const int column = std::min(3, int(place.x * 4 / picture.cols)),
                  row = std::min(3, int(place.y * 4 / picture.rows));
        parts.insert(4 * row + column);
    }
    quality.places = int32_t(reference.places[level].size());
    quality.parts = int32_t(parts.size());
    const double scale = double(shiftedSide) / std::max(picture.cols, picture.rows);
    const cv::Size size(std::max(8, cvRound(picture.cols * scale)), std::max(8, cvRound(picture.rows * scale)));
    const cv::Mat small = detail(picture, size);
    const double shifted = repetition(small), turned = symmetry(small);
    quality.repetition = shifted;
    if (quality.contrast < leastContrast) {
        quality.verdict = OCV_IMAGE_FLAT;
    } else if (quality.places < leastPlaces || quality.parts < leastParts) {
        quality.verdict = OCV_IMAGE_PLAIN;
    } else if (shifted > mostRepetition) {
        quality.verdict = OCV_IMAGE_REPEATING;
    } else if (turned > mostSymmetry) {
        quality.verdict = OCV_IMAGE_SYMMETRIC;
        quality.repetition = turned;
    }
    return quality;
}

} // namespace ocv::images
