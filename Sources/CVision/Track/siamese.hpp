#pragma once
#include "Track/place.hpp"
#include "ocv_track.h"

#include <functional>
#include <opencv2/core.hpp>
#include <vector>

namespace ocv::track {

/// What a pair of networks says of a search window.
struct Sighting {
    Place place;          ///< of the best cell
    double score = 0;     ///< of the best cell, 0…1
    double margin = 0;    ///< the same as a logit
    double agreement = 0; ///< mean overlap of the best box with those of the cells around, by their scores, 0…1
    double rival = 0;     ///< score of the best cell whose box lies elsewhere, 0…1
};

/// A pair of networks of the Siamese kind: one turns pictures into features, the other finds a template's features in
/// those of a search window and gives for each of its cells how much an object it is and where its sides are.
///
/// Li et al., “SiamRPN++” (CVPR 2019), Xu et al., “SiamFC++” (AAAI 2020); context, window and penalties as there.
class Siamese {
public:
    using Features = std::vector<float>;
    using Opinion = std::function<double(const Place &)>;

    /// What counts against the networks' own score.
    struct Bias {
        double pull;      ///< of nearness to the expected place, 0…1
        double stiffness; ///< how fast a box of another size or shape is worth less
    };

    explicit Siamese(const ocv_tracker_networks &networks);

    /// The features of an object in a box with as much around it as the networks are used to.
    Features embed(const cv::Mat &picture, const Place &place);

    /// Reads the window around a place, turned as that is.
    void open(const cv::Mat &picture, const Place &place);

    /// Looks for a template in the window that is open.
    /// - Parameters
    ///   - expected: where the object should be, with the size that it had last.
    ///   - opinion: what somebody else adds to a box's value; may be empty.
    Sighting find(const Features &pattern, const Place &expected, Bias bias, const Opinion &opinion);

private:
    void crop(const cv::Mat &picture, const Place &at, double side, int size);
    cv::Rect2d boxOf(int cell) const;
    Place placeOf(const cv::Rect2d &box) const;

    ocv_tracker_networks networks;
    cv::Scalar surround; ///< what lies outside the picture
    bool hasSurround = false;
    Place around;    ///< what the window is about
    double unit = 1; ///< picture pixels in one of the window's
    cv::Mat patch;
    std::vector<float> pixels, scores, sides;
    std::vector<double> chances;
    std::vector<cv::Rect2d> boxes;
    Features window;
};

} // namespace ocv::track
