#pragma once
#include "Poses/view.hpp"

namespace ocv::poses {

/// How much each point of a view counts, per square pixel, by what the points themselves tell of their noise.
///
/// Each group's variance is estimated from its residuals and the redundancy that they have left (variance components:
/// Helmert 1924; Förstner 1979), so that markers whose whole code was fitted and those of which only the sides
/// were found count by how good either are. Within a group residuals follow Student's distribution: a point that is hidden
/// or was mistaken loses its weight.
///
/// - start: near the minimum.
std::vector<double> weights(const View &view, const Pose &start);

/// The root mean square that a pose leaves, pixels.
double weightedError(const View &view, const Pose &pose, const std::vector<double> &weights);

/// Goes on to the nearest minimum of the weighted error (Levenberg and Marquardt), and sets the pose's error.
Pose refined(const View &view, const Pose &start, const std::vector<double> &weights);

} // namespace ocv::poses
