#pragma once
#include <opencv2/core.hpp>

namespace ocv {

/// `cv::GaussianBlur` of floats, by standard deviations across and down, to the same bits with each version of OpenCV: they
/// compute what is left of a row behind whole vectors each in its own way, so no row has such a rest here.
void blurFloats(const cv::Mat &source, cv::Mat &target, double across, double down);

} // namespace ocv
