#include "Markers/code.hpp"

#include <algorithm>
#include <opencv2/core.hpp>

namespace ocv::markers {

namespace {

/// Luma levels between a marker's darkest and lightest cell below which there is nothing to read.
constexpr float smallestContrast = 12;

/// What a side must rise by from the border's cells to just outside, as a share of the marker's contrast.
constexpr float smallestRise = 0.15f;
/// The same, and the purity of its cells, for a code that chance makes now and then; and for one that is a mere shape.
constexpr double commonRise = 0.3, commonPurity = 0.88, plainRise = 0.5, plainPurity = 0.95;
/// The chance of a reading from which on it has to be held against what is seen.
constexpr double likelyChance = 1e-6;
/// The chances of a reading between which more and more of it has to be borne out by what is seen, which takes time: the words of
/// the smallest dictionaries, read without a fault, are rarer than that.
constexpr double leastCommon = 4e-3, mostCommon = 1e-2;
/// How unlike its code what is seen of a true marker is, as `ModelFit::doubt` says: commonly, and hardly ever.
constexpr double leastStrange = 0.35, mostStrange = 0.65;
/// Standard deviation of a blur, pixels, up to which sides tell where a marker is.
constexpr double clearBlur = 1.5;
/// How far outside the border that is looked at, in cells: quiet zones may be narrow.
constexpr double outsideCells = 0.35;

/// The share of all patterns that some marker of the dictionary would be read from.
double chanceOfAnyCode(const MarkerDictionary &dictionary, int correction) {
    const int cells = dictionary.bits * dictionary.bits;
    double patterns = 0, combinations = 1;
    for (int wrong = 0; wrong <= correction; ++wrong) {
        patterns += combinations;
        combinations *= double(cells - wrong) / (wrong + 1);
    }
    return 4.0 * double(dictionary.codes.size()) * patterns / std::pow(2.0, cells);
}

/// A plane a + b·column + c·row through the values of some cells.
class LightModel {
public:
    void add(double column, double row, double value) {
        const cv::Vec3d v(1, column, row);
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) normal(i, j) += v[i] * v[j];
            right[i] += v[i] * value;
        }
    }
    void solve() {
        // Few or lined-up cells can't carry a slope: a little weight on "no slope" leaves a plain mean then.
        normal(1, 1) += 0.5;
        normal(2, 2) += 0.5;
        normal(0, 0) += 1e-9;
        const double slopeAt = right[0] / normal(0, 0);
        right[1] -= slopeAt * normal(1, 0), right[2] -= slopeAt * normal(2, 0), right[0] = 0;
        plane = normal.solve(right, cv::DECOMP_CHOLESKY);
        plane[0] += slopeAt;
    }
    float operator()(double column, double row) const { return float(plane[0] + plane[1] * column + plane[2] * row); }

private:
    cv::Matx33d normal = cv::Matx33d::zeros();
    cv::Vec3d right, plane;
};

} // namespace

CodeReader::CodeReader(const MarkerDictionary &dictionary, double correctionRate)
    : dictionary(dictionary), side(dictionary.bits + 2),
      correction(int(dictionary.maxCorrection * correctionRate + 1e-9)), cells(size_t(side * side)),
      sharpened(size_t(side * side)), light(size_t(side * side)) {
    // A small code, or a large dictionary, is easily met by chance in texture: then the border has to vouch for it.
    commonCode = chanceOfAnyCode(dictionary, correction) > 1e-4;
    limit = (side - 1) * 4 / (commonCode ? 10 : 5);
    if (correction > 0) return;
    for (size_t id = 0; id < dictionary.codes.size(); ++id) ordered.push_back({dictionary.codes[id], int(id)});
    std::sort(ordered.begin(), ordered.end());
}

Measurements::Grids &CodeReader::grids(const Quad &quad) {
    if (shared != nullptr) return shared->grids(quad, side);
    own.clear();
    return own.grids(quad, side);
}

