#include "Pixels/camera.hpp"
#include "Pixels/modules.hpp"
#include "ocv_boards.h"

#include <algorithm>
#include <cmath>
#include <opencv2/calib3d.hpp>
#include <vector>

namespace ocv::boards {
namespace {

const cv::TermCriteria subpixel(cv::TermCriteria::COUNT | cv::TermCriteria::EPS, 40, 0.005);

bool isInside(const cv::Point2f &point, const ocv_plane &plane, int margin) {
    return point.x >= float(margin) && point.y >= float(margin) && point.x < float(plane.width - margin) &&
           point.y < float(plane.height - margin);
}

/// The shortest distance between neighbours of a grid.
double shortestStep(const std::vector<cv::Point2f> &corners, int columns) {
    double shortest = 1e9;
    for (size_t i = 0; i < corners.size(); ++i) {
        if (i % size_t(columns) != 0) shortest = std::min(shortest, cv::norm(corners[i] - corners[i - 1]));
        if (i >= size_t(columns)) shortest = std::min(shortest, cv::norm(corners[i] - corners[i - size_t(columns)]));
    }
    return shortest;
}

/// With no side longer than that.
cv::Mat reduced(const cv::Mat &picture, int longest) {
    const double scale = double(longest) / std::max(picture.cols, picture.rows);
    if (scale >= 1) return picture;
    cv::Mat small;
    cv::resize(picture, small, {}, scale, scale, cv::INTER_AREA);
    return small;
}

/// Inner corners across and down of the chessboard that is seen, 3 or more; empty where none is found.
cv::Size count(const cv::Mat &picture) {
    std::vector<cv::Point2f> corners;
    cv::Mat found;
    if (!cv::findChessboardCornersSB(picture, {3, 3}, corners, cv::CALIB_CB_LARGER, found)) return {};
    return found.size();
}

} // namespace
} // namespace ocv::boards

using namespace ocv::boards;

ocv_status ocv_plane_project(
    const ocv_point *flat, const ocv_point *seen, int32_t count, const ocv_point *places, int32_t placeCount,
    ocv_point *out, bool *isFound) noexcept {
    *isFound = false;
    return ocv::guarded([&] {
        std::vector<cv::Point2d> object, image, asked, projected;
        for (int32_t i = 0; i < count; ++i) {
            object.emplace_back(flat[i].x, flat[i].y);
            image.emplace_back(seen[i].x, seen[i].y);
        }
        const cv::Mat homography = cv::findHomography(object, image);
        if (homography.empty()) return;
        for (int32_t i = 0; i < placeCount; ++i) asked.emplace_back(places[i].x, places[i].y);
        cv::perspectiveTransform(asked, projected, homography);
        for (int32_t i = 0; i < placeCount; ++i) out[i] = {projected[size_t(i)].x, projected[size_t(i)].y};
        *isFound = true;
    });
}

ocv_status ocv_crossing_find(
    ocv_plane luma, ocv_point expected, int32_t window, ocv_point *out, bool *isFound) noexcept {
    *isFound = false;
    return ocv::guarded([&] {
        const cv::Point2f start(float(expected.x), float(expected.y));
        std::vector<cv::Point2f> corner{start};
        if (!isInside(start, luma, window + 2)) return;
        cv::cornerSubPix(ocv::view(luma), corner, {window, window}, {-1, -1}, subpixel);
        if (cv::norm(corner[0] - start) > std::max(1.5, 0.5 * window)) return;
        *out = {corner[0].x, corner[0].y};
        *isFound = true;
    });
}

