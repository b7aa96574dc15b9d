#include "host/descriptor.hpp"

#include "host/process.hpp"

#include <filesystem>
#include <system_error>

namespace etl::host {

TemporaryPipe::TemporaryPipe() {
    std::error_code code;
    const std::filesystem::path directory = std::filesystem::temp_directory_path(code);
    path_ = (directory / ("etl-live-" + to_string(new_guid()))).string();
    if (!code && create_named_pipe(path_)) {
        reader_ = open_named_pipe(path_, PipeEnd::reader);
    }
}

TemporaryPipe::~TemporaryPipe() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
}

} // namespace etl::host
