#include "Labels/engine.hpp"

#include "Labels/judge.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/features2d.hpp>
#include <stdexcept>

namespace ocv::labels {

namespace {

constexpr size_t mostKeyframes = 8;
constexpr int keyframeInterval = 8;
/// Under this the point is covered; over the second one it is itself again.
constexpr double leastLikeness = 0.4, sureLikeness = 0.6;
constexpr size_t mostJudges = 3;
/// What evidence is left where one direction rests on what is far away: it may be of another surface.
constexpr double heldFromAfar = 0.6;
/// The share of what is recognised of the picture that must agree on its motion.
constexpr double leastCarried = 0.4;
/// Where fewer fit closely, and the surface looks another way than it did, other ways are tried.
constexpr double doubtfulCloseness = 0.6, mostBentKeyframe = 0.03;
constexpr int coarsePoints = 12, finePoints = 32;

double unit(double x) { return std::clamp(x, 0.0, 1.0); }

/// How often a place with so much to say for it is right: of rendered clips 0.8 at 0.24, 0.99 at 0.44.
double rightness(double evidence) {
    const double doubt = unit(1 - evidence), cube = doubt * doubt * doubt;
    return 1 - cube * cube;
}

/// How often a place that two witnesses predict is right: always, of 46 in rendered clips in one and two frames; with each frame
/// that isn't seen it may have stopped or turned.
double predictedRightness(int frames) { return std::pow(0.93, frames); }

} // namespace

Anchor::Anchor(std::shared_ptr<const Frame> frame, cv::Point2d point, const ocv_anchor_options &options)
    : options_(options), radius_(options.radius), last_(frame) {
    plane_.a0 = point.x;
    plane_.b0 = point.y;
    Reach reach{options.radius, options.radius};
    if (auto keyframe = makeFirstKeyframe(*frame, plane_, reach)) keyframes_.push_back(std::move(*keyframe));
    radius_ = reach.far;
}

ocv_anchor_result Anchor::result(int state, cv::Point2d point, double confidence) const {
    ocv_anchor_result result{};
    result.point = {point.x, point.y};
    result.confidence = confidence;
    result.state = state;
    return result;
}

/// The oldest keyframe that is like the present, so that errors don't add up; the most similar where none is.
size_t Anchor::choose(const Plane &plane, size_t but) const {
    size_t best = keyframes_.size();
    double least = 1e300;
    for (size_t i = 0; i < keyframes_.size(); i++) {
        if (i == but) continue;
        const double difference = keyframes_[i].difference(plane);
        if (difference < 0.5) return i;
        if (difference < least) least = difference, best = i;
    }
    return best;
}

/// From the last frame to this one: coarse to fine, by the pictures themselves.
bool Anchor::follow(const Frame &frame, Plane &out) {
    const Keyframe &keyframe = keyframes_[current_];
    const cv::Point2d weak = keyframe.weakUnder(plane_);
    std::vector<const Feature *> visible;
    for (const auto &feature : keyframe.features)
        if (!feature.isEdge && feature.isTrusted() && plane_.depth(keyframe.place(feature)) > 0.2 &&
            last_->pyramid.contains(plane_(keyframe.place(feature))))
            visible.push_back(&feature);
    if (visible.size() < 3) return false;
    const int top = frame.pyramid.levels() - 1;
    const int finest = std::min(frame.pyramid.size().width, frame.pyramid.size().height) > 600 ? 1 : 0;
    Motion motion;
    Template patch;
    bool isCoarse = false;
    for (int level = top; level >= finest; level--) {
        const size_t wanted = level > finest ? coarsePoints : finePoints;
        const size_t stride = std::max<size_t>(1, visible.size() / wanted);
        std::vector<Pair> pairs;
        for (size_t i = 0; i < visible.size(); i += stride) {
            const cv::Point2d from = plane_(keyframe.place(*visible[i]));
            if (!makeTemplate(last_->pyramid, from, Linear(), 13, level, patch) || patch.corner() < 2) continue;
            Fit fit;
            const bool isFound = align(patch, frame.pyramid, motion(from), level == top ? 12 : 6, 0, fit);
            if (!isFound || fit.correlation < 0.6) continue;
            Pair pair = visible[i]->pair(patch, weak, keyframe.isOneWay());
            pair.from = from, pair.to = fit.point, pair.sigma = 1;
            pairs.push_back(pair);
        }
        Motion found;
        const double share = estimateMotion(pairs, 1.2 * (1 << level), found, keyframe.isOneWay());
        if (level > finest) {
            // A coarse level sees little of a turn; it only has to bring the next one near.
            if (share > 0.3 && pairs.size() >= 4) motion = found, isCoarse = true;
            continue;
        }
        if (share < 0.3 || pairs.size() < 5) {
            if (!isCoarse) return false;
            break;
        }
        motion = found;
    }
    out = motion.after(plane_);
    return out.isPlausible(radius_);
}

/// What the keyframes say, beginning with the best one.
bool Anchor::sight(const Frame &frame, const Plane &start, double reach, bool isThorough, Sighting &out) {
    const size_t first = choose(start, keyframes_.size());
    if (first >= keyframes_.size()) return false;
    out = look(keyframes_[first], frame.pyramid, start, radius_, reach);
    const Keyframe &keyframe = keyframes_[first];
    if (out.closeness < doubtfulCloseness && slantBetween(keyframe.plane, start) > mostBentKeyframe) {
        // A plane that was bent to explain two surfaces warps what it is compared with, and stays bent.
        Sighting again = look(keyframes_[first], frame.pyramid, start.unbent(keyframe.plane), radius_, reach);
        again = look(keyframes_[first], frame.pyramid, again.plane, radius_, reach);
        if (again.closeness > out.closeness) out = again;
    }
    if (isThorough && out.quality() < 0.65 && !out.isClear()) {
        const Sighting again = lookWidely(keyframes_[first], frame.pyramid, start, radius_);
        if (again.quality() > out.quality()) out = again;
    }
    current_ = first;
    if (!isThorough || (out.isEnough() && out.quality() > 0.35)) return out.isEnough();
    const size_t second = choose(start, first);
    if (second < keyframes_.size() && keyframes_[second].difference(start) < 1) {
        const Sighting other = lookWidely(keyframes_[second], frame.pyramid, start, radius_);
        if (other.quality() > out.quality()) {
            out = other;
            current_ = second;
        }
    }
    return out.isEnough();
}

/// The whole picture for one keyframe's features; the keyframes take turns.
bool Anchor::search(const Frame &frame, Sighting &out) {
    const Features &features = frame.features();
    if (features.descriptors.rows < 8) return false;
    for (size_t turn = 0; turn < std::min<size_t>(2, keyframes_.size()); turn++) {
        // The first one every time, and one of the others.
        const size_t index = turn == 0 ? 0 : 1 + searched_++ % (keyframes_.size() - 1);
        Keyframe &keyframe = keyframes_[index];
        if (keyframe.descriptors.rows < 8) continue;
        std::vector<Pair> pairs;
        for (const auto &match : matches(keyframe.descriptors, features.descriptors, 0.85f)) {
            const cv::Point2d place = keyframe.places[size_t(match.queryIdx)];
            const double far = (place.x * place.x + place.y * place.y) / (radius_ * radius_);
            pairs.push_back({place, features.points[size_t(match.trainIdx)], 1, 1 / (1 + far)});
        }
        Plane plane;
        const double scale = std::max(1.0, std::max(frame.pyramid.size().width, frame.pyramid.size().height) / 640.0);
        if (findPlane(pairs, radius_, 3 * scale, plane) < 6 || !plane.isPlausible(radius_)) continue;
        const Sighting sighting = lookWidely(keyframe, frame.pyramid, plane, radius_);
        if (!sighting.isSure() || !isTheOne(frame, sighting)) continue;
        current_ = index;
        out = sighting;
        return true;
    }
    return false;
}

/// Where a covered point should be by the rest of the picture: there it is looked for until it is uncovered.
void Anchor::carry(const Frame &frame) {
    const Keyframe &keyframe = keyframes_[current_];
    std::vector<Pair> pairs;
    for (const auto &match : matches(keyframe.scene.descriptors, frame.features().descriptors, 0.8f)) {
        const cv::Point2d then = keyframe.scene.points[size_t(match.queryIdx)];
        const cv::Point2d away = (then - keyframe.plane.anchor()) * (1 / (4 * radius_));
        pairs.push_back({then, frame.features().points[size_t(match.trainIdx)], 1, 1 / (1 + away.dot(away))});
    }
    const double smaller = std::min(frame.pyramid.size().width, frame.pyramid.size().height);
    Motion motion;
    if (pairs.size() < 8 || estimateMotion(pairs, smaller / 90, motion) < leastCarried) return;
    const Plane carried = motion.after(keyframe.plane);
    if (carried.isPlausible(radius_)) plane_ = carried;
}

/// False where the rest of the picture says that this is another place that looks alike.
bool Anchor::isTheOne(const Frame &frame, const Sighting &sighting) const {
    std::vector<std::pair<double, size_t>> likest;
    for (size_t i = 0; i < keyframes_.size(); i++) likest.emplace_back(keyframes_[i].difference(sighting.plane), i);
    std::sort(likest.begin(), likest.end());
    bool isAlike = false;
    for (size_t i = 0; i < std::min(likest.size(), mostJudges); i++) {
        const Verdict verdict = judge(keyframes_[likest[i].second], frame, sighting.plane, radius_);
        if (verdict == Verdict::same) return true;
        isAlike |= verdict == Verdict::alike;
    }
    return !isAlike;
}

Anchor::Appearance Anchor::appearance(const Frame &frame, const Sighting &sighting) {
    const Keyframe &keyframe = keyframes_[current_];
    const int full = std::min(frame.pyramid.size().width, frame.pyramid.size().height) > 600 ? 21 : 15;
    Appearance best{sighting.plane.anchor(), -1};
    Template patch;
    for (int level = 0; level < 2 + sighting.coarser; level++) {
        Fit fit;
        bool isThere = false;
        for (const int side : {full, 11, 7}) {
            isThere = keyframe.makeTemplate({}, sighting.plane, side, level, patch) &&
                      compare(patch, frame.pyramid, sighting.plane.anchor(), fit);
            if (isThere) break;
        }
        if (!isThere) continue;
        cv::Point2d point = sighting.plane.anchor();
        if (level == 0) {
            // The point's own patch has the last word as far as the surroundings leave it open: they may not be flat.
            const double sigma = 0.15 + 0.7 * sighting.error;
            Fit nearer;
            if (align(patch, frame.pyramid, point, 3 * sigma + 1, 400 / (sigma * sigma), nearer) &&
                nearer.correlation > std::max(0.8, fit.correlation)) {
                fit = nearer;
                point = nearer.point;
            }
        }
        const double washedOut = fit.contrast < 0.35 * sighting.contrast ? 0.3 : 1;
        const double textured = unit((fit.correlation - 0.2) / 0.6) * washedOut;
        const double expected = patch.deviation * sighting.contrast, actual = patch.deviation * fit.contrast;
        const double excess = std::sqrt(std::max(actual * actual - expected * expected, 0.0));
        const double difference = std::abs(fit.brightness - sighting.brightness);
        const double flat = unit(1 - (difference - 10) / 24) * unit(1 - (excess - 6) / 16);
        const double texture = unit((patch.deviation - 4) / 8);
        const double likeness = texture * textured + (1 - texture) * flat;
        if (level == 0) best.point = point;
        best.likeness = std::max(best.likeness, likeness);
    }
    // At the very edge of the picture there is no patch: the surroundings say it.
    if (best.likeness < 0) best.likeness = unit(1.5 * sighting.share);
    return best;
}

/// A new keyframe where the old ones are little like the present.
void Anchor::refresh(const Frame &frame, const Sighting &sighting, const Appearance &seen) {
    if (++sinceKeyframe_ < keyframeInterval || keyframes_.size() >= mostKeyframes) return;
    if (sighting.inliers < 12 || sighting.contrast < 0.75 || seen.likeness < 0.7 || sighting.error > 0.7 ||
        cv::norm(seen.point - sighting.plane.anchor()) > 1 || sighting.agreement < 0.7 || sighting.deviation > 0.5 ||
        sinceLost_ < 10)
        return;
    // The same view that looks different may be another light, but also a mistake: time tells.
    const bool isSettled = sinceLost_ > 90 && sighting.agreement > 0.85 && sighting.share < 0.5;
    for (const auto &keyframe : keyframes_)
        if (keyframe.difference(sighting.plane) < 0.4 && !isSettled) return;
    Plane plane = sighting.plane;
    plane.a0 = seen.point.x;
    plane.b0 = seen.point.y;
    auto keyframe = makeKeyframe(frame, plane, {options_.radius, radius_});
    if (!keyframe) return;
    keyframes_.push_back(std::move(*keyframe));
    sinceKeyframe_ = 0;
}

ocv_anchor_result Anchor::update(std::shared_ptr<const Frame> frame, double seconds) {
    if (!isHeld()) return result(OCV_ANCHOR_LOST);
    if (frame->pyramid.size() != last_->pyramid.size()) throw std::invalid_argument("the frame has another size");
    const bool wasBlind = blind_ > options_.patience;
    Plane predicted = plane_;
    Sighting sighting;
    bool isFollowed = !wasBlind && follow(*frame, predicted);
    const bool isDue = seconds >= nextSearch_ - 1e-6;
    if (blind_ >= 1 && isDue) nextSearch_ = seconds + options_.searchInterval;
    bool isSeen = sight(*frame, isFollowed ? predicted : plane_, wasBlind ? 10 : 6, !wasBlind || isDue, sighting);
    if (!isSeen && isFollowed && !wasBlind) {
        // What moved may have been something in front.
        isSeen = sight(*frame, plane_, 6, false, sighting);
    }
    const cv::Point2d steady = plane_.anchor() + velocity_;
    if (isSeen && blind_ == 0 && cv::norm(sighting.plane.anchor() - steady) > 4) {
        // Where things repeat themselves, a step may end at their neighbours: as before is likelier, if it fits as well.
        const size_t current = current_;
        Sighting onward;
        const bool isSteady = sight(*frame, Motion{{}, velocity_}.after(plane_), 6, false, onward);
        if (isSteady && onward.quality() > 0.8 * sighting.quality())
            sighting = onward;
        else
            current_ = current;
    }
    if (wasBlind && !(sighting.isSure() && isTheOne(*frame, sighting))) isSeen = false;
    // A jump that only few features tell of is that of something in front.
    if (isSeen && !wasBlind && sighting.share < 0.6 && !sighting.isSure() &&
        cv::norm(sighting.plane.anchor() - steady) > 4)
        isSeen = false;
    // What moves otherwise than the surface did and the picture does is another surface, unless it looks all the same.
    if (isSeen && !wasBlind && !keyframes_[current_].isOneWay() && !(sighting.isWhole() && sighting.deviation < 0.5) &&
        cv::norm(sighting.plane.anchor() - steady) > 4 &&
        !(isFollowed && cv::norm(sighting.plane.anchor() - predicted.anchor()) < 4))
        isSeen = false;
    if (isSeen && isLost_ && !sighting.isSettled()) isSeen = false;
    if (!isSeen && blind_ >= 1 && isDue) isSeen = search(*frame, sighting);
    if (!isSeen && wasBlind && isDue) carry(*frame);
    last_ = frame;
    if (!isSeen) {
        blind_++;
        hidden_++;
        for (Keyframe &keyframe : keyframes_) keyframe.forget();
        // Two witnesses: what the pictures' motion says must be about what the last frames' motion says. Where they
        // disagree, the motion is that of something in front.
        const bool isLikely = isFollowed && cv::norm(predicted.anchor() - steady) < 4;
        if (blind_ <= options_.patience && isLikely) plane_ = predicted;
        if (!isLost_ && isLikely && hidden_ <= options_.patience && frame->pyramid.contains(plane_.anchor()))
            return result(OCV_ANCHOR_PREDICTED, plane_.anchor(), predictedRightness(hidden_));
        isLost_ = true;
        return result(OCV_ANCHOR_LOST);
    }
    velocity_ = blind_ == 0 ? sighting.plane.anchor() - plane_.anchor() : cv::Point2d();
    blind_ = 0;
    plane_ = sighting.plane;
    keyframes_[current_].slip = sighting.slip;
    keyframes_[current_].slipVariance = sighting.slipVariance;
    if (!frame->pyramid.contains(plane_.anchor())) {
        isLost_ = true;
        return result(OCV_ANCHOR_LOST);
    }
    const Appearance seen = appearance(*frame, sighting);
    if (seen.likeness < (isLost_ ? sureLikeness : leastLikeness)) {
        hidden_++;
        if (!isLost_ && hidden_ <= options_.patience)
            return result(OCV_ANCHOR_PREDICTED, plane_.anchor(), predictedRightness(hidden_));
        isLost_ = true;
        return result(OCV_ANCHOR_LOST);
    }
    hidden_ = 0;
    sinceLost_ = isLost_ ? 0 : sinceLost_ + 1;
    const double evidence = (0.25 + 0.75 * unit(1.25 * sighting.share)) * (0.3 + 0.7 * unit(seen.likeness)) *
                            unit(sighting.inliers / 10.0) /
                            (1 + std::max(sighting.deviation * sighting.deviation, sighting.slipVariance)) *
                            (keyframes_[current_].isOneWay() ? heldFromAfar : 1);
    const int state = isLost_ ? OCV_ANCHOR_RECOVERED : OCV_ANCHOR_TRACKED;
    isLost_ = false;
    refresh(*frame, sighting, seen);
    return result(state, seen.point, rightness(evidence));
}

} // namespace ocv::labels
