#pragma once
#include "Track/appearance.hpp"

namespace ocv::track {

/// Looks for a lost object: normalised template matching on a reduced picture, a bounded piece of it a frame.
///
/// The pieces take turns: first around the place where the object was lost, then ever more of the whole picture,
/// at a few sizes. What it finds are candidates, to be verified by somebody who knows the object better.
class Search {
public:
    void start(const Place &place);
    /// The best few candidates in this frame's piece, best first.
    std::vector<Place> next(const cv::Mat &picture, const Appearance &appearance);
    /// The best few candidates in the whole picture, of two of the sizes and looks that take turns, best first. Dear.
    std::vector<Place> everywhere(const cv::Mat &picture, const Appearance &appearance);

private:
    struct Candidate {
        Place place;
        double likeness;
    };

    /// Adds the candidates of a piece, at one size and by one look.
    void look(
        const cv::Mat &picture, const cv::Rect2d &piece, double size, const cv::Mat &pattern,
        std::vector<Candidate> &found) const;
    /// How far the picture is reduced for a size.
    double reduction(double size) const;

    cv::Rect2d last;
    int frame = 0, tile = 0, round = 0;
};

} // namespace ocv::track
