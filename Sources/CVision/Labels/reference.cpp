#include "Labels/reference.hpp"

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
/// A neighbourhood with fewer features holds nothing.
constexpr size_t leastFeatures = 6;
/// Noise takes more of the correlation where there is less contrast.
double leastCorrelation(const Template &patch) { return patch.deviation > 12 ? 0.8 : 0.7; }
/// Of the neighbourhood's radius: what is kept for finding it again.
constexpr double searchReach = 3;

double median(std::vector<double> &values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

double weight(cv::Point2d place, double radius) {
    const double near = radius / 2;
    return 1 / (1 + (place.x * place.x + place.y * place.y) / (near * near));
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

/// The best corner of each cell that is one.
void findFeatures(const Pyramid &picture, const Plane &plane, double radius, int level, std::vector<Feature> &out) {
    const cv::Mat &image = picture.image(level);
    if (image.cols < patchSide + 4 || image.rows < patchSide + 4) return;
    cv::Mat corners;
    cv::cornerMinEigenVal(image, corners, 9, 3);
    const int border = patchSide / 2 + 2;
    const cv::Rect2d area = bounds(plane, radius);
    const int side = cells[level];
    const double cellWidth = area.width / side / (1 << level), cellHeight = area.height / side / (1 << level);
    const cv::Point2d from = toLevel(area.tl(), level) - cv::Point2d(picture.origin(level));
    for (int row = 0; row < side; row++)
        for (int column = 0; column < side; column++) {
            const int x0 = std::max(int(std::ceil(from.x + column * cellWidth)), border);
            const int x1 = std::min(int(std::ceil(from.x + (column + 1) * cellWidth)), image.cols - border);
            const int y0 = std::max(int(std::ceil(from.y + row * cellHeight)), border);
            const int y1 = std::min(int(std::ceil(from.y + (row + 1) * cellHeight)), image.rows - border);
            cv::Point best;
            float most = 0;
            for (int y = y0; y < y1; y++)
                for (int x = x0; x < x1; x++)
                    if (const float value = corners.at<float>(y, x); value > most) most = value, best = {x, y};
            if (most <= 0) continue;
            const cv::Point2d point = fromLevel(cv::Point2d(best + picture.origin(level)), level);
            const cv::Point2d place = plane.back(point);
            if (std::hypot(place.x, place.y) > 1.2 * radius) continue;
            Template patch;
            if (!makeTemplate(picture, point, Linear(), patchSide, level, patch)) continue;
            if (patch.corner() < leastCorner[level] || patch.isEdge()) continue;
            out.push_back({place, level, weight(place, radius)});
        }
}

} // namespace

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

std::optional<Keyframe> makeKeyframe(const Frame &frame, const Plane &plane, double radius) {
    const cv::Rect2d area = bounds(plane, 1.5 * radius);
    const cv::Size whole = frame.pyramid.size();
    if (area.width > 4.0 * whole.width + 64 || area.height > 4.0 * whole.height + 64) return {};
    const cv::Rect window(
        cv::Point(int(std::floor(area.x)) - 24, int(std::floor(area.y)) - 24),
        cv::Size(int(area.width) + 50, int(area.height) + 50));
    if ((window & cv::Rect(cv::Point(0, 0), frame.pyramid.size())).empty()) return {};
    Keyframe keyframe{frame.pyramid.crop(window), plane, {}, {}, {}, frame.features(), {}};
    keyframe.scenery = frame.pyramid.image(std::min(Keyframe::sceneLevel, frame.pyramid.levels() - 1)).clone();
    for (int level = 0; level < std::min(3, keyframe.picture.levels()); level++)
        findFeatures(keyframe.picture, plane, radius, level, keyframe.features);
    if (keyframe.features.size() < leastFeatures) return {};
    const Features &all = keyframe.scene;
    std::vector<cv::Mat> rows;
    for (size_t i = 0; i < all.points.size(); i++) {
        const cv::Point2d place = plane.back(all.points[i]);
        if (!(std::hypot(place.x, place.y) < searchReach * radius) || plane.depth(place) < 0.2) continue;
        keyframe.places.push_back(place);
        rows.push_back(all.descriptors.row(int(i)));
    }
    if (!rows.empty()) cv::vconcat(rows, keyframe.descriptors);
    return keyframe;
}

Sighting look(
    Keyframe &keyframe, const Pyramid &picture, const Plane &start, double radius, double reach, int coarser) {
    std::vector<Pair> pairs;
    std::vector<Feature *> features;
    std::vector<Fit> fits;
    double expected = 0, found = 0;
    Template patch;
    for (auto &feature : keyframe.features) {
        if (!feature.isTrusted() || start.depth(feature.place) < 0.2) continue;
        const cv::Point2d point = start(feature.place);
        if (!picture.contains(point)) continue;
        if (!keyframe.makeTemplate(feature.place, start, patchSide, feature.level + coarser, patch)) continue;
        Fit fit;
        // What is cut by the picture's edge isn't expected.
        if (!compare(patch, picture, point, fit)) continue;
        expected += feature.weight;
        bool isFound = patch.corner() > 3 && align(patch, picture, point, reach, 0, fit) &&
                       fit.correlation >= leastCorrelation(patch);
        if (!isFound && coarser == 0 &&
            keyframe.makeTemplate(feature.place, start, patchSide, feature.level + 1, patch) && patch.corner() > 3) {
            // Motion blur takes the fine structure only.
            isFound = align(patch, picture, point, reach, 0, fit) && fit.correlation >= 0.8;
        }
        if (!isFound) continue;
        const double sigma = patch.level == 0 ? 1 : patch.level == 1 ? 1.5 : 2.4;
        Pair pair{feature.place, fit.point, sigma, feature.weight};
        // Over the larger eigenvalue.
        const double most = (patch.hxx + patch.hyy) / patch.side / patch.side - patch.corner();
        const double scale = 1 / (most * patch.side * patch.side);
        pair.xx = patch.hxx * scale, pair.xy = patch.hxy * scale, pair.yy = patch.hyy * scale;
        pairs.push_back(pair);
        found += feature.weight;
        features.push_back(&feature);
        fits.push_back(fit);
    }
    Sighting result;
    result.plane = start;
    result.coarser = coarser;
    if (pairs.size() < 4 || expected <= 0) return result;
    const Precision precision = fitPlane(pairs, radius, coarser > 0 ? 1.2 * (1 << coarser) : 2, result.plane);
    result.error = precision.error;
    result.deviation = precision.anchor;
    if (!result.plane.isPlausible(radius)) {
        result.plane = start;
        return result;
    }
    double agreed = 0;
    std::vector<double> contrasts, brightnesses;
    for (size_t i = 0; i < pairs.size(); i++) {
        if (!pairs[i].isInlier) continue;
        result.inliers++;
        agreed += pairs[i].weight;
        contrasts.push_back(fits[i].contrast);
        brightnesses.push_back(fits[i].brightness);
    }
    result.share = agreed / expected;
    result.agreement = agreed / found;
    result.contrast = median(contrasts);
    result.brightness = median(brightnesses);
    if (coarser == 0 && result.isEnough() && result.share > 0.5)
        for (size_t i = 0; i < pairs.size(); i++) (pairs[i].isInlier ? features[i]->hits : features[i]->conflicts)++;
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
    return !fine.isEnough() && blurred.isEnough() && blurred.share >= 0.5 ? blurred : fine;
}

} // namespace ocv::labels
