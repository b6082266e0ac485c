#pragma once
#include "Labels/model.hpp"

#include <optional>

// What an anchor remembers of its surroundings: pictures from moments at which it was seen well.

namespace ocv::labels {

/// A corner of the surface, or a piece of an edge, which says where the surface is across it alone.
struct Feature {
    /// A side of its patch, pixels of its level.
    static constexpr int patchSide = 15;
    /// What is within this share of the near neighbourhood's radius is beside the anchor.
    static constexpr double coreShare = 0.6;

    /// From the anchor, pixels of the first frame.
    cv::Point2d place;
    /// The level of the keyframe that it was found at.
    int level;
    double weight;
    bool isEdge = false;
    /// Farther away than the surface that holds the point: it is heard of the keyframe's weak direction alone.
    bool isSupport = false;
    /// Too little for a feature but for its being beside the anchor.
    bool isFaint = false;
    /// More for being seen elsewhere, which is what another surface does; less for being where it was expected.
    int doubt = 0;

    /// What it says of each direction: the pair of it, yet to be found, over the patch's larger eigenvalue.
    /// @param weak the keyframe's weak direction as it lies in the patch's picture.
    /// @param isWary of what looks like structure along edges and is none.
    Pair pair(const Template &patch, cv::Point2d weak, bool isWary) const;
    bool isTrusted() const { return doubt < 6; }
};

/// One moment: the picture around the anchor, and how the surface lay in it.
struct Keyframe {
    Pyramid picture;
    Plane plane;
    /// Its near neighbourhood's radius, pixels of the first frame.
    double near = 0;
    std::vector<Feature> features;
    /// The direction in its picture of which the surface near the point says too little, as on boards; 0 for none.
    cv::Point2d weak;
    /// How far what holds the weak direction from afar has moved against the surface, places as for features, which is
    /// what another depth makes of it; and the variance, pixels² of its picture.
    cv::Point2d slip;
    double slipVariance = 0;
    /// A moment in which nothing was seen: that may have moved on.
    void forget();
    /// How well its features determine the anchor's place, in the direction of which they say least: its standard
    /// deviation, pixels.
    double deviation = 1e9;
    /// For finding it again anywhere: places as for features, with descriptors.
    std::vector<cv::Point2d> places;
    cv::Mat descriptors;
    /// The rest of its frame: all corners, and the picture at a coarse level.
    static constexpr int sceneLevel = 2;
    Features scene;
    cv::Mat scenery;

    /// What was at `place` as it looks under another plane.
    bool makeTemplate(cv::Point2d place, const Plane &now, int side, int level, Template &out) const;
    /// How differently the surface lies in it and under another plane: 0 for the same; over 1 hard to compare.
    double difference(const Plane &now) const;
    /// The weak direction under another plane.
    cv::Point2d weakUnder(const Plane &now) const { return now.linear({}) * (plane.linear({}).inverse() * weak); }
    /// How freely the surface's shape may change from one look to the next: less where one direction is held from afar.
    double freedom() const { return isOneWay() ? 0.25 : 1; }
    bool isOneWay() const { return weak != cv::Point2d(); }
    /// Where a feature lies now, if the surface's plane is to say it.
    cv::Point2d place(const Feature &feature) const { return feature.isSupport ? feature.place + slip : feature.place; }
};

/// How far a keyframe reaches for what it holds on to.
struct Reach {
    /// What is within counts most, pixels of the first frame.
    double near;
    /// Corners are taken from within.
    double far;
};

/// @return nothing where there is too little to hold on to.
std::optional<Keyframe> makeKeyframe(const Frame &frame, const Plane &plane, const Reach &reach);

/// A keyframe that reaches no farther than it must: where there is little to see, or all of it runs one way, what is
/// farther away holds the point. Writes how far.
std::optional<Keyframe> makeFirstKeyframe(const Frame &frame, const Plane &plane, Reach &reach);

/// What was found of a keyframe's features.
struct Sighting {
    Plane plane;
    /// Features that agree, and their share of the weight in view.
    int inliers = 0;
    double share = 0;
    /// The share of those beside the anchor that agree; 1 where there are too few to tell.
    double core = 1;
    /// The share of the weight that was found anywhere: chance finds don't agree.
    double agreement = 0;
    /// Root mean square, and the anchor's own standard deviation, pixels.
    double error = 0, deviation = 0;
    /// As `Precision` has it.
    double closeness = 1;
    /// The anchor's own patch is where it should be, where what is around it said too little.
    bool isOwnSeen = false;
    /// How many levels coarser than usual it was compared.
    int coarser = 0;
    /// The keyframe's, as it is with this look.
    cv::Point2d slip;
    double slipVariance = 0;
    bool isOneWay = false;
    /// Medians over them, as `Fit` has them.
    double contrast = 1, brightness = 0;

    bool isEnough() const {
        // What holds one direction from afar is of another depth, for all that is known.
        if (deviation >= 1 || slipVariance > 1.7 || (isOneWay && error > 0.95 * (1 << coarser))) return false;
        // What is around may be seen without the anchor's own surface.
        if (core < 0.35) return false;
        // A few specks on a plain surface must nearly all be there.
        return (inliers >= 8 && share >= 0.2 && agreement >= 0.55) ||
               (inliers >= 5 && share >= 0.75 && agreement >= 0.9);
    }
    /// What is beside the anchor is where it should be.
    bool isWhole() const { return core >= 0.5 && closeness >= 0.5; }
    /// Of a surface that runs one way: enough to believe it after it wasn't.
    bool isSettled() const { return !isOneWay || (error < 0.5 * (1 << coarser) && slipVariance < 1); }
    /// Enough to look no further, though a part of it be hidden.
    bool isClear() const { return isEnough() && agreement >= 0.85 && error < 0.5 && deviation < 0.5 && coarser == 0; }
    /// To tell the better one of two.
    double quality() const { return share * agreement * core / (1 + deviation * deviation); }
    /// Enough to believe that a lost point is found again.
    bool isSure() const {
        return isEnough() && agreement >= (isOwnSeen ? 0.6 : 0.85) && error < 0.8 * (1 << coarser) && isWhole() &&
               deviation < (isOneWay ? 0.9 : 0.6) &&
               ((share >= 0.5 && inliers >= 10) || (share >= 0.35 && inliers >= 18) || (share >= 0.8 && inliers >= 6));
    }
};

/// Looks for the features where `start` says they should be, and fits the plane to where they are.
/// @param reach how far off they may be, pixels of the level at which each is compared.
/// @param coarser how many levels coarser than usual to compare: fine structure that repeats itself has several places
/// where it fits.
Sighting look(
    Keyframe &keyframe, const Pyramid &picture, const Plane &start, double radius, double reach, int coarser = 0);

/// From coarse to fine, for a start that may be some pixels off.
Sighting lookWidely(Keyframe &keyframe, const Pyramid &picture, const Plane &start, double radius);

} // namespace ocv::labels
