#include "Labels/numbers.hpp"
#include "Labels/reference.hpp"
#include "Labels/slide.hpp"

#include <algorithm>
#include <cmath>

// How a keyframe's features are found again in another picture.

namespace ocv::labels {

namespace {

/// What is left of it must be as much as this for a patch to be looked for.
constexpr double leastSeen[] = {3, 1.2, 1};
/// How often a feature may be seen where it should be for that to count.
constexpr int mostTrust = 12;
/// Noise takes more of the correlation where there is less contrast.
double leastCorrelation(const Template &patch) { return patch.deviation > 12 ? 0.8 : 0.7; }
/// How fast what is at another depth moves against the surface, and how far at the most, pixels a look; a measured way
/// that is less certain says nothing.
constexpr double slipPace = 0.5, mostSlip = 8, worstSlide = 3;

/// What the surface itself shows of its weak direction moves the plane along it.
void slide(const Keyframe &keyframe, const Pyramid &picture, Sighting &sighting) {
    const double fastest = slipPace * slipPace;
    // A surface that has never said anything isn't asked.
    if (keyframe.slip != cv::Point2d())
        sighting.slipVariance = std::min(keyframe.slipVariance + fastest, mostSlip * mostSlip);
    const Slide found = measureSlide(keyframe, picture, sighting.plane, keyframe.near);
    if (found.deviation > worstSlide) return;
    // What is explained by chance is no motion: the label rests.
    const double clear = found.way / (2 * found.deviation);
    const double before = keyframe.slipVariance + fastest * std::min(clear * clear, 1.0);
    const double gain = before / (before + found.deviation * found.deviation);
    const cv::Point2d way =
        keyframe.plane.linear({}).inverse() * (keyframe.weak * (gain * found.way / cv::norm(keyframe.weak)));
    const cv::Point2d to = sighting.plane(way);
    sighting.plane.a0 = to.x, sighting.plane.b0 = to.y;
    sighting.slip -= way;
    sighting.slipVariance = (1 - gain) * before;
    // The weak direction is the one of which least is known.
    sighting.deviation = std::min(sighting.deviation, std::sqrt(sighting.slipVariance));
}

/// Where the anchor's own patch is believed, though what is around it says too little of its place: how clear it must be, of what its
/// noise makes; how much like itself; and its own standard deviation, pixels.
constexpr double leastOwnCorner = 2.5, ownLikeness = 0.88, ownDeviation = 0.25;

/// Beside something nearer the anchor's surface is seen on one side alone, which says little of the anchor's place, and most of what
/// is beside it is the other's: its own patch then says both.
void askOwn(const Keyframe &keyframe, const Pyramid &picture, Sighting &sighting) {
    if (sighting.inliers < 8 || sighting.share < 0.2 || sighting.agreement < 0.55) return;
    if (sighting.core >= 0.5 && sighting.deviation < 0.6 && sighting.agreement >= 0.85) return;
    const double reach = 2 * std::min(sighting.deviation, 2.0) + 0.5;
    for (const int side : {Feature::patchSide, 11}) {
        Template patch;
        Fit fit;
        if (!keyframe.makeTemplate({}, sighting.plane, side, 0, patch) || patch.level > 0) return;
        if (!align(patch, picture, sighting.plane.anchor(), reach, 0, fit) || fit.correlation < ownLikeness) continue;
        // Half of what differs is its noise, which makes gradients of half its variance.
        const double noise = (1 - fit.correlation * fit.correlation) * patch.deviation * patch.deviation / 4;
        if (patch.corner() < leastOwnCorner * noise) continue;
        sighting.isOwnSeen = true;
        sighting.plane.a0 = fit.point.x, sighting.plane.b0 = fit.point.y;
        sighting.core = std::max(sighting.core, 0.5);
        sighting.deviation = std::min(sighting.deviation, ownDeviation);
        return;
    }
}

} // namespace

void Keyframe::forget() {
    if (slip != cv::Point2d()) slipVariance = std::min(slipVariance + slipPace * slipPace, mostSlip * mostSlip);
}

Sighting look(
    Keyframe &keyframe, const Pyramid &picture, const Plane &start, double radius, double reach, int coarser) {
    std::vector<Pair> pairs;
    std::vector<Feature *> features;
    std::vector<Fit> fits;
    double expected = 0, found = 0, coreExpected = 0, coreAgreed = 0;
    int coreCount = 0;
    const cv::Point2d weak = keyframe.weakUnder(start);
    Template patch;
    for (auto &feature : keyframe.features) {
        const cv::Point2d place = keyframe.place(feature);
        if (!feature.isTrusted() || start.depth(place) < 0.2) continue;
        const cv::Point2d point = start(place);
        if (!picture.contains(point)) continue;
        if (!keyframe.makeTemplate(feature.place, start, Feature::patchSide, feature.level + coarser, patch)) continue;
        Fit fit;
        // What is cut by the picture's edge isn't expected.
        if (!compare(patch, picture, point, fit)) continue;
        expected += feature.weight;
        const bool isCore = cv::norm(feature.place) < Feature::coreShare * keyframe.near;
        if (isCore) coreCount++, coreExpected += 1.0 / (1 + feature.level);
        const auto isAligned = [&](double leastFit) {
            if ((feature.isEdge ? patch.edge() : patch.corner()) <= leastSeen[std::min(patch.level, 2)]) return false;
            const cv::Point2d across = feature.isEdge ? patch.across() : cv::Point2d();
            return align(patch, picture, point, reach, 0, fit, across) && fit.correlation >= leastFit;
        };
        bool isFound = isAligned(leastCorrelation(patch));
        // Motion blur takes the fine structure only.
        if (!isFound && coarser == 0 &&
            keyframe.makeTemplate(feature.place, start, Feature::patchSide, feature.level + 1, patch))
            isFound = isAligned(0.8);
        if (!isFound) continue;
        Pair pair = feature.pair(patch, weak, keyframe.isOneWay());
        pair.from = place, pair.to = fit.point;
        pairs.push_back(pair);
        found += feature.weight;
        features.push_back(&feature);
        fits.push_back(fit);
    }
    Sighting result;
    result.plane = start;
    result.coarser = coarser;
    result.isOneWay = keyframe.isOneWay();
    result.slip = keyframe.slip, result.slipVariance = keyframe.slipVariance;
    if (pairs.size() < 4 || expected <= 0) return result;
    const double tolerance = coarser > 0 ? 1.2 * (1 << coarser) : 2;
    const Precision precision = keyframe.isOneWay()
                                  ? fitPlane(pairs, radius, tolerance, result.plane, keyframe.freedom())
                                  : growPlane(pairs, radius, tolerance, keyframe.plane, result.plane);
    result.error = precision.error;
    result.deviation = precision.anchor;
    result.closeness = keyframe.isOneWay() ? 1 : precision.closeness;
    if (!result.plane.isPlausible(radius)) {
        result.plane = start;
        return result;
    }
    if (!keyframe.isOneWay()) findOther(pairs, radius, tolerance, result.plane);
    double agreed = 0;
    std::vector<double> contrasts, brightnesses;
    for (size_t i = 0; i < pairs.size(); i++) {
        if (pairs[i].isOther) expected -= pairs[i].weight, found -= pairs[i].weight;
        if (!pairs[i].isInlier) continue;
        result.inliers++;
        const double limit = tolerance / 2 * pairs[i].sigma;
        if (cv::norm(features[i]->place) < Feature::coreShare * keyframe.near &&
            pairs[i].distance(result.plane(pairs[i].from) - pairs[i].to) < limit * limit)
            coreAgreed += 1.0 / (1 + features[i]->level);
        agreed += pairs[i].weight;
        contrasts.push_back(fits[i].contrast);
        brightnesses.push_back(fits[i].brightness);
    }
    result.core = coreCount >= 4 && !keyframe.isOneWay() ? coreAgreed / coreExpected : 1;
    result.share = agreed / expected;
    result.agreement = agreed / found;
    result.contrast = median(contrasts);
    result.brightness = median(brightnesses);
    if (coarser == 0 && keyframe.isOneWay() && result.inliers >= 8) slide(keyframe, picture, result);
    if (coarser == 0 && !keyframe.isOneWay()) askOwn(keyframe, picture, result);
    if (coarser == 0 && result.isEnough() && result.share > 0.5)
        for (size_t i = 0; i < pairs.size(); i++) {
            const int more = pairs[i].isInlier ? -1 : pairs[i].isOther ? 2 : 1;
            features[i]->doubt = std::max(features[i]->doubt + more, -mostTrust);
        }
    return result;
}

Sighting lookWidely(Keyframe &keyframe, const Pyramid &picture, const Plane &start, double radius) {
    Plane plane = start;
    Sighting blurred;
    for (const int coarser : {2, 1}) {
        const Sighting coarse = look(keyframe, picture, plane, radius, 8, coarser);
        if (coarse.inliers < 6 || coarse.agreement < 0.5) continue;
        plane = coarse.plane;
        if (coarser == 1) blurred = coarse;
    }
    Sighting fine = look(keyframe, picture, plane, radius, 5);
    if (fine.inliers >= 4) fine = look(keyframe, picture, fine.plane, radius, 3);
    // What fast motion blurs is still there where it is looked at less closely.
    const bool isBlurred = fine.inliers < 6 || fine.contrast < 0.8;
    return isBlurred && !fine.isEnough() && blurred.isEnough() && blurred.share >= 0.5 ? blurred : fine;
}

} // namespace ocv::labels