float CodeReader::otsu(const float *values, size_t count) const {
    int histogram[256];
    // Most levels are nobody's, so those that are someone's are marked.
    uint64_t used[4] = {};
    double total = 0;
    for (size_t i = 0; i < count; ++i) {
        const int level = std::clamp(int(values[i] + 0.5f), 0, 255);
        uint64_t &word = used[level / 64];
        const uint64_t mark = uint64_t(1) << (level % 64);
        if ((word & mark) == 0) histogram[level] = 0;
        word |= mark;
        ++histogram[level];
        total += level;
    }
    double below = 0, sumBelow = 0, best = -1, threshold = 127.5;
    for (int part = 0; part < 4; ++part)
        for (uint64_t rest = used[part]; rest != 0; rest &= rest - 1) {
            const int level = part * 64 + __builtin_ctzll(rest);
            below += histogram[level];
            sumBelow += double(level) * histogram[level];
            const double above = double(count) - below;
            if (above == 0) return float(threshold);
            const double dark = sumBelow / below, bright = (total - sumBelow) / above;
            const double between = below * above * (bright - dark) * (bright - dark);
            if (between > best) {
                best = between;
                // Halfway between the two classes' means is steadier than a level inside the gap.
                threshold = (dark + bright) / 2;
            }
        }
    return float(threshold);
}

Look CodeReader::look(const Sampler &luma, const SquareToQuad &map) {
    Look look;
    for (int row = 0; row < side; ++row)
        for (int column = 0; column < side; ++column) {
            const float value = luma(map((column + 0.5) / side, (row + 0.5) / side));
            cells[size_t(row * side + column)] = value;
            look.darkest = std::min(look.darkest, value);
            look.lightest = std::max(look.lightest, value);
        }
    if (look.lightest - look.darkest < smallestContrast) return look;
    const float threshold = otsu(cells.data(), cells.size());
    for (int row = 0; row < side; ++row)
        for (int column = 0; column < side; ++column)
            look.wrong += onBorder(row, column) && cells[size_t(row * side + column)] > threshold;
    return look;
}

bool CodeReader::looksLikeMarker(const Sampler &luma, const SquareToQuad &map, Measurements::Grids &known) {
    if (!known.look) known.look = look(luma, map);
    Look &look = *known.look;
    if (look.lightest - look.darkest < smallestContrast) return false;
    // One sample a cell is a rough reading: only what is clearly no marker goes here.
    if (look.wrong > 2 * limit) return false;
    if (!look.rise) look.rise = riseOutside(luma, map);
    return *look.rise >= smallestRise * (look.lightest - look.darkest);
}

std::pair<float, float> CodeReader::shades(const Sampler &luma, const Quad &quad) {
    Measurements::Grids &known = grids(quad);
    if (!looksLikeMarker(luma, SquareToQuad(quad), known)) return {0, 0};
    return {known.look->darkest, known.look->lightest};
}

float CodeReader::riseOutside(const Sampler &luma, const SquareToQuad &map) const {
    // A light patch on darker ground also gets a dark outline from the adaptive threshold, and reads as a border
    // around a white code; but the ground goes on outside.
    const double near = 0.5 / side, out = -outsideCells / side;
    float least = 255;
    for (int edge = 0; edge < 4; ++edge) {
        float rise = 0;
        for (int i = 0; i < side; ++i) {
            const double along = (i + 0.5) / side, inner = edge < 2 ? near : 1 - near, outer = edge < 2 ? out : 1 - out;
            rise += edge % 2 == 0 ? luma(map(along, outer)) - luma(map(along, inner))
                                  : luma(map(outer, along)) - luma(map(inner, along));
        }
        least = std::min(least, rise / float(side));
    }
    return least;
}

template <typename Threshold>
void CodeReader::judge(Reading &reading, const Sampler &luma, const SquareToQuad &map, Threshold threshold) const {
    const double contrast = std::max(1.0f, reading.white - reading.black);
    const size_t perCell = samples.size() / cells.size();
    size_t pure = 0;
    for (size_t i = 0; i < samples.size(); ++i) {
        const size_t cell = i / perCell;
        pure += (samples[i] > threshold(cell)) == bool(light[cell]);
    }
    reading.purity = double(pure) / double(samples.size());
    reading.rise = riseOutside(luma, map) / contrast;
    reading.found = reading.found && isBorneOut(reading);
}

bool CodeReader::isBorneOut(const Reading &reading) const {
    // A ring or a letter is a marker's border round a mere shape.
    if (dictionary.isPlain(reading.match.id))
        return reading.match.distance == 0 && reading.borderErrors == 0 && reading.purity >= plainPurity &&
               reading.rise >= plainRise;
    return !commonCode || (reading.purity >= commonPurity && reading.rise >= commonRise);
}

