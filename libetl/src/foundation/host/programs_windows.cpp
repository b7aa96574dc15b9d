#include "host/programs.hpp"

namespace etl::host {

// Windows has sessions of its own; these exist so that the same sources compile.

std::string find_program(std::string_view) {
    return {};
}

Result<void> start_in_background(const std::string&, const std::vector<std::string>&) {
    return fail(ErrorCode::unsupported, "machine sessions");
}

Result<int> run_and_wait(const std::vector<std::string>&) {
    return fail(ErrorCode::unsupported, "machine sessions");
}

std::string own_program() {
    return {};
}

Result<Captured> run_and_capture(const std::vector<std::string>&, const CaptureOptions&,
                                 FunctionRef<bool()>) {
    return fail(ErrorCode::unsupported, "running programs");
}

} // namespace etl::host
