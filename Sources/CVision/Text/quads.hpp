#pragma once
#include "ocv_text.h"

#include <array>
#include <opencv2/core.hpp>
#include <vector>

namespace ocv::text {

/// Four corners, clockwise as seen in the picture.
using Quad = std::array<cv::Point2f, 4>;

/// The quad around a region: the least rectangle at any angle, or a quad in perspective where that fits much closer. Its
/// first side is a longer one, running right or, where it is upright, down. False for a region without an area.
bool quadAround(const std::vector<cv::Point> &contour, Quad &quad);

/// A quad whose sides have moved outwards by `way`.
Quad grown(const Quad &quad, float way);

double area(const Quad &quad);
double areaOf(const ocv_text_region &region);
double perimeter(const Quad &quad);
double shorterSide(const Quad &quad);

} // namespace ocv::text
