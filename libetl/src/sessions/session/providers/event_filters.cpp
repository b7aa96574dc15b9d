#include "session/providers/event_filters.hpp"

#include <etl/byte_writer.hpp>
#include <etl/session.hpp>

#include "base/cursor.hpp"
#include "base/file_name.hpp"
#include "base/text.hpp"
#include "host/process.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>

namespace etl::session {

namespace {

/// Types from here on are Windows' own; below it they are what provider and controller agreed on.
constexpr std::uint32_t reserved_types = 0x80000000;

bool is_opaque(std::uint32_t type) noexcept {
    return (type != 0 && type < reserved_types) || type == filter_type::schematized;
}

/// How many bytes one may have, or nothing: no such type.
std::optional<std::size_t> max_bytes(std::uint32_t type) noexcept {
    constexpr std::size_t id_list = 4 + max_filtered_ids * sizeof(std::uint16_t);
    switch (type) {
    case filter_type::system_flags:
    case filter_type::executable_name:
    case filter_type::package_id:
    case filter_type::package_app_id:
        return filter_bytes;
    case filter_type::trace_handle:
        return sizeof(std::uint64_t);
    case filter_type::pid:
        return max_filtered_processes * sizeof(std::uint32_t);
    case filter_type::payload:
        return payload_filter_bytes;
    case filter_type::event_id:
    case filter_type::stack_walk:
        return id_list;
    case filter_type::event_name:
    case filter_type::stack_walk_name:
        return name_filter_bytes;
    case filter_type::stack_walk_level_keyword:
        return 24; // with the padding at its end
    default:
        return type < reserved_types || is_opaque(type) ? std::optional(filter_bytes)
                                                        : std::nullopt;
    }
}

/// UTF-16 up to its NUL, if it has one.
std::string text_of(Bytes units) {
    Cursor in(units);
    const Bytes ended = in.zero_terminated16("names");
    std::string text;
    append_utf16le(text, in ? ended : units);
    return text;
}

bool names_fit(const Filter& filter) {
    return filter.data.size() % 2 == 0 && !text_of(filter.data).empty();
}

bool pids_fit(const Filter& filter) noexcept {
    return !filter.data.empty() && filter.data.size() % sizeof(std::uint32_t) == 0;
}

/// Null: all is well.
const char* fault_of(std::span<const Filter> filters) {
    if (filters.size() > max_filters) {
        return "too many filters";
    }
    for (std::size_t i = 0; i < filters.size(); ++i) {
        const Filter& filter = filters[i];
        const auto is_same = [&](const Filter& other) { return other.type == filter.type; };
        if (std::ranges::any_of(filters.first(i), is_same)) {
            return "duplicate filter type";
        }
        const auto max = max_bytes(filter.type);
        if (!max) {
            return "unknown filter type";
        }
        if (filter.data.size() > *max) {
            return "filter too large";
        }
        if ((filter.type == filter_type::pid && !pids_fit(filter)) ||
            (filter.type == filter_type::executable_name && !names_fit(filter))) {
            return "process filter without processes";
        }
    }
    return nullptr;
}

bool names_executable(Bytes units, std::string_view executable) {
    const std::string names = text_of(units);
    std::string_view rest = names;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(';'), rest.size());
        const std::string_view name = file_name_of(rest.substr(0, end));
        if (!name.empty() && equals_ignoring_case(name, executable)) {
            return true;
        }
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
}

bool names_process(Bytes ids, std::uint32_t own) noexcept {
    for (; ids.size() >= sizeof own; ids = ids.subspan(sizeof own)) {
        if (load_le<std::uint32_t>(ids.data()) == own) {
            return true;
        }
    }
    return false;
}

/// The metadata of an event that describes itself, or null.
const format::ExtendedItem* self_description(const FilteredEvent& event) noexcept {
    const auto found = std::ranges::find(event.items, format::ItemType::event_schema_tl,
                                         &format::ExtendedItem::type);
    return found == event.items.end() ? nullptr : &*found;
}

/// docs/format/decoding.md#tracelogging; "" where there is none.
std::string_view name_in(Bytes metadata) noexcept {
    Cursor in(metadata);
    in.u16("size");
    while ((in.u8("tag") & 0x80U) != 0) {
    }
    return as_text(in.zero_terminated8("name"));
}

} // namespace

