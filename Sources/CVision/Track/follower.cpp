#include "Track/follower.hpp"

#include <algorithm>
#include <cmath>

namespace ocv::track {

namespace {

/// Less sure places are reported but not learnt.
constexpr double learningConfidence = 0.6, adaptationConfidence = 0.8;
/// A place found anew must be surer than one followed: nothing but its look speaks for it.
constexpr double recoveryConfidence = 0.75, recoveryShape = 0.5, recoveryTone = 0.55;
/// With less than this share of the minimum confidence a place isn't even good for a prediction.
constexpr double guessShare = 0.3;
/// Sizes tried before a find is believed: the search's own are coarse.
constexpr double recoverySizes[] = {1, 0.8, 1.25};
/// Frames in a row in which a place found anew must hold before it is believed.
constexpr int confirmationsNeeded = 3;
constexpr double velocityMemory = 0.8, velocityDecay = 0.9;
constexpr double leastVisible = 0.25;

cv::Point2d middle(const cv::Rect2d &box) { return {box.x + box.width / 2, box.y + box.height / 2}; }

} // namespace

void Follower::seed(const cv::Mat &picture, const cv::Rect2d &seedBox) {
    box = seedBox;
    engine->seed(picture, box);
    appearance.seed(picture, box);
    velocity = {};
    doubts = confirmations = 0;
    lost = false;
}

Verdict Follower::update(const cv::Mat &picture) { return lost ? seek(picture) : follow(picture); }

Follower::Find Follower::look(const cv::Mat &picture) {
    const Estimate estimate = engine->locate(picture);
    const Similarity similarity = appearance.compare(picture, estimate.box);
    double sure = confidence(estimate, similarity, picture.channels() == 3);
    // Repeated edge pixels look like anything.
    sure *= std::min(1.0, visibleShare(estimate.box, picture.size()) / leastVisible);
    return {estimate.box, sure, similarity.shape >= recoveryShape && similarity.tone >= recoveryTone};
}

/// The best of a few sizes at a place found anew.
Follower::Find Follower::verify(const cv::Mat &picture, const cv::Rect2d &candidate) {
    Find best;
    for (const double size : recoverySizes) {
        const cv::Size2d now(candidate.width * size, candidate.height * size);
        const cv::Point2d center = middle(candidate);
        engine->move({center.x - now.width / 2, center.y - now.height / 2, now.width, now.height});
        const Find find = look(picture);
        if (find.confidence > best.confidence) best = find;
    }
    return best;
}

void Follower::accept(const cv::Mat &picture, const Find &find) {
    engine->move(find.box);
    box = find.box;
    if (find.confidence > learningConfidence) engine->learn(picture);
    if (find.confidence > adaptationConfidence) appearance.adapt(picture, box);
}

Verdict Follower::follow(const cv::Mat &picture) {
    const Find find = look(picture);
    if (find.confidence > manner.minimumConfidence) {
        const cv::Point2d moved = middle(find.box) - middle(box);
        velocity = doubts > 0 ? velocity : velocity * velocityMemory + moved * (1 - velocityMemory);
        doubts = 0;
        accept(picture, find);
        return {box, find.confidence, State::tracked};
    }
    doubts++;
    if (find.confidence > guessShare * manner.minimumConfidence) {
        // Half hidden or half turned: still a better guess than the motion, but nothing to learn from.
        box = find.box;
    } else {
        box += velocity;
        velocity *= velocityDecay;
    }
    engine->move(box);
    if (doubts <= manner.patience && visibleShare(box, picture.size()) >= leastVisible)
        return {box, find.confidence, State::predicted};
    lost = true;
    confirmations = 0;
    search.start(box);
    return {box, find.confidence, State::lost};
}

Verdict Follower::seek(const cv::Mat &picture) {
    if (!manner.redetect) return {box, 0, State::lost};
    Find best;
    if (confirmations > 0) {
        best = look(picture);
    } else {
        for (const cv::Rect2d &candidate : search.next(picture, appearance)) {
            engine->move(candidate);
            const Find find = look(picture);
            if (find.confidence > best.confidence) best = find;
        }
        if (best.distinct && best.confidence >= recoveryConfidence) best = verify(picture, best.box);
    }
    const bool believable = best.distinct && best.confidence >= recoveryConfidence;
    confirmations = believable ? confirmations + 1 : 0;
    if (believable) engine->move(best.box);
    if (confirmations < confirmationsNeeded)
        return {box, std::min(best.confidence, manner.minimumConfidence), State::lost};
    lost = false;
    doubts = 0;
    velocity = {};
    accept(picture, best);
    return {box, best.confidence, State::recovered};
}

} // namespace ocv::track
