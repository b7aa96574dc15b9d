// LineRecords: payloads, as they are or made of data.
#include "fromjson/given_members.hpp"
#include "fromjson/line_records.hpp"

#include <algorithm>

namespace etl::fromjson {

namespace {

using etl::encode::InputValue;
using etl::format::RecordFamily;
using etl::format::RecordKind;

// Its provider exists in several builds, of which the built-in schemas need not know this one.
bool has_schema_of_its_trace(const EventLine& line) noexcept {
    return line.source == "event-info" || line.source == "eventsource";
}

} // namespace

// Of a payload without the types of its fields nothing could be said.
bool LineRecords::takes_payload(const EventLine& line) const noexcept {
    if (!line.payload || !line.data || line.contradicts_schema) {
        return line.payload.has_value();
    }
    return prefer_ == PreferredSource::payload;
}

LineResult<void> LineRecords::fill_payload(const EventLine& line) {
    payload_.clear();
    // An event that only its name identifies has the fields of its schema.
    const bool lacks_data = !line.data && !line.payload && !line.is_short && !line.header_bytes &&
                            line.event && (class_event_ || (known_ != nullptr && !line.id));
    if ((!takes_payload(line) && line.data) || lacks_data) {
        if (auto encoded = encode(draft_, record_); !encoded) {
            return encoded;
        }
        const Schemas::Found found = schemas_.find(record_.view(), trace_);
        if (found.schema != nullptr) {
            auto encoded = encode_data(line, found);
            if (!encoded && encode_wide(line)) {
                encoded = {};
            }
            const bool is_other_build = !encoded && line.payload && has_schema_of_its_trace(line) &&
                                        schemas_.is_built_in(*found.schema);
            if (!is_other_build) {
                return encoded;
            }
            payload_.clear();
        }
        if (line.data && !line.payload) {
            return line_error("data",
                              "no schema for the payload (use --schema), and payload is missing");
        }
    }
    if (line.payload) {
        if (!read_hex(*line.payload, payload_bytes_)) {
            return line_error("payload", "not a hex string");
        }
        draft_.payload = payload_bytes_;
    }
    return {};
}

// The pointer size of the log file header is that of the program that started the session. On
// 64-bit Windows, a 32-bit program also records events of drivers and of 64-bit programs.
bool LineRecords::encode_wide(const EventLine& line) {
    const RecordKind guessed = draft_.kind;
    if (line.header != RecordKind::none || guessed != narrow(RecordFamily::event)) {
        return false;
    }
    draft_.kind = wide(RecordFamily::event);
    payload_.clear();
    if (encode(draft_, record_)) {
        const Schemas::Found found = schemas_.find(record_.view(), trace_);
        if (found.schema != nullptr && encode_data(line, found)) {
            return true;
        }
    }
    draft_.kind = guessed;
    return false;
}

// The layout that decoding would choose for the payload is the one that the data fit.
LineResult<void> LineRecords::encode_data(const EventLine& line, const Schemas::Found& found) {
    if (generation_ != schemas_.generation()) {
        encoder_.forget();
        generation_ = schemas_.generation();
    }
    const std::span<const InputValue> data = given(line.data, data_);
    auto encoded = encode_as(found, data, line.is_short);
    if (!encoded) {
        // One that only its name identifies has the version whose fields the line has.
        constexpr std::uint8_t any_version = 0xFF;
        const bool is_free = class_event_ && !line.version;
        const auto others = schemas_.others(draft_, found, is_free ? any_version : draft_.version);
        const bool fits_other = std::ranges::any_of(others, [&](const Schemas::Found& other) {
            const bool fits = encode_as(other, data, line.is_short).has_value();
            if (fits && is_free) {
                draft_.version = other.schema->version;
            }
            return fits;
        });
        if (!fits_other) {
            const std::string twice = find_given_twice(data);
            return twice.empty() ? line_error("data", encoded.error())
                                 : line_error("data." + twice, "duplicate");
        }
    }
    if (line.trailing) {
        if (!read_hex(*line.trailing, payload_bytes_)) {
            return line_error("trailing", "not a hex string");
        }
        payload_.bytes(payload_bytes_);
    }
    draft_.payload = payload_.view();
    return {};
}

std::expected<void, etl::encode::Mismatch> LineRecords::encode_as(const Schemas::Found& found,
                                                                  std::span<const InputValue> data,
                                                                  bool is_short) {
    using Missing = etl::encode::PayloadOptions::Missing;
    return encoder_.encode(*found.schema, data,
                           {.pointer_size = found.pointer_size,
                            .missing = is_short ? Missing::ends_payload : Missing::is_error},
                           payload_);
}

} // namespace etl::fromjson
