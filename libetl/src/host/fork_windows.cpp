#include <etl/host/fork.hpp>

namespace etl::host {

// Processes are never copied there.
ForkWatch::ForkWatch() = default;

void ForkWatch::leave() noexcept {}

} // namespace etl::host
