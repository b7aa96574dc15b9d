#include "host/shared_memory.hpp"

namespace etl::host {

// Windows has sessions of its own; these exist so that the same sources compile.

void Descriptor::close() noexcept {}

FileIdentity identity_of(int) noexcept {
    return {};
}

Descriptor spare_descriptor() noexcept {
    return {};
}

Descriptor reopen_to_write(int) noexcept {
    return {};
}

std::optional<std::size_t> write_some(const Descriptor&, Bytes) noexcept {
    return std::nullopt;
}

bool has_reader(const Descriptor&) noexcept {
    return false;
}

Descriptor open_named_pipe(const std::string&, PipeEnd) noexcept {
    return {};
}

bool create_named_pipe(const std::string&) noexcept {
    return false;
}

Mapping::~Mapping() = default;

Result<Mapping> Mapping::of(const Descriptor&, std::size_t, std::size_t, Sharing, int) {
    return fail(ErrorCode::unsupported, "shared memory");
}

Result<SharedMemory> share_memory(std::size_t, Sharing) {
    return fail(ErrorCode::unsupported, "shared memory");
}

void wait_while(const std::atomic<std::uint32_t>&, std::uint32_t,
                std::optional<std::int64_t>) noexcept {}

int wake_waiting(const std::atomic<std::uint32_t>&) noexcept {
    return 0;
}

} // namespace etl::host
