#include "facts/subject.hpp"

#include <etl/format/kernel_group.hpp>
#include <etl/format/records.hpp>

#include "facts/owner_fields.hpp"

namespace etl::facts {

namespace {

using namespace literals;

constexpr Guid process_class = "3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c"_guid;
constexpr Guid thread_class = "3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c"_guid;
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
    return type == defunct ? Subject{Topic::process, Moment::present}
                           : life_of(Topic::process, type);
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

// Hand-made traces have kernel classes under full headers.
std::optional<Subject> classic_record(const Guid& guid, std::uint8_t type) noexcept {
    if (guid == process_class) {
        return process_record(type);
    }
    if (guid == image_class) {
        return image_record(type);
    }
    return guid == thread_class ? life_of(Topic::thread, type) : std::nullopt;
}

std::optional<Subject> manifest_event(const Guid& guid, std::uint16_t id) noexcept {
    if (guid == kernel_process_provider) {
        switch (id) {
        case 1: // ProcessStart
            return Subject{Topic::process, Moment::begin};
        case 2: // ProcessStop
            return Subject{Topic::process, Moment::end};
        case 15: // ProcessRundown
            return Subject{Topic::process, Moment::present};
        case 3: // ThreadStart
            return Subject{Topic::thread, Moment::begin};
        case 4: // ThreadStop
            return Subject{Topic::thread, Moment::end};
        case 5: // ImageLoad
            return Subject{Topic::image, Moment::begin};
        case 6: // ImageUnload
            return Subject{Topic::image, Moment::end};
        default:
            return std::nullopt;
        }
    }
    if (guid == kernel_file_provider) {
        switch (id) {
        case 10: // NameCreate
        case 12: // Create
            return Subject{Topic::file, Moment::begin};
        case 11: // NameDelete
        case 14: // Close
            return Subject{Topic::file, Moment::end};
        default:
            return std::nullopt;
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
