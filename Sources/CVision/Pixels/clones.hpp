#pragma once

/// Makes a function twice, for processors with and without AVX2, where the compiler can. For what comes out the same whatever the
/// processor: integers, and floats that are added up one after another, each in a lane of its own.
#if defined(__x86_64__) && defined(__clang__) && __has_attribute(target_clones)
#define OCV_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define OCV_CLONES
#endif
