// How tracerpt lists the log file header, the first event of a trace: with the names of the MOF
// class EventTrace_Header, both pointers, and without the time zone. Private to sink.
#pragma once

#include "base/layout.hpp"
#include "format/kernel_group.hpp"
#include "sink/windows_event.hpp"

#include <algorithm>
#include <array>

namespace etl::sink {

inline bool is_log_file_header(const WindowsEvent& event) noexcept {
    return event.decoded->header.is_kernel &&
           event.decoded->header.hook_id == format::logfile_header_hook &&
           event.decoded->kind->schema != nullptr;
}

/// The name of one of its fields; empty: not listed.
inline std::string_view tracerpt_header_name(std::string_view field) noexcept {
    constexpr std::string_view zone[] = {"TimeZone",     "Bias",         "StandardName",
                                         "StandardBias", "DaylightName", "DaylightBias"};
    return field == "SessionName"                                     ? "SessionNameString"
           : field == "LogFileName"                                   ? "LogFileNameString"
           : std::ranges::find(zone, field) != std::ranges::end(zone) ? ""
                                                                      : field;
}

/// The field after which the pointer to the file name is listed.
inline constexpr std::string_view before_file_name_pointer = "LoggerName";
inline constexpr std::string_view file_name_pointer = "LogFileName";

/// The pointer as a value, which must not outlive this object.
class FileNamePointer {
public:
    explicit FileNamePointer(const WindowsEvent& event) noexcept {
        store_le(bytes_.data(), event.decoded->event->trace().header.log_file_name_pointer);
    }

    decode::Value value() const noexcept { return {.bytes = bytes_, .form = decode::Form::hex64}; }

private:
    std::array<std::byte, 8> bytes_{};
};

} // namespace etl::sink
