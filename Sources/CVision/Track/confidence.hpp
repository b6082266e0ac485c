#pragma once
#include "Track/appearance.hpp"
#include "Track/engine.hpp"

namespace ocv::track {

/// How likely an engine's place is the object at all, 0…1.
double identity(const Estimate &estimate, const Similarity &similarity, bool color);

/// How fit a place is to be learnt, 0…1: networks that see an object for certain see it whole.
double sureness(const Estimate &estimate, double identity);

/// How likely a place's box fits, that is overlaps with the object's (IoU) by over a half, 0…1, given that the place is the
/// object. `grown`: the box's sides in those of the seed's.
double fit(const Estimate &estimate, const Similarity &similarity, cv::Size2d grown);

} // namespace ocv::track
