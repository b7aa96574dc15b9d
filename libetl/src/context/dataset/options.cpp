#include "dataset/options.hpp"

#include "base/task_pool.hpp"

#include <fmt/format.h>

namespace etl::dataset {

std::string describe(const OpenError& error) {
    return fmt::format("{}: {}", error.about,
                       error.detail.empty() ? describe(static_cast<const Error&>(error))
                                            : error.detail);
}

unsigned Options::worker_threads() const noexcept {
    return threads > 0 ? threads : hardware_threads();
}

} // namespace etl::dataset
