// Filters of a call that enables a provider. Property: whatever the bytes, a list of filters lets
// pass what each of them alone does, in any order.
#include "base/cursor.hpp"
#include "fuzz/require.hpp"
#include "session/providers/event_filters.hpp"

#include <algorithm>
#include <array>

using namespace etl;
using namespace etl::session;

namespace {

using fuzz::require;

constexpr std::array types{filter_type::schematized,     filter_type::pid,
                           filter_type::executable_name, filter_type::event_id,
                           filter_type::event_name,      filter_type::stack_walk,
                           filter_type::stack_walk_name, filter_type::stack_walk_level_keyword,
                           filter_type::payload,         filter_type::trace_handle,
                           filter_type::package_id,      std::uint32_t{7},
                           std::uint32_t{0x90000000}};

/// Count, then type, size and bytes of each.
std::vector<Filter> filters_in(Cursor& in) {
    std::vector<Filter> filters;
    for (unsigned count = in.u8("count") % 16U; count != 0 && in; --count) {
        const std::uint32_t type = types[in.u8("type") % types.size()];
        const Bytes data = in.bytes("filter", in.u16("size") % 5000U);
        filters.push_back({type, {data.begin(), data.end()}});
    }
    return filters;
}

struct Answers {
    bool admits = true, wants_stack = true;

    friend bool operator==(const Answers&, const Answers&) = default;
};

Answers ask(const EventFilters* filters, const FilteredEvent& event) {
    return filters == nullptr ? Answers{}
                              : Answers{filters->admits(event), filters->wants_stack(event)};
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Cursor in(std::as_bytes(std::span(data, size)));
    std::vector<Filter> filters = filters_in(in);
    const format::EventDescriptor descriptor{
        .id = in.u16("id"), .level = in.u8("level"), .keyword = in.u64("keyword")};
    const format::ExtendedItem item{format::ItemType::event_schema_tl,
                                    in.bytes("metadata", in.left())};
    const FilteredEvent manifested{&descriptor, {}, {}};
    const FilteredEvent self_describing{&descriptor, {&item, 1}, {}};

    const auto all = EventFilters::parse(filters);
    std::ranges::reverse(filters);
    const auto reversed = EventFilters::parse(filters);
    require(all.has_value() == reversed.has_value());
    if (!all) {
        require(all.error().status == reversed.error().status);
        return 0;
    }
    admits_process(filters, this_process());
    for (const FilteredEvent& event : {manifested, self_describing}) {
        Answers each;
        for (const Filter& filter : filters) {
            const auto alone = EventFilters::parse({&filter, 1});
            require(alone.has_value());
            const Answers answer = ask(alone->get(), event);
            each = {each.admits && answer.admits, each.wants_stack && answer.wants_stack};
        }
        require(ask(all->get(), event) == each);
        require(ask(reversed->get(), event) == each);
    }
    return 0;
}
