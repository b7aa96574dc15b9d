#include "session/control/asked_options.hpp"

#include "base/cursor.hpp"
#include "base/text.hpp"
#include "session/control/session_names.hpp"

#include <climits>

namespace etl::session {

namespace {

bool is_too_long(const std::string& path) {
#ifdef PATH_MAX
    if (path.size() >= PATH_MAX) { // with its terminator
        return true;
    }
#endif
    return to_utf16(path).size() > longest_name;
}

} // namespace

Outcome<void> check_path(const std::string& path) {
    return is_too_long(path) ? refuse(Status::bad_pathname,
                                      "a log file path has at most 1024 characters (UTF-16 units)")
                             : Outcome<void>{};
}

bool is_system_logger(const SessionOptions& options) {
    return asks(options, mode::system_logger) || guid_of_reserved_name(options.name).has_value();
}

Outcome<std::size_t> extension_size(const SessionOptions& options) {
    constexpr std::uint32_t long_form = 0xFF;
    constexpr std::size_t dword = 4;
    const std::uint32_t offset = options.enable_flags & 0xFFFF;
    const std::uint32_t length = options.enable_flags >> 16U & 0xFF;
    const auto malformed = [] {
        return refuse(Status::invalid_parameter, "the extension of the enable flags is malformed");
    };
    if (offset == 0 || length == 0) {
        return malformed();
    }
    if (length != long_form) {
        return length * dword <= options.enable_extension.size()
                   ? Outcome<std::size_t>(length * dword)
                   : malformed();
    }
    Cursor in(options.enable_extension);
    const std::size_t whole = in.u16("Length");
    const std::size_t items = in.u16("Items");
    if (!in || whole == 0 || whole * dword > options.enable_extension.size()) {
        return malformed();
    }
    std::size_t at = 1; // dwords
    for (std::size_t i = 0; i < items; ++i) {
        Cursor item(Bytes(options.enable_extension).subspan(at * dword));
        const std::size_t size = at < whole ? item.u16("Offset") : 0;
        if (size == 0 || size > whole - at) {
            return malformed();
        }
        at += size;
    }
    return whole * dword;
}

} // namespace etl::session
