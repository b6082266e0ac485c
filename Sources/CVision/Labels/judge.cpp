#include "Labels/judge.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace ocv::labels {

std::vector<cv::DMatch> matches(const cv::Mat &from, const cv::Mat &to, float ratio) {
    constexpr float farthest = 72;
    // OpenCV takes no empty sets.
    if (from.rows < 2 || to.rows < 2) return {};
    std::vector<std::vector<cv::DMatch>> found;
    cv::BFMatcher(cv::NORM_HAMMING).knnMatch(from, to, found, 2);
    std::vector<cv::DMatch> result;
    for (const auto &match : found)
        if (match.size() == 2 && match[0].distance <= farthest && match[0].distance <= ratio * match[1].distance)
            result.push_back(match[0]);
    return result;
}

Verdict judge(const Keyframe &keyframe, const Frame &frame, const Plane &found, double radius) {
    const Features &now = frame.features();
    const double smaller = std::min(frame.pyramid.size().width, frame.pyramid.size().height);
    std::vector<Pair> pairs;
    double around = 0, agreed = 0;
    int count = 0;
    for (const auto &match : matches(keyframe.scene.descriptors, now.descriptors, 0.8f)) {
        const cv::Point2d then = keyframe.scene.points[size_t(match.queryIdx)];
        const cv::Point2d to = now.points[size_t(match.trainIdx)];
        pairs.push_back({then, to});
        const cv::Point2d place = keyframe.plane.back(then);
        if (keyframe.plane.depth(place) < 0.2 || found.depth(place) < 0.2) continue;
        // The neighbourhood itself is what is in doubt.
        const double distance = std::hypot(place.x, place.y) / radius;
        if (distance < 1.2) continue;
        const double weight = 1 / (1 + distance * distance / 16);
        count++;
        around += weight;
        // The farther away, the less does the neighbourhood's plane say of it.
        if (cv::norm(found(place) - to) < smaller / 120 + 0.08 * distance * radius) agreed += weight;
    }
    if (count < 8) return Verdict::unknown;
    Motion motion;
    const double share = estimateMotion(pairs, smaller / 45, motion);
    const bool isClear = share >= 0.25;
    if (agreed >= 0.4 * around) return Verdict::same;
    if (isClear && cv::norm(motion(keyframe.plane.anchor()) - found.anchor()) < smaller / 12) return Verdict::same;
    if (!isClear) return Verdict::alike;

    // What the keyframe showed there, by what is beside it, and what there is now.
    for (Pair &pair : pairs) {
        const cv::Point2d away = (pair.to - found.anchor()) * (6 / smaller);
        pair.weight = 1 / (1 + away.x * away.x + away.y * away.y);
    }
    if (estimateMotion(pairs, smaller / 60, motion) < 0.2) return Verdict::alike;
    if (cv::norm(motion(keyframe.plane.anchor()) - found.anchor()) < smaller / 12) return Verdict::same;
    const cv::Mat &picture = frame.pyramid.image(std::min(Keyframe::sceneLevel, frame.pyramid.levels() - 1));
    const double scale = smaller / std::min(picture.cols, picture.rows);
    const int half = std::max(int(0.7 * radius / scale), 4), reach = half;
    const cv::Point centre(int(std::lround(found.a0 / scale)), int(std::lround(found.b0 / scale)));
    const cv::Rect square = cv::Rect(centre.x - half, centre.y - half, 2 * half + 1, 2 * half + 1) &
                            cv::Rect(0, 0, picture.cols, picture.rows);
    if (square.width < 8 || square.height < 8) return Verdict::alike;
    const Linear &turn = motion.linear;
    const cv::Matx23d warp(
        turn.xx, turn.xy, motion.shift.x / scale - square.x + reach, turn.yx, turn.yy,
        motion.shift.y / scale - square.y + reach);
    cv::Mat before, likeness;
    const cv::Size wider(square.width + 2 * reach, square.height + 2 * reach);
    cv::warpAffine(keyframe.scenery, before, warp, wider, cv::INTER_LINEAR, cv::BORDER_REPLICATE);
    cv::matchTemplate(before, picture(square), likeness, cv::TM_CCOEFF_NORMED);
    double best = 0;
    cv::minMaxLoc(likeness, nullptr, &best);
    return best > 0.7 ? Verdict::alike : Verdict::moved;
}

} // namespace ocv::labels