bool CodeReader::isDoubtful(const Reading &reading) const {
    return chanceOfAnyCode(dictionary, reading.match.distance + reading.borderErrors) > likelyChance;
}

double CodeReader::commonness(const Reading &reading) const {
    const double chance = chanceOfAnyCode(dictionary, reading.match.distance + reading.borderErrors);
    return std::clamp(std::log(chance / leastCommon) / std::log(mostCommon / leastCommon), 0.0, 1.0);
}

double CodeReader::confidence(const Reading &reading) const {
    const double placed = reading.blur > clearBlur ? clearBlur / reading.blur : 1;
    const double code = placed * (1 - reading.match.distance / (dictionary.maxCorrection + 1.0));
    const double seen = std::clamp(2 * (1 - reading.doubt), 0.0, 1.0);
    // Of what chance makes often it is how it looks that tells: a true one is seen as its code is.
    const double common = commonness(reading);
    const double alike = std::clamp((mostStrange - reading.strangeness) / (mostStrange - leastStrange), 0.0, 1.0);
    const double read = code * seen * (1 - common + common * alike) * (1 - reading.borderErrors / (limit + 1.0));
    // Of a code that chance makes now and then, how clearly it is seen counts as well; a mere shape is never sure.
    if (dictionary.isPlain(reading.match.id)) return read * 0.6;
    if (!commonCode || reading.purity == 0) return read;
    return read * std::clamp((reading.purity - 0.8) / 0.15, 0.0, 1.0) * std::clamp(reading.rise / 0.5, 0.0, 1.0);
}

void CodeReader::sampleCells(const Sampler &luma, const Quad &quad, const SquareToQuad &map) {
    const double cellSize = perimeter(quad) / 4 / side;
    // Samples keep away from the neighbouring cells: by the reach of the interpolation where cells are small.
    const int perSide = cellSize < 4 ? 2 : 3;
    const double margin = cellSize < 4 ? 0.36 : 0.2;
    samples.clear();
    for (int row = 0; row < side; ++row)
        for (int column = 0; column < side; ++column) {
            float sum = 0;
            for (int i = 0; i < perSide; ++i)
                for (int j = 0; j < perSide; ++j) {
                    const double u = margin + (1 - 2 * margin) * j / (perSide - 1);
                    const double v = margin + (1 - 2 * margin) * i / (perSide - 1);
                    const float value = luma(map((column + u) / side, (row + v) / side));
                    samples.push_back(value);
                    sum += value;
                }
            cells[size_t(row * side + column)] = sum / float(perSide * perSide);
        }
}

Grid CodeReader::grid() const {
    Grid grid;
    grid.isRead = true;
    double dark = 0, bright = 0;
    int darkCount = 0, brightCount = 0;
    for (int row = 0; row < side; ++row)
        for (int column = 0; column < side; ++column) {
            const size_t cell = size_t(row * side + column);
            if (onBorder(row, column))
                grid.borderErrors += light[cell];
            else
                grid.code = grid.code << 1 | light[cell];
            (light[cell] ? bright : dark) += cells[cell];
            ++(light[cell] ? brightCount : darkCount);
        }
    grid.black = darkCount ? float(dark / darkCount) : 0;
    grid.white = brightCount ? float(bright / brightCount) : 255;
    return grid;
}

MarkerDictionary::Match CodeReader::identify(uint64_t code) const {
    if (correction > 0) return dictionary.identify(code, correction);
    MarkerDictionary::Match match;
    match.distance = 1;
    for (int corner = 0; corner < 4; ++corner, code = dictionary.turned(code)) {
        const auto place = std::lower_bound(ordered.begin(), ordered.end(), std::make_pair(code, 0));
        if (place == ordered.end() || place->first != code) continue;
        if (match.id < 0 || place->second < match.id) match = {place->second, corner, 0};
    }
    return match;
}

