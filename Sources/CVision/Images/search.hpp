#pragma once
#include "Images/reference.hpp"

#include <opencv2/core.hpp>
#include <optional>
#include <vector>

struct ocv_image_features {
    /// Pixels of the frame.
    std::vector<cv::Point2f> places;
    cv::Mat descriptors;
};

namespace ocv::images {

/// A rough homography from the reference to the frame, by what both have in common; none where that is too little.
std::optional<cv::Matx33d> find(const ocv_image_reference &reference, const ocv_image_features &frame);

} // namespace ocv::images
