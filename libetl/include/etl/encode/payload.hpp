// From values back to the bytes of a payload: the inverse of decode, for every form in which `etl
// dump` shows a value. docs/write.md#values
#pragma once

#include <etl/base/byte_writer.hpp>
#include <etl/encode/given.hpp>
#include <etl/schema/event_schema.hpp>

#include <expected>
#include <string>

namespace etl::encode {

/// Why values do not fit a schema. `field`: path in the schema ("Rows[3].Name"); `what`: static
/// text.
struct Mismatch {
    std::string field;
    const char* what = "";
};

struct PayloadOptions {
    std::uint32_t pointer_size = 8; // 4 or 8
    /// Fields that are not given: an error, or the payload ends there (what a dump calls short).
    enum class Missing : std::uint8_t { is_error, ends_payload };
    Missing missing = Missing::is_error;
};

/// Encodes payloads; keeps its working memory. One thread.
class PayloadEncoder {
public:
    /// Appends the payload of an event of `schema` whose fields are the members of the object
    /// `data`. Members are matched in order of definition with the names that decode gives them
    /// (`Name#2` for repeats), else looked up by name. Lengths and counts that other fields tell
    /// are checked against them, and filled in when those are not given. Numbers are range-checked.
    /// Nothing is appended on failure.
    std::expected<void, Mismatch> encode(const schema::EventSchema& schema,
                                         std::span<const Given> data, const PayloadOptions& options,
                                         ByteWriter& payload);
};

} // namespace etl::encode
