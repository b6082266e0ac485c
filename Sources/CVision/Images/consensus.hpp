#pragma once
#include <opencv2/core.hpp>
#include <optional>
#include <vector>

namespace ocv::images {

/// The homography, from the first points to the second, about which most pairs of points agree (RANSAC; Fischler and Bolles
/// 1981), of a thing that isn't seen mirrored. The same pairs always give the same one.
/// - Parameters:
///   - tolerance: how far from where it puts them pairs that agree are, pixels of the second.
///   - least: how many agree at least; nothing where fewer do.
std::optional<cv::Matx33d> consensus(
    const std::vector<cv::Point2f> &from, const std::vector<cv::Point2f> &to, float tolerance, int least);

} // namespace ocv::images
