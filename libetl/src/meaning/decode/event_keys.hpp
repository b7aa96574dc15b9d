// Names of the output keys in JSON, columns, and expressions. The contract is docs/output.md.
// Values; thread-safe.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace etl::decode {

/// Keys in output order.
enum class Key : std::uint8_t {
    time,
    cpu,
    pid,
    tid,
    process,
    trace,
    file,
    machine,
    boot,
    provider,
    provider_guid,
    id,
    version,
    channel,
    level,
    opcode,
    task,
    keyword,
    event,
    task_name,
    opcode_name,
    level_name,
    channel_name,
    qualifiers,
    computer,
    keywords,
    activity_id,
    related_activity_id,
    user,
    record_id,
    source,
    schema_from,
    wpp,
    data,
    trailing,
    is_short,
    message,
    stack,
    frames,
    enriched,
    ext,
    payload,
    decode_error,
    decode_note,
    raw_time,
    header,
    buffer,
    offset,
    flags,
    kernel_time,
    user_time,
    cpu_time,
    event_property,
    hook_id,
    message_flags,
    items,
    header_bytes,
    traits,
    event_tags,
    fields,
};

inline constexpr std::array<std::string_view, 60> key_names{
    "time",
    "cpu",
    "pid",
    "tid",
    "process",
    "trace",
    "file",
    "machine",
    "boot",
    "provider",
    "provider_guid",
    "id",
    "version",
    "channel",
    "level",
    "opcode",
    "task",
    "keyword",
    "event",
    "task_name",
    "opcode_name",
    "level_name",
    "channel_name",
    "qualifiers",
    "computer",
    "keywords",
    "activity_id",
    "related_activity_id",
    "user",
    "record_id",
    "source",
    "schema_from",
    "wpp",
    "data",
    "trailing",
    "short",
    "message",
    "stack",
    "frames",
    "enriched",
    "ext",
    "payload",
    "decode_error",
    "decode_note",
    "raw_time",
    "header",
    "buffer",
    "offset",
    "flags",
    "kernel_time",
    "user_time",
    "cpu_time",
    "event_property",
    "hook_id",
    "message_flags",
    "items",
    "header_bytes",
    "traits",
    "event_tags",
    "fields",
};

inline constexpr std::size_t key_count = key_names.size();

static_assert(static_cast<std::size_t>(Key::fields) + 1 == key_count);

inline constexpr auto all_keys = [] {
    std::array<Key, key_count> list{};
    for (std::size_t i = 0; i < list.size(); ++i) {
        list[i] = static_cast<Key>(i);
    }
    return list;
}();

constexpr std::string_view name(Key key) noexcept {
    return key_names[static_cast<std::size_t>(key)];
}

/// Returns the key with this name; nothing if it is a field name.
constexpr std::optional<Key> find_key(std::string_view name) noexcept {
    const auto* const found = std::ranges::find(key_names, name);
    return found == key_names.end()
               ? std::nullopt
               : std::optional(all_keys[static_cast<std::size_t>(found - key_names.begin())]);
}

/// Returns whether a key describes the origin of events: the same for all events of a trace that
/// was not merged.
constexpr bool is_origin_key(Key key) noexcept {
    return key >= Key::trace && key <= Key::boot;
}

/// Returns whether only events of event logs have a key.
constexpr bool is_log_key(Key key) noexcept {
    return key == Key::qualifiers || key == Key::computer || key == Key::record_id;
}

/// Prefix of a field name that is also a key.
inline constexpr std::string_view field_prefix = "data.";

} // namespace etl::decode