bool EventFilters::Ids::pass(std::uint16_t id) const noexcept {
    return std::ranges::binary_search(ids, id) == (listed == Listed::kept);
}

bool EventFilters::LevelKeyword::match(const format::EventDescriptor& descriptor) const noexcept {
    if (level != 0 && descriptor.level > level) {
        return false;
    }
    const std::uint64_t keyword = descriptor.keyword;
    return keyword == 0 ||
           ((match_any == 0 || (keyword & match_any) != 0) && (keyword & match_all) == match_all);
}

bool EventFilters::Names::pass(const format::EventDescriptor& descriptor,
                               std::string_view name) const noexcept {
    if (!among.match(descriptor)) {
        return true;
    }
    const bool is_listed = std::ranges::binary_search(names, name, std::less<>{});
    return is_listed == (among.listed == Listed::kept);
}

std::optional<EventFilters::Ids> EventFilters::parse_ids(Bytes data) {
    Cursor in(data);
    Ids ids;
    ids.listed = in.u8("FilterIn") != 0 ? Listed::kept : Listed::dropped;
    in.u8("Reserved");
    const std::uint16_t count = in.u16("Count");
    if (!in || count > max_filtered_ids) {
        return std::nullopt;
    }
    for (std::uint16_t i = 0; i < count; ++i) {
        ids.ids.push_back(in.u16("Events"));
    }
    if (!in) {
        return std::nullopt;
    }
    std::ranges::sort(ids.ids);
    return ids;
}

std::optional<EventFilters::LevelKeyword> EventFilters::parse_level_keyword(Bytes data) {
    Cursor in(data);
    LevelKeyword result;
    result.match_any = in.u64("MatchAnyKeyword");
    result.match_all = in.u64("MatchAllKeyword");
    result.level = in.u8("Level");
    result.listed = in.u8("FilterIn") != 0 ? Listed::kept : Listed::dropped;
    return in ? std::optional(result) : std::nullopt;
}

std::optional<EventFilters::Names> EventFilters::parse_names(Bytes data) {
    constexpr std::size_t head_size = 18; // as EVENT_FILTER_LEVEL_KW without its padding
    const auto among = parse_level_keyword(data);
    if (!among) {
        return std::nullopt;
    }
    Names result{*among, {}};
    Cursor in(data.subspan(head_size));
    const std::uint16_t count = in.u16("NameCount");
    for (std::uint16_t i = 0; i < count && in; ++i) {
        result.names.emplace_back(as_text(in.zero_terminated8("Names")));
    }
    if (!in) {
        return std::nullopt;
    }
    std::ranges::sort(result.names);
    return result;
}

bool EventFilters::take(const Filter& filter, Reach reach) {
    const auto parsed_into = [](auto& place, auto parsed) {
        place = std::move(parsed);
        return place.has_value();
    };
    const auto unless_group = [reach](auto& place, bool is_well) {
        if (reach == Reach::group) {
            place.reset();
        }
        return is_well;
    };
    switch (filter.type) {
    case filter_type::event_id:
        return unless_group(ids_, parsed_into(ids_, parse_ids(filter.data)));
    case filter_type::event_name:
        return unless_group(names_, parsed_into(names_, parse_names(filter.data)));
    case filter_type::stack_walk:
        return parsed_into(stack_ids_, parse_ids(filter.data));
    case filter_type::stack_walk_name:
        return parsed_into(stack_names_, parse_names(filter.data));
    case filter_type::stack_walk_level_keyword:
        return parsed_into(stack_levels_, parse_level_keyword(filter.data));
    default:
        return true;
    }
}

