#pragma once
#include "ocv_images.h"

#include <array>
#include <cstdint>
#include <mutex>
#include <opencv2/core.hpp>
#include <vector>

namespace ocv::images {

/// ORB's descriptor (Rublee and others 2011).
constexpr int descriptorBits = 256;
using Descriptor = std::array<uint64_t, descriptorBits / 64>;

/// A place by which a picture is found again.
struct Keypoint {
    cv::Point2f at;
    /// Which way its patch is turned, radians, and how much larger it is than the smallest patches.
    float angle, size;
};

struct Keypoints {
    std::vector<Keypoint> points;
    std::vector<Descriptor> descriptors;
};

/// A picture as it is seen from one direction.
struct View {
    Keypoints keypoints;
    /// From the picture's level 0 to the view.
    cv::Matx23f map;
    /// Where the keypoints are in the picture's level 0.
    std::vector<cv::Point2f> places;
};

} // namespace ocv::images

/// A picture that is looked for, at its working size: its longer side has at most `workingSide` pixels.
struct ocv_image_reference {
    /// Each half the one before; pixel (x, y) of level k lies at (x · 2^k, y · 2^k) of level 0.
    std::vector<cv::Mat> levels;
    /// For each level the places that can be recognised at that size, in coordinates of level 0, the best first in each
    /// part of the picture.
    std::vector<std::vector<cv::Point2d>> places;
    /// How it looks from the front and aslant, made when it is first looked for: one that is only followed needs none.
    mutable std::vector<ocv::images::View> views;
    mutable std::once_flag viewsAreMade;

    double width() const { return levels[0].cols; }
    double height() const { return levels[0].rows; }
    /// The outer edge, clockwise from the top left.
    std::vector<cv::Point2d> corners() const {
        const double right = width() - 0.5, bottom = height() - 0.5;
        return {{-0.5, -0.5}, {right, -0.5}, {right, bottom}, {-0.5, bottom}};
    }
};

namespace ocv::images {

/// Keypoints of a picture, at most about `count`, spread over it, with their descriptors.
Keypoints describe(const cv::Mat &picture, int count);

/// How a picture looks from the front, at several sizes, and from aslant, as far as keypoints are still alike there.
const std::vector<View> &views(const ocv_image_reference &reference);

/// Looks at whether a picture can be told from others and from itself shifted or turned.
ocv_image_quality assess(const ocv_image_reference &reference);

} // namespace ocv::images
