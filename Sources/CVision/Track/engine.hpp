#pragma once
#include "Track/colors.hpp"
#include "Track/place.hpp"
#include "ocv_track.h"

#include <memory>
#include <opencv2/core.hpp>
#include <optional>

namespace ocv::track {

/// Where an engine sees its object, and the shape of the response that says so.
struct Estimate {
    /// What networks said of the box, where they gave it.
    struct Networks {
        double margin;    ///< how much an object it is, as a logit
        double agreement; ///< of the cells around on the box: their mean overlap, 0…1
        double rival;     ///< the best other box's score, 0…1
    };

    /// What the colours said of the place, where they are looked at.
    struct Colors {
        double clear; ///< how far its colours stand out from what is around it
        double usual; ///< how far they did of late
        double trust; ///< how much they are to be believed, 0…1
    };

    Place place;
    double response = 0; ///< about 1 where the picture looks as taught, 0 where nothing does
    double sidelobe = 0; ///< peak-to-sidelobe ratio of the response
    std::optional<Networks> sighting;
    std::optional<Colors> colors;
};

/// Follows one object from frame to frame without judging: whether the place it found is still the object is for
/// the appearance model to say. Looking and learning are apart, so that a doubtful place isn't learnt.
class Engine {
public:
    virtual ~Engine() = default;

    /// Learns the object from scratch.
    virtual void seed(const cv::Mat &picture, const Place &place) = 0;
    /// Looks near the last place; what was learnt and the last place stay as they are.
    virtual Estimate locate(const cv::Mat &picture) = 0;
    /// The next search starts here.
    virtual void move(const Place &place) = 0;
    /// The same, for a place where the object didn't move to: it is looked for there.
    virtual void jump(const Place &place) { move(place); }
    /// Learns that the object is at the place last set by `move`.
    virtual void learn(const cv::Mat &picture) = 0;
};

/// How much work a correlation engine may do.
struct Effort {
    bool color;
    int cells;      ///< side of the search window, in cells of 4 sample pixels
    double padding; ///< side of the search window ÷ √(object's area)
    int interval;   ///< frames between two lessons
    bool byColors;  ///< whether what stands out by its colours counts
};

std::unique_ptr<Engine> makeCorrelationEngine(const Effort &effort);
std::unique_ptr<Engine> makeSiameseEngine(const ocv_tracker_networks &networks);

} // namespace ocv::track
