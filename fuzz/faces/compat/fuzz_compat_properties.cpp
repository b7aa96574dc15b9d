// EVENT_TRACE_PROPERTIES as callers of Windows' functions give them. Property: whatever its offsets
// say, bytes behind Wnode.BufferSize are left alone, and all of them where it is refused.
#include "compat/properties.hpp"
#include "fuzz/require.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <vector>

using namespace etl;
using namespace etl::compat;
using fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 1 + sizeof(EVENT_TRACE_PROPERTIES_V2)) {
        return 0;
    }
    const auto all = std::as_bytes(std::span(data, size));
    const unsigned how = data[0];
    std::vector<std::byte> memory(all.begin() + 1, all.end());

    EVENT_TRACE_PROPERTIES_V2 fixed;
    std::array<EVENT_FILTER_DESCRIPTOR, 2> filters;
    std::memcpy(&fixed, memory.data(), sizeof fixed);
    std::memcpy(filters.data(), memory.data() + memory.size() - sizeof filters, sizeof filters);
    fixed.Wnode.BufferSize = std::min(fixed.Wnode.BufferSize, static_cast<ULONG>(memory.size()));
    fixed.FilterDesc = fixed.FilterDesc != nullptr ? filters.data() : nullptr;
    std::memcpy(memory.data(), &fixed, sizeof fixed);

    const auto before = memory;
    auto properties = Properties::of(*reinterpret_cast<EVENT_TRACE_PROPERTIES*>(memory.data()),
                                     (how & 1U) != 0 ? Form::wide : Form::narrow);
    if (!properties) {
        require(memory == before);
        return 0;
    }
    const std::string name(how / 2U, 'n');
    static_cast<void>(properties->check_room(name));
    static_cast<void>(properties->check_filters());
    session::SessionState state;
    state.options = properties->options(name, properties->file().value_or(""));
    state.file = name + ".etl";
    require(memory == before);
    static_cast<void>(properties->fill(state, Properties::Names::must_fit));
    const auto kept = static_cast<std::ptrdiff_t>(fixed.Wnode.BufferSize);
    require(std::equal(memory.begin() + kept, memory.end(), before.begin() + kept));
    return 0;
}
