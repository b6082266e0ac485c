#pragma once
#include <csetjmp>

namespace zx {

/// Where a failed assertion of ZXing's returns to, on this thread; null while ZXing isn't at work.
extern thread_local std::jmp_buf *escape;

} // namespace zx
