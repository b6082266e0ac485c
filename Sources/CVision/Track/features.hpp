#pragma once
#include <array>
#include <opencv2/core.hpp>
#include <vector>

namespace ocv::track {

/// A window of the picture: its centre (pixels, integer coordinates are pixel centres), how many picture pixels one pixel of the
/// sample covers in its width and in its height, and how far it is turned, in radians from the x axis to the y axis.
struct Window {
    cv::Point2d center;
    double across = 1, down = 1;
    double angle = 0;
};

/// Samples `window` into a patch of `size` pixels; what lies outside the picture repeats the picture's edge, or is of
/// the colour `outside`. Strong reductions are averaged first, as bilinear sampling alone would alias.
void sample(
    const cv::Mat &picture, const Window &window, cv::Size size, cv::Mat &patch, const cv::Scalar *outside = nullptr);

/// The features that the correlation filter works on, one plane a channel, at one value a cell.
///
/// Gradient histograms as in Felzenszwalb et al., “Object Detection with Discriminatively Trained Part-Based Models”
/// (PAMI 2010): 18 directed and 9 undirected orientations and 4 texture energies; the mean intensity; and, for
/// colour pictures, soft memberships to eleven basic colours in the spirit of van de Weijer et al., “Learning Color
/// Names for Real-World Applications” (TIP 2009), computed from prototypes instead of learned.
class FeatureExtractor {
public:
    static constexpr int cell = 4;
    static constexpr int gradientChannels = 31;
    static constexpr int colorChannels = 11;

    explicit FeatureExtractor(bool color);
    int channels() const { return gradientChannels + 1 + (color ? colorChannels : 0); }

    /// `patch`: 8 bits, 1 or 3 (blue, green, red) channels. Each kind of feature is brought to the same energy.
    void extract(const cv::Mat &patch, std::vector<cv::Mat> &planes);

    /// The gradient part alone, unnormalised: `out` gets rows × columns of cells × 31 values.
    void gradients(const cv::Mat &patch, std::vector<float> &out);

private:
    void histograms(const cv::Mat &patch);
    void colors(const cv::Mat &patch, std::vector<cv::Mat> &planes, int first);

    bool color;
    cv::Size cells;
    std::vector<float> histogram, energy, features;
    std::vector<std::array<float, colorChannels>> names;
};

} // namespace ocv::track
