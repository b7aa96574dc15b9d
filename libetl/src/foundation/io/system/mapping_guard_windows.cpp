#include "io/mapping_guard.hpp"

namespace etl::io {

MappingGuard::MappingGuard() noexcept = default;
MappingGuard::~MappingGuard() = default;

} // namespace etl::io
