#include "Track/confidence.hpp"

#include <algorithm>
#include <cmath>

namespace ocv::track {

namespace {

/// The minimum confidence by default: a place that is told has more.
constexpr double toldLeast = 0.3;
/// Share of the usual contrast that is as likely the object as not, and what more or less of it counts.
constexpr double halfContrast = 0.6, contrastWeight = 10;

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
    // What bends or turns is like nothing that was learnt, but stands out by the same colours.
    double told = 0;
    if (estimate.colors && estimate.colors->usual > 0) {
        const double contrast = estimate.colors->clear / estimate.colors->usual - halfContrast;
        // Only what nothing else stands out by speaks for it.
        const double trust = contrast > 0 ? estimate.colors->trust : ColorModel::trust(estimate.colors->usual);
        told = trust * std::clamp(contrastWeight * contrast, -4.0, 4.0);
    }
    return logistic(evidence + told);
}

double sureness(const Estimate &estimate, double identity) {
    return estimate.sighting ? logistic(estimate.sighting->margin - 6) : identity;
}

/// Logistic regressions on whether the overlap is over a half, on the same and pedestrian sequences, as they are, mirrored,
/// backwards and dimmed, and on objects pasted before photographs; for networks with seeds that were moved and scaled by up to a
/// fifth (scripts/scores/confidence.py). Each sequence is counted by the root of its length, signs are held to what the quantities
/// mean. The further a box has gone from its seed's shape and size, the more it may have erred on the way.
double fit(const Estimate &estimate, const Similarity &similarity, cv::Size2d grown) {
    double evidence = 9.75 * std::clamp(estimate.response, 0.0, 1.0) + 4.45 * similarity.color - 7.23;
    if (grown.width > 0 && grown.height > 0) {
        evidence -= 3.6 * std::min(std::abs(std::log(grown.width / grown.height)), 1.0) +
                    1.3 * std::min(std::abs(std::log(grown.width * grown.height)), 1.5);
    }
    if (estimate.colors && estimate.colors->usual > 0)
        evidence +=
            1.6 * estimate.colors->trust * std::clamp(estimate.colors->clear / estimate.colors->usual, -0.5, 1.2);
    if (estimate.sighting) {
        const Estimate::Networks &seen = *estimate.sighting;
        evidence = 3.2 * std::clamp(estimate.response, 0.0, 0.6) + 1.2 * similarity.shape + 1.6 * similarity.color +
                   2 * std::clamp(seen.agreement, 0.3, 0.9) - 1.3 * seen.rival +
                   0.21 * std::clamp(seen.margin, -2.0, 8.0) - 3.55;
    }
    // What is told begins at the minimum for a place.
    return std::max(0.0, (logistic(evidence) - toldLeast) / (1 - toldLeast));
}

} // namespace ocv::track
