// Large memory: reserved as a whole, used as far as it is touched; of the process alone, or lying
// in a file, where it outlives the process. One owner; the bytes may be shared by threads.
#pragma once

#include <etl/base/bytes.hpp>
#include <etl/base/result.hpp>

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

    /// `size` bytes of zeros at a page boundary, of which only what commit() was told of may be
    /// touched, and only what is touched costs memory. (Where Linux never overcommits, all of it
    /// counts from the start: vm.overcommit_memory = 2.) Errors: limit.
    static Result<Memory> reserve(std::size_t size);

    /// The same in a new file at `path`, which must not be there yet: what is written outlives the
    /// process at any moment (not a loss of power). The file takes room as it is touched. Errors:
    /// io_failure.
    static Result<Memory> reserve_in_file(const std::string& path, std::size_t size);

    /// Takes care that `size` bytes from `offset` on can be written to, now rather than when they
    /// are touched: in a file, room on the disk (without it, touching them would end the process).
    /// Any thread, but not two for the same bytes, nor for those that are written to. Errors:
    /// limit.
    Result<void> commit(std::size_t offset, std::size_t size) noexcept;

    /// Takes the file away; the memory stays as it is. Nothing where there is none.
    void remove_file() noexcept;

    /// Null when there is none.
    std::byte* data() const noexcept { return data_; }

    std::size_t size() const noexcept { return size_; }

private:
    static constexpr std::intptr_t no_file = -1;

    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
    std::intptr_t file_ = no_file; // as the system names it, while it is open
    std::string path_;             // of the file, until it was removed
};

} // namespace etl::host
