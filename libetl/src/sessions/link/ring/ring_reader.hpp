// RingReader: the host's side of a ring. Returns each committed record once, as a private copy, and
// frees its space. What the producer stores in the ring decides nothing but the content of its own
// records: every number is taken once and checked. One thread.
// docs/machine-sessions-internals.md#ring
#pragma once

#include "base/bytes.hpp"
#include "base/function_ref.hpp"
#include "link/ring/region.hpp"
#include "link/ring/ring_word.hpp"

#include <cstdint>
#include <optional>
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
    /// Every record reserved before begin() has been returned, except those passed or given up.
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

/// Where the copies of one look go.
struct RingCopies {
    std::vector<std::byte>* to = nullptr; // each is appended
    /// The look stops after the record that exceeds it; late records do not count.
    std::size_t most = SIZE_MAX;
};

class RingReader {
public:
    using Take = FunctionRef<void(const RingRecord&)>;

    RingReader() = default;

    /// `data` is mapped twice, as for the writer.
    RingReader(StripeWords& words, std::byte* data, std::size_t size) noexcept
        : words_(&words), data_(data), units_(size / unit) {}

    /// Starts a new round. A record reserved later has a timestamp after this call.
    void begin() noexcept;

    /// Returns records reserved before begin(), in their order, once.
    RingLook look(Unfinished unfinished, RingCopies copies, Take take);

    /// Whether the producer has used half of the space.
    bool is_half_full() const noexcept;

private:
    struct Range {
        std::uint64_t from = 0, to = 0; // positions
    };

    struct Looking;

    std::uint64_t poke() noexcept;
    std::uint64_t load_head(std::uint64_t position) const noexcept;
    std::optional<std::uint64_t> first_stored(const Range& range) const noexcept;
    void look_at_passed(Looking& looking);
    /// Returns how far it got: `range.to`, or less if it has to stop.
    std::uint64_t scan(const Range& range, Looking& looking);
    void copy(std::uint64_t at, const RingHead& head, Looking& looking) const;
    void free_until(std::uint64_t position) noexcept;
    void return_home() noexcept;

    StripeWords* words_ = nullptr;
    std::byte* data_ = nullptr;
    std::uint64_t units_ = 0;
    std::uint64_t end_ = 0;      // reserved at begin()
    std::uint64_t read_ = 0;     // records before it have been returned, except `passed_`
    std::uint64_t consumed_ = 0; // space before it is free
    std::vector<Range> passed_;  // ascending
    bool is_garbled_ = false;    // found by begin()
};

} // namespace etl::link
