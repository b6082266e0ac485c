#pragma once
#include "Horizon/split.hpp"

namespace ocv::horizon {

/// What is above a line as a whole, looked at coarsely, so that blur hides nothing of it: a sky has no things in it.
struct Sky {
    /// Nine tenths of its places differ from the mean of their four neighbours by no more than a quarter of that, grey levels.
    double uneven = 0;
    /// The shares of it that are darker than the middle between both sides of the line, and of the ground that are brighter.
    double dark = 0, bright = 0;
    /// Grey levels of the clearest border along the line above it.
    double step = 0;
};

Sky sky(const Planes &planes, const Line &line);

} // namespace ocv::horizon
