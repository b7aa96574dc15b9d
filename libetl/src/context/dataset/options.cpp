#include "dataset/options.hpp"

#include "base/task_pool.hpp"

#include <fmt/format.h>

namespace etl::dataset {

std::string describe(const OpenError& error) {
    std::string text =
        error.detail.empty() ? describe(static_cast<const Error&>(error)) : error.detail;
    return error.about.empty() ? text : fmt::format("{}: {}", error.about, text);
}

unsigned Options::worker_threads() const noexcept {
    return threads > 0 ? threads : hardware_threads();
}

} // namespace etl::dataset
