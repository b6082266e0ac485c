#pragma once
#include <opencv2/core.hpp>
#include <vector>

namespace ocv {

/// A connected component that may be a letter. In pixels of the full picture.
struct Letter {
    cv::Point2f center;
    float width = 0, height = 0;
    /// Mean grey value.
    float grey = 0;
    /// Its convex hull.
    std::vector<cv::Point2f> hull;
};

/// What may be letters at one scale.
///
/// - Parameters:
///   - scale: pixels of the full picture for each of `luma`'s.
///   - isLight: letters lighter than what is around them.
std::vector<Letter> findLetters(const cv::Mat &luma, const cv::Mat &mean, double scale, bool isLight);

} // namespace ocv
