#include "dataset/options.hpp"

#include "base/task_pool.hpp"

#include <fmt/format.h>

namespace etl::dataset {

unsigned Options::worker_threads() const noexcept {
    return threads > 0 ? threads : hardware_threads();
}

} // namespace etl::dataset
