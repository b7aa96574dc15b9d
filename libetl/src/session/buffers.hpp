// Buffers: the memory of a session that any thread writes records to, without a lock. Each stripe
// (a processor; one for all with NO_PER_PROCESSOR_BUFFERING) has one open buffer; a word says which
// it is and how far it is taken. Who finds no room puts a free buffer in its place; the full one
// goes to the logger. docs/session-internals.md#buffers
//
// One object per session slot of the runtime, living as long as that: whoever looks at it while the
// session comes or goes sees by the ticket that it is not the one he meant.
#pragma once

#include <etl/format/buffer_header.hpp>
#include <etl/format/logfile_header.hpp>
#include <etl/host/memory.hpp>
#include <etl/session/session_options.hpp>
#include <etl/session/status.hpp>

#include <atomic>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>

namespace etl::session {

struct BufferPlan {
    std::uint32_t buffer_size = 0;          // bytes
    std::uint32_t minimum = 0, maximum = 0; // how many
    std::uint16_t stripes = 1;
    format::ClockType clock = format::ClockType::qpc;
    bool is_ring = false;    // the oldest full buffer is taken when none is free; no logger
    bool may_wait = false;   // BLOCKING: writers wait for a free buffer
    std::string mapped_file; // where buffers outlive the process; empty: in memory alone
};

/// Room for one record in an open buffer. Must be given to commit or abandon.
struct Place {
    std::byte* at = nullptr;
    std::int64_t time = 0;    // stamp in the session's clock: not before those of records in front
    std::uint32_t buffer = 0; // its number
    std::uint32_t size = 0;   // taken: that of the record, up to a multiple of 8
    std::uint16_t processor = 0;
};

enum class Refusal : std::uint8_t {
    closed,       // the session of this ticket has ended
    too_large,    // for a buffer of the session; counted as lost
    no_buffer,    // none is free; counted as lost
    backlog_full, // nobody listens, and what is kept for consumers is full; counted as lost
};

/// A buffer that is closed and of which every record is in place.
struct FilledView {
    std::byte* memory = nullptr; // of plan.buffer_size bytes; the first 0x48 are for the header
    std::uint32_t used = 0;      // those included
    std::uint32_t number = 0;
    std::uint16_t processor = 0; // stripe
    /// When it was closed, in the session's clock: no record in it has a later stamp, no later one
    /// of its stripe an earlier one (but those with a stamp of the caller's own).
    std::int64_t closed_at = 0;
};

class Buffers {
public:
    Buffers();
    ~Buffers();

    // Controllers; one at a time.

    /// A session begins; the ticket is for those who write to it. Errors: not_enough_memory;
    /// those of a mapped file.
    Outcome<std::uint16_t> open(const BufferPlan& plan);

    /// No reservation succeeds any more, and when it returns every record that was begun is in
    /// place. Waiting writers come back with `closed`. What is left waits for next_filled.
    void close();

    /// Gives the memory back. After close, and when nobody looks at a FilledView any more.
    void release();

    /// Makes reservations fail with backlog_full, or not any more.
    void refuse(bool backlog_is_full) noexcept;

    void set_maximum(std::uint32_t maximum) noexcept;

    // Writers; any number.

    /// Room for a record of `size` bytes in the buffer of the processor that this runs on.
    std::expected<Place, Refusal> reserve(std::uint16_t ticket, std::uint32_t size) noexcept;

    /// The same in the buffer of a given processor (relogged records).
    std::expected<Place, Refusal> reserve_at(std::uint16_t ticket, std::uint16_t processor,
                                             std::uint32_t size) noexcept;

    /// The record is in place but for its first dword, which is put down last, so that whoever
    /// finds the buffer after a crash sees which records are whole.
    void commit(const Place& place, std::uint32_t first_dword) noexcept;

    /// The place becomes a record of kind ERROR, which readers step over.
    void abandon(const Place& place) noexcept;

    /// Counts an event that never got so far.
    void count_lost() noexcept;

    // The logger; one thread (a ring: controllers, one at a time).

    /// The full buffer that was closed first; waits until its records are in place (a moment).
    /// Nothing: none is full.
    std::optional<FilledView> next_filled();

    /// Done with it: it is free.
    void give_back(const FilledView& filled) noexcept;

    /// Closes every open buffer that holds records, of one stripe after the other. The result is a
    /// moment in the session's clock: no record that is reserved from now on has an earlier stamp,
    /// in any stripe. They are among the full ones then, behind those that were.
    std::int64_t close_open();

    /// Waits until a buffer is full (as many as `threshold`), `wake` was called, or the time has
    /// come.
    void wait(std::uint32_t threshold, std::optional<std::int64_t> milliseconds);

    /// Ends wait(). Any thread.
    void wake() noexcept;

    /// Ring: a copy of all records that it holds, oldest first, the ring as it was. `take` is
    /// called with each buffer.
    void for_each_in_ring(const std::function<void(const FilledView&)>& take);

    // Any thread.

    std::uint32_t number_of_buffers() const noexcept;
    std::uint32_t free_buffers() const noexcept; // untouched open ones are free
    std::uint64_t events_lost() const noexcept;
    std::uint32_t buffer_size() const noexcept;
    std::uint16_t stripes() const noexcept;
    std::int64_t now() const noexcept; // in the session's clock

    /// In the child of a fork: nothing here belongs to this process any more. Forgets it without
    /// touching files or the parent's mapped memory.
    void forget_in_child() noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace etl::session
