
#include <etl/guid.hpp>

#include "base/code_points.hpp"
#include "base/hex_pairs.hpp"

namespace etl {

void append_guid(std::string& to, const Guid& guid) {
    append_at_most(to, 36, [&](char* at) {
        const auto& b = guid.bytes;
        at = put_hex(put_hex(put_hex(put_hex(at, b[3]), b[2]), b[1]), b[0]);
        *at++ = '-';
        at = put_hex(put_hex(at, b[5]), b[4]);
        *at++ = '-';
        at = put_hex(put_hex(at, b[7]), b[6]);
        *at++ = '-';
        at = put_hex(put_hex(at, b[8]), b[9]);
        *at++ = '-';
        for (std::size_t i = 10; i < 16; ++i) {
            at = put_hex(at, b[i]);
        }
        return at;
    });
}

std::string to_string(const Guid& guid) {
    std::string text;
    append_guid(text, guid);
    return text;
}

} // namespace etl
