#include "schema/event_schema.hpp"

#include "base/text.hpp"
#include "format/limits.hpp"
#include "schema/event_name.hpp"
#include "schema/limits.hpp"
#include "schema/winmeta.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace etl::schema {

namespace {

template <typename List, typename Value>
std::string_view name_in(const List& list, Value value) noexcept {
    for (const auto& [known, text] : list) {
        if (known == value) {
            return text;
        }
    }
    return {};
}

// Gives the fields from `begin` to `end` names that differ, and the members of their structures
// likewise. Depth is that of the plan; schemas of deeper nesting were cut there.
void name_scope(const EventSchema& schema, std::size_t begin, std::size_t end, unsigned depth,
                std::vector<std::string>& names) {
    std::unordered_set<std::string> taken;
    std::unordered_map<std::string_view, std::uint32_t> times;
    for (std::size_t i = begin; i < end;) {
        const Field& field = schema.fields[i];
        names[i] = field.name;
        while (!taken.insert(names[i]).second) {
            const std::uint32_t number = std::max(2U, times[field.name] + 1U);
            times[field.name] = number;
            names[i] = field.name + '#';
            append_decimal(names[i], number);
        }
        const std::size_t next = std::min(end, i + 1 + field.members);
        if (depth < format::max_struct_depth) {
            name_scope(schema, i + 1, next, depth + 1, names);
        }
        i = next;
    }
}

} // namespace

std::string_view name(Origin origin) noexcept {
    switch (origin) {
    case Origin::tracelogging:
        return "tracelogging";
    case Origin::event_info:
        return "event-info";
    case Origin::eventsource:
        return "eventsource";
    case Origin::manifest:
        return "manifest";
    case Origin::wevt:
        return "wevt";
    case Origin::mof:
        return "mof";
    case Origin::wpp:
        return "wpp";
    }
    return {};
}

std::string_view ProviderNames::level_name(std::uint8_t level) const noexcept {
    const std::string_view own = name_in(levels, level);
    return own.empty() ? winmeta::level_name(level) : own;
}

std::string_view ProviderNames::channel_name(std::uint8_t channel) const noexcept {
    const std::string_view own = name_in(channels, channel);
    return own.empty() ? winmeta::channel_name(channel) : own;
}

std::string_view ProviderNames::keyword_name(std::uint64_t bit) const noexcept {
    const std::string_view own = name_in(keywords, bit);
    return own.empty() ? winmeta::keyword_name(bit) : own;
}

std::vector<std::string_view> ProviderNames::keyword_names(std::uint64_t bits) const {
    std::vector<std::string_view> set;
    for (unsigned bit = 0; bit < 64; ++bit) {
        const std::uint64_t mask = std::uint64_t{1} << bit;
        if (const auto text = (bits & mask) != 0 ? keyword_name(mask) : std::string_view{};
            !text.empty()) {
            set.push_back(text);
        }
    }
    return set;
}

std::uint64_t ProviderNames::build_bit(std::uint32_t build) const noexcept {
    if (builds.empty()) {
        return 0;
    }
    const auto above = std::ranges::upper_bound(builds, build);
    const auto place = above == builds.begin() ? 0 : above - builds.begin() - 1;
    return std::uint64_t{1} << static_cast<unsigned>(place);
}

BuildFit fit_of(const EventSchema& schema, std::uint32_t build) noexcept {
    const std::uint64_t wanted = build == 0        ? ~std::uint64_t{0}
                                 : schema.provider ? schema.provider->build_bit(build)
                                                   : 0;
    return (schema.builds & wanted) != 0 ? BuildFit::own
           : schema.is_of_any_build      ? BuildFit::any
                                         : BuildFit::other;
}

std::uint32_t nearest_build(const EventSchema& schema, std::uint32_t build) noexcept {
    std::uint32_t nearest = 0;
    const std::size_t dumped = schema.provider ? schema.provider->builds.size() : 0;
    for (std::size_t i = 0; i < dumped; ++i) {
        const std::uint32_t one = schema.provider->builds[i];
        const bool is_better = build == 0 || one <= build || nearest == 0;
        if ((schema.builds >> i & 1U) != 0 && is_better) {
            nearest = one;
        }
    }
    return nearest;
}

std::vector<std::uint32_t> builds_of(const EventSchema& schema) {
    std::vector<std::uint32_t> builds;
    const std::size_t dumped = schema.provider ? schema.provider->builds.size() : 0;
    for (std::size_t i = 0; i < dumped; ++i) {
        if ((schema.builds >> i & 1U) != 0) {
            builds.push_back(schema.provider->builds[i]);
        }
    }
    return builds;
}

std::uint64_t build_bits(const std::vector<std::uint32_t>& builds,
                         const std::vector<std::uint32_t>& dumped) noexcept {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < std::min(dumped.size(), limits::builds_of_a_provider); ++i) {
        const bool has = std::ranges::binary_search(builds, dumped[i]);
        bits |= std::uint64_t{has ? 1U : 0U} << i;
    }
    return bits;
}

// Lifetimes do not overlap, so that only the logs next to the time can be of its process.
const ManifestLog* find_log(const ManifestLogs& logs, std::uint32_t process,
                            std::int64_t time) noexcept {
    const auto next =
        std::ranges::upper_bound(logs, std::pair(process, time), {}, [](const ManifestLog& log) {
            return std::pair(log.process, log.time);
        });
    const auto is_of_process = [&](const ManifestLog& log) {
        return log.process == process && log.begin <= time && time < log.end;
    };
    if (next != logs.begin() && is_of_process(*(next - 1))) {
        return &*(next - 1);
    }
    return next != logs.end() && is_of_process(*next) ? &*next : nullptr;
}

std::vector<std::uint16_t> EventSchema::top_level() const {
    std::vector<std::uint16_t> indices;
    for (std::size_t i = 0; i < fields.size(); i += 1U + fields[i].members) {
        indices.push_back(static_cast<std::uint16_t>(i));
    }
    return indices;
}

std::string composed_name(const EventSchema& schema) {
    const std::uint8_t opcode = schema.is_opcode_unknown ? 0xFF : schema.opcode;
    return compose_event_name(schema.task_name, opcode, schema.opcode_name, schema.symbol);
}

std::vector<std::string> unique_names(const EventSchema& schema) {
    std::vector<std::string> names(schema.fields.size());
    name_scope(schema, 0, schema.fields.size(), 0, names);
    return names;
}

std::vector<std::string> field_paths(const EventSchema& schema) {
    std::vector<std::string> paths = unique_names(schema);
    std::vector<std::size_t>
        around; // structures that the field is a member of, the outermost first
    const auto end_of = [&](std::size_t i) { return i + 1U + schema.fields[i].members; };
    for (std::size_t i = 0; i < paths.size(); ++i) {
        while (!around.empty() && i >= end_of(around.back())) {
            around.pop_back();
        }
        if (!around.empty()) {
            paths[i].insert(0, paths[around.back()] + ".");
        }
        if (schema.fields[i].members > 0 && around.size() < format::max_struct_depth) {
            around.push_back(i);
        }
    }
    return paths;
}

} // namespace etl::schema
