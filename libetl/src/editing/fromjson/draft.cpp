#include "fromjson/draft.hpp"

#include "format/limits.hpp"
#include "format/set_field.hpp"

namespace etl::fromjson {

namespace {

using namespace etl::format;

// A header that was dumped, with the size and the time of the draft.
LineResult<void> encode_obscure(const Draft& draft, etl::ByteWriter& to) {
    const RecordTraits& traits = traits_of(draft.kind);
    if (traits.identity != EventIdentity::none) {
        return std::unexpected(LineError{"header_bytes", "unsupported for this kind of record"});
    }
    const etl::Bytes header = draft.header_bytes;
    if (header.size() < traits.header_size || header.size() < payload_offset(draft.kind, header)) {
        return std::unexpected(
            LineError{"header_bytes", "shorter than the header of this kind of record"});
    }
    const std::size_t size = header.size() + draft.payload.size();
    if (size > max_record_size) {
        return std::unexpected(LineError{"payload", "too long for a record"});
    }
    to.bytes(header).bytes(draft.payload);
    to.patch<std::uint16_t>(0, static_cast<std::uint16_t>(size));
    const auto time = time_offset(draft.kind, header);
    if (draft.time && time) {
        to.patch<std::int64_t>(*time, *draft.time);
    }
    const RecordShape shape = record_at(to.view());
    if (shape.kind != draft.kind || shape.size != to.size()) {
        return std::unexpected(LineError{"header_bytes", "not of this kind of record"});
    }
    return {};
}

} // namespace

LineResult<void> encode(const Draft& draft, etl::ByteWriter& to) {
    to.clear();
    if (!draft.header_bytes.empty()) {
        return encode_obscure(draft, to);
    }
    if (const auto encoded = etl::format::encode(draft.kind, draft, draft.time, to); !encoded) {
        return std::unexpected(LineError{"", etl::describe(encoded.error())});
    }
    return {};
}

} // namespace etl::fromjson
