#pragma once
#include "Horizon/split.hpp"

namespace ocv::horizon {

/// How the two sides of a line look: sky and ground differ in more than their brightness.
struct Sides {
    /// The mean colour above the line and below it: levels of Cb and Cr from grey; 0 in a grey picture.
    cv::Point2d sky{0, 0}, ground{0, 0};
    /// Grey levels by which the sky is darker at the line than high above it, by their medians.
    double falls = 0;
};

Sides sides(const Planes &planes, const Line &line);

} // namespace ocv::horizon
