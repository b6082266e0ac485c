#include "Track/confidence.hpp"

#include <algorithm>
#include <cmath>

namespace ocv::track {

namespace {

double logistic(double evidence) { return 1 / (1 + std::exp(-evidence)); }

} // namespace

/// A logistic regression on places that are the object (overlap with the truth over one half) against places that
/// aren't, from aerial and street sequences; the response counts up to what a well-followed object commonly reaches.
double identity(const Estimate &estimate, const Similarity &similarity, bool color) {
    if (estimate.sighting) {
        // Networks see an object in whatever is left where one was: the filter and the colours must know it, too.
        const double known = std::clamp(estimate.response, 0.0, 0.2) - 0.1;
        return logistic(0.8 * (estimate.sighting->margin - 0.8) + 4 * (similarity.color - 0.6) + 12 * known);
    }
    // Histograms of intensity are alike almost everywhere: without colour they say little.
    const double base = color ? 8 * similarity.color - 11 : 6 * similarity.color - 10.3;
    const double evidence =
        base + 9 * std::clamp(estimate.response, 0.0, 0.6) + 2 * similarity.shape + 1.5 * similarity.tone;
    return logistic(evidence);
}

double sureness(const Estimate &estimate, double identity) {
    return estimate.sighting ? logistic(estimate.sighting->margin - 6) : identity;
}

/// Logistic regressions on the overlap itself, from the same and pedestrian sequences, each sequence counted by the root of
/// its length, signs held to what the quantities mean; then how often an overlap that is expected to be so large is over a
/// half, from seeds that were moved and scaled by up to a fifth (scripts/scores/confidence.py).
double fit(const Estimate &estimate, const Similarity &similarity) {
    const double response = std::clamp(estimate.response, 0.0, 0.6);
    // One place in twenty that the filters are surest of is another for all that.
    if (!estimate.sighting) return 0.95 * logistic(1 + 3.2 * (4.9 * response + 4.2 * similarity.color - 6));
    const double agreement = std::clamp(estimate.sighting->agreement, 0.3, 0.9);
    return logistic(
        1.6 + 3 * (1.6 * agreement - estimate.sighting->rival + 1.4 * response + 1.2 * similarity.shape +
                   2 * similarity.color - 3.3));
}

} // namespace ocv::track
