#pragma once
#include "ocv_text.h"

#include <array>
#include <opencv2/core.hpp>
#include <vector>

namespace ocv::text {

/// Four corners, clockwise as seen in the picture.
using Quad = std::array<cv::Point2f, 4>;
using Contour = std::vector<cv::Point>;

/// The least rectangle, at any angle, around some contours. Its first side is a longer one, running right or, where it
/// is upright, down. False for contours without an area.
bool rectangleAround(const std::vector<Contour> &contours, Quad &quad);

/// The same with its long sides where most of the contours' tops and bottoms lie, so that it may be in perspective;
/// letters that reach above or below the others don't tilt it.
Quad inPerspective(const std::vector<Contour> &contours, const Quad &rectangle);

/// A quad whose sides have moved outwards by `way`.
Quad grown(const Quad &quad, float way);

double area(const Quad &quad);
double perimeter(const Quad &quad);
/// Of its first and third side.
double width(const Quad &quad);
double height(const Quad &quad);

} // namespace ocv::text
