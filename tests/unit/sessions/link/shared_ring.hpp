// A ring in ordinary memory whose two halves are one: as mapped twice.
#pragma once

#include "host/shared_memory.hpp"
#include "link/ring.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <sys/stat.h>
#include <vector>

namespace etl::link::test {

class SharedRing {
public:
    explicit SharedRing(std::size_t size = min_ring_bytes) : size_(size) {
        auto memory = host::share_memory(size, host::Sharing::read_write);
        if (memory) {
            memory_ = std::move(*memory);
            twice_ = std::move(
                *host::Mapping::of(memory_.descriptor, 0, size, host::Sharing::read_write, 2));
        }
    }

    StripeWords words;

    std::byte* data() const { return twice_.data(); }

    /// Bytes of the memory that have been touched.
    std::size_t touched() const {
        constexpr std::size_t block = 512;
        struct stat status{};
        EXPECT_EQ(::fstat(memory_.descriptor.number(), &status), 0);
        return static_cast<std::size_t>(status.st_blocks) * block;
    }

    RingWriter writer() { return {words, data(), size_}; }

    RingReader reader() { return {words, data(), size_}; }

private:
    std::size_t size_;
    host::SharedMemory memory_;
    host::Mapping twice_;
};

/// Number of a record, in its first four bytes.
inline std::uint32_t number_in(Bytes record) {
    std::uint32_t number = 0;
    std::memcpy(&number, record.data(), sizeof number);
    return number;
}

struct Seen {
    std::vector<std::uint32_t> numbers;
    std::vector<std::uint32_t> late;
    RingLook look;
};

inline Seen look_at(RingReader& reader, Unfinished unfinished, std::size_t max = SIZE_MAX) {
    Seen seen;
    std::vector<std::byte> copies;
    reader.begin();
    seen.look = reader.look(unfinished, {&copies, max}, [&](const RingRecord& record) {
        (record.is_late ? seen.late : seen.numbers).push_back(number_in(record.bytes));
    });
    return seen;
}

} // namespace etl::link::test
