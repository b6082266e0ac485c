#pragma once
#include <opencv2/core.hpp>
#include <vector>

namespace ocv::poses {

/// Points of a flat thing, where they are seen, and by which camera.
struct View {
    std::vector<cv::Point3d> object;
    std::vector<cv::Point2d> image;
    cv::Mat matrix, distortion;
    /// For each point how it was measured, 0 … `groupCount` − 1: points of one group have noise of one size.
    std::vector<int> groups;
    int groupCount = 1;
};

struct Pose {
    cv::Vec3d rotation, translation;
    /// Root mean square of the distances between points seen and projected, by their weights, pixels.
    double error;
};

} // namespace ocv::poses
