#include "Labels/reference.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace ocv::labels {

namespace {

/// Cells a side by level: one corner each at the most.
constexpr int cells[] = {8, 6, 4};
/// The least mean gradient product by level, codes²: over what noise of three codes makes.
constexpr double leastCorner[] = {22, 10, 6};
/// Beside the anchor less will do: it is what is surest to be of the anchor's surface.
constexpr double leastCoreCorner[] = {6, 2.5, 2};
/// Of that: the least larger eigenvalue of an edge.
constexpr double leastEdge = 4;
/// Rings around the anchor, of the near neighbourhood's radius.
constexpr double rings[] = {1, 1.7, 3, 4.5, 7};
/// Corners at the anchor that determine its place well enough, both ways.
constexpr double enoughDetermined = 1.5;
/// What noise of two codes makes of an eigenvalue, codes², and what of the larger one is no structure of the smaller.
/// By that much more of it both directions are known alike.
constexpr double noiseCorner = 2, slidingShare = 0.15, wholeShare = 0.25;
/// Pixels.
constexpr double preciseEnough = 0.4;
constexpr size_t enoughFeatures = 20;
/// A neighbourhood with fewer features holds nothing.
constexpr size_t leastFeatures = 6;
/// Of the neighbourhood's radius: what is kept for finding it again.
constexpr double searchReach = 3;

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
    if (image.cols < Feature::patchSide + 4 || image.rows < Feature::patchSide + 4) return;
    cv::Mat tensor;
    cv::cornerEigenValsAndVecs(image, tensor, 9, 3);
    const int border = Feature::patchSide / 2 + 2;
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
        if (!makeTemplate(picture, point, Linear(), Feature::patchSide, level, patch)) return false;
        const double least = (distance < Feature::coreShare * near ? leastCoreCorner : leastCorner)[level];
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
        if (!keyframe.makeTemplate(feature.place, keyframe.plane, Feature::patchSide, feature.level, patch)) continue;
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

} // namespace ocv::labels
