#pragma once
#include "Images/pyramid.hpp"
#include "Images/reference.hpp"

#include <limits>
#include <opencv2/core.hpp>
#include <vector>

namespace ocv::images {

/// Where one place of the reference was seen.
struct PlaceSeen {
    /// Coordinates of the reference's level 0.
    cv::Point2d place;
    /// Pixels of the frame.
    cv::Point2d seen;
    /// How surely, as the inverse of a covariance, per square pixel: an edge says nothing along itself.
    cv::Matx22d information;
};

/// What looking for the reference's places came to.
struct Look {
    std::vector<PlaceSeen> seen;
    /// The sum of their correlations.
    double correlation = 0;
    /// Places that lie in the frame, seen or not.
    int inFrame = 0;
};

/// Where a homography takes a point of the reference.
cv::Point2d map(const cv::Matx33d &homography, cv::Point2d point);

/// What smears the picture in a frame.
struct Motion {
    /// Where it was in the frame that was looked at before.
    cv::Matx33d before;
    /// The share of the time between two frames for which the shutter is open, 0…1.
    double shutter;
    /// The share of the time since `before` that lies between two frames: 1 where that is the frame just before.
    double frame;
    /// True where the shutter is left as it is.
    bool isKnown;
    /// True once the shutter was looked at.
    bool isLearned = false;
};

/// Looks for each place of the reference near where a homography takes it, at one level of the frame: a window of the
/// reference as it would be seen there is aligned by translation, gain and offset (Baker and Matthews 2004, inverse
/// compositional), so that an error of the homography of up to some pixels of that level is found. The window is smeared
/// as the motion smears the picture, if that is known.
Look look(
    const ocv_image_reference &reference, const ocv_pyramid &frame, int level, const cv::Matx33d &homography,
    const Motion *motion);

/// The homography that explains what was seen, starting from another one.
struct Fit {
    cv::Matx33d homography;
    /// For each place seen whether it agrees.
    std::vector<bool> agrees;
    int agreeing = 0;
    /// Of the picture's corner that is known worst, standard deviation, pixels: what the places seen leave open, for which
    /// corners far from them pay most. Infinite where they leave a direction open altogether.
    double cornerError = std::numeric_limits<double>::infinity();
};

/// Robust least squares (Tukey's biweight) by Gauss and Newton.
/// - Parameters:
///   - freedom: how far the corners may go from where `start` has them without evidence, standard deviation, pixels. Where
///     only a part of the picture is seen it keeps the others from flying off.
///   - tolerance: how far a place that agrees may be off, pixels.
Fit fit(
    const ocv_image_reference &reference, const cv::Matx33d &start, const std::vector<PlaceSeen> &seen, double freedom,
    double tolerance);

} // namespace ocv::images
