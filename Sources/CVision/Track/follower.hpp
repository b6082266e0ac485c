#pragma once
#include "Track/appearance.hpp"
#include "Track/engine.hpp"
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
};

/// How sure it is that an engine's place is the object, 0…1: see confidence.cpp.
double confidence(const Estimate &estimate, const Similarity &similarity, bool color);

/// Decides what an engine's finds mean: follows while they look like the object, bridges a short doubt by the
/// object's motion, then declares it lost and looks for it again.
class Follower {
public:
    Follower(std::unique_ptr<Engine> engine, Manner manner) : engine(std::move(engine)), manner(manner) {}

    void seed(const cv::Mat &picture, const cv::Rect2d &box);
    Verdict update(const cv::Mat &picture);

private:
    struct Find {
        cv::Rect2d box;
        double confidence = 0;
        bool distinct = false; ///< its shape and tones alone already say that it is the object
    };

    Find look(const cv::Mat &picture);
    Verdict follow(const cv::Mat &picture);
    Verdict seek(const cv::Mat &picture);
    Find verify(const cv::Mat &picture, const cv::Rect2d &candidate);
    void accept(const cv::Mat &picture, const Find &find);

    std::unique_ptr<Engine> engine;
    Manner manner;
    Appearance appearance;
    Search search;
    cv::Rect2d box;
    cv::Point2d velocity;
    int doubts = 0, confirmations = 0;
    bool lost = false;
};

} // namespace ocv::track
