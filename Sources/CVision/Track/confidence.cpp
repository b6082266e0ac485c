#include "Track/confidence.hpp"

#include <algorithm>
#include <cmath>

namespace ocv::track {

namespace {

/// The minimum confidence by default: a place that is told has more.
constexpr double toldLeast = 0.3;

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

/// Logistic regressions on whether the overlap is over a half, on the same and pedestrian sequences with seeds that were moved
/// and scaled by up to a fifth (scripts/scores/confidence.py), each sequence counted by the root of its length, signs held to what
/// the quantities mean.
double fit(const Estimate &estimate, const Similarity &similarity) {
    const double response = std::clamp(estimate.response, 0.0, 0.6);
    double evidence = 5.5 * response + similarity.shape + 2.55 * similarity.color + 0.8 * similarity.tone - 4.85;
    if (estimate.sighting) {
        const Estimate::Networks &seen = *estimate.sighting;
        evidence = 3.2 * response + 1.2 * similarity.shape + 1.6 * similarity.color +
                   2 * std::clamp(seen.agreement, 0.3, 0.9) - 1.3 * seen.rival +
                   0.21 * std::clamp(seen.margin, -2.0, 8.0) - 3.55;
    }
    // What is told begins at the minimum for a place.
    return std::max(0.0, (logistic(evidence) - toldLeast) / (1 - toldLeast));
}

} // namespace ocv::track
