// Large memory regions: reserved as a whole and used only where touched; private to the process, or
// in a file, where they survive the process. One owner; threads may share the bytes.
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace etl::host {

class Memory {
public:
    Memory() = default;
    Memory(Memory&& other) noexcept;
    Memory& operator=(Memory&& other) noexcept;
    ~Memory();

    /// Reserves `size` zero bytes at a page boundary. Only committed parts may be touched, and only
    /// touched parts use memory. (If Linux never overcommits, vm.overcommit_memory = 2, the entire
    /// region counts from the start.) Errors: limit.
    static Result<Memory> reserve(std::size_t size);

    /// The same in a new file at `path`, which must not exist: written bytes survive the process at
    /// any time, but not a power loss. The file uses disk space as it is touched. Errors:
    /// io_failure.
    static Result<Memory> reserve_in_file(const std::string& path, std::size_t size);

    /// Returns whether a process still has memory in this file. False if that cannot be found out:
    /// another host, a file system without locks.
    static bool is_file_in_use(const std::string& path) noexcept;

    /// Ensures that `size` bytes from `offset` on can be written; for a file, reserves disk space
    /// (otherwise touching them could end the process). Thread-safe for distinct bytes that are not
    /// being written. Errors: limit.
    Result<void> commit(std::size_t offset, std::size_t size) noexcept;

    /// Removes the file, if any; the memory stays valid.
    void remove_file() noexcept;

    /// Returns null if no memory is reserved.
    std::byte* data() const noexcept { return data_; }

    std::size_t size() const noexcept { return size_; }

private:
    static constexpr std::intptr_t no_file = -1;

    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
    std::intptr_t file_ = no_file; // OS handle while open
    std::string path_;             // path of the file until it is removed
};

/// Returns the size of the machine's memory in bytes; 0 if it is unknown.
std::uint64_t memory_of_machine() noexcept;

} // namespace etl::host
