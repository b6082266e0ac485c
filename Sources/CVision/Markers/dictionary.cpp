#include "Markers/dictionary.hpp"
#include "Markers/words.h"
#include "Pixels/Guard.hpp"
#include "ocv_markers.h"

#include <algorithm>
#include <bitset>
#include <cctype>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <unordered_map>

namespace ocv::markers {
namespace {

/// A family, or its first markers alone: fewer have a larger distance, so that more wrong bits can be corrected.
struct NamedDictionary {
    const char *name;
    const char *family;
    int count;
    /// Wrong bits that are corrected: `cv::aruco`'s numbers. It has none for AprilTag families; 25h9, 36h10 and 36h11 get what their
    /// distance allows. 16h5 stays at none: with one bit corrected, one random pattern in 32 would be a tag.
    int maxCorrection;
};

const NamedDictionary namedDictionaries[] = {
    {"aruco-original", "aruco-original", 1024, 0}, {"aruco-4x4-50", "aruco-4x4", 50, 1},
    {"aruco-4x4-100", "aruco-4x4", 100, 1},        {"aruco-4x4-250", "aruco-4x4", 250, 1},
    {"aruco-4x4-1000", "aruco-4x4", 1000, 0},      {"aruco-5x5-50", "aruco-5x5", 50, 3},
    {"aruco-5x5-100", "aruco-5x5", 100, 3},        {"aruco-5x5-250", "aruco-5x5", 250, 2},
    {"aruco-5x5-1000", "aruco-5x5", 1000, 2},      {"aruco-6x6-50", "aruco-6x6", 50, 6},
    {"aruco-6x6-100", "aruco-6x6", 100, 5},        {"aruco-6x6-250", "aruco-6x6", 250, 5},
    {"aruco-6x6-1000", "aruco-6x6", 1000, 4},      {"aruco-7x7-50", "aruco-7x7", 50, 9},
    {"aruco-7x7-100", "aruco-7x7", 100, 8},        {"aruco-7x7-250", "aruco-7x7", 250, 8},
    {"aruco-7x7-1000", "aruco-7x7", 1000, 6},      {"apriltag-16h5", "apriltag-16h5", 30, 0},
    {"apriltag-25h9", "apriltag-25h9", 35, 4},     {"apriltag-36h10", "apriltag-36h10", 2320, 4},
    {"apriltag-36h11", "apriltag-36h11", 587, 5},
};

/// The first words of a family.
std::vector<uint64_t> words(const ocv_marker_words &family, int count) {
    std::vector<uint64_t> codes;
    codes.reserve(size_t(count));
    const char *at = family.text, *end = at + family.length;
    while (codes.size() < size_t(count)) {
        while (at < end && std::isspace(static_cast<unsigned char>(*at))) ++at;
        uint64_t code = 0;
        const auto [next, error] = std::from_chars(at, end, code, 16);
        if (error != std::errc()) throw std::runtime_error(std::string("the words of ") + family.name + " are broken");
        codes.push_back(code);
        at = next;
    }
    return codes;
}

int differingBits(uint64_t a, uint64_t b) { return int(std::bitset<64>(a ^ b).count()); }

[[noreturn]] void malformed(const std::string &path, const std::string &problem) {
    throw std::runtime_error("malformed marker dictionary " + path + ": " + problem);
}

uint64_t codeFromText(const std::string &text, int bits, const std::string &path, const std::string &key) {
    const size_t expected = size_t(bits) * size_t(bits);
    if (text.size() != expected)
        malformed(
            path, key + " has " + std::to_string(text.size()) + " characters, expected " + std::to_string(expected));
    uint64_t code = 0;
    for (char c : text) {
        if (c != '0' && c != '1') malformed(path, key + " has characters other than 0 and 1");
        code = code << 1 | uint64_t(c == '1');
    }
    return code;
}

/// What a dictionary file says, as YAML, JSON or XML: each name and the value behind it. Nothing of a dictionary is nested,
/// so nothing nested is read: OpenCV's own reader takes compressed files of any size and crashes on deep ones.
class DictionaryText {
public:
    explicit DictionaryText(const std::string &path) {
        std::ifstream file(path, std::ios::binary);
        std::string text(largest + 1, '\0');
        file.read(text.data(), std::streamsize(text.size()));
        if (file.bad() || (file.fail() && !file.eof()))
            throw std::runtime_error("can't read the marker dictionary " + path);
        text.resize(size_t(file.gcount()));
        if (text.empty()) malformed(path, "the file is empty");
        if (text.size() > largest) malformed(path, "it is larger than 16 MiB");
        if (text.find('\0') != std::string::npos) malformed(path, "it is no text");
        collect(text);
    }

