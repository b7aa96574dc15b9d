#include "session/control/session_names.hpp"

#include "base/text.hpp"

#include <unicode/uchar.h>

namespace etl::session {

namespace {

constexpr std::string_view kernel_logger_name = "NT Kernel Logger";
constexpr std::string_view context_logger_name = "Circular Kernel Context Logger";

} // namespace

std::optional<Guid> guid_of_reserved_name(std::string_view name) {
    const std::u16string folded = folded_name(name);
    if (folded == folded_name(kernel_logger_name)) {
        return system_trace_control_guid;
    }
    if (folded == folded_name(context_logger_name)) {
        return ckcl_guid;
    }
    return std::nullopt;
}

std::u16string folded_name(std::string_view name) {
    std::u16string folded = to_utf16(name);
    // Characters beyond the first 65536 are two units and stay as they are, as on Windows.
    for (char16_t& code_unit : folded) {
        const UChar32 point = u_foldCase(code_unit, U_FOLD_CASE_DEFAULT);
        code_unit = U_IS_BMP(point) ? static_cast<char16_t>(point) : code_unit;
    }
    return folded;
}

bool is_series_name(std::string_view file) noexcept {
    const std::size_t percent = file.find('%');
    return percent != std::string_view::npos && file.substr(percent).starts_with("%d") &&
           file.find('%', percent + 1) == std::string_view::npos;
}

} // namespace etl::session