ocv_status ocv_chessboard_find(ocv_plane luma, int32_t columns, int32_t rows, ocv_point *out, bool *isFound) noexcept {
    *isFound = false;
    return ocv::guarded([&] {
        const cv::Mat picture = ocv::view(luma);
        std::vector<cv::Point2f> corners;
        cv::Mat small = reduced(picture, 640);
        const cv::Size size(columns, rows);
        bool found = cv::findChessboardCornersSB(small, size, corners);
        if (!found) {
            // The older way finds some boards that the newer one doesn't, but takes a second over a larger one.
            const cv::Size other = count(small);
            if (std::max(other.width, other.height) > std::max(columns, rows) ||
                std::min(other.width, other.height) > std::min(columns, rows))
                return;
            const int flags = cv::CALIB_CB_ADAPTIVE_THRESH | cv::CALIB_CB_NORMALIZE_IMAGE | cv::CALIB_CB_FAST_CHECK;
            found = cv::findChessboardCorners(small, size, corners, flags);
            if (!found && other.empty()) {
                small = reduced(picture, 1280);
                found = cv::findChessboardCornersSB(small, size, corners);
            }
        }
        if (!found) return;
        const float scale = float(small.cols) / float(picture.cols);
        for (cv::Point2f &corner : corners)
            corner = (corner + cv::Point2f(0.5F, 0.5F)) / scale - cv::Point2f(0.5F, 0.5F);
        const int window = std::clamp(int(shortestStep(corners, columns) * 0.4), 2, 12);
        for (const cv::Point2f &corner : corners)
            if (!isInside(corner, luma, window + 2)) return;
        cv::cornerSubPix(picture, corners, {window, window}, {-1, -1}, subpixel);
        for (size_t i = 0; i < corners.size(); ++i) out[i] = {corners[i].x, corners[i].y};
        *isFound = true;
    });
}

ocv_status ocv_chessboard_count(ocv_plane luma, int32_t *longer, int32_t *shorter) noexcept {
    *longer = *shorter = 0;
    return ocv::guarded([&] {
        const cv::Size size = count(reduced(ocv::view(luma), 640));
        *longer = std::max(size.width, size.height);
        *shorter = std::min(size.width, size.height);
    });
}

ocv_status ocv_sharpness(ocv_plane luma, ocv_box box, double *out) noexcept {
    *out = 0;
    return ocv::guarded([&] {
        const cv::Rect area = cv::Rect(int(box.x), int(box.y), int(box.width) + 1, int(box.height) + 1) &
                              cv::Rect(0, 0, luma.width, luma.height);
        if (area.width < 3 || area.height < 3) return;
        cv::Mat edges;
        cv::Laplacian(ocv::view(luma)(area), edges, CV_32F);
        cv::Scalar mean, deviation;
        cv::meanStdDev(edges, mean, deviation);
        *out = deviation[0] * deviation[0];
    });
}

ocv_status ocv_calibrate(
    int32_t width, int32_t height, const ocv_point *flat, const ocv_point *seen, const int32_t *counts, int32_t views,
    ocv_camera *camera, double *rms, double *errors, double deviations[4]) noexcept {
    return ocv::guarded([&] {
        std::vector<std::vector<cv::Point3f>> object;
        std::vector<std::vector<cv::Point2f>> image;
        for (int32_t view = 0, next = 0; view < views; ++view) {
            object.emplace_back();
            image.emplace_back();
            for (int32_t i = 0; i < counts[view]; ++i, ++next) {
                object.back().emplace_back(float(flat[next].x), float(flat[next].y), 0.F);
                image.back().emplace_back(float(seen[next].x), float(seen[next].y));
            }
        }
        cv::Mat matrix, distortion, inner, outer, perView;
        std::vector<cv::Mat> rotations, translations;
        *rms = cv::calibrateCamera(
            object, image, {width, height}, matrix, distortion, rotations, translations, inner, outer, perView, 0,
            cv::TermCriteria(cv::TermCriteria::COUNT | cv::TermCriteria::EPS, 100, 1e-9));
        *camera = {};
        camera->focalX = matrix.at<double>(0, 0);
        camera->focalY = matrix.at<double>(1, 1);
        camera->centerX = matrix.at<double>(0, 2);
        camera->centerY = matrix.at<double>(1, 2);
        camera->distortionCount = 5;
        for (int i = 0; i < 5; ++i) camera->distortion[i] = distortion.at<double>(i);
        for (int32_t view = 0; view < views; ++view) errors[view] = perView.at<double>(view);
        for (int i = 0; i < 4; ++i) deviations[i] = inner.at<double>(i);
    });
}
