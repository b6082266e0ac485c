#pragma once
#include "Images/alignment.hpp"

#include <optional>

namespace ocv::images {

/// Of the frame's levels, the coarsest that pictures are aligned at: 4 × 4 pixels.
inline constexpr int coarsest = 2;
/// The shares of places in the frame that must be seen where a picture is followed, and where it is found anew.
struct Demand {
    /// Places, and the share of those in the frame.
    int places;
    double share;
    /// The share of the picture's area that they span: the corners are only as sure as what is seen reaches far.
    double span;
};
inline constexpr Demand following{6, 0.16, 0.1}, finding{10, 0.3, 0.2};
/// Where a picture was seen in one frame.
struct Sighting {
    cv::Matx33d homography;
    /// Places of the reference that were seen, and how many of them lie in the frame.
    std::vector<cv::Point2d> places;
    int inFrame = 0;
    /// Of the picture's worst corner, standard deviation, pixels.
    double cornerError = 0;

    double share() const { return inFrame > 0 ? double(places.size()) / inFrame : 0; }
};

/// The area that places span, as a share of the picture's.
double span(const ocv_image_reference &reference, const std::vector<cv::Point2d> &places);

/// Where the picture's corners are.
std::vector<cv::Point2d> quad(const ocv_image_reference &reference, const cv::Matx33d &h);

double longestSide(const std::vector<cv::Point2d> &quad);

/// True for what a camera can see of a picture's front: clockwise, convex, wholly before the camera, not a sliver.
bool isPlausible(const ocv_image_reference &reference, const cv::Matx33d &h);

/// Aligns the picture from coarse to fine, as fine as it can be seen.
///
/// - Parameter motion: where the picture was a frame before, if that is known; its shutter is made better where the smear
///   tells it.
std::optional<Sighting> refine(
    const ocv_image_reference &reference, const ocv_pyramid &frame, const cv::Matx33d &start, int from,
    const Demand &demand, Motion *motion = nullptr);

/// Aligns a picture whose motion isn't known: first as if it stood still, then with the smear that is seen.
std::optional<Sighting> refineUnmoved(
    const ocv_image_reference &reference, const ocv_pyramid &frame, const cv::Matx33d &start, int from);

} // namespace ocv::images
