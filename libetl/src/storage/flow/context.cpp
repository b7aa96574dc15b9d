#include "flow/context.hpp"

#include "format/kernel_group.hpp"
#include "format/known_guids.hpp"
#include "format/own_events.hpp"
#include "format/records.hpp"

#include <algorithm>
#include <array>

namespace etl::flow {

namespace {

using format::head_of;

struct HookRange {
    std::uint16_t first, last;
    Context context;
};

// Later ones take precedence. docs/relog.md#context
constexpr HookRange hook_ranges[] = {
    {0x0000, 0x00FF, Context::header},
    {0x0040, 0x0041, Context::image},   // DbgIdRSDS, DbgIdNB10
    {0x0301, 0x0304, Context::process}, // Start, End, DCStart, DCEnd
    {0x030A, 0x030A, Context::image},   // Load
    {0x0327, 0x0327, Context::process}, // Defunct
    {0x0400, 0x0400, Context::file},    // Name
    {0x0420, 0x0424, Context::file},    // FileCreate to FileRundown
    {0x0501, 0x0504, Context::process}, // threads: Start, End, DCStart, DCEnd
    {0x0548, 0x0548, Context::process}, // a thread's name
    {0x0B00, 0x0BFF, Context::system},
    {0x0F30, 0x0F30, Context::system}, // which counters are sampled
    {0x0F48, 0x0F4A, Context::system}, // the interval of samples
    {0x1401, 0x1404, Context::image},  // Load, Unload, DCStart, DCEnd
    {0x1421, 0x1422, Context::image},  // KernelBase, HypercallPage
    {0x1822, 0x1824, Context::stack},  // a key: made, deleted, told at the end
};

constexpr std::size_t groups = 0x20;

constexpr auto context_by_hook = [] {
    std::array<Context, groups * 256> table{};
    for (const HookRange& range : hook_ranges) {
        std::fill(table.begin() + range.first, table.begin() + range.last + 1, range.context);
    }
    return table;
}();

Context context_of_hook(std::uint16_t hook_id) noexcept {
    return hook_id < context_by_hook.size() ? context_by_hook[hook_id] : Context::none;
}

/// Events `first` to `last` (types, or ids) of a class or provider.
struct GuidRange {
    Guid guid;
    std::uint16_t first, last;
    Context context;
};

// What a merge adds. docs/format/decoding.md

constexpr GuidRange classic_ranges[] = {
    {format::image_id_guid, 0, 255, Context::image},
    {format::event_metadata_guid, 0, 255, Context::schema},
    {format::system_config_ex_guid, 32, 32, Context::header}, // BuildInfo
    {format::system_config_ex_guid, 34, 35, Context::file},   // volumes
    {format::system_config_ex_guid, 0, 255, Context::system},
};

Context context_in(std::span<const GuidRange> ranges, const Guid& guid, std::uint16_t id) noexcept {
    const auto found = std::ranges::find_if(ranges, [&](const GuidRange& range) {
        return range.guid == guid && range.first <= id && id <= range.last;
    });
    return found != ranges.end() ? found->context : Context::none;
}

Context context_of_classic(const Event& event) noexcept {
    const auto guid = stored<format::full_record::guid>(event);
    const auto type = stored<format::full_record::type>(event);
    if (const auto hook = format::hook_of_class(guid, type)) {
        return context_of_hook(*hook);
    }
    return context_in(classic_ranges, guid, type);
}

constexpr GuidRange event_ranges[] = {
    {format::kernel_process_guid, 1, 4, Context::process},   // processes, threads: start, stop
    {format::kernel_process_guid, 5, 6, Context::image},     // load, unload
    {format::kernel_process_guid, 15, 15, Context::process}, // rundown
    {format::kernel_file_guid, 10, 11, Context::file},       // a name is made, is deleted
    {format::dotnet_runtime_guid, 141, 144, Context::image}, // methods, short and verbose
    {format::dotnet_runtime_guid, 151, 158, Context::image}, // modules, assemblies, domains
    {format::dotnet_runtime_guid, 187, 187, Context::image}, // which runtime it is
    {format::dotnet_rundown_guid, 141, 144, Context::image},
    {format::dotnet_rundown_guid, 145, 148, Context::image}, // the rundown begins, is complete
    {format::dotnet_rundown_guid, 151, 158, Context::image},
    {format::dotnet_rundown_guid, 187, 187, Context::image},
    {format::javascript_guid, 5, 6, Context::image},         // methods: rundown
    {format::javascript_guid, 9, 10, Context::image},        // methods: load, unload
    {format::javascript_guid, 39, 42, Context::image},       // sources: rundown, load, unload
    {format::source_event::provider, 0, 0, Context::system}, // inputs of a merge
    {format::losses_event::provider, 0, 0, Context::system}, // unknown losses
};

std::uint32_t provider_head(const Event& event) noexcept {
    return load_le<std::uint32_t>(event.record + format::event_record::provider_id.offset);
}

/// Microsoft-Windows-DotNETRuntimePrivate and -Stress: the others are known elsewhere.
constexpr Guid runtime_private_guid = *parse_guid("763fd754-7086-4dfe-95eb-c01a46faf4ca");
constexpr Guid runtime_stress_guid = *parse_guid("cc2bcbba-16b6-4cf3-8990-d74c2e8af500");

bool is_of_runtime(const Event& event) noexcept {
    switch (provider_head(event)) {
    case head_of(format::dotnet_runtime_guid):
    case head_of(format::dotnet_rundown_guid):
    case head_of(runtime_private_guid):
    case head_of(runtime_stress_guid):
        break;
    default:
        return false;
    }
    const auto provider = stored<format::event_record::provider_id>(event);
    return provider == format::dotnet_runtime_guid || provider == format::dotnet_rundown_guid ||
           provider == runtime_private_guid || provider == runtime_stress_guid;
}

// Of an EventSource: a piece of its manifest, not an event that happens to have this id.
bool is_manifest_chunk(const Event& event) noexcept {
    constexpr std::uint8_t opcode = 0xFE;
    constexpr std::size_t envelope = 8;
    constexpr std::byte plain_xml{1};
    constexpr std::byte magic{0x5B};
    const EventHeader header = read_header(event);
    return header.opcode == opcode && header.payload.size() >= envelope &&
           header.payload[0] == plain_xml && header.payload[3] == magic;
}

Context context_of_event(const Event& event) noexcept {
    constexpr std::uint16_t manifest_id = 0xFFFE;
    const auto id = stored<format::event_record::id>(event);
    if (id == manifest_id) [[unlikely]] {
        return is_manifest_chunk(event) ? Context::schema : Context::none;
    }
    switch (load_le<std::uint32_t>(event.record + format::event_record::provider_id.offset)) {
    case head_of(format::kernel_process_guid):
    case head_of(format::kernel_file_guid):
    case head_of(format::dotnet_runtime_guid):
    case head_of(format::dotnet_rundown_guid):
    case head_of(format::javascript_guid):
    case head_of(format::source_event::provider):
    case head_of(format::losses_event::provider):
        return context_in(event_ranges, stored<format::event_record::provider_id>(event), id);
    case head_of(format::event_metadata_guid):
    case head_of(format::image_id_guid):
    case head_of(format::system_config_ex_guid):
        return context_in(classic_ranges, stored<format::event_record::provider_id>(event),
                          stored<format::event_record::opcode>(event));
    default:
        return Context::none;
    }
}

constexpr std::size_t match_size = sizeof(std::int64_t);

/// Of an item that has a key in place of frames, behind its match.
std::optional<std::uint64_t> stack_key(const format::ExtendedItem& item) noexcept {
    const Bytes key = item.data.subspan(match_size);
    if (item.type == format::ItemType::stack_key64 && key.size() >= sizeof(std::uint64_t)) {
        return load_le<std::uint64_t>(key.data());
    }
    if (item.type == format::ItemType::stack_key32 && key.size() >= sizeof(std::uint32_t)) {
        return load_le<std::uint32_t>(key.data());
    }
    return std::nullopt;
}

bool is_stack(format::ItemType type) noexcept {
    using format::ItemType;
    return type == ItemType::stack_trace32 || type == ItemType::stack_trace64 ||
           type == ItemType::stack_key32 || type == ItemType::stack_key64;
}

} // namespace

std::string_view name(Context context) noexcept {
    constexpr std::array<std::string_view, context_count> names{
        "", "header", "system", "process", "image", "file", "schema", "stack"};
    return names[static_cast<std::size_t>(context)];
}

Context context_of(const Event& event) noexcept {
    if (format::has_hook(event.kind)) {
        return context_of_hook(stored<format::system_record::hook_id>(event));
    }
    if (format::is_full(event.kind)) {
        return context_of_classic(event);
    }
    return format::is_event(event.kind) ? context_of_event(event) : Context::none;
}

bool is_logfile_header(const Event& event) noexcept {
    return event.kind.family == format::RecordFamily::system &&
           stored<format::system_record::hook_id>(event) == format::logfile_header_hook;
}

std::optional<StackTarget> target_of_stack(const Event& event) noexcept {
    constexpr std::size_t head = 16; // time, process, thread
    const Bytes payload =
        format::has_hook(event.kind) ? payload_of_hook(event) : read_header(event).payload;
    if (payload.size() < head) {
        return std::nullopt;
    }
    return StackTarget{.time = load_le<std::int64_t>(payload.data()),
                       .process_id = load_le<std::uint32_t>(payload.data() + 8),
                       .thread_id = load_le<std::uint32_t>(payload.data() + 12)};
}

RuntimeRecord runtime_record_of(const Event& event) noexcept {
    constexpr std::uint8_t stack_walk = 82;
    if (!format::is_event(event.kind) || !is_of_runtime(event)) {
        return RuntimeRecord::none;
    }
    return stored<format::event_record::opcode>(event) == stack_walk ? RuntimeRecord::stack
                                                                     : RuntimeRecord::event;
}

RuntimeThread runtime_thread_of(const Event& event) noexcept {
    return {stored<format::event_record::process_id>(event),
            stored<format::event_record::thread_id>(event), provider_head(event)};
}

bool StackItems::next(StackItem& stack) noexcept {
    format::ExtendedItem item;
    while (items_.next(item)) {
        if (is_stack(item.type) && item.data.size() >= match_size) {
            stack = {.match_bytes = item.data.first(match_size),
                     .match = load_le<std::int64_t>(item.data.data()),
                     .key = stack_key(item)};
            return true;
        }
    }
    return false;
}

} // namespace etl::flow
