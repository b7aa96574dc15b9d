#include "sink/selection.hpp"

#include <algorithm>
#include <array>
#include <ranges>
#include <utility>

namespace etl::sink {

namespace {

constexpr std::array<std::string_view, key_count> names{
    "time",          "cpu",
    "pid",           "tid",
    "process",       "provider",
    "provider_guid", "id",
    "version",       "channel",
    "level",         "opcode",
    "task",          "keyword",
    "event",         "task_name",
    "opcode_name",   "level_name",
    "channel_name",  "keywords",
    "activity_id",   "related_activity_id",
    "source",        "wpp",
    "data",          "trailing",
    "short",         "message",
    "stack",         "frames",
    "enriched",      "ext",
    "payload",       "decode_error",
    "decode_note",   "raw_time",
    "header",        "buffer",
    "offset",        "flags",
    "kernel_time",   "user_time",
    "cpu_time",      "event_property",
    "hook_id",       "message_flags",
    "items",         "header_bytes",
    "traits",        "event_tags",
    "fields",
};

constexpr auto keys = [] {
    std::array<Key, key_count> list{};
    for (std::size_t i = 0; i < list.size(); ++i) {
        list[i] = static_cast<Key>(i);
    }
    return list;
}();

static_assert(std::to_underlying(Key::fields) + 1 == key_count);

} // namespace

std::string_view name(Key key) noexcept {
    return names[static_cast<std::size_t>(key)];
}

std::span<const Key> all_keys() noexcept {
    return keys;
}

Selection::Selection(const Options& options) {
    bool all_fields = options.fields.empty();
    if (options.fields.empty()) {
        keys_.set();
    }
    constexpr std::string_view in_data = "data.";
    for (const std::string_view wanted : options.fields) {
        const bool is_field = wanted.starts_with(in_data);
        const auto found = is_field ? names.end() : std::ranges::find(names, wanted);
        if (found == names.end()) {
            fields_.emplace_back(is_field ? wanted.substr(in_data.size()) : wanted);
            keys_.set(static_cast<std::size_t>(Key::data));
        } else {
            keys_.set(static_cast<std::size_t>(found - names.begin()));
            all_fields |= wanted == name(Key::data);
        }
    }
    if (all_fields) {
        fields_.clear();
    }
    has_whole_head_ =
        std::ranges::all_of(keys | std::views::take(static_cast<int>(Key::keywords) + 1),
                            [&](Key key) { return has(key); });
}

bool Selection::has_field(std::string_view name) const noexcept {
    return fields_.empty() || std::ranges::find(fields_, name) != fields_.end();
}

} // namespace etl::sink
