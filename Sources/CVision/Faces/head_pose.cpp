#include "Pixels/Guard.hpp"
#include "ocv_faces.h"

#include <cmath>
#include <opencv2/calib3d.hpp>
#include <vector>

namespace ocv::faces {
namespace {

// Places on a generic adult head, centimetres: x to the picture's right, y down, z away from the camera while the head
// looks at it. The corners of brows, eyes, nose, mouth and chin are those of the anthropometric 3D face model of the
// University of Coimbra (P. Martins and J. Batista 2008), mirrored about the middle; the tip of the nose is put 55 %
// of the way from the eyes to the corners of the mouth, where faces that look at the camera have it on average.
struct Place {
    int landmark; // of 68
    cv::Point3d at;
};
const Place places[] = {
    {17, {-6.826, -6.761, -4.402}}, {21, {-1.330, -7.122, -6.904}}, {22, {1.330, -7.122, -6.904}},
    {26, {6.826, -6.761, -4.402}},  {36, {-5.311, -5.485, -3.988}}, {39, {-1.790, -5.394, -4.413}},
    {42, {1.790, -5.394, -4.413}},  {45, {5.311, -5.485, -3.988}},  {30, {0, -1.3, -8}},
    {31, {-2.006, -1.410, -6.166}}, {35, {2.006, -1.410, -6.166}},  {48, {-2.774, 2.081, -5.049}},
    {54, {2.774, 2.081, -5.049}},   {57, {0, 3.116, -6.098}},       {8, {0, 7.416, -4.070}},
};
const cv::Point3d fivePlaces[] = {
    {-3.55, -5.44, -4.2}, {3.55, -5.44, -4.2}, {0, -1.3, -8}, {-2.774, 2.081, -5.049}, {2.774, 2.081, -5.049}};

double spread(const std::vector<cv::Point2d> &points) {
    double left = INFINITY, right = -INFINITY, top = INFINITY, bottom = -INFINITY;
    for (const cv::Point2d &point : points) {
        left = std::min(left, point.x), right = std::max(right, point.x);
        top = std::min(top, point.y), bottom = std::max(bottom, point.y);
    }
    return std::hypot(right - left, bottom - top);
}

/// R = Rz(roll) · Ry(−yaw) · Rx(−pitch): roll is the turn in the picture, yaw and pitch are about the head's own axes.
ocv_head_angles angles_of(const cv::Mat &rotation) {
    const cv::Matx33d r(rotation);
    const double degrees = 180 / CV_PI;
    return {
        std::atan2(r(1, 0), r(0, 0)) * degrees, std::asin(std::min(std::max(r(2, 0), -1.0), 1.0)) * degrees,
        -std::atan2(r(2, 1), r(2, 2)) * degrees};
}

} // namespace
} // namespace ocv::faces

using namespace ocv::faces;

ocv_status ocv_head_pose(
    const ocv_point *landmarks, int32_t count, ocv_point center, double focalLength, ocv_head_angles *angles) noexcept {
    if (!landmarks || (count != 5 && count != 68) || !angles || !(focalLength > 0))
        return ocv::failure("a head's pose needs 5 or 68 landmarks and a focal length");
    for (int32_t i = 0; i < count; i++)
        if (!std::isfinite(landmarks[i].x) || !std::isfinite(landmarks[i].y))
            return ocv::failure("a landmark's place is not finite");
    bool isSpread = true;
    const ocv_status status = ocv::guarded([&] {
        std::vector<cv::Point3d> head;
        std::vector<cv::Point2d> seen;
        if (count == 5) {
            head.assign(std::begin(fivePlaces), std::end(fivePlaces));
            for (int i = 0; i < 5; i++) seen.emplace_back(landmarks[i].x, landmarks[i].y);
        } else {
            for (const Place &place : places) {
                head.push_back(place.at);
                seen.emplace_back(landmarks[place.landmark].x, landmarks[place.landmark].y);
            }
        }
        std::vector<cv::Point2d> flat;
        for (const cv::Point3d &place : head) flat.emplace_back(place.x, place.y);
        const double size = spread(seen);
        if (!(isSpread = size > 1)) return;
        cv::Point2d middle;
        for (const cv::Point2d &point : seen) middle += point * (1.0 / double(seen.size()));
        const double distance = focalLength * spread(flat) / size;
        // Roll is plain to see: from the outer corner of one eye to the other's.
        const ocv_point &left = landmarks[count == 5 ? 0 : 36], &right = landmarks[count == 5 ? 1 : 45];
        const double roll = std::atan2(right.y - left.y, right.x - left.x);
        cv::Mat rotation = (cv::Mat_<double>(3, 1) << 0, 0, roll);
        cv::Mat translation =
            (cv::Mat_<double>(3, 1) << (middle.x - center.x) * distance / focalLength,
             (middle.y - center.y) * distance / focalLength, distance);
        const cv::Matx33d camera(focalLength, 0, center.x, 0, focalLength, center.y, 0, 0, 1);
        cv::solvePnP(head, seen, camera, cv::noArray(), rotation, translation, true, cv::SOLVEPNP_ITERATIVE);
        cv::Mat matrix;
        cv::Rodrigues(rotation, matrix);
        *angles = angles_of(matrix);
    });
    return status.code || isSpread ? status : ocv::failure("the landmarks are all but one place");
}
