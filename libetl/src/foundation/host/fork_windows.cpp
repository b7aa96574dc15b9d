#include "host/fork.hpp"

namespace etl::host {

// Processes are never copied there.
void ForkWatch::watch() {}

void ForkWatch::end_watch() noexcept {}

} // namespace etl::host
