#include "Labels/reference.hpp"

#include "Labels/slide.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace ocv::labels {

namespace {

constexpr int patchSide = 15;
/// Cells a side by level: one corner each at the most.
constexpr int cells[] = {8, 6, 4};
/// The least mean gradient product by level, codes²: over what noise of three codes makes.
constexpr double leastCorner[] = {22, 10, 6};
/// Beside the anchor, within this share of the near neighbourhood's radius, where less will do: it is what is surest to
/// be of the anchor's surface.
constexpr double coreShare = 0.6, leastCoreCorner[] = {6, 2.5, 2};
/// Of that: the least larger eigenvalue of an edge.
constexpr double leastEdge = 4;
/// What is left of it must be as much as this for a patch to be looked for.
constexpr double leastSeen[] = {3, 1.2, 1};
/// Rings around the anchor, of the near neighbourhood's radius.
constexpr double rings[] = {1, 1.7, 3, 4.5, 7};
/// Corners at the anchor that determine its place well enough, both ways.
constexpr double enoughDetermined = 1.5;
/// What noise of two codes makes of an eigenvalue, codes², and what of the larger one is no structure of the smaller.
/// By that much more of it both directions are known alike.
constexpr double noiseCorner = 2, slidingShare = 0.15, wholeShare = 0.25;
/// How often a feature may be seen where it should be for that to count.
constexpr int mostTrust = 12;
/// Pixels.
constexpr double preciseEnough = 0.4;
constexpr size_t enoughFeatures = 20;
/// A neighbourhood with fewer features holds nothing.
constexpr size_t leastFeatures = 6;
/// Noise takes more of the correlation where there is less contrast.
double leastCorrelation(const Template &patch) { return patch.deviation > 12 ? 0.8 : 0.7; }
/// How fast what is at another depth moves against the surface, and how far at the most, pixels a look; a measured way
/// that is less certain says nothing.
constexpr double slipPace = 0.5, unseenPace = 0.2, mostSlip = 8, worstSlide = 3;
/// Of the neighbourhood's radius: what is kept for finding it again.
constexpr double searchReach = 3;

double median(std::vector<double> &values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// What is near the anchor is likelier to be of its surface.
double weight(cv::Point2d place, double radius) {
    const double half = radius / 3;
    return 1 / (1 + (place.x * place.x + place.y * place.y) / (half * half));
}

/// The square of the neighbourhood in the picture.
cv::Rect2d bounds(const Plane &plane, double radius) {
    double left = 1e9, top = 1e9, right = -1e9, bottom = -1e9;
    for (const cv::Point2d corner :
         {cv::Point2d(-radius, -radius), cv::Point2d(radius, -radius), cv::Point2d(radius, radius),
          cv::Point2d(-radius, radius)}) {
        const cv::Point2d p = plane(corner);
        left = std::min(left, p.x), right = std::max(right, p.x);
        top = std::min(top, p.y), bottom = std::max(bottom, p.y);
    }
    return {left, top, right - left, bottom - top};
}

/// Where features are looked for, pixels of the first frame, and what becomes of them.
struct Ring {
    double inner, outer;
    bool isSupport;
};

/// The best corner of each cell that is one; else its best edge.
void findFeatures(
    const Pyramid &picture, const Plane &plane, const Ring &ring, double near, int level, std::vector<Feature> &out) {
    const cv::Mat &image = picture.image(level);
    if (image.cols < patchSide + 4 || image.rows < patchSide + 4) return;
    cv::Mat tensor;
    cv::cornerEigenValsAndVecs(image, tensor, 9, 3);
    const int border = patchSide / 2 + 2;
    const cv::Rect2d area = bounds(plane, ring.outer);
    const int side = cells[level];
    const double cellWidth = area.width / side / (1 << level), cellHeight = area.height / side / (1 << level);
    const cv::Point2d from = toLevel(area.tl(), level) - cv::Point2d(picture.origin(level));
    const auto consider = [&](cv::Point place, bool isEdge) {
        const cv::Point2d point = fromLevel(cv::Point2d(place + picture.origin(level)), level);
        const cv::Point2d away = plane.back(point);
        const double distance = std::hypot(away.x, away.y);
        if (distance > 1.2 * ring.outer || distance <= 1.2 * ring.inner) return false;
        Template patch;
        if (!makeTemplate(picture, point, Linear(), patchSide, level, patch)) return false;
        const double least = (distance < coreShare * near ? leastCoreCorner : leastCorner)[level];
        if (isEdge ? patch.edge() < leastEdge * leastCorner[level] : patch.corner() < least || patch.isEdge())
            return false;
        const double counts = weight(away, ring.isSupport ? 3 * ring.outer : ring.outer);
        const bool isFaint = !isEdge && patch.corner() < leastCorner[level];
        out.push_back({away, level, counts, isEdge, ring.isSupport, isFaint});
        return true;
    };
    for (int row = 0; row < side; row++)
        for (int column = 0; column < side; column++) {
            const int x0 = std::max(int(std::ceil(from.x + column * cellWidth)), border);
            const int x1 = std::min(int(std::ceil(from.x + (column + 1) * cellWidth)), image.cols - border);
            const int y0 = std::max(int(std::ceil(from.y + row * cellHeight)), border);
            const int y1 = std::min(int(std::ceil(from.y + (row + 1) * cellHeight)), image.rows - border);
            cv::Point corner, edge;
            float mostCorner = 0, mostEdge = 0;
            for (int y = y0; y < y1; y++)
                for (int x = x0; x < x1; x++) {
                    const auto &values = tensor.at<cv::Vec6f>(y, x);
                    const float weaker = std::min(values[0], values[1]), stronger = std::max(values[0], values[1]);
                    if (weaker > mostCorner) mostCorner = weaker, corner = {x, y};
                    if (stronger > mostEdge) mostEdge = stronger, edge = {x, y};
                }
            if (mostCorner > 0 && consider(corner, false)) continue;
            // Edges of what is far away are often where something nearer ends.
            if (mostEdge > 0 && !ring.isSupport) consider(edge, true);
        }
}

/// What the near features say together of each direction: the matrix's eigenvalues, and the direction of the smaller
/// one.
struct Determination {
    double larger = 0, smaller = 0;
    cv::Point2d weak;
};

/// Also writes how precisely all of them place the anchor.
Determination determine(Keyframe &keyframe, double reach) {
    double xx = 0, xy = 0, yy = 0;
    std::vector<Pair> pairs;
    Template patch;
    for (const Feature &feature : keyframe.features) {
        if (feature.isFaint) continue;
        if (!keyframe.makeTemplate(feature.place, keyframe.plane, patchSide, feature.level, patch)) continue;
        Pair pair = feature.pair(patch, keyframe.weak, true);
        pair.to = keyframe.plane(feature.place);
        pairs.push_back(pair);
        xx += pair.weight * pair.xx, xy += pair.weight * pair.xy, yy += pair.weight * pair.yy;
    }
    Plane plane = keyframe.plane;
    keyframe.deviation = fitPlane(pairs, reach, 2, plane, keyframe.freedom()).anchor;
    const double middle = (xx + yy) / 2, spread = std::sqrt((xx - yy) * (xx - yy) / 4 + xy * xy);
    const double angle = std::atan2(2 * xy, xx - yy) / 2;
    return {middle + spread, middle - spread, {-std::sin(angle), std::cos(angle)}};
}

/// What is far away holds the weak direction, but doesn't outvote what is near.
void bound(std::vector<Feature> &features) {
    double own = 0, support = 0;
    for (const Feature &feature : features)
        if (!feature.isFaint) (feature.isSupport ? support : own) += feature.weight;
    for (Feature &feature : features)
        if (feature.isSupport) feature.weight *= std::min(1.0, 0.5 * own / support);
}

} // namespace

Pair Feature::pair(const Template &patch, cv::Point2d weak, bool isWary) const {
    // Of a coarser level a place is known less exactly.
    constexpr double sigmas[] = {1, 1.5, 2.4};
    Pair pair{place, {}, sigmas[std::min(patch.level, 2)], weight};
    const cv::Point2d n = patch.across();
    const double most = patch.edge();
    // Noise and what resampling leaves make some of the smaller eigenvalue: by that alone patches slide.
    const double least = isWary ? noiseCorner : noiseCorner / (1 << std::min(patch.level, 2));
    const double share = ((patch.corner() - least) / most - slidingShare) / (isWary ? 1 : wholeShare);
    const double along = isEdge ? 0 : std::clamp(share, 0.0, 1.0);
    pair.xx = n.x * n.x + along * n.y * n.y;
    pair.yy = n.y * n.y + along * n.x * n.x;
    pair.xy = (1 - along) * n.x * n.y;
    if (isSupport && weak != cv::Point2d()) {
        const cv::Point2d m = weak * (1 / cv::norm(weak));
        const double much = pair.xx * m.x * m.x + 2 * pair.xy * m.x * m.y + pair.yy * m.y * m.y;
        pair.xx = much * m.x * m.x, pair.xy = much * m.x * m.y, pair.yy = much * m.y * m.y;
    }
    return pair;
}

bool Keyframe::makeTemplate(cv::Point2d place, const Plane &now, int side, int level, Template &out) const {
    const Linear then = plane.linear(place), next = now.linear(place);
    if (!(then.determinant() > 1e-4)) return false;
    const Linear back = then.inverse();
    const Linear turn{
        next.xx * back.xx + next.xy * back.yx, next.xx * back.xy + next.xy * back.yy,
        next.yx * back.xx + next.yy * back.yx, next.yx * back.xy + next.yy * back.yy};
    const double area = turn.determinant();
    if (!(area > 1.0 / 64 && area < 64)) return false;
    // A coarse feature that has shrunk is as large as a finer one now.
    int now_level = level;
    for (double scale = std::sqrt(area); scale < 0.71 && now_level > 0; scale *= 2) now_level--;
    return labels::makeTemplate(picture, plane(place), turn, side, now_level, out);
}

double Keyframe::difference(const Plane &now) const {
    const Linear then = plane.linear({}), next = now.linear({});
    const Linear back = then.inverse();
    const Linear turn{
        next.xx * back.xx + next.xy * back.yx, next.xx * back.xy + next.xy * back.yy,
        next.yx * back.xx + next.yy * back.yx, next.yx * back.xy + next.yy * back.yy};
    const double area = turn.determinant();
    if (!(area > 1e-4)) return 1e9;
    const double scale = std::sqrt(area);
    const double sum = turn.xx * turn.xx + turn.xy * turn.xy + turn.yx * turn.yx + turn.yy * turn.yy;
    // Sum of the axes' ratio and its inverse, less its least value: 0 for a turn, 0.5 for a ratio of 2.
    const double slant = sum / area - 2;
    const double zoom = scale > 1 ? scale - 1 : 1.5 * (1 / scale - 1) / 1.5;
    return zoom + 1.4 * slant;
}

std::optional<Keyframe> makeKeyframe(const Frame &frame, const Plane &plane, const Reach &reach) {
    const cv::Rect2d area = bounds(plane, 1.5 * reach.far);
    const cv::Size whole = frame.pyramid.size();
    if (area.width > 16.0 * whole.width + 64 || area.height > 16.0 * whole.height + 64) return {};
    const cv::Rect window(
        cv::Point(int(std::floor(area.x)) - 24, int(std::floor(area.y)) - 24),
        cv::Size(int(area.width) + 50, int(area.height) + 50));
    if ((window & cv::Rect(cv::Point(0, 0), frame.pyramid.size())).empty()) return {};
    Keyframe keyframe{frame.pyramid.crop(window), plane, reach.near};
    keyframe.scene = frame.features();
    keyframe.scenery = frame.pyramid.image(std::min(Keyframe::sceneLevel, frame.pyramid.levels() - 1)).clone();
    double inner = 0;
    for (const double ring : rings) {
        const double outer = ring * reach.near;
        if (outer > 1.001 * reach.far) break;
        const bool isSupport = keyframe.weak != cv::Point2d();
        if (!isSupport)
            for (Feature &feature : keyframe.features) feature.weight = weight(feature.place, outer);
        for (int level = 0; level < std::min(3, keyframe.picture.levels()); level++)
            findFeatures(keyframe.picture, plane, {inner, outer, isSupport}, reach.near, level, keyframe.features);
        inner = outer;
        bound(keyframe.features);
        const Determination now = determine(keyframe, outer);
        if (!isSupport && now.smaller < enoughDetermined && now.larger >= 2 * enoughDetermined)
            keyframe.weak = now.weak;
    }
    // Along boards the faintest structure would be noise.
    if (keyframe.isOneWay())
        keyframe.features.erase(
            std::remove_if(
                keyframe.features.begin(), keyframe.features.end(),
                [](const Feature &feature) { return feature.isFaint; }),
            keyframe.features.end());
    if (keyframe.features.size() < leastFeatures) return {};
    const Features &all = keyframe.scene;
    std::vector<cv::Mat> rows;
    for (size_t i = 0; i < all.points.size(); i++) {
        const cv::Point2d place = plane.back(all.points[i]);
        if (!(std::hypot(place.x, place.y) < searchReach * reach.far) || plane.depth(place) < 0.2) continue;
        keyframe.places.push_back(place);
        rows.push_back(all.descriptors.row(int(i)));
    }
    if (!rows.empty()) cv::vconcat(rows, keyframe.descriptors);
    return keyframe;
}

std::optional<Keyframe> makeFirstKeyframe(const Frame &frame, const Plane &plane, Reach &reach) {
    std::optional<Keyframe> best;
    const double near = reach.near;
    for (const double ring : rings) {
        auto keyframe = makeKeyframe(frame, plane, {near, ring * near});
        if (!keyframe) continue;
        const bool isEnough = keyframe->features.size() >= enoughFeatures && keyframe->deviation <= preciseEnough;
        best = std::move(keyframe);
        reach.far = ring * near;
        if (isEnough) break;
    }
    return best;
}

void Keyframe::forget() {
    if (slip != cv::Point2d()) slipVariance = std::min(slipVariance + unseenPace * unseenPace, mostSlip * mostSlip);
}

/// What the surface itself shows of its weak direction moves the plane along it.
static void slide(const Keyframe &keyframe, const Pyramid &picture, Sighting &sighting) {
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
        if (!keyframe.makeTemplate(feature.place, start, patchSide, feature.level + coarser, patch)) continue;
        Fit fit;
        // What is cut by the picture's edge isn't expected.
        if (!compare(patch, picture, point, fit)) continue;
        expected += feature.weight;
        const bool isCore = cv::norm(feature.place) < coreShare * keyframe.near;
        if (isCore) coreCount++, coreExpected += 1.0 / (1 + feature.level);
        const auto isAligned = [&](double leastFit) {
            if ((feature.isEdge ? patch.edge() : patch.corner()) <= leastSeen[std::min(patch.level, 2)]) return false;
            const cv::Point2d across = feature.isEdge ? patch.across() : cv::Point2d();
            return align(patch, picture, point, reach, 0, fit, across) && fit.correlation >= leastFit;
        };
        bool isFound = isAligned(leastCorrelation(patch));
        // Motion blur takes the fine structure only.
        if (!isFound && coarser == 0 &&
            keyframe.makeTemplate(feature.place, start, patchSide, feature.level + 1, patch))
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
        if (cv::norm(features[i]->place) < coreShare * keyframe.near &&
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
