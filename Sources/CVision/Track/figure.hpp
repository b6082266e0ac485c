#pragma once
#include "Track/place.hpp"

namespace ocv::track {

/// How likely each pixel in a box is the object's, 0…1, told from the surroundings' by its colour, as in Bertinetto et al.,
/// “Staple: Complementary Learners for Real-Time Tracking” (CVPR 2016): `size` pixels for the box.
cv::Mat figureOf(const cv::Mat &picture, const Place &place, cv::Size size);

/// How far a figure lies along its box's diagonals: the correlation of x and y over its pixels, −1…1, in part.
///
/// What fills a box evenly has 0 and gets a larger box when it is turned; what lies along a diagonal gets a slimmer one.
double leanOf(const cv::Mat &figure);

} // namespace ocv::track
