#include "facts/subject.hpp"

#include "facts/attribution.hpp"
#include "flow/context.hpp"
#include "format/kernel_disk.hpp"
#include "format/kernel_group.hpp"
#include "format/known_guids.hpp"
#include "format/records.hpp"

#include <algorithm>
#include <array>

namespace etl::facts {

namespace {

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

std::optional<Subject> thread_record(std::uint8_t type) noexcept {
    constexpr std::uint8_t set_name = 72;
    return type == set_name ? Subject{Topic::thread} : life_of(Topic::thread, type);
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
    if (guid == format::process_class_guid) {
        return process_record(type);
    }
    if (guid == format::image_class_guid) {
        return image_record(type);
    }
    if (guid == format::image_id_guid) {
        return image_id_record(type);
    }
    constexpr std::uint8_t volume_mapping = 35;
    if (guid == format::system_config_ex_guid && type == volume_mapping) {
        return Subject{Topic::volume};
    }
    return guid == format::thread_class_guid ? thread_record(type) : std::nullopt;
}

// An event of a manifest provider.
struct EventTopic {
    const Guid& provider;
    std::uint16_t id;
    Topic topic;
    Moment moment;
};

constexpr EventTopic event_topics[] = {
    {format::kernel_process_guid, 1, Topic::process, Moment::begin},     // ProcessStart
    {format::kernel_process_guid, 2, Topic::process, Moment::end},       // ProcessStop
    {format::kernel_process_guid, 15, Topic::process, Moment::present},  // ProcessRundown
    {format::kernel_process_guid, 3, Topic::thread, Moment::begin},      // ThreadStart
    {format::kernel_process_guid, 4, Topic::thread, Moment::end},        // ThreadStop
    {format::kernel_process_guid, 7, Topic::thread, Moment::present},    // CpuBasePriorityChange
    {format::kernel_process_guid, 8, Topic::thread, Moment::present},    // CpuPriorityChange
    {format::kernel_process_guid, 9, Topic::thread, Moment::present},    // PagePriorityChange
    {format::kernel_process_guid, 10, Topic::thread, Moment::present},   // IoPriorityChange
    {format::kernel_process_guid, 5, Topic::image, Moment::begin},       // ImageLoad
    {format::kernel_process_guid, 6, Topic::image, Moment::end},         // ImageUnload
    {format::kernel_file_guid, 10, Topic::file, Moment::begin},          // NameCreate
    {format::kernel_file_guid, 12, Topic::file, Moment::begin},          // Create
    {format::kernel_file_guid, 11, Topic::file, Moment::end},            // NameDelete
    {format::kernel_file_guid, 14, Topic::file, Moment::end},            // Close
    {format::dotnet_runtime_guid, 141, Topic::method, Moment::begin},    // MethodLoad
    {format::dotnet_runtime_guid, 142, Topic::method, Moment::end},      // MethodUnload
    {format::dotnet_runtime_guid, 143, Topic::method, Moment::begin},    // MethodLoadVerbose
    {format::dotnet_runtime_guid, 144, Topic::method, Moment::end},      // MethodUnloadVerbose
    {format::dotnet_runtime_guid, 152, Topic::module, Moment::begin},    // ModuleLoad
    {format::dotnet_runtime_guid, 153, Topic::module, Moment::end},      // ModuleUnload
    {format::dotnet_rundown_guid, 141, Topic::method, Moment::present},  // MethodDCStart
    {format::dotnet_rundown_guid, 142, Topic::method, Moment::present},  // MethodDCEnd
    {format::dotnet_rundown_guid, 143, Topic::method, Moment::present},  // MethodDCStartVerbose
    {format::dotnet_rundown_guid, 144, Topic::method, Moment::present},  // MethodDCEndVerbose
    {format::dotnet_rundown_guid, 153, Topic::module, Moment::present},  // ModuleDCStart
    {format::dotnet_rundown_guid, 154, Topic::module, Moment::present},  // ModuleDCEnd
    {format::javascript_guid, 5, Topic::script_method, Moment::present}, // MethodDCStart
    {format::javascript_guid, 6, Topic::script_method, Moment::present}, // MethodDCEnd
    {format::javascript_guid, 9, Topic::script_method, Moment::begin},   // MethodLoad
    {format::javascript_guid, 10, Topic::script_method, Moment::end},    // MethodUnload
    {format::javascript_guid, 39, Topic::script, Moment::present},       // SourceDCStart
    {format::javascript_guid, 40, Topic::script, Moment::present},       // SourceDCEnd
    {format::javascript_guid, 41, Topic::script, Moment::begin},         // SourceLoad
    {format::javascript_guid, 42, Topic::script, Moment::end},           // SourceUnload
};

constexpr std::array event_providers{format::kernel_process_guid, format::kernel_file_guid,
                                     format::dotnet_runtime_guid, format::dotnet_rundown_guid,
                                     format::javascript_guid};

std::optional<Subject> manifest_event(const Guid& guid, std::uint16_t id) noexcept {
    if (!may_be_subject(format::head_of(guid), Scope::everything)) {
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

bool may_be_subject(std::uint32_t head, Scope scope) noexcept {
    static_assert(std::ranges::all_of(event_topics, [](const EventTopic& event) {
        return !is_within(Scope::processes, event.topic) ||
               event.provider == format::kernel_process_guid;
    }));
    if (scope == Scope::processes) {
        return head == format::head_of(format::kernel_process_guid);
    }
    switch (head) {
    case format::head_of(format::kernel_process_guid):
    case format::head_of(format::kernel_file_guid):
    case format::head_of(format::dotnet_runtime_guid):
    case format::head_of(format::dotnet_rundown_guid):
    case format::head_of(format::javascript_guid):
        return true;
    default:
        return false;
    }
}

std::optional<Subject> subject_of_hook(std::uint16_t hook_id) noexcept {
    constexpr std::uint16_t image_load_hook = 0x030A;
    constexpr std::uint16_t logical_disk_hook = 0x0B0C;
    const auto type = static_cast<std::uint8_t>(hook_id);
    switch (hook_id >> 8U) {
    case 0x03:
        return hook_id == image_load_hook ? image_record(type) : process_record(type);
    case 0x04:
        return file_record(type);
    case 0x05:
        return thread_record(type);
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

std::span<const Guid> subject_providers() noexcept {
    return event_providers;
}

std::optional<Subject> subject_of(const flow::Event& event) noexcept {
    if (!event.has_time) {
        return std::nullopt;
    }
    if (format::has_hook(event.kind)) {
        return subject_of_hook(flow::stored<format::system_record::hook_id>(event));
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

namespace {

constexpr std::size_t hooks = 0x2000; // groups up to 0x1F

bool is_about_thread_of_stack(Topic topic) noexcept {
    return topic == Topic::stack || topic == Topic::kernel_key || topic == Topic::user_key;
}

unsigned parts_of_hook(std::uint16_t hook, Scope scope) noexcept {
    const auto subject = subject_of_hook(hook);
    unsigned parts = 0;
    parts |= subject && is_within(scope, subject->topic) ? Interest::subject : 0U;
    parts |= subject && is_about_thread_of_stack(subject->topic) ? Interest::stack : 0U;
    parts |= class_sources_of_hook(hook) != ClassSources{} ? Interest::source : 0U;
    parts |= is_sampling_interval(hook) ? Interest::sampling : 0U;
    return parts;
}

} // namespace

Interest::Interest(Scope scope) : hooks_(hooks), scope_(scope) {
    for (std::uint16_t hook = 0; hook < hooks; ++hook) {
        hooks_[hook] = static_cast<std::uint8_t>(parts_of_hook(hook, scope));
    }
}

unsigned Interest::parts_of_event(const flow::Event& event) const noexcept {
    constexpr auto provider = format::event_record::provider_id;
    const auto head = load_le<std::uint32_t>(event.record + provider.offset);
    unsigned parts = may_be_subject(head, scope_) ? subject : 0U;
    if (scope_ == Scope::everything &&
        flow::runtime_record_of(event) != flow::RuntimeRecord::none) {
        parts |= runtime;
    }
    return parts;
}

bool is_sampling_interval(std::uint16_t hook) noexcept {
    constexpr std::uint16_t set_interval = 0x0F48, collection_end = 0x0F4A;
    return hook >= set_interval && hook <= collection_end;
}

ClassSources class_sources_of_hook(std::uint16_t hook) noexcept {
    constexpr unsigned disk_io = 0x01, file_io = 0x04;
    constexpr unsigned first_operation = 64, last_operation = 81, completion = 76;
    const unsigned type = hook & 0xFFU;
    switch (hook >> 8U) {
    case disk_io:
        return {.disk_io = format::is_disk_completion(hook)};
    case file_io:
        return {.file_io = type >= first_operation && type <= last_operation && type != completion};
    default:
        return {};
    }
}

} // namespace etl::facts