Reading CodeReader::decide(const Grid &grid, int borderErrorsAllowed) const {
    Reading reading;
    if (!grid.isRead) return reading;
    reading.borderErrors = grid.borderErrors;
    reading.black = grid.black;
    reading.white = grid.white;
    reading.promising = reading.borderErrors <= limit + 1;
    if (reading.borderErrors > borderErrorsAllowed) return reading;
    reading.match = identify(grid.code);
    reading.found = reading.match.id >= 0;
    return reading;
}

void CodeReader::readPlainly(const Sampler &luma, const Quad &quad, const SquareToQuad &map, float &threshold) {
    sampleCells(luma, quad, map);
    threshold = otsu(samples.data(), samples.size());
    for (size_t i = 0; i < cells.size(); ++i) light[i] = cells[i] > threshold;
}

Reading CodeReader::read(const Sampler &luma, const Quad &quad) {
    const SquareToQuad map(quad);
    Measurements::Grids &known = grids(quad);
    if (!looksLikeMarker(luma, map, known)) return {};
    const bool isKnown = known.plain.has_value();
    float threshold = 0;
    if (!isKnown) {
        readPlainly(luma, quad, map, threshold);
        known.plain = grid();
    }
    Reading reading = decide(*known.plain, limit);
    if (!reading.found) return reading;
    // Seldom: the samples aren't worth keeping.
    if (isKnown) readPlainly(luma, quad, map, threshold);
    judge(reading, luma, map, [&](size_t) { return threshold; });
    return reading;
}

bool CodeReader::readSharpened(const Sampler &luma, const Quad &quad, const SquareToQuad &map) {
    sampleCells(luma, quad, map);
    const float flat = otsu(samples.data(), samples.size());
    for (size_t i = 0; i < cells.size(); ++i) light[i] = cells[i] > flat;
    // Border cells are known to be dark, whatever the first threshold says; the ring outside is white as a rule, and
    // is asked only where it is lighter than the border beside it.
    for (int pass = 0; pass < 2; ++pass) {
        LightModel black, white;
        int whites = 0;
        for (int row = 0; row < side; ++row)
            for (int column = 0; column < side; ++column) {
                const float value = cells[size_t(row * side + column)];
                if (onBorder(row, column) || !light[size_t(row * side + column)])
                    black.add(column, row, value);
                else
                    white.add(column, row, value), ++whites;
            }
        black.solve();
        const float contrast = std::max(smallestContrast, 0.5f * (flat - black(side / 2.0, side / 2.0)));
        for (int i = 0; i < side; ++i) {
            const double places[4][2] = {
                {double(i), -1}, {double(i), double(side)}, {-1, double(i)}, {double(side), double(i)}};
            for (const auto &place : places) {
                const float value = luma(map((place[0] + 0.5) / side, (place[1] + 0.5) / side));
                if (value > black(place[0], place[1]) + contrast) white.add(place[0], place[1], value), ++whites;
            }
        }
        if (whites == 0) return false;
        white.solve();
        for (int row = 0; row < side; ++row)
            for (int column = 0; column < side; ++column) {
                const size_t cell = size_t(row * side + column);
                sharpened[cell] = cells[cell] - (black(column, row) + white(column, row)) / 2;
            }
        for (int row = 0; row < side; ++row)
            for (int column = 0; column < side; ++column) {
                const auto at = [&](int r, int c) {
                    return r < 0 || c < 0 || r >= side || c >= side ? (white(c, r) - black(c, r)) / 2
                                                                    : sharpened[size_t(r * side + c)];
                };
                const float curvature = 4 * at(row, column) - at(row - 1, column) - at(row + 1, column) -
                                        at(row, column - 1) - at(row, column + 1);
                light[size_t(row * side + column)] = at(row, column) + 0.25f * curvature > 0;
            }
    }
    return true;
}

Reading CodeReader::readCarefully(const Sampler &luma, const Quad &quad) {
    const SquareToQuad map(quad);
    Measurements::Grids &known = grids(quad);
    const bool isKnown = known.careful.has_value();
    if (!isKnown) known.careful = readSharpened(luma, quad, map) ? grid() : Grid{};
    Reading reading = decide(*known.careful, limit / 2);
    if (!reading.found) return reading;
    if (isKnown) readSharpened(luma, quad, map);
    judge(reading, luma, map, [&](size_t cell) { return cells[cell] - sharpened[cell]; });
    return reading;
}

} // namespace ocv::markers
