#include "Track/follower.hpp"

#include <algorithm>
#include <cmath>

namespace ocv::track {

namespace {

/// Less sure places are reported but not learnt.
constexpr double learningSureness = 0.6, adaptationSureness = 0.8;
/// A place found anew must be surer than one followed: nothing but its look speaks for it.
constexpr double recoveryIdentity = 0.75, recoveryShape = 0.5, recoveryTone = 0.55;
constexpr double clearResponse = 0.6, clearSidelobe = 12, clearShape = 0.4;
constexpr double recoveryMargin = 3, recoveryColor = 0.75, recoveryTurned = 0.3;
/// With less than this share of the minimum confidence a place isn't even good for a prediction.
constexpr double guessShare = 0.3;
/// Sizes tried before a find is believed: the search's own are coarse.
constexpr double recoverySizes[] = {1, 0.8, 1.25};
/// Turns tried by a filter that isn't certain, in radians, and how many each way.
constexpr double recoveryTurn = 0.1;
constexpr int recoveryTurns = 3;
/// Frames in a row in which a place found anew must hold before it is believed.
constexpr int confirmationsNeeded = 3;
/// Where it is looked for thoroughly: every so many frames in the whole picture.
constexpr int thoroughEvery = 2;
/// Where the response falls below this share of what it was of late, the object may be covered in part.
constexpr double wholeResponse = 0.9, responseRate = 0.1;
constexpr double velocityMemory = 0.8, velocityDecay = 0.9;
constexpr double leastVisible = 0.25;
const cv::Size figureSize(50, 50);

} // namespace

void Follower::seed(const cv::Mat &picture, const cv::Rect2d &seedBox) {
    place = Place(seedBox);
    place.lean = leanOf(figureOf(picture, place, figureSize));
    seeded = place.bounds().size();
    engine->seed(picture, place);
    appearance.seed(picture, place);
    whole = {};
    usual = 0;
    velocity = {};
    doubts = confirmations = looking = 0;
    lost = false;
}

Verdict Follower::update(const cv::Mat &picture) { return lost ? seek(picture) : follow(picture); }

Follower::Find Follower::look(const cv::Mat &picture) {
    Estimate estimate = engine->locate(picture);
    // Its colours found it, but somebody else may wear them: what was lost they don't confirm.
    if (lost) estimate.colors.reset();
    const Similarity similarity = appearance.compare(picture, estimate.place);
    // Repeated edge pixels look like anything.
    const double visible = std::min(1.0, visibleShare(estimate.place.bounds(), picture.size()) / leastVisible);
    Find find;
    find.place = estimate.place;
    find.identity = visible * identity(estimate, similarity, picture.channels() == 3);
    find.sureness = visible * sureness(estimate, find.identity);
    const cv::Rect2d box = find.place.bounds();
    find.fit = fit(estimate, similarity, {box.width / seeded.width, box.height / seeded.height});
    find.distinct = find.identity >= recoveryIdentity && similarity.shape >= recoveryShape;
    if (estimate.sighting) {
        // Networks know an object that has turned; that it is this one its colours must say.
        find.distinct = estimate.sighting->margin >= recoveryMargin && similarity.color >= recoveryColor &&
                        similarity.shape >= recoveryTurned;
    } else {
        find.response = estimate.response;
        // A filter whose answer is as clear as where it learnt needs less of other witnesses.
        const bool isClear = estimate.response >= clearResponse && estimate.sidelobe >= clearSidelobe &&
                             find.identity >= recoveryIdentity && similarity.shape >= clearShape;
        find.distinct = (find.distinct && similarity.tone >= recoveryTone) || isClear;
    }
    return find;
}

/// Over the minimum where a place is the object, and the higher the likelier its box fits; at most the minimum
/// elsewhere.
double Follower::confidence(const Find &find) const {
    if (find.identity <= manner.minimumConfidence) return find.identity;
    return manner.minimumConfidence + (1 - manner.minimumConfidence) * std::max(find.fit, 1e-3);
}

/// The best of a few sizes at a place found anew, turned where it isn't distinct as it is.
Follower::Find Follower::verify(const cv::Mat &picture, const Place &candidate) {
    Find best;
    for (const double size : recoverySizes) {
        engine->jump(candidate.scaled(size));
        const Find find = look(picture);
        if (find.identity > best.identity) best = find;
    }
    return best.distinct || best.response <= 0 ? best : turned(picture, best);
}

/// As far as the filter knows it ever better: what was lost comes back turned.
Follower::Find Follower::turned(const cv::Mat &picture, const Find &find) {
    for (const double by : {recoveryTurn, -recoveryTurn}) {
        Find best = find;
        for (int n = 0; n < recoveryTurns; n++) {
            engine->jump(best.place.turned(by));
            const Find next = look(picture);
            if (next.response <= best.response) break;
            best = next;
        }
        if (best.response > find.response) return best;
    }
    return find;
}

void Follower::accept(const cv::Mat &picture, const Find &find) {
    engine->move(find.place);
    place = find.place;
    if (find.sureness > learningSureness) engine->learn(picture);
    if (find.sureness > adaptationSureness) appearance.adapt(picture, place);
}

/// What goes behind something looks ever smaller, but comes out again as it went in.
void Follower::measure(const Find &find) {
    if (find.response <= 0) return;
    if (find.response >= wholeResponse * usual) whole = place.size;
    usual += (usual > 0 ? responseRate : 1) * (find.response - usual);
}

Verdict Follower::follow(const cv::Mat &picture) {
    const Find find = look(picture);
    if (find.identity > manner.minimumConfidence) {
        const cv::Point2d moved = find.place.middle - place.middle;
        velocity = doubts > 0 ? velocity : velocity * velocityMemory + moved * (1 - velocityMemory);
        doubts = looking = 0;
        accept(picture, find);
        measure(find);
        return {place.bounds(), confidence(find), State::tracked};
    }
    doubts++;
    if (find.identity > guessShare * manner.minimumConfidence) {
        // Half hidden or half turned: still a better guess than the motion, but nothing to learn from.
        place = find.place;
    } else {
        place = place.moved(velocity);
        velocity *= velocityDecay;
    }
    // It may be elsewhere by now: behind a cut, or where somebody put it.
    if (manner.thorough && manner.redetect) {
        if (find.identity > guessShare * manner.minimumConfidence) {
            looking = confirmations = 0;
        } else {
            if (looking == 0) miss();
            lost = true;
            const std::optional<Find> again = findAgain(picture);
            lost = false;
            if (again) return recover(picture, *again);
        }
    }
    engine->move(place);
    if (doubts <= manner.patience && visibleShare(place.bounds(), picture.size()) >= leastVisible)
        return {place.bounds(), find.identity, State::predicted};
    lost = true;
    if (!whole.empty()) place.size = whole;
    if (looking == 0) miss();
    // What is about to be confirmed goes on to be.
    if (confirmations > 0) engine->jump(seen);
    return {place.bounds(), 0, State::lost};
}

/// Begins to look for it.
void Follower::miss() {
    confirmations = 0;
    Place as = place;
    if (!whole.empty()) as.size = whole;
    search.start(as);
}

Verdict Follower::seek(const cv::Mat &picture) {
    if (!manner.redetect) return {place.bounds(), 0, State::lost};
    const std::optional<Find> again = findAgain(picture);
    return again ? recover(picture, *again) : Verdict{place.bounds(), 0, State::lost};
}

/// It, where it has been found anew for long enough to be believed.
std::optional<Follower::Find> Follower::findAgain(const cv::Mat &picture) {
    Find best;
    const int turn = looking++;
    if (confirmations > 0) {
        if (manner.thorough) engine->jump(seen);
        best = look(picture);
    } else {
        std::vector<Place> candidates = manner.thorough && turn % thoroughEvery == 0
                                          ? search.everywhere(picture, appearance)
                                          : search.next(picture, appearance);
        // It often is where it was lost; the networks see far around that.
        candidates.push_back(place);
        for (const Place &candidate : candidates) {
            engine->jump(candidate);
            const Find find = look(picture);
            if (find.identity > best.identity) best = find;
        }
        const bool isLikely = best.response > 0 && best.identity >= recoveryIdentity;
        if (best.distinct || isLikely) best = verify(picture, best.place);
    }
    confirmations = best.distinct ? confirmations + 1 : 0;
    if (best.distinct) {
        engine->jump(best.place);
        seen = best.place;
    }
    if (confirmations < confirmationsNeeded) return {};
    return best;
}

Verdict Follower::recover(const cv::Mat &picture, const Find &best) {
    lost = false;
    doubts = looking = confirmations = 0;
    velocity = {};
    usual = 0;
    accept(picture, best);
    measure(best);
    return {place.bounds(), confidence(best), State::recovered};
}

} // namespace ocv::track
