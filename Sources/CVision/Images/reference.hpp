#pragma once
#include "ocv_images.h"

#include <opencv2/core.hpp>
#include <vector>

/// A picture that is looked for, at its working size: its longer side has at most `workingSide` pixels.
struct ocv_image_reference {
    /// Each half the one before; pixel (x, y) of level k lies at (x · 2^k, y · 2^k) of level 0.
    std::vector<cv::Mat> levels;
    /// For each level the places that can be recognised at that size, in coordinates of level 0, the best first in each
    /// part of the picture.
    std::vector<std::vector<cv::Point2d>> places;
    /// What it is found again by: places in coordinates of level 0 and their descriptors, one a row.
    std::vector<cv::Point2f> keyPlaces;
    cv::Mat descriptors;

    double width() const { return levels[0].cols; }
    double height() const { return levels[0].rows; }
    /// The outer edge, clockwise from the top left.
    std::vector<cv::Point2d> corners() const {
        const double right = width() - 0.5, bottom = height() - 0.5;
        return {{-0.5, -0.5}, {right, -0.5}, {right, bottom}, {-0.5, bottom}};
    }
};

namespace ocv::images {

/// ORB keypoints (Rublee and others 2011) of a picture, at most about `count`, spread over it, with their descriptors.
void describe(const cv::Mat &picture, int count, std::vector<cv::Point2f> &places, cv::Mat &descriptors);

/// Looks at whether a picture can be told from others and from itself shifted or turned.
ocv_image_quality assess(const ocv_image_reference &reference);

} // namespace ocv::images
