// Memory shared by processes, and waiting for a number in it. Linux only; elsewhere every call
// fails (unsupported).
#pragma once

#include <etl/error.hpp>

#include "host/descriptor.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace etl::host {

/// What other processes may do with shared memory that this one created.
enum class Sharing : std::uint8_t { read_only, read_write };

/// Memory or a file as part of this process. One owner.
class Mapping {
public:
    Mapping() noexcept = default;

    Mapping(Mapping&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)),
          process_(other.process_) {}

    Mapping& operator=(Mapping&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(process_, other.process_);
        return *this;
    }

    ~Mapping();

    /// Maps `size` bytes of the memory or file behind a descriptor, which can then be closed. The
    /// child of a fork does not have the mapping. `times` 2 maps them twice, one mapping directly
    /// after the other. Errors: io_failure.
    static Result<Mapping> of(const Descriptor& from, std::size_t offset, std::size_t size,
                              Sharing access, int times = 1);

    /// Null: nothing is mapped.
    std::byte* data() const noexcept { return data_; }

private:
    std::byte* data_ = nullptr;
    std::size_t size_ = 0;      // of all of it
    std::uint32_t process_ = 0; // in which it is: a child may have something else at the address
};

struct SharedMemory {
    Descriptor descriptor; // to be given to other processes
    Mapping mapping;       // of all of it, writable
};

/// Creates memory without a name, of fixed size: no process can truncate or extend it. With
/// read_only, no process can write to it except through the mapping returned. Errors: io_failure,
/// unsupported.
Result<SharedMemory> share_memory(std::size_t size, Sharing sharing);

/// Waits while `number` is `expected`, at most `milliseconds` (nothing: no limit). May return
/// early. The number can be in shared memory, also if it is read-only here.
void wait_while(const std::atomic<std::uint32_t>& number, std::uint32_t expected,
                std::optional<std::int64_t> milliseconds) noexcept;

/// Wakes all waiting threads of all processes. Returns how many were waiting.
int wake_waiting(const std::atomic<std::uint32_t>& number) noexcept;

} // namespace etl::host
