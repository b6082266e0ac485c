#pragma once
#include <opencv2/core.hpp>
#include <vector>

namespace ocv::text {

/// A connected component that may be a letter. In pixels of the full picture.
struct Letter {
    cv::Point2f center;
    float width = 0, height = 0;
    /// Mean grey value.
    float grey = 0;
    /// Its convex hull.
    std::vector<cv::Point2f> hull;
};

/// What is around each pixel: the mean, and by how much a letter has to differ from it.
struct Surroundings {
    cv::Mat mean, threshold;
};
Surroundings surroundings(const cv::Mat &luma);

/// What may be letters at one scale.
///
/// - Parameters:
///   - scale: pixels of the full picture for each of `luma`'s.
///   - isLight: letters lighter than what is around them.
std::vector<Letter> findLetters(const cv::Mat &luma, const Surroundings &around, double scale, bool isLight);

} // namespace ocv::text
