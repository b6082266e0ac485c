#pragma once
#include "ocv_images.h"

#include <opencv2/core.hpp>
#include <vector>

/// Level l has one pixel where the frame has 2^l × 2^l; its pixel (x, y) lies at (x · 2^l, y · 2^l) of the frame, as
/// `cv::pyrDown` has it.
struct ocv_pyramid {
    std::vector<cv::Mat> levels;
    /// The levels from 1 on with their derivatives and borders, as `cv::calcOpticalFlowPyrLK` wants them.
    std::vector<cv::Mat> flow;
};

namespace ocv::images {

/// The side of the windows that optical flow compares, pixels.
constexpr int flowWindow = 21;

} // namespace ocv::images
