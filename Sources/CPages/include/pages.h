#ifndef PAGES_H
#define PAGES_H

#include <stddef.h>

/// A file under web/, as it was when the program was built.
struct pages_file {
    /// From web/: "shared/theme.css".
    const char *name;
    const unsigned char *bytes;
    size_t count;
};

/// The file of a name; NULL where there is none.
const struct pages_file *pages_find(const char *name);

/// The most bytes that a gzip file of `count` bytes has.
size_t pages_gzip_bound(size_t count);

/// Compresses as one gzip member without name or time.
/// @param target Has `capacity` bytes, at least pages_gzip_bound(count).
/// @return The bytes written; 0 where there is no memory.
size_t pages_gzip(const unsigned char *source, size_t count, unsigned char *target, size_t capacity);

#endif
