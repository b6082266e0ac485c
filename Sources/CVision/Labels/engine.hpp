#pragma once
#include "Labels/reference.hpp"
#include "ocv_labels.h"

#include <memory>

namespace ocv::labels {

/// One point that is kept hold of.
class Anchor {
public:
    Anchor(std::shared_ptr<const Frame> frame, cv::Point2d point, const ocv_anchor_options &options);

    bool isHeld() const { return !keyframes_.empty(); }
    ocv_anchor_result update(std::shared_ptr<const Frame> frame, double seconds);

private:
    /// How like itself the anchor's own patch looks, 0…1, and where it is best.
    struct Appearance {
        cv::Point2d point;
        double likeness = 0;
    };

    size_t choose(const Plane &plane, size_t but) const;
    bool follow(const Frame &frame, Plane &out);
    bool sight(const Frame &frame, const Plane &start, double reach, bool isThorough, Sighting &out);
    bool search(const Frame &frame, Sighting &out);
    void carry(const Frame &frame);
    bool isTheOne(const Frame &frame, const Sighting &sighting) const;
    Appearance appearance(const Frame &frame, const Sighting &sighting);
    void refresh(const Frame &frame, const Sighting &sighting, const Appearance &seen);
    ocv_anchor_result result(int state, cv::Point2d point = {}, double confidence = 0) const;

    ocv_anchor_options options_;
    double radius_;
    std::vector<Keyframe> keyframes_;
    size_t current_ = 0;
    size_t searched_ = 0;
    std::shared_ptr<const Frame> last_;
    Plane plane_;
    /// Of the anchor, pixels a frame.
    cv::Point2d velocity_;
    /// Frames in a row in which the surroundings, and the point itself, were not seen.
    int blind_ = 0, hidden_ = 0;
    int sinceKeyframe_ = 0, sinceLost_ = 0;
    bool isLost_ = false;
    double nextSearch_ = -1e300;
};

} // namespace ocv::labels
