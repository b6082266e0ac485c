#pragma once
#include "Markers/geometry.hpp"

#include <optional>
#include <vector>

namespace ocv::markers {

/// The longest side of a level: beyond it, products of coordinates would not fit 32 bits.
constexpr int largestLevel = 16384;

/// The quadrilateral that a closed outline of dark pixels forms, in pixels of the level it was followed on; nothing
/// where it isn't one. `scale` is that of the result: corners come back in full-size pixels. The outline may be
/// turned round.
std::optional<Candidate> quadFromOutline(std::vector<cv::Point> &outline, cv::Size level, double scale);

/// Whether a square could look like this in a picture of that size: opposite sides differ by the depth between them,
/// which for a marker small in the picture is next to nothing. Texture and letters are seldom so regular.
bool isPlausibleSquare(const Quad &quad, double scale, double pictureSize);

} // namespace ocv::markers
