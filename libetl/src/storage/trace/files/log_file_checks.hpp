// Which options of a log contradict each other, or its path.
#pragma once

#include "trace/log_file.hpp"

namespace etl::trace {

/// Errors: invalid_option, see LogFile::open.
Result<void> check_log_file(const std::string& path, const LogFileOptions& options);

} // namespace etl::trace
