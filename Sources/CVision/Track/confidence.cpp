#include "Track/follower.hpp"

#include <algorithm>
#include <cmath>

namespace ocv::track {

/// A logistic regression on places that are the object (overlap with the truth over one half) against places that
/// aren't, from aerial and street sequences; the response counts up to what a well-followed object commonly reaches.
double confidence(const Estimate &estimate, const Similarity &similarity, bool color) {
    // Histograms of intensity are alike almost everywhere: without colour they say little.
    const double base = color ? 8 * similarity.color - 11 : 6 * similarity.color - 10.3;
    const double evidence =
        base + 9 * std::clamp(estimate.response, 0.0, 0.6) + 2 * similarity.shape + 1.5 * similarity.tone;
    return 1 / (1 + std::exp(-evidence));
}

} // namespace ocv::track
