// RingReader: the host's side of a ring. Returns each committed record once, as a private copy, and
// frees its space. What the producer stores in the ring decides nothing but the content of its own
// records: every number is taken once and checked. One thread.
// docs/machine-sessions-internals.md#ring
#pragma once

#include <etl/base/bytes.hpp>
#include <etl/base/function_ref.hpp>

#include "link/ring/region.hpp"
#include "link/ring/ring_word.hpp"

#include <cstdint>
#include <vector>

namespace etl::link {

/// A committed record.
struct RingRecord {
    RingHead head;
    Bytes bytes; // private copy, without the head; valid during the call
    /// A later record of the ring was returned before this one.
    bool is_late = false;
};

/// The result of one look at a ring.
struct RingLook {
    /// Every record reserved before the look has been returned, except those given up.
    bool is_complete = true;
    /// Records that are still being written were passed.
    bool has_passed = false;
    /// Reservations that were given up, by registration (0: not known).
    std::vector<std::uint32_t> given_up{};
    /// The memory contradicts the protocol; what could not be read has been skipped.
    bool is_garbled = false;
};

/// What to do with records that are still being written.
enum class Unfinished : std::uint8_t {
    wait,   // stop at the first; is_complete is false
    pass,   // return what follows; they are returned later, as late records
    forget, // the producer has ended: they are lost
};

class RingReader {
public:
    using Take = FunctionRef<void(const RingRecord&)>;

    RingReader() = default;

    /// `data` is mapped twice, as for the writer.
    RingReader(StripeWords& words, std::byte* data, std::size_t size) noexcept
        : words_(&words), data_(data), units_(size / unit) {}

    /// Starts a new round and returns all records reserved before it, in their order. A record
    /// reserved later has a timestamp after this call.
    RingLook look(Unfinished unfinished, Take take);

private:
    struct Range {
        std::uint64_t from = 0, to = 0; // positions
    };

    std::uint64_t poke() noexcept;
    std::uint64_t load_head(std::uint64_t position) const noexcept;
    std::uint64_t first_stored(const Range& range) const noexcept;
    /// Returns how far it got: `range.to`, or the first unfinished record with Unfinished::wait.
    std::uint64_t scan(const Range& range, Unfinished unfinished, bool is_late, Take take,
                       RingLook& look);
    void free_until(std::uint64_t position) noexcept;

    StripeWords* words_ = nullptr;
    std::byte* data_ = nullptr;
    std::uint64_t units_ = 0;
    std::uint64_t read_ = 0;     // records before it have been returned, except `passed_`
    std::uint64_t consumed_ = 0; // space before it is free
    std::vector<Range> passed_;  // ascending
    std::vector<std::byte> copy_;
};

} // namespace etl::link
