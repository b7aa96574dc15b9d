#include "facts/subject.hpp"

#include <etl/format/kernel_group.hpp>
#include <etl/format/records.hpp>

#include "facts/owner_fields.hpp"

#include <algorithm>
#include <array>

namespace etl::facts {

namespace {

using namespace literals;

constexpr Guid process_class = "3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c"_guid;
constexpr Guid thread_class = "3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c"_guid;
constexpr Guid image_id_guid = "b3e675d7-2554-4f18-830b-2762732560de"_guid;
constexpr Guid system_config_ex = "9b79ee91-b5fd-41c0-a243-4248e266e9d0"_guid;
constexpr Guid runtime_provider = "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4"_guid;
constexpr Guid rundown_provider = "a669021c-c450-4609-a035-5af59af4df18"_guid;
constexpr Guid script_provider = "57277741-3638-4a4b-bdba-0ac6e45da56c"_guid;
constexpr Guid kernel_process_provider = "22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716"_guid;
constexpr Guid kernel_file_provider = "edd08927-9cc4-4e65-b970-c2560fb5c289"_guid;

// Start, End, DCStart, DCEnd: the types of processes, threads and (but for Load) images.
std::optional<Subject> life_of(Topic topic, std::uint8_t type) noexcept {
    switch (type) {
    case 1:
        return Subject{topic, Moment::begin};
    case 2:
        return Subject{topic, Moment::end};
    case 3:
    case 4:
        return Subject{topic, Moment::present};
    default:
        return std::nullopt;
    }
}

std::optional<Subject> process_record(std::uint8_t type) noexcept {
    constexpr std::uint8_t defunct = 39;
    return type == defunct ? Subject{Topic::process, Moment::gone} : life_of(Topic::process, type);
}

std::optional<Subject> image_record(std::uint8_t type) noexcept {
    constexpr std::uint8_t load = 10;
    if (type == load) {
        return Subject{Topic::image, Moment::begin};
    }
    return type == 1 ? std::nullopt : life_of(Topic::image, type);
}

std::optional<Subject> file_record(std::uint8_t type) noexcept {
    switch (type) {
    case 0:  // Name
    case 32: // FileCreate
    case 64: // Create
        return Subject{Topic::file, Moment::begin};
    case 36: // FileRundown
        return Subject{Topic::file, Moment::present};
    case 35: // FileDelete
    case 66: // Close
        return Subject{Topic::file, Moment::end};
    default:
        return std::nullopt;
    }
}

std::optional<Subject> stack_record(std::uint8_t type) noexcept {
    switch (type) {
    case 32:
        return Subject{Topic::stack};
    case 34:
        return Subject{Topic::key_created};
    case 35: // the key is given up, or the session ends: either way it meant this until now
    case 36:
        return Subject{Topic::key_ended};
    case 37:
        return Subject{Topic::kernel_key};
    case 38:
        return Subject{Topic::user_key};
    default:
        return std::nullopt;
    }
}

std::optional<Subject> kernel_record(std::uint16_t hook_id) noexcept {
    constexpr std::uint16_t image_load_hook = 0x030A;
    constexpr std::uint16_t logical_disk_hook = 0x0B0C;
    const auto type = static_cast<std::uint8_t>(hook_id);
    switch (hook_id >> 8U) {
    case 0x03:
        return hook_id == image_load_hook ? image_record(type) : process_record(type);
    case 0x04:
        return file_record(type);
    case 0x05:
        return life_of(Topic::thread, type);
    case 0x0B:
        return hook_id == logical_disk_hook ? std::optional(Subject{Topic::disk}) : std::nullopt;
    case 0x14:
        return image_record(type);
    case 0x18:
        return stack_record(type);
    default:
        return std::nullopt;
    }
}

std::optional<Subject> image_id_record(std::uint8_t type) noexcept {
    switch (type) {
    case 0: // Info
        return Subject{Topic::image_info};
    case 36: // DbgID_RSDS
        return Subject{Topic::image_pdb};
    case 37: // DbgID_ILRSDS
        return Subject{Topic::image_il_pdb};
    default:
        return std::nullopt;
    }
}

// The classes of merges. Hand-made traces have kernel classes under full headers, too.
std::optional<Subject> classic_record(const Guid& guid, std::uint8_t type) noexcept {
    if (guid == process_class) {
        return process_record(type);
    }
    if (guid == image_class) {
        return image_record(type);
    }
    if (guid == image_id_guid) {
        return image_id_record(type);
    }
    constexpr std::uint8_t volume_mapping = 35;
    if (guid == system_config_ex && type == volume_mapping) {
        return Subject{Topic::volume};
    }
    return guid == thread_class ? life_of(Topic::thread, type) : std::nullopt;
}

// An event of a manifest provider.
struct EventTopic {
    const Guid& provider;
    std::uint16_t id;
    Topic topic;
    Moment moment;
};

constexpr EventTopic event_topics[] = {
    {kernel_process_provider, 1, Topic::process, Moment::begin},    // ProcessStart
    {kernel_process_provider, 2, Topic::process, Moment::end},      // ProcessStop
    {kernel_process_provider, 15, Topic::process, Moment::present}, // ProcessRundown
    {kernel_process_provider, 3, Topic::thread, Moment::begin},     // ThreadStart
    {kernel_process_provider, 4, Topic::thread, Moment::end},       // ThreadStop
    {kernel_process_provider, 5, Topic::image, Moment::begin},      // ImageLoad
    {kernel_process_provider, 6, Topic::image, Moment::end},        // ImageUnload
    {kernel_file_provider, 10, Topic::file, Moment::begin},         // NameCreate
    {kernel_file_provider, 12, Topic::file, Moment::begin},         // Create
    {kernel_file_provider, 11, Topic::file, Moment::end},           // NameDelete
    {kernel_file_provider, 14, Topic::file, Moment::end},           // Close
    {runtime_provider, 141, Topic::method, Moment::begin},          // MethodLoad
    {runtime_provider, 142, Topic::method, Moment::end},            // MethodUnload
    {runtime_provider, 143, Topic::method, Moment::begin},          // MethodLoadVerbose
    {runtime_provider, 144, Topic::method, Moment::end},            // MethodUnloadVerbose
    {runtime_provider, 152, Topic::module, Moment::begin},          // ModuleLoad
    {runtime_provider, 153, Topic::module, Moment::end},            // ModuleUnload
    {rundown_provider, 141, Topic::method, Moment::present},        // MethodDCStart
    {rundown_provider, 142, Topic::method, Moment::present},        // MethodDCEnd
    {rundown_provider, 143, Topic::method, Moment::present},        // MethodDCStartVerbose
    {rundown_provider, 144, Topic::method, Moment::present},        // MethodDCEndVerbose
    {rundown_provider, 153, Topic::module, Moment::present},        // ModuleDCStart
    {rundown_provider, 154, Topic::module, Moment::present},        // ModuleDCEnd
    {script_provider, 5, Topic::script_method, Moment::present},    // MethodDCStart
    {script_provider, 6, Topic::script_method, Moment::present},    // MethodDCEnd
    {script_provider, 9, Topic::script_method, Moment::begin},      // MethodLoad
    {script_provider, 10, Topic::script_method, Moment::end},       // MethodUnload
    {script_provider, 39, Topic::script, Moment::present},          // SourceDCStart
    {script_provider, 40, Topic::script, Moment::present},          // SourceDCEnd
    {script_provider, 41, Topic::script, Moment::begin},            // SourceLoad
    {script_provider, 42, Topic::script, Moment::end},              // SourceUnload
};

constexpr std::array event_providers{kernel_process_provider, kernel_file_provider,
                                     runtime_provider, rundown_provider, script_provider};

std::optional<Subject> manifest_event(const Guid& guid, std::uint16_t id) noexcept {
    if (std::ranges::find(event_providers, guid) == event_providers.end()) {
        return std::nullopt;
    }
    for (const EventTopic& event : event_topics) {
        if (event.id == id && event.provider == guid) {
            return Subject{event.topic, event.moment};
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<Subject> subject_of(const flow::Event& event) noexcept {
    if (!event.has_time) {
        return std::nullopt;
    }
    if (format::has_hook(event.kind)) {
        return kernel_record(flow::stored<format::system_record::hook_id>(event));
    }
    if (format::is_full(event.kind)) {
        return classic_record(flow::stored<format::full_record::guid>(event),
                              flow::stored<format::full_record::type>(event));
    }
    if (format::is_event(event.kind)) {
        return manifest_event(flow::stored<format::event_record::provider_id>(event),
                              flow::stored<format::event_record::id>(event));
    }
    return std::nullopt;
}

} // namespace etl::facts
