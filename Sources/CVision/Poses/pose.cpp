#include "Pixels/camera.hpp"
#include "Poses/weights.hpp"
#include "ocv_poses.h"

#include <algorithm>
#include <cmath>
#include <opencv2/calib3d.hpp>
#include <stdexcept>
#include <vector>

namespace ocv::poses {
namespace {

double reprojectionError(const View &view, const cv::Vec3d &rotation, const cv::Vec3d &translation) {
    std::vector<cv::Point2d> projected;
    cv::projectPoints(view.object, rotation, translation, view.matrix, view.distortion, projected);
    double sum = 0;
    for (size_t i = 0; i < projected.size(); ++i) {
        const cv::Point2d off = projected[i] - view.image[i];
        sum += off.dot(off);
    }
    return std::sqrt(sum / double(projected.size()));
}

bool isInFront(const View &view, const Pose &pose) {
    cv::Matx33d turn;
    cv::Rodrigues(pose.rotation, turn);
    return std::all_of(view.object.begin(), view.object.end(), [&](const cv::Point3d &point) {
        return (turn * cv::Vec3d(point.x, point.y, point.z) + pose.translation)[2] > 0;
    });
}

/// The angle between two rotations, radians.
double angle(const cv::Vec3d &a, const cv::Vec3d &b) {
    cv::Matx33d first, second;
    cv::Rodrigues(a, first);
    cv::Rodrigues(b, second);
    return std::acos(std::clamp((cv::trace(first.t() * second) - 1) / 2, -1.0, 1.0));
}

Pose refined(const View &view, const Pose &start) {
    Pose pose = start;
    cv::solvePnPRefineLM(view.object, view.image, view.matrix, view.distortion, pose.rotation, pose.translation);
    pose.error = reprojectionError(view, pose.rotation, pose.translation);
    // Also false for what isn't a number.
    return pose.error <= start.error && isInFront(view, pose) ? pose : start;
}

std::vector<Pose> poses(const View &view) {
    std::vector<cv::Mat> rotations, translations;
    cv::solvePnPGeneric(
        view.object, view.image, view.matrix, view.distortion, rotations, translations, false, cv::SOLVEPNP_IPPE);
    std::vector<Pose> starts;
    for (size_t i = 0; i < rotations.size(); ++i) {
        Pose pose{cv::Vec3d(rotations[i]), cv::Vec3d(translations[i]), 0};
        pose.error = reprojectionError(view, pose.rotation, pose.translation);
        if (std::isfinite(pose.error) && isInFront(view, pose)) starts.push_back(pose);
    }
    std::vector<Pose> found;
    for (const Pose &start : starts) found.push_back(refined(view, start));
    if (found.size() == 2) {
        // Some thousandths of a degree: the same minimum, reached from both sides.
        if (angle(found[0].rotation, found[1].rotation) < 1e-4) {
            const size_t second = starts[0].error <= starts[1].error ? 1 : 0;
            found[second] = starts[second];
        }
        if (found[1].error < found[0].error) std::swap(found[0], found[1]);
    }
    if (view.groups.empty() || found.empty()) return found;
    // The noise is what the better pose leaves, whichever of the two is the right one.
    const std::vector<double> counts = weights(view, found[0]);
    std::vector<Pose> weighted;
    for (const Pose &pose : found) weighted.push_back(refined(view, pose, counts));
    for (size_t i = 0; i < found.size(); ++i) {
        const bool isOwn = i == 0 || angle(weighted[0].rotation, weighted[i].rotation) >= 1e-4;
        if (isOwn && isInFront(view, weighted[i]))
            found[i] = weighted[i];
        else
            found[i].error = weightedError(view, found[i], counts);
    }
    if (found.size() == 2 && found[1].error < found[0].error) std::swap(found[0], found[1]);
    return found;
}

} // namespace
} // namespace ocv::poses

using namespace ocv::poses;

ocv_status ocv_pose_of_plane(
    const ocv_camera *camera, const ocv_point *flat, const ocv_point *seen, const int32_t *groups, int32_t count,
    ocv_pose out[2], int32_t *found) noexcept {
    *found = 0;
    return ocv::guarded([&] {
        if (count < 4) throw std::invalid_argument("a pose needs four points or more");
        View view;
        view.matrix = ocv::matrix(*camera);
        view.distortion = ocv::distortion(*camera);
        for (int32_t i = 0; i < count; ++i) {
            view.object.emplace_back(flat[i].x, flat[i].y, 0);
            view.image.emplace_back(seen[i].x, seen[i].y);
            if (groups != nullptr) {
                if (groups[i] < 0 || groups[i] >= OCV_POSE_MAX_GROUPS) throw std::invalid_argument("unknown group");
                view.groups.push_back(groups[i]);
                view.groupCount = std::max(view.groupCount, groups[i] + 1);
            }
        }
        for (const Pose &pose : poses(view)) {
            ocv_pose &target = out[(*found)++];
            for (int axis = 0; axis < 3; ++axis) {
                target.rotation[axis] = pose.rotation[axis];
                target.translation[axis] = pose.translation[axis];
            }
            target.error = pose.error;
            if (*found == 2) break;
        }
    });
}
