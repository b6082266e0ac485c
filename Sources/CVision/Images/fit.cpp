#include "Images/alignment.hpp"

#include <algorithm>
#include <cmath>

namespace ocv::images {
namespace {

constexpr int rounds = 12;
/// Tukey's constant: 95 % as good as least squares where nothing is wrong.
constexpr double tukey = 4.685;

/// Maps the reference to −1…1, where the nine numbers of a homography are of one order.
cv::Matx33d normalization(const ocv_image_reference &reference) {
    const double scale = 2 / std::max(reference.width(), reference.height());
    return {scale, 0, -scale * reference.width() / 2, 0, scale, -scale * reference.height() / 2, 0, 0, 1};
}

/// How the image of one point moves with h0…h7, h8 being 1.
using Rows = cv::Matx<double, 2, 8>;

Rows jacobian(const cv::Matx33d &h, cv::Point2d p) {
    const double w = h(2, 0) * p.x + h(2, 1) * p.y + h(2, 2);
    const cv::Point2d q = map(h, p);
    return {p.x / w, p.y / w, 1 / w, 0,       0,       0,     -q.x * p.x / w, -q.x * p.y / w,
            0,       0,       0,     p.x / w, p.y / w, 1 / w, -q.y * p.x / w, -q.y * p.y / w};
}

/// The equations of one point: how its image moves with h0…h7, h8 being 1.
struct Equations {
    cv::Matx<double, 8, 8> matrix = cv::Matx<double, 8, 8>::zeros();
    cv::Matx<double, 8, 1> vector = cv::Matx<double, 8, 1>::zeros();

    void add(const cv::Matx33d &h, cv::Point2d p, cv::Point2d seen, const cv::Matx22d &information, double weight) {
        const cv::Point2d q = map(h, p);
        const Rows rows = jacobian(h, p);
        const double ex = seen.x - q.x, ey = seen.y - q.y;
        for (int i = 0; i < 8; ++i) {
            const double a = weight * (rows(0, i) * information(0, 0) + rows(1, i) * information(1, 0));
            const double b = weight * (rows(0, i) * information(0, 1) + rows(1, i) * information(1, 1));
            vector(i) += a * ex + b * ey;
            for (int j = 0; j < 8; ++j) matrix(i, j) += a * rows(0, j) + b * rows(1, j);
        }
    }
};

/// The largest standard deviation of a corner, in any direction, that the equations of the places alone leave.
double cornerError(
    const cv::Matx33d &h, const std::vector<cv::Point2d> &corners, const cv::Matx<double, 8, 8> &information) {
    cv::Mat inverse;
    if (cv::invert(cv::Mat(information), inverse, cv::DECOMP_CHOLESKY) == 0)
        return std::numeric_limits<double>::infinity();
    const cv::Matx<double, 8, 8> covariance(inverse);
    double most = 0;
    for (const cv::Point2d &corner : corners) {
        const Rows rows = jacobian(h, corner);
        const cv::Matx22d own = rows * covariance * rows.t();
        const double mean = (own(0, 0) + own(1, 1)) / 2, half = (own(0, 0) - own(1, 1)) / 2;
        const double largest = mean + std::hypot(half, own(0, 1));
        if (!(largest >= 0)) return std::numeric_limits<double>::infinity();
        most = std::max(most, largest);
    }
    return std::sqrt(most);
}

double distance(const PlaceSeen &place, cv::Point2d q) {
    const cv::Vec2d off(place.seen.x - q.x, place.seen.y - q.y);
    return std::sqrt(std::max(0.0, off.dot(place.information * off)));
}

} // namespace

Fit fit(
    const ocv_image_reference &reference, const cv::Matx33d &start, const std::vector<PlaceSeen> &seen, double freedom,
    double tolerance) {
    const cv::Matx33d normal = normalization(reference);
    const cv::Matx33d back = normal.inv();
    cv::Matx33d h = start * back;
    h *= 1 / h(2, 2);
    std::vector<cv::Point2d> places;
    for (const PlaceSeen &one : seen) places.push_back(map(normal, one.place));
    std::vector<cv::Point2d> corners;
    for (const cv::Point2d &corner : reference.corners()) corners.push_back(map(normal, corner));
    std::vector<cv::Point2d> held;
    for (const cv::Point2d &corner : corners) held.push_back(map(h, corner));
    const cv::Matx22d hold = cv::Matx22d::eye() * (1 / (freedom * freedom));
    std::vector<double> distances(seen.size());
    cv::Matx<double, 8, 8> evidence;
    double excess = 1;
    for (int round = 0; round < rounds && !seen.empty(); ++round) {
        for (size_t i = 0; i < seen.size(); ++i) distances[i] = distance(seen[i], map(h, places[i]));
        std::vector<double> sorted = distances;
        std::nth_element(sorted.begin(), sorted.begin() + long(sorted.size() / 2), sorted.end());
        // Of distances in two directions the median is 1.18 standard deviations.
        const double limit = tukey * std::max(1.0, sorted[sorted.size() / 2] / 1.18);
        Equations equations;
        double squares = 0, freedoms = -8;
        for (size_t i = 0; i < seen.size(); ++i) {
            const double ratio = distances[i] / limit;
            if (ratio >= 1) continue;
            const double weight = (1 - ratio * ratio) * (1 - ratio * ratio);
            equations.add(h, places[i], seen[i].seen, seen[i].information, weight);
            squares += weight * distances[i] * distances[i];
            freedoms += 2 * weight;
        }
        // Places agree no better than they do, whatever each of them says.
        excess = freedoms > 0 ? std::max(1.0, squares / freedoms) : 1;
        evidence = equations.matrix;
        for (size_t i = 0; i < corners.size(); ++i) equations.add(h, corners[i], held[i], hold, 1);
        cv::Matx<double, 8, 1> move;
        if (!cv::solve(equations.matrix, equations.vector, move, cv::DECOMP_CHOLESKY)) break;
        for (int i = 0; i < 8; ++i) h.val[i] += move(i);
        if (cv::norm(move) < 1e-9) break;
    }
    Fit result;
    result.homography = h * normal;
    if (!seen.empty()) result.cornerError = cornerError(h, corners, evidence) * std::sqrt(excess);
    for (size_t i = 0; i < seen.size(); ++i) {
        const cv::Point2d q = map(h, places[i]);
        const bool agrees = std::hypot(q.x - seen[i].seen.x, q.y - seen[i].seen.y) <= tolerance;
        result.agrees.push_back(agrees);
        result.agreeing += agrees;
    }
    return result;
}

} // namespace ocv::images
