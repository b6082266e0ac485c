#pragma once
#include "Labels/reference.hpp"

// Where a surface that runs one way lies along its grain, by all the little that it shows of that itself.

namespace ocv::labels {

/// How far a surface lies from where a plane says, in the keyframe's weak direction.
struct Slide {
    /// Pixels of the keyframe's picture.
    double way = 0;
    /// Its standard deviation; infinite where the surface shows nothing.
    double deviation = HUGE_VAL;
};

/// Compares the picture with the keyframe around the anchor at several places along the weak direction. In each block
/// brightness, contrast and what is across the grain are taken out: the last is far stronger, and known already.
/// @param radius of the neighbourhood, pixels of the first frame.
Slide measureSlide(const Keyframe &keyframe, const Pyramid &picture, const Plane &now, double radius);

} // namespace ocv::labels
