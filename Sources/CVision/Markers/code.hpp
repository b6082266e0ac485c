#pragma once
#include "Markers/dictionary.hpp"
#include "Markers/geometry.hpp"
#include "Markers/measurements.hpp"

namespace ocv::markers {

/// What a quadrilateral reads as.
struct Reading {
    bool found = false;
    /// Not found, but the border is dark enough all round for better corners to be worth a second try.
    bool promising = false;
    MarkerDictionary::Match match;
    int borderErrors = 0;
    /// Luma of the dark and the light cells.
    float black = 0, white = 0;
    /// The share of the samples that are on their cell's side of the threshold: a grid that isn't the marker's own cuts across
    /// what is there.
    double purity = 0;
    /// The rise of the side that rises least from the border to just outside, as a share of the marker's contrast.
    double rise = 0;
    /// Of a reading that chance makes now and then, how unlike its code what is seen is, over 1 being another thing: `ModelFit`.
    double doubt = 0;
    /// The same of a reading that chance makes often, whatever its size: it is told all the same, but not as sure.
    double strangeness = 0;
    /// The standard deviation of the blur, pixels, of one whose sides alone tell where it is, though that is too wide for them.
    double blur = 0;
};

/// Reads codes off the picture: samples a grid of cells through the quadrilateral's perspective and looks the bits up.
class CodeReader {
public:
    CodeReader(const MarkerDictionary &dictionary, double correctionRate);

    /// Where what is measured from now on is kept, and looked up first: what others have measured of an outline in the same
    /// picture. Null for nowhere.
    void share(Measurements *measurements) { shared = measurements; }

    /// One threshold (Otsu 1979) for the whole marker.
    Reading read(const Sampler &luma, const Quad &quad);
    /// A threshold that follows the light across the marker, and cells sharpened against their neighbours, after the
    /// decoding of AprilTag (Wang and Olson, “AprilTag 2”, 2016): for small, blurred and unevenly lit markers. Fewer
    /// wrong border cells are allowed, since it tries harder.
    Reading readCarefully(const Sampler &luma, const Quad &quad);

    /// Luma of the darkest and the lightest cell, by a sample each; 0 and 0 where what is there looks unlike a marker.
    std::pair<float, float> shades(const Sampler &luma, const Quad &quad);

    int borderLimit() const { return limit; }
    /// Whether chance alone makes codes of this dictionary now and then.
    bool isCodeCommon() const { return commonCode; }
    /// Whether this reading is one that chance makes now and then, so that it has to be held against what is seen: how many bits
    /// had to be corrected counts.
    bool isDoubtful(const Reading &reading) const;
    /// How often chance makes such a reading where there is a border, 0…1, from never to so often that it tells nothing by
    /// itself: by the dictionary's codes, their bits, and how many of them had to be corrected.
    double commonness(const Reading &reading) const;
    /// How sure a reading is, 0…1.
    double confidence(const Reading &reading) const;

private:
    /// What is known of the grid on a quad.
    Measurements::Grids &grids(const Quad &quad);
    bool looksLikeMarker(const Sampler &luma, const SquareToQuad &map, Measurements::Grids &known);
    Look look(const Sampler &luma, const SquareToQuad &map);
    /// Luma levels by which the four sides are lighter outside, on average; the least of them.
    float riseOutside(const Sampler &luma, const SquareToQuad &map) const;
    /// What a code that chance makes now and then has to show besides: whether it does.
    bool isBorneOut(const Reading &reading) const;
    /// Measures how sure a reading is.
    /// - Parameter threshold: what each cell is compared with.
    template <typename Threshold>
    void judge(Reading &reading, const Sampler &luma, const SquareToQuad &map, Threshold threshold) const;
    void sampleCells(const Sampler &luma, const Quad &quad, const SquareToQuad &map);
    void readPlainly(const Sampler &luma, const Quad &quad, const SquareToQuad &map, float &threshold);
    /// False where nothing is light.
    bool readSharpened(const Sampler &luma, const Quad &quad, const SquareToQuad &map);
    /// What the cells are that were read.
    Grid grid() const;
    Reading decide(const Grid &grid, int borderErrorsAllowed) const;
    MarkerDictionary::Match identify(uint64_t code) const;
    float otsu(const float *values, size_t count) const;
    bool onBorder(int row, int column) const {
        return row == 0 || column == 0 || row == side - 1 || column == side - 1;
    }

    const MarkerDictionary &dictionary;
    /// Cells along a side, border included.
    int side;
    /// Wrong cells that are allowed in the border, and corrected bits in the code.
    int limit = 0, correction;
    bool commonCode = false;
    /// Codes with their ids in order of the codes, where none is corrected.
    std::vector<std::pair<uint64_t, int>> ordered;
    Measurements *shared = nullptr, own;
    std::vector<float> cells, samples, sharpened;
    std::vector<uint8_t> light;
};

} // namespace ocv::markers
