// One line of JSON as `etl dump` writes it, or a person: its keys by name, with their types
// checked. Views are valid until the next line. docs/output.md, docs/write.md
#pragma once

#include <etl/guid.hpp>

#include "encode/input_value.hpp"
#include "flow/event.hpp"
#include "format/record_kind.hpp"
#include "fromjson/line_trace.hpp"

#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl::fromjson {

/// An array or object in the line at hand; its values are asked for where they are needed.
struct Nested {
    std::uint32_t number = 0; // 0: there is none

    explicit operator bool() const noexcept { return number != 0; }
};

/// What a line says. What it does not say is not set. Text in hex is not read yet.
struct EventLine {
    std::optional<std::string_view> time, provider, event, source;
    std::optional<std::string_view> payload, trailing, header_bytes; // hex
    std::optional<std::int64_t> raw_time;
    bool time_is_null = false, raw_time_is_null = false; // the record has no time stamp
    bool is_wpp = false;                                 // there is `wpp`
    std::uint16_t cpu = 0;
    std::uint32_t pid = etl::flow::no_id, tid = etl::flow::no_id;
    std::optional<etl::Guid> provider_guid;
    etl::Guid activity_id;
    std::optional<etl::Guid> related_activity_id;
    std::optional<std::uint16_t> id, task;
    std::optional<std::uint8_t> version, channel, level, opcode;
    std::optional<std::uint64_t> keyword;
    bool is_short = false;
    bool contradicts_schema = false; // there is a decode_error
    etl::format::RecordKind header;  // none: not said
    std::optional<std::uint64_t> buffer;
    std::uint16_t flags = 0;
    std::uint32_t kernel_time = 0, user_time = 0;
    std::optional<std::uint64_t> cpu_time;
    std::uint16_t event_property = 0;
    std::optional<std::uint16_t> hook_id, message_flags;
    std::uint32_t event_tags = 0;
    Nested data, stack, ext, items, fields, traits;
};

/// Reads lines. Keeps its memory. One thread.
class EventLineReader {
public:
    /// Bytes that can be read behind a line; what they are does not matter.
    static constexpr std::size_t padding = 64;

    EventLineReader();
    ~EventLineReader();
    EventLineReader(const EventLineReader&) = delete;
    EventLineReader& operator=(const EventLineReader&) = delete;

    /// `line` is followed by `padding` bytes.
    LineResult<const EventLine*> read(std::string_view line);

    /// The values of an array or object of the line at hand, in pre-order, appended to `to`: of
    /// very many the first decode::limits::values_per_event. The views are valid until the next
    /// line.
    void append(Nested nested, std::vector<etl::encode::InputValue>& to) const;

    /// Keys met so far that no dump writes; not all of very many.
    const std::vector<std::string>& unknown_keys() const noexcept { return unknown_keys_; }

private:
    struct Json;

    void remember_unknown(std::string_view name);

    std::unique_ptr<Json> json_;
    EventLine line_;
    std::vector<std::string> unknown_keys_;
};

// The names by which lines call events of the kernel. docs/write.md#kernel

/// The class that a name of the kernel's provider contains, as in `MSNT_SystemTrace/Process`;
/// empty: none. Nothing: another provider.
std::optional<std::string_view> kernel_class_in(std::string_view provider);

/// The name of the line's event with that of its class, `Process/Start`, which can be that of the
/// provider. Nothing: no name, or one of another class than that of the provider.
std::optional<std::string> class_event_name(const EventLine& line);

} // namespace etl::fromjson
