#include "pages.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>

// A window of 32 KB, and 16 for gzip's header and trailer.
enum { GZIP_WINDOW = 15 + 16, MEMORY_LEVEL = 9 };

size_t pages_gzip_bound(size_t count) { return compressBound(count) + 32; }

size_t pages_gzip(const unsigned char *source, size_t count, unsigned char *target, size_t capacity) {
    if (count > UINT_MAX || capacity > UINT_MAX) return 0;
    z_stream stream;
    memset(&stream, 0, sizeof(stream));
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
        return 0;
    stream.next_in = (z_const Bytef *)source;
    stream.avail_in = (uInt)count;
    stream.next_out = target;
    stream.avail_out = (uInt)capacity;
    const int status = deflate(&stream, Z_FINISH);
    const size_t written = stream.total_out;
    deflateEnd(&stream);
    return status == Z_STREAM_END ? written : 0;
}
