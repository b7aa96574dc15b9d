// What host knows of the process and keeps, until a fork makes it untrue. Private to host.
#pragma once

namespace etl::host {

/// Once per process; from then on each child of a fork forgets what is kept.
void install_fork_handlers() noexcept;

/// In the only thread of a child.
void forget_kept() noexcept;

} // namespace etl::host
