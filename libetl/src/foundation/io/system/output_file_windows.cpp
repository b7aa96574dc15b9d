#include "io/output_file.hpp"
#include "io/system/os_file.hpp"

#define NOMINMAX
#define WIN32_LEAN_AND_MEAN
#include <algorithm>
#include <fcntl.h>
#include <io.h>
#include <windows.h>

namespace etl::io {

namespace {

constexpr int standard_output = 1;

// The C runtime keeps Windows' own number beside errno.
Error runtime_error(const char* what) noexcept {
    unsigned long code = 0;
    ::_get_doserrno(&code);
    ::SetLastError(code);
    return os_error(what);
}

Result<void> write_all(int descriptor, std::string_view bytes) {
    constexpr std::size_t max_at_once = 1U << 30U;
    while (!bytes.empty()) {
        const int put = ::_write(descriptor, bytes.data(),
                                 static_cast<unsigned>(std::min(bytes.size(), max_at_once)));
        if (put < 0) {
            return std::unexpected(runtime_error("write"));
        }
        bytes.remove_prefix(static_cast<std::size_t>(put));
    }
    return {};
}

} // namespace

bool StandardOutput::closed() const noexcept {
    return closed_; // Windows tells only those who write
}

Result<void> StandardOutput::write_as_is(std::string_view bytes) {
    [[maybe_unused]] static const int was = ::_setmode(standard_output, _O_BINARY);
    if (closed_) {
        return {};
    }
    const auto written = write_all(standard_output, bytes);
    if (!written && (written.error().os_code == ERROR_BROKEN_PIPE ||
                     written.error().os_code == ERROR_NO_DATA)) {
        closed_ = true;
        return {};
    }
    return written;
}

} // namespace etl::io
