#pragma once
#include "Horizon/split.hpp"

namespace ocv::horizon {

/// What lies above and below a line beyond which the water begins: a dark band, hills or trees, and the sky above it.
struct Shore {
    /// The share of the places along the line where there is a band.
    double band = 0;
    /// Its height, pixels; how much that changes from place to place.
    double height = 0, change = 0;
    /// Grey levels by which the sky and the water are brighter than it is, and the chance that a pixel of the sky is.
    double sky = 0, water = 0, apart = 0.5;
    /// The share of the places with a band where the sky is as bright as the water somewhere: water shows no more light
    /// than there is.
    double dimmer = 0;
    /// The share of the sky that is nearly as dark as the band, beyond a place where it ends: what it is behind is no hill.
    double dark = 0;
    /// The share of the places with a band below which another one lies, as dark, and light again under that: farther down than
    /// the band's own image in the water can be.
    double again = 0;
    /// How much nine tenths of the sky's pixels differ from their neighbours above and below at the most, grey levels.
    double rough = 0;
};

/// Looks up from many places along a line and parts what is there in two, the band and the sky (Otsu 1979).
Shore shore(const Planes &planes, const Line &line);

/// The places where a line may be looked at: their distance along it from its foot, all of them in the picture.
std::vector<double> places(const cv::Size &size, const Line &line);

} // namespace ocv::horizon