    const std::string *find(const std::string &name) const {
        const auto found = values.find(name);
        return found == values.end() ? nullptr : &found->second;
    }

private:
    static constexpr size_t largest = 16 << 20;
    std::unordered_map<std::string, std::string> values;

    /// Names are letters, digits and “_”; a “:” or “>” parts them from the value, which ends with its line or its element.
    void collect(const std::string &text) {
        const auto isName = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
        size_t at = 0;
        while (at < text.size()) {
            if (!isName(text[at])) {
                ++at;
                continue;
            }
            const size_t start = at;
            while (at < text.size() && isName(text[at])) ++at;
            const size_t end = at;
            if (at < text.size() && text[at] == '"') ++at;
            while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
            if (at == text.size() || (text[at] != ':' && text[at] != '>')) continue;
            ++at;
            const size_t stop = std::min(text.find_first_of(",<>\n\r{}[]", at), text.size());
            std::string value;
            for (size_t i = at; i < stop; ++i)
                if (!std::isspace(static_cast<unsigned char>(text[i])) && text[i] != '"' && text[i] != '\'')
                    value += text[i];
            values.emplace(text.substr(start, end - start), std::move(value));
            at = stop;
        }
    }
};

} // namespace

MarkerDictionary MarkerDictionary::named(const std::string &name) {
    for (const NamedDictionary &entry : namedDictionaries) {
        if (name != entry.name) continue;
        const ocv_marker_words *family = ocv_marker_families;
        while (std::strcmp(family->name, entry.family) != 0) ++family;
        MarkerDictionary dictionary;
        dictionary.bits = family->bits;
        dictionary.maxCorrection = entry.maxCorrection;
        dictionary.codes = words(*family, entry.count);
        return dictionary;
    }
    throw std::runtime_error("unknown marker dictionary " + name);
}

MarkerDictionary MarkerDictionary::read(const std::string &path) {
    const DictionaryText text(path);
    const auto number = [&](const char *key, int low, int high) {
        const std::string *value = text.find(key);
        if (!value || value->empty() || value->size() > 9 ||
            value->find_first_not_of("0123456789") != std::string::npos)
            malformed(path, std::string(key) + " is missing or no whole number");
        const int result = std::stoi(*value);
        if (result < low || result > high)
            malformed(
                path, std::string(key) + " is " + *value + ", expected " + std::to_string(low) + " to " +
                          std::to_string(high));
        return result;
    };
    const int count = number("nmarkers", 1, 100000);
    MarkerDictionary dictionary;
    dictionary.bits = number("markersize", 3, 8);
    for (int id = 0; id < count; ++id) {
        const std::string key = "marker_" + std::to_string(id);
        const std::string *value = text.find(key);
        if (!value) malformed(path, key + " is missing");
        dictionary.codes.push_back(codeFromText(*value, dictionary.bits, path, key));
    }
    const int most = dictionary.bits * dictionary.bits;
    // Comparing each marker with each other would take minutes.
    if (count > 10000 && !text.find("maxCorrectionBits"))
        malformed(path, "maxCorrectionBits is missing, which more than 10000 markers need");
    dictionary.maxCorrection = text.find("maxCorrectionBits") ? number("maxCorrectionBits", 0, most)
                                                              : std::max(0, (dictionary.smallestDistance() - 1) / 2);
    return dictionary;
}

uint64_t MarkerDictionary::turned(uint64_t code) const {
    uint64_t result = 0;
    for (int row = 0; row < bits; ++row)
        for (int column = 0; column < bits; ++column) {
            // Rows now run along what was a column, from the right: (row, column) was (column, last − row).
            const int source = column * bits + (bits - 1 - row);
            result = result << 1 | (code >> (bits * bits - 1 - source) & 1);
        }
    return result;
}

MarkerDictionary::Match MarkerDictionary::identify(uint64_t code, int limit) const {
    Match best;
    best.distance = limit + 1;
    uint64_t views[4] = {code};
    for (int corner = 1; corner < 4; ++corner) views[corner] = turned(views[corner - 1]);
    for (size_t id = 0; id < codes.size(); ++id)
        for (int corner = 0; corner < 4; ++corner) {
            const int distance = differingBits(codes[id], views[corner]);
            if (distance < best.distance) best = {int(id), corner, distance};
        }
    return best;
}

bool MarkerDictionary::isPlain(int id) const {
    int left = bits, top = bits, right = -1, bottom = -1, white = 0;
    for (int row = 0; row < bits; ++row)
        for (int column = 0; column < bits; ++column) {
            if (!(codes[size_t(id)] >> (bits * bits - 1 - row * bits - column) & 1)) continue;
            ++white;
            left = std::min(left, column), right = std::max(right, column);
            top = std::min(top, row), bottom = std::max(bottom, row);
        }
    return white == std::max(0, right - left + 1) * std::max(0, bottom - top + 1);
}

int MarkerDictionary::smallestDistance() const {
    int smallest = bits * bits;
    for (size_t i = 0; i < codes.size(); ++i) {
        uint64_t view = codes[i];
        for (int turn = 0; turn < 4; ++turn, view = turned(view))
            for (size_t j = turn == 0 ? i + 1 : i; j < codes.size(); ++j)
                smallest = std::min(smallest, differingBits(view, codes[j]));
    }
    return smallest;
}

} // namespace ocv::markers

