#pragma once
#include "Text/letters.hpp"
#include "ocv_text.h"

#include <vector>

namespace ocv::text {

/// Chains letters to lines: indices from left to right.
std::vector<std::vector<int>> chainLetters(const std::vector<Letter> &letters);

/// The outline of a chain, its uprights at right angles to it; false where it has none of any height.
bool outlineOfChain(const std::vector<Letter> &letters, const std::vector<int> &chain, ocv_text_line &line);

/// A line and the letters that it was made of.
struct TextChain {
    std::vector<int> letters;
    ocv_text_line line{};
};

/// Joins the parts of lines that go on where others end: words after a wide space, parts found at different scales.
std::vector<TextChain> mergeChains(const std::vector<Letter> &letters, std::vector<TextChain> chains);

} // namespace ocv::text
