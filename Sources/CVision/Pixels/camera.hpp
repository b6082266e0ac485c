#pragma once
#include "Pixels/Guard.hpp"

namespace ocv {

inline cv::Mat matrix(const ocv_camera &camera) {
    return (cv::Mat_<double>(3, 3) << camera.focalX, 0, camera.centerX, 0, camera.focalY, camera.centerY, 0, 0, 1);
}

inline cv::Mat distortion(const ocv_camera &camera) {
    if (camera.distortionCount == 0) return cv::Mat();
    return cv::Mat(1, camera.distortionCount, CV_64F, const_cast<double *>(camera.distortion)).clone();
}

} // namespace ocv
