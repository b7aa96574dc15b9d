// Which keys and fields are wanted. Private to sink.
#pragma once

#include <etl/sink/options.hpp>

#include <bitset>
#include <span>
#include <string_view>

namespace etl::sink {

/// The keys of the contract, in its order.
enum class Key : std::uint8_t {
    time,
    cpu,
    pid,
    tid,
    process,
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
    keywords,
    activity_id,
    related_activity_id,
    source,
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

inline constexpr std::size_t key_count = 51;

/// The name of a key.
std::string_view name(Key key) noexcept;

/// All keys in order.
std::span<const Key> all_keys() noexcept;

class Selection {
public:
    explicit Selection(const Options& options);

    bool has(Key key) const noexcept { return keys_[static_cast<std::size_t>(key)]; }

    /// A field of `data` by its name.
    bool has_field(std::string_view name) const noexcept;

    /// Everything up to `keywords`: the common case, in which nothing has to be asked.
    bool has_whole_head() const noexcept { return has_whole_head_; }

private:
    std::bitset<key_count> keys_;
    std::vector<std::string> fields_; // empty: all of them
    bool has_whole_head_ = false;
};

} // namespace etl::sink
