#pragma once
#include "Track/features.hpp"
#include "Track/place.hpp"

namespace ocv::track {

/// How an object lies, by laying what it looks like of late over the picture: place, size, shape and turn at once.
///
/// Baker and Matthews, “Lucas-Kanade 20 Years On: A Unifying Framework” (IJCV 2004), inverse compositional, with weights against
/// what hides a part; histograms of gradients, which find an object, hardly see a turn by a few degrees.
class Alignment {
public:
    struct Result {
        Place place;
        double before,
            after; ///< correlation of what is there with the look, at the place given and the one found, −1…1
    };

    void seed(const cv::Mat &picture, const Place &place);
    /// Moves the look a little towards what is at this place.
    void learn(const cv::Mat &picture, const Place &place);
    /// What a turn is expected to be, and how far off that commonly is, in radians.
    struct Turning {
        double by = 0, give = 0.12;
    };

    /// The best place near this one. Its first steps are on blurred pictures.
    Result locate(const cv::Mat &picture, const Place &place, const Turning &turning);

private:
    enum { across, down, growth, turn, stretch, freedoms };

    cv::Mat own(const cv::Mat &picture, const Place &place);
    /// Steps towards the best warp of `base`; returns the correlation there.
    double descend(
        const cv::Mat &base, const cv::Mat &look, cv::Size2d shape, int steps, const Turning &turning,
        double *warp) const;

    cv::Size size; ///< of the look, in its own pixels
    cv::Mat look, weights, patch;
};

} // namespace ocv::track
