#include "Poses/weights.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/calib3d.hpp>

namespace ocv::poses {
namespace {

/// What a group's noise is taken for before anything is known, pixels, and how many measurements that is worth.
constexpr double expectedNoise = 0.1, expectedCount = 4;
/// Degrees of freedom of the distribution of residuals.
constexpr double studentFreedom = 5;
constexpr int rounds = 8, steps = 12;

using Normal = cv::Matx66d;
using Vector = cv::Vec6d;
/// How a point's image moves with the rotation and the translation.
using Rows = cv::Matx<double, 2, 6>;

struct Projection {
    std::vector<cv::Point2d> off;
    std::vector<Rows> rows;
};

Projection project(const View &view, const Pose &pose) {
    std::vector<cv::Point2d> projected;
    cv::Mat jacobian;
    cv::projectPoints(view.object, pose.rotation, pose.translation, view.matrix, view.distortion, projected, jacobian);
    Projection result;
    for (size_t i = 0; i < projected.size(); ++i) {
        result.off.push_back(view.image[i] - projected[i]);
        Rows rows;
        for (int axis = 0; axis < 2; ++axis)
            for (int k = 0; k < 6; ++k) rows(axis, k) = jacobian.at<double>(int(2 * i) + axis, k);
        result.rows.push_back(rows);
    }
    return result;
}

double cost(const Projection &projection, const std::vector<double> &weights) {
    double sum = 0;
    for (size_t i = 0; i < weights.size(); ++i) sum += weights[i] * projection.off[i].dot(projection.off[i]);
    return sum;
}

Normal normal(const Projection &projection, const std::vector<double> &weights) {
    Normal matrix = Normal::zeros();
    for (size_t i = 0; i < weights.size(); ++i) matrix += weights[i] * (projection.rows[i].t() * projection.rows[i]);
    return matrix;
}

double rootMeanSquare(double cost, const std::vector<double> &weights) {
    double sum = 0;
    for (const double weight : weights) sum += weight;
    return std::sqrt(cost / sum);
}

} // namespace

double weightedError(const View &view, const Pose &pose, const std::vector<double> &weights) {
    return rootMeanSquare(cost(project(view, pose), weights), weights);
}

Pose refined(const View &view, const Pose &start, const std::vector<double> &weights) {
    Pose pose = start;
    Projection now = project(view, pose);
    double least = cost(now, weights), damping = 1e-6;
    for (int step = 0; step < steps; ++step) {
        Normal matrix = normal(now, weights);
        Vector side = Vector::zeros();
        for (size_t i = 0; i < weights.size(); ++i)
            side += weights[i] * (now.rows[i].t() * cv::Vec2d(now.off[i].x, now.off[i].y));
        for (int k = 0; k < 6; ++k) matrix(k, k) *= 1 + damping;
        Vector move;
        if (!cv::solve(matrix, side, move, cv::DECOMP_CHOLESKY)) break;
        Pose next = pose;
        for (int k = 0; k < 3; ++k) next.rotation[k] += move[k], next.translation[k] += move[k + 3];
        const Projection there = project(view, next);
        const double moved = cost(there, weights);
        // Also false for what isn't a number.
        if (moved <= least) {
            const bool isThere = least - moved <= 1e-12 * least;
            pose = next, now = there, least = moved, damping = std::max(damping * 0.1, 1e-12);
            if (isThere) break;
        } else {
            damping = std::max(damping * 100, 1e-6);
            if (!(damping < 1e6)) break;
        }
    }
    pose.error = rootMeanSquare(least, weights);
    return pose;
}

std::vector<double> weights(const View &view, const Pose &start) {
    const size_t count = view.image.size();
    std::vector<double> variances(size_t(view.groupCount), expectedNoise * expectedNoise);
    std::vector<double> trust(count, 1), weights(count);
    Pose pose = start;
    for (int round = 0; round < rounds; ++round) {
        for (size_t i = 0; i < count; ++i) weights[i] = trust[i] / variances[size_t(view.groups[i])];
        pose = refined(view, pose, weights);
        const Projection now = project(view, pose);
        cv::Mat inverse;
        if (cv::invert(normal(now, weights), inverse, cv::DECOMP_CHOLESKY) == 0) break;
        const Normal covariance(inverse);
        std::vector<double> squares(variances.size(), expectedCount * expectedNoise * expectedNoise);
        std::vector<double> redundancy(variances.size(), expectedCount);
        for (size_t i = 0; i < count; ++i) {
            const size_t group = size_t(view.groups[i]);
            squares[group] += trust[i] * now.off[i].dot(now.off[i]);
            const double taken = weights[i] * cv::trace(now.rows[i] * covariance * now.rows[i].t());
            redundancy[group] += std::max(0.0, 2 - taken);
        }
        for (size_t group = 0; group < variances.size(); ++group) variances[group] = squares[group] / redundancy[group];
        for (size_t i = 0; i < count; ++i)
            trust[i] = (studentFreedom + 2) /
                       (studentFreedom + now.off[i].dot(now.off[i]) / variances[size_t(view.groups[i])]);
    }
    for (size_t i = 0; i < count; ++i) weights[i] = trust[i] / variances[size_t(view.groups[i])];
    return weights;
}

} // namespace ocv::poses
