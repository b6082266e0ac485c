#pragma once
#include "Track/features.hpp"
#include "Track/place.hpp"

namespace ocv::track {

/// How much a place looks like the object, apart from any tracker's own opinion.
struct Similarity {
    double shape = 0; ///< zero-mean normalised correlation of gradient histograms, −1…1
    double tone = 0;  ///< zero-mean normalised cross-correlation of intensities, −1…1
    double color = 0; ///< Bhattacharyya coefficient of colour (or intensity) histograms, 0…1
};

/// What the object looked like when it was seeded and what it looks like of late. A place is compared with both and
/// the better counts: the seed can't drift, the recent look follows turns and light.
class Appearance {
public:
    /// `byFigure`: whether the seed's pixels count by how likely they were the object's, not all the same.
    explicit Appearance(bool byFigure) : byFigure(byFigure) {}

    void seed(const cv::Mat &picture, const Place &place);
    Similarity compare(const cv::Mat &picture, const Place &place);
    /// Moves the recent look a little towards this place; only for places that are the object beyond doubt.
    void adapt(const cv::Mat &picture, const Place &place);
    /// The look to search for, 32-bit intensities of the box stretched to a square; the recent one or the seed's.
    const cv::Mat &pattern(bool original) const { return original ? first.tone : recent.tone; }

private:
    struct Look {
        cv::Mat shape, tone, color;
    };
    Look look(const cv::Mat &picture, const Place &place);
    cv::Mat histogram(const cv::Mat &patch) const;
    static Similarity similarity(const Look &a, const Look &b);

    bool byFigure;
    FeatureExtractor extractor{false};
    Look first, recent;
    cv::Mat weights;     ///< of the pixels: how likely each was the object's in the seed
    cv::Mat cellWeights; ///< the same for the values of the gradients
    std::vector<float> values;
};

/// The share of the box that lies in the picture, 0…1.
double visibleShare(const cv::Rect2d &box, cv::Size picture);

} // namespace ocv::track
