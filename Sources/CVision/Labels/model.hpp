#pragma once
#include "Labels/patch.hpp"

#include <vector>

// How the surface around an anchor lies in the picture.

namespace ocv::labels {

/// A plane's projective map in coordinates that are 0 at the anchor: x = (a0 + a1 u + a2 v) / (1 + g u + h v), and the
/// same with b for y. The anchor itself is at (a0, b0).
struct Plane {
    double a0 = 0, a1 = 1, a2 = 0, b0 = 0, b1 = 0, b2 = 1, g = 0, h = 0;

    cv::Point2d operator()(cv::Point2d u) const {
        const double w = 1 / (1 + g * u.x + h * u.y);
        return {(a0 + a1 * u.x + a2 * u.y) * w, (b0 + b1 * u.x + b2 * u.y) * w};
    }
    cv::Point2d anchor() const { return {a0, b0}; }
    double depth(cv::Point2d u) const { return 1 + g * u.x + h * u.y; }
    /// The map's derivative at a place.
    Linear linear(cv::Point2d u) const;
    /// The place that is mapped to a point.
    cv::Point2d back(cv::Point2d point) const;
    /// Another plane turned and zoomed, so that it lies here as this one does.
    Plane unbent(const Plane &usual) const;
    /// True where it turns nothing over and neither shrinks nor grows nor slants beyond what can be compared.
    bool isPlausible(double radius) const;
};

/// A place of the surface and where it was found.
struct Pair {
    cv::Point2d from, to;
    /// Of the place's error, pixels.
    double sigma = 1;
    /// How much it counts: less far from the anchor.
    double weight = 1;
    bool isInlier = false;
    /// Of another surface, which moves as one as well.
    bool isOther = false;
    /// How much each direction is determined, 0…1: a patch along an edge says nothing of where it is along the edge.
    double xx = 1, xy = 0, yy = 1;

    double distance(cv::Point2d rest) const {
        return xx * rest.x * rest.x + 2 * xy * rest.x * rest.y + yy * rest.y * rest.y;
    }
};

/// A sequence that is the same on every machine (Numerical Recipes' 64-bit generator's first half).
struct Sequence {
    uint64_t state = 0x9E3779B97F4A7C15ull;
    int below(int count) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        return int((state >> 33) % uint64_t(count));
    }
};

/// The map that takes b to e and c to f, which aren't parallel.
Linear linearBetween(cv::Point2d b, cv::Point2d c, cv::Point2d e, cv::Point2d f);

/// A similarity or affine map of the picture.
struct Motion {
    Linear linear;
    cv::Point2d shift;

    cv::Point2d operator()(cv::Point2d p) const { return linear * p + shift; }
    /// The plane seen after the motion.
    Plane after(const Plane &plane) const;
};

/// The similarity that most weight agrees with, by RANSAC of a fixed sequence, refined over those that agree to an
/// affine map where there are enough.
/// @return the weight's share that agrees; 0 where there are too few.
double estimateMotion(std::vector<Pair> &pairs, double tolerance, Motion &out, bool mayShear = true);

/// Moves the plane so that it explains the pairs: iteratively re-weighted least squares. What the pairs don't determine
/// stays as it is: a few pairs, or such as lie close together, move the plane without tilting it.
/// What came of it, pixels.
struct Precision {
    /// The inliers' root mean square error.
    double error = 0;
    /// The anchor's own standard deviation, in its worse direction.
    double anchor = 0;
    /// The share of what is beside the anchor that fits closely, 0…1.
    double closeness = 1;
};
Precision fitPlane(std::vector<Pair> &pairs, double radius, double tolerance, Plane &plane, double freedom = 1);

/// The same, from the anchor outwards: what is nearest says where it is, and what is farther is heard where it agrees
/// with what is nearer. Beside something at another distance the anchor's own surface is followed, though it be the
/// smaller or the plainer one.
/// @param usual how the surface looked once: turned and zoomed it may look so again.
Precision growPlane(std::vector<Pair> &pairs, double radius, double tolerance, const Plane &usual, Plane &plane);

/// How differently two planes stretch what is at the anchor: 0 where one is the other turned and zoomed.
double slantBetween(const Plane &before, const Plane &after);

/// Marks the pairs that aren't inliers of the plane but agree on one other motion: something at another distance.
/// @return false where there is none, or where what is beside the anchor might as well be of it.
bool findOther(std::vector<Pair> &pairs, double radius, double tolerance, const Plane &plane);

/// The plane's map that most weight agrees with, from nothing: RANSAC of affine maps, then `fitPlane`.
/// @return the number that agree.
int findPlane(std::vector<Pair> &pairs, double radius, double tolerance, Plane &plane);

} // namespace ocv::labels
