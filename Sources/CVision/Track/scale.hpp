#pragma once
#include "Track/features.hpp"
#include "Track/place.hpp"

namespace ocv::track {

/// Follows the size of an object whose place is known: a one-dimensional correlation filter along a pyramid of sizes
/// (Danelljan et al., “Discriminative Scale Space Tracking”, PAMI 2017).
class ScaleFilter {
public:
    /// `object`: the object's size in pixels at scale 1.
    explicit ScaleFilter(cv::Size2d object);

    /// The factor by which the object outgrew its place.
    double locate(const cv::Mat &picture, const Place &place);
    void learn(const cv::Mat &picture, const Place &place);

private:
    void pyramid(const cv::Mat &picture, const Place &place);

    cv::Size patchSize;
    FeatureExtractor extractor{false};
    cv::Mat label, fourier, window, samples, spectrum, numerator, denominator;
    std::vector<float> values;
    bool taught = false;
};

} // namespace ocv::track
