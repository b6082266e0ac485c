#pragma once
#include <opencv2/core.hpp>
#include <vector>

namespace ocv::track {

/// Tells an object's pixels from its surroundings' by their colours, whatever its shape: what bends, turns or rolls keeps its
/// colours. They are believed the less the more something else within reach stands out by them, too.
///
/// Bertinetto et al., “Staple: Complementary Learners for Real-Time Tracking” (CVPR 2016); Possegger et al.,
/// “In Defense of Color-Based Model-Free Tracking” (CVPR 2015).
class ColorModel {
public:
    /// How much a box stands out.
    struct Contrast {
        double inside = 0; ///< mean likelihood of its pixels, 0…1
        double around = 0; ///< of those in a ring around it
        double clear() const { return inside - around; }
    };

    /// How what has the object's colours lies in a box, against how it lay in the seed's.
    struct Spread {
        cv::Point2d strayed;    ///< how far its middle has gone, in sides of the box
        cv::Size2d grown{1, 1}; ///< by which factors it is spread further
    };

    /// How far around its middle, in sides of the object's box, its shape is looked at.
    static constexpr double reach = 0.8;

    /// `sample`: size of the samples in pixels; `object`: the object's in them.
    ColorModel(cv::Size sample, cv::Size2d object);

    /// Learns that the object is in the middle of this sample.
    void learn(const cv::Mat &sample);
    /// Looks at a sample.
    void look(const cv::Mat &sample);
    /// Of the sample last looked at: the box at a shift from its middle, in pixels.
    Contrast contrastAt(cv::Point2d shift) const;
    /// Of the sample last looked at: how the object's colours are spread about a shift from the middle; as in the seed
    /// where that can't be told.
    Spread spreadAt(cv::Point2d shift) const;
    /// Of the sample last looked at: how likely it is the object's, 0…1, as 32-bit means over `cells`.
    cv::Mat likely(cv::Size cells) const;

    /// How far the object stood out of late where it was learnt.
    double usual() const { return usually; }
    /// How much is to be given on these colours, 0…1: they say nothing where the surroundings have them, too, or something in
    /// reach that may be taken for the object.
    double trust() const;
    /// The same whatever else has them: what doesn't stand out as it did isn't the object, alone or not.
    static double trust(double usual);

private:
    /// Mean (in sides of the box) and standard deviations (pixels) of where the object's colours are.
    struct Moments {
        cv::Point2d middle;
        cv::Size2d size;
    };

    double sum(const cv::Rect2d &box, double &area) const;
    Moments moments(cv::Point2d shift) const;
    double rival() const;

    cv::Size size;
    cv::Size2d object;
    Moments first;
    std::vector<float> own, other;
    cv::Mat told, sums;
    double usually = 0;
    double rivalry = 0; ///< how far the clearest other place in reach stood out of late
    bool taught = false;
};

} // namespace ocv::track
