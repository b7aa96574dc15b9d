// A record before it is bytes.
// Views; valid until the next line.
#pragma once

#include <etl/byte_writer.hpp>

#include "format/encode.hpp"
#include "fromjson/line_trace.hpp"

#include <expected>
#include <optional>

namespace etl::fromjson {

struct Draft : etl::format::EventHeader {
    etl::format::RecordKind kind = etl::format::wide(etl::format::RecordFamily::event);
    std::optional<std::int64_t> time; // raw; none: the record has no room for one
    etl::Bytes header_bytes;          // kinds whose header nobody describes; empty: zeros
};

/// Puts the record in place of what `to` holds.
LineResult<void> encode(const Draft& draft, etl::ByteWriter& to);

} // namespace etl::fromjson
