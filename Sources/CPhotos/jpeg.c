#include "CPhotos.h"

#include <string.h>

typedef struct {
    int is_there;
    // The first code of each length, the first value's place, and how many there are.
    int32_t first[17], place[17], count[17];
    uint8_t values[256];
} table;

typedef struct {
    const uint8_t *bytes;
    size_t count, place;
    uint32_t bits;
    int have;
    // Whether a marker or the end was met, behind which no bits are.
    int ended;
} reader;

typedef struct {
    int horizontal, vertical, quantizer, dc, ac;
} component;

static int bit(reader *in) {
    if (in->have == 0) {
        if (in->ended || in->place >= in->count) return -1;
        const uint8_t byte = in->bytes[in->place];
        if (byte == 0xFF) {
            if (in->place + 1 >= in->count || in->bytes[in->place + 1] != 0) {
                in->ended = 1;
                return -1;
            }
            in->place++;
        }
        in->place++;
        in->bits = byte;
        in->have = 8;
    }
    in->have--;
    return in->bits >> in->have & 1;
}

static int value(reader *in, const table *codes) {
    int32_t code = 0;
    for (int length = 1; length <= 16; length++) {
        const int next = bit(in);
        if (next < 0) return -1;
        code = code << 1 | next;
        const int32_t index = code - codes->first[length];
        if (index >= 0 && index < codes->count[length]) return codes->values[codes->place[length] + index];
    }
    return -1;
}

static int skip(reader *in, int count) {
    while (count-- > 0)
        if (bit(in) < 0) return -1;
    return 0;
}

static int block(reader *in, const table *dc, const table *ac) {
    const int size = value(in, dc);
    if (size < 0 || size > 11 || skip(in, size) < 0) return -1;
    for (int index = 1; index < 64; index++) {
        const int code = value(in, ac);
        if (code < 0) return -1;
        const int zeros = code >> 4, width = code & 15;
        if (width == 0) {
            if (zeros == 0) return 0;
            if (zeros != 15) return -1;
            index += 15;
        } else {
            index += zeros;
            if (skip(in, width) < 0) return -1;
        }
        if (index > 63) return -1;
    }
    return 0;
}

cph_finding cph_jpeg(const uint8_t *bytes, size_t count, size_t *place) {
    table tables[2][4] = {0};
    int quantizers[4] = {0}, used[2][4] = {0}, quantized[4] = {0};
    component parts[3] = {0};
    int width = 0, height = 0, most_h = 0, most_v = 0;
    size_t at = 2;
    *place = 0;
    if (count < 4 || bytes[0] != 0xFF || bytes[1] != 0xD8) return cph_other_form;
    for (;;) {
        *place = at;
        if (at + 4 > count || bytes[at] != 0xFF) return cph_more_bytes;
        const int marker = bytes[at + 1];
        if (marker == 0xFF) return cph_more_bytes;
        const size_t length = (size_t)bytes[at + 2] << 8 | bytes[at + 3];
        if (length < 2 || at + 2 + length > count) return cph_other_form;
        const uint8_t *body = bytes + at + 4;
        const size_t size = length - 2;
        at += 2 + length;
        if (marker == 0xDB) {
            if (size == 0 || size % 65 != 0) return cph_other_form;
            for (size_t next = 0; next < size; next += 65) {
                if (body[next] > 3) return cph_other_form;
                if (quantizers[body[next]]++) return cph_idle_table;
            }
        } else if (marker == 0xC4) {
            for (size_t next = 0; next < size;) {
                const int class = body[next] >> 4, number = body[next] & 15;
                if (class > 1 || number > 3 || size - next < 17) return cph_other_form;
                table *codes = &tables[class][number];
                if (codes->is_there) return cph_idle_table;
                codes->is_there = 1;
                int32_t code = 0, total = 0;
                for (int bits = 1; bits <= 16; bits++) {
                    codes->first[bits] = code;
                    codes->place[bits] = total;
                    codes->count[bits] = body[next + (size_t)bits];
                    total += codes->count[bits];
                    code = (code + codes->count[bits]) << 1;
                }
                if (total > 256 || size - next - 17 < (size_t)total) return cph_other_form;
                memcpy(codes->values, body + next + 17, (size_t)total);
                next += 17 + (size_t)total;
            }
        } else if (marker == 0xC0) {
            if (width || size != 15 || body[0] != 8 || body[5] != 3) return cph_other_form;
            height = body[1] << 8 | body[2];
            width = body[3] << 8 | body[4];
            for (int index = 0; index < 3; index++) {
                const uint8_t *part = body + 6 + 3 * index;
                parts[index].horizontal = part[1] >> 4;
                parts[index].vertical = part[1] & 15;
                parts[index].quantizer = part[2];
                if (part[0] != index + 1 || part[2] > 3 || parts[index].horizontal < 1 || parts[index].horizontal > 4 ||
                    parts[index].vertical < 1 || parts[index].vertical > 4)
                    return cph_other_form;
                quantized[part[2]] = 1;
                if (parts[index].horizontal > most_h) most_h = parts[index].horizontal;
                if (parts[index].vertical > most_v) most_v = parts[index].vertical;
            }
            if (!width || !height) return cph_other_form;
        } else if (marker == 0xDA) {
            // All of the picture's parts, their whole spectrum.
            if (!width || size != 10 || body[0] != 3 || body[7] != 0 || body[8] != 63 || body[9] != 0)
                return cph_other_form;
            for (int index = 0; index < 3; index++) {
                const uint8_t *part = body + 1 + 2 * index;
                parts[index].dc = part[1] >> 4;
                parts[index].ac = part[1] & 15;
                if (part[0] != index + 1 || parts[index].dc > 3 || parts[index].ac > 3) return cph_other_form;
                used[0][parts[index].dc] = used[1][parts[index].ac] = 1;
            }
            break;
        } else {
            return cph_other_form;
        }
    }
    for (int number = 0; number < 4; number++) {
        if (quantizers[number] != quantized[number]) return cph_idle_table;
        for (int class = 0; class < 2; class++)
            if (tables[class][number].is_there != used[class][number]) return cph_idle_table;
    }
    reader in = {.bytes = bytes, .count = count, .place = at};
    const int64_t columns = (width + 8 * most_h - 1) / (8 * most_h), rows = (height + 8 * most_v - 1) / (8 * most_v);
    for (int64_t unit = 0; unit < columns * rows; unit++)
        for (int index = 0; index < 3; index++)
            for (int each = parts[index].horizontal * parts[index].vertical; each > 0; each--)
                if (block(&in, &tables[0][parts[index].dc], &tables[1][parts[index].ac]) < 0) {
                    *place = in.place;
                    return cph_broken_scan;
                }
    // Up to seven bits of 1 fill the last byte.
    while (in.have > 0)
        if (bit(&in) != 1) {
            *place = in.place;
            return cph_more_scan;
        }
    *place = in.place;
    if (in.place + 2 > count || bytes[in.place] != 0xFF || bytes[in.place + 1] != 0xD9) return cph_more_scan;
    return in.place + 2 == count ? cph_whole : cph_more_bytes;
}
