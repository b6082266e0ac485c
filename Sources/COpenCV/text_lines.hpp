#pragma once
#include "ocv_text.h"
#include "text_letters.hpp"

#include <vector>

namespace ocv {

/// Chains letters to lines: indices from left to right.
std::vector<std::vector<int>> chainLetters(const std::vector<Letter> &letters);

/// The outline of a chain, its uprights at right angles to it; false where it has none of any height.
bool outlineOfChain(const std::vector<Letter> &letters, const std::vector<int> &chain, ocv_text_line &line);

} // namespace ocv
