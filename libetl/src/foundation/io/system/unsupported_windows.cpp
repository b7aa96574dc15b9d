// Guards of mappings, which Windows does not need, and passed files, which it does not have.

#include "io/input_file.hpp"
#include "io/passed_files.hpp"

#include <utility>

namespace etl::io {

MappingGuard::MappingGuard() noexcept = default;
MappingGuard::~MappingGuard() = default;

Result<OpenedForPassing> open_file_to_pass(const std::string& /*path*/) {
    return fail(ErrorCode::unsupported, "passed files");
}

Result<OpenedForPassing> open_directory_to_pass(const std::string& /*path*/) {
    return fail(ErrorCode::unsupported, "passed files");
}

PassedFiles::~PassedFiles() = default;

void PassedFiles::add_file(const std::string& /*path*/, OpenedForPassing /*file*/) {}

void PassedFiles::add_directory_of(const std::string& /*path*/, int /*descriptor*/) {}

void PassedFiles::add_failure(const std::string& /*path*/, const Error& /*error*/) {}

void PassedFiles::keep_only(const std::string& /*path*/) {}

Result<std::unique_ptr<WritableFile>> PassedFiles::open(const std::string& /*path*/, Open /*how*/) {
    return fail(ErrorCode::unsupported, "passed files");
}

Result<void> PassedFiles::remove(const std::string& /*path*/) {
    return fail(ErrorCode::unsupported, "passed files");
}

} // namespace etl::io
