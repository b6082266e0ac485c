#include "Images/reference.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace ocv::images {
namespace {

/// The sizes at which a picture is described from the front, longer side, and the keypoints at each: the sizes of its
/// keypoints reach down to a quarter, and fewer of a large one would be left for a picture far away.
constexpr int frontSides[] = {640, 256}, keypointsOfFront = 600;
/// From aslant: the longer side before it is foreshortened, and the keypoints.
constexpr int aslantSide = 400, keypointsOfAslant = 200;
/// How much it is foreshortened and in how many directions. Keypoints bear a third more or less, and the directions are as
/// far from one another as that (Morel and Yu 2009, but of the picture alone: a video is searched again and again).
struct Aslant {
    double tilt;
    int directions;
};
constexpr Aslant aslants[] = {{2, 6}, {3.4, 9}};
/// How far from the picture's edge a keypoint must be, smallest patches' pixels: what lies behind isn't known.
constexpr float margin = 12;
/// Of the blur across the way that a picture is foreshortened, for each time that it is (Morel and Yu 2009).
constexpr double blur = 0.8;

View view(const ocv_image_reference &reference, double side, double tilt, double direction, int count) {
    const cv::Mat &full = reference.levels[0];
    const double scale = std::min(1.0, side / std::max(full.cols, full.rows));
    View out;
    // Turned so that it is foreshortened along x.
    const double c = std::cos(direction) * scale, s = std::sin(direction) * scale;
    double left = 1e9, top = 1e9, right = -1e9, bottom = -1e9;
    for (const cv::Point2d &corner : reference.corners()) {
        const double x = (c * corner.x + s * corner.y), y = -s * corner.x + c * corner.y;
        left = std::min(left, x), right = std::max(right, x), top = std::min(top, y), bottom = std::max(bottom, y);
    }
    const cv::Matx23d turned{c, s, -left - 0.5, -s, c, -top - 0.5};
    const cv::Size size(std::max(1, int(std::ceil(right - left))), std::max(1, int(std::ceil(bottom - top))));
    cv::Mat picture, seen;
    // Smaller by halves first, so that nothing is left out.
    int level = 0;
    while (level + 1 < int(reference.levels.size()) && scale * double(2 << level) <= 1.01) ++level;
    cv::Matx23d fromLevel = turned;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) fromLevel(i, j) *= double(1 << level);
    cv::warpAffine(reference.levels[size_t(level)], picture, fromLevel, size, cv::INTER_LINEAR, cv::BORDER_REPLICATE);
    cv::Matx23d map = turned;
    if (tilt > 1) {
        cv::GaussianBlur(picture, picture, cv::Size(0, 1), blur * std::sqrt(tilt * tilt - 1), 0.1);
        const cv::Size narrow(std::max(1, int(std::lround(size.width / tilt))), size.height);
        cv::resize(picture, seen, narrow, 0, 0, cv::INTER_LINEAR);
        const double x = double(narrow.width) / size.width;
        for (int i = 0; i < 3; i++) map(0, i) *= x;
        map(0, 2) += 0.5 * x - 0.5;
    } else {
        seen = picture;
    }
    out.map = cv::Matx23f(map);
    const Keypoints all = describe(seen, count);
    const cv::Matx22d linear{map(0, 0), map(0, 1), map(1, 0), map(1, 1)};
    const double determinant = linear(0, 0) * linear(1, 1) - linear(0, 1) * linear(1, 0);
    const cv::Matx22d back = cv::Matx22d{linear(1, 1), -linear(0, 1), -linear(1, 0), linear(0, 0)} * (1 / determinant);
    std::vector<cv::Point2d> corners;
    for (const cv::Point2d &corner : reference.corners()) {
        const cv::Vec2d at = map * cv::Vec3d(corner.x, corner.y, 1);
        corners.emplace_back(at[0], at[1]);
    }
    for (size_t k = 0; k < all.points.size(); k++) {
        const Keypoint &point = all.points[k];
        bool isInside = true;
        for (size_t i = 0; i < 4; i++) {
            const cv::Point2d edge = corners[(i + 1) % 4] - corners[i];
            const cv::Point2d to = cv::Point2d(point.at) - corners[i];
            isInside = isInside && edge.cross(to) >= double(margin * point.size) * cv::norm(edge);
        }
        if (!isInside) continue;
        const cv::Vec2d place = back * cv::Vec2d(double(point.at.x) - map(0, 2), double(point.at.y) - map(1, 2));
        out.keypoints.points.push_back(point);
        out.keypoints.descriptors.push_back(all.descriptors[k]);
        out.places.emplace_back(float(place[0]), float(place[1]));
    }
    return out;
}

} // namespace

const std::vector<View> &views(const ocv_image_reference &reference) {
    std::call_once(reference.viewsAreMade, [&] {
        const int longest = std::max(reference.levels[0].cols, reference.levels[0].rows);
        for (const int side : frontSides) {
            // Of a small one both sizes may be the same.
            if (side != frontSides[0] && longest <= side) continue;
            reference.views.push_back(view(reference, side, 1, 0, keypointsOfFront));
        }
        for (const auto &[tilt, directions] : aslants)
            for (int i = 0; i < directions; i++)
                reference.views.push_back(view(reference, aslantSide, tilt, CV_PI * i / directions, keypointsOfAslant));
    });
    return reference.views;
}

} // namespace ocv::images
