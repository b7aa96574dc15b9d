// From values back to the bytes of a payload: the inverse of decode, for every form in which `etl
// dump` shows a value. docs/write.md#values
#pragma once

#include <etl/base/byte_writer.hpp>
#include <etl/encode/input_value.hpp>
#include <etl/schema/event_schema.hpp>

#include <expected>
#include <memory>
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

/// Encodes payloads; keeps its working memory, and what it worked out for each schema by the
/// address of that: a schema neither changes nor goes away while the encoder lives, or until
/// forget(). No allocation for schemas seen before, unless encoding fails. One thread.
class PayloadEncoder {
public:
    PayloadEncoder();
    ~PayloadEncoder();
    PayloadEncoder(const PayloadEncoder&) = delete;
    PayloadEncoder& operator=(const PayloadEncoder&) = delete;
    PayloadEncoder(PayloadEncoder&&) noexcept;
    PayloadEncoder& operator=(PayloadEncoder&&) noexcept;

    /// Appends the payload of an event of `schema` whose fields are the members of the object
    /// `data`; no entry at all is an object without members. Members are matched in order of
    /// definition with the names that decode gives them (`Name#2` for repeats), else looked up by
    /// name. Lengths and counts that other fields tell are checked against them, and filled in when
    /// those are not given. Numbers are range-checked; a member that no field takes is a Mismatch.
    /// Nothing is appended on failure.
    ///
    /// 8-bit text becomes what decode's default reads: UTF-8, or Windows-1252 where its length is
    /// told and too short for UTF-8. Texts decoded under another code page (DisplayOptions and
    /// JsonValueOptions::code_page) do not find back to their bytes, but where they are ASCII.
    std::expected<void, Mismatch> encode(const schema::EventSchema& schema,
                                         std::span<const InputValue> data,
                                         const PayloadOptions& options, ByteWriter& payload);

    /// Forgets all schemas.
    void forget() noexcept;

private:
    class Layouts;
    class Run;

    std::unique_ptr<Layouts> layouts_;
    std::unique_ptr<Run> run_;
};

} // namespace etl::encode
