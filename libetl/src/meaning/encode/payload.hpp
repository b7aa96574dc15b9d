// Encoding of values to payload bytes: the inverse of decode, for every form in which `etl dump`
// shows a value. docs/write.md#values
#pragma once

#include <etl/byte_writer.hpp>

#include "encode/input_value.hpp"
#include "schema/event_schema.hpp"

#include <expected>
#include <memory>
#include <string>

namespace etl::encode {

/// Why values do not match a schema. `field`: path in the schema ("Rows[3].Name"); `what`: static
/// text.
struct Mismatch {
    std::string field;
    const char* what = "";
};

struct PayloadOptions {
    std::uint32_t pointer_size = 8; // 4 or 8
    /// Handling of missing fields: an error, or the end of the payload (`short` in a dump).
    enum class Missing : std::uint8_t { is_error, ends_payload };
    Missing missing = Missing::is_error;
};

/// Encodes payloads. Reuses its memory and caches data per schema address: a schema must not change
/// or be destroyed during the lifetime of the encoder, or until forget(). No allocation for schemas
/// seen before, unless encoding fails. Not thread-safe.
class PayloadEncoder {
public:
    PayloadEncoder();
    ~PayloadEncoder();
    PayloadEncoder(const PayloadEncoder&) = delete;
    PayloadEncoder& operator=(const PayloadEncoder&) = delete;
    PayloadEncoder(PayloadEncoder&&) noexcept;
    PayloadEncoder& operator=(PayloadEncoder&&) noexcept;

    /// Appends the payload of an event of `schema` whose fields are the members of the object
    /// `data`; an empty list is an object without members. Members are matched in definition order
    /// by the names that decode uses (`Name#2` for repeats), otherwise looked up by name. Length
    /// and count fields are checked against the data, or filled in if missing. Numbers are
    /// range-checked; a member without a field is a Mismatch. On failure nothing is appended.
    ///
    /// 8-bit text is encoded for decode's default code page: UTF-8, or Windows-1252 if its length
    /// is given and too short for UTF-8. Text decoded using another code page (DisplayOptions and
    /// JsonValueOptions::code_page) is not restored to its original bytes, unless it is ASCII.
    std::expected<void, Mismatch> encode(const schema::EventSchema& schema,
                                         std::span<const InputValue> data,
                                         const PayloadOptions& options, ByteWriter& payload);

    /// Clears the cache of schemas.
    void forget() noexcept;

private:
    class Layouts;
    class Run;

    std::unique_ptr<Layouts> layouts_;
    std::unique_ptr<Run> run_;
};

} // namespace etl::encode
