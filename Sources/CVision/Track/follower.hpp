#pragma once
#include "Track/appearance.hpp"
#include "Track/confidence.hpp"
#include "Track/engine.hpp"
#include "Track/figure.hpp"
#include "Track/search.hpp"

namespace ocv::track {

enum class State { tracked, predicted, lost, recovered };

struct Verdict {
    cv::Rect2d box;
    double confidence = 0;
    State state = State::tracked;
};

struct Manner {
    double minimumConfidence;
    int patience;
    bool redetect;
    bool thorough; ///< whether what is out of sight is looked for in the whole picture at once, and as long as it is
    bool byFigure; ///< whether looks are compared where the seed's pixels were the object's
};

/// Decides what an engine's finds mean: follows while they look like the object, bridges a short doubt by the
/// object's motion, then declares it lost and looks for it again.
class Follower {
public:
    Follower(std::unique_ptr<Engine> engine, Manner manner)
        : engine(std::move(engine)), manner(manner), appearance(manner.byFigure) {}

    void seed(const cv::Mat &picture, const cv::Rect2d &box);
    Verdict update(const cv::Mat &picture);

private:
    struct Find {
        Place place;
        double response = 0;   ///< the filter's; 0 where networks see
        double identity = 0;   ///< how likely it is the object, 0…1
        double sureness = 0;   ///< how fit it is to be learnt, 0…1
        double fit = 0;        ///< how likely its box fits, 0…1
        bool distinct = false; ///< its looks alone already say that it is the object
    };

    Find look(const cv::Mat &picture);
    Verdict follow(const cv::Mat &picture);
    Verdict seek(const cv::Mat &picture);
    void miss();
    std::optional<Find> findAgain(const cv::Mat &picture);
    Verdict recover(const cv::Mat &picture, const Find &find);
    double confidence(const Find &find) const;
    Find verify(const cv::Mat &picture, const Place &candidate);
    Find turned(const cv::Mat &picture, const Find &find);
    void accept(const cv::Mat &picture, const Find &find);
    void measure(const Find &find);

    std::unique_ptr<Engine> engine;
    Manner manner;
    Appearance appearance;
    Search search;
    Place place;
    cv::Size2d seeded; ///< the seed's sides
    cv::Size2d whole;  ///< of its place, where it was seen whole last; none where that can't be told
    double usual = 0;  ///< the response of late
    cv::Point2d velocity;
    int doubts = 0, confirmations = 0;
    Place seen;      ///< where it was found anew, while that is to be confirmed
    int looking = 0; ///< frames for which it has been looked for
    bool lost = false;
};

} // namespace ocv::track