bool EventFilters::is_empty() const noexcept {
    return !ids_ && !names_ && !stack_ids_ && !stack_names_ && !stack_levels_;
}

Outcome<std::unique_ptr<const EventFilters>> EventFilters::parse(std::span<const Filter> filters,
                                                                 Reach reach) {
    if (const char* fault = fault_of(filters)) {
        return refuse(Status::invalid_parameter, fault);
    }
    std::unique_ptr<EventFilters> result(new EventFilters);
    for (const Filter& filter : filters) {
        if (!result->take(filter, reach)) {
            return refuse(Status::invalid_parameter, "malformed filter");
        }
    }
    if (std::ranges::find(filters, filter_type::payload, &Filter::type) != filters.end()) {
        return refuse(Status::not_supported, "payload filters are unsupported");
    }
    if (result->is_empty()) {
        return nullptr;
    }
    return result;
}

bool EventFilters::admits(const FilteredEvent& event) const noexcept {
    if (const auto* description = self_description(event)) {
        return !names_ || names_->pass(*event.descriptor, name_in(description->data));
    }
    return !ids_ || ids_->pass(event.descriptor->id);
}

bool EventFilters::wants_stack(const FilteredEvent& event) const noexcept {
    if (stack_levels_ &&
        stack_levels_->match(*event.descriptor) != (stack_levels_->listed == Listed::kept)) {
        return false;
    }
    if (const auto* description = self_description(event)) {
        return !stack_names_ || stack_names_->pass(*event.descriptor, name_in(description->data));
    }
    return !stack_ids_ || stack_ids_->pass(event.descriptor->id);
}

ProcessIdentity this_process() {
    return {host::process_id(), host::executable_name()};
}

bool admits_process(std::span<const Filter> filters, const ProcessIdentity& process) {
    return std::ranges::all_of(filters, [&](const Filter& filter) {
        switch (filter.type) {
        case filter_type::pid:
            return names_process(filter.data, process.id);
        case filter_type::executable_name:
            return names_executable(filter.data, process.executable);
        case filter_type::package_id:
        case filter_type::package_app_id:
            return false; // packages of Windows' store: no process here is one
        default:
            return true;
        }
    });
}

std::vector<Filter> process_filters(std::span<const Filter> filters) {
    std::vector<Filter> result;
    std::ranges::copy_if(filters, std::back_inserter(result), [](const Filter& filter) {
        return filter.type == filter_type::pid || filter.type == filter_type::executable_name ||
               filter.type == filter_type::package_id || filter.type == filter_type::package_app_id;
    });
    return result;
}

const Filter* callback_filter(std::span<const Filter> filters) noexcept {
    const auto found =
        std::ranges::find_if(filters, [](const Filter& filter) { return is_opaque(filter.type); });
    return found == filters.end() ? nullptr : &*found;
}

namespace {

/// EVENT_FILTER_EVENT_ID. More ids than it can count make one that is refused.
Filter of_ids(std::uint8_t filter_in, const std::vector<std::uint16_t>& ids) {
    constexpr std::size_t max = std::numeric_limits<std::uint16_t>::max();
    ByteWriter out;
    out.u8(filter_in).u8(0).u16(static_cast<std::uint16_t>(std::min(ids.size(), max)));
    for (const std::uint16_t id : ids) {
        out.u16(id);
    }
    return {filter_type::event_id, out.take()};
}

} // namespace

Filter make_process_filter(const std::vector<std::uint32_t>& ids) {
    ByteWriter out;
    for (const std::uint32_t id : ids) {
        out.u32(id);
    }
    return {filter_type::pid, out.take()};
}

Filter make_executable_filter(std::string_view names) {
    ByteWriter out;
    out.zero_terminated16(to_utf16(names));
    return {filter_type::executable_name, out.take()};
}

Filter make_event_filter(const std::vector<std::uint16_t>& ids) {
    return of_ids(1, ids);
}

Filter make_event_exclusion_filter(const std::vector<std::uint16_t>& ids) {
    return of_ids(0, ids);
}

} // namespace etl::session