struct ocv_marker_dictionary {
    ocv::markers::MarkerDictionary value;
};

namespace ocv::markers {
const MarkerDictionary &contents(const ocv_marker_dictionary *dictionary) { return dictionary->value; }
} // namespace ocv::markers

using namespace ocv::markers;

int32_t ocv_marker_dictionary_name_count(void) noexcept { return int32_t(std::size(namedDictionaries)); }

const char *ocv_marker_dictionary_name(int32_t index) noexcept {
    return index >= 0 && index < ocv_marker_dictionary_name_count() ? namedDictionaries[index].name : nullptr;
}

ocv_status ocv_marker_dictionary_create(const char *name, ocv_marker_dictionary **out) noexcept {
    *out = nullptr;
    return ocv::guarded([&] { *out = new ocv_marker_dictionary{MarkerDictionary::named(name)}; });
}

ocv_status ocv_marker_dictionary_read(const char *path, ocv_marker_dictionary **out) noexcept {
    *out = nullptr;
    return ocv::guarded([&] { *out = new ocv_marker_dictionary{MarkerDictionary::read(path)}; });
}

void ocv_marker_dictionary_destroy(ocv_marker_dictionary *dictionary) noexcept { delete dictionary; }

int32_t ocv_marker_dictionary_count(const ocv_marker_dictionary *dictionary) noexcept {
    return int32_t(dictionary->value.codes.size());
}

int32_t ocv_marker_dictionary_bits(const ocv_marker_dictionary *dictionary) noexcept { return dictionary->value.bits; }

ocv_status ocv_marker_dictionary_code(
    const ocv_marker_dictionary *dictionary, int32_t id, uint8_t *out, int32_t capacity) noexcept {
    return ocv::guarded([&] {
        const MarkerDictionary &value = dictionary->value;
        const int cells = value.bits * value.bits;
        if (id < 0 || size_t(id) >= value.codes.size())
            throw std::runtime_error(
                "marker id " + std::to_string(id) + " is not in the dictionary (0 to " +
                std::to_string(value.codes.size() - 1) + ")");
        if (capacity < cells) throw std::runtime_error("the buffer is too small for the marker's code");
        for (int cell = 0; cell < cells; ++cell) out[cell] = uint8_t(value.codes[size_t(id)] >> (cells - 1 - cell) & 1);
    });
}
