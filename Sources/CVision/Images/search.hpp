#pragma once
#include "Images/reference.hpp"

#include <opencv2/core.hpp>
#include <vector>

struct ocv_image_features {
    ocv::images::Keypoints keypoints;
    /// Pixels of the frame for one of the picture that was searched.
    float scale = 1;
};

namespace ocv::images {

/// Rough homographies from the reference to the frame, by what both have in common, the likeliest first.
std::vector<cv::Matx33d> find(const ocv_image_reference &reference, const ocv_image_features &frame);

} // namespace ocv::images
