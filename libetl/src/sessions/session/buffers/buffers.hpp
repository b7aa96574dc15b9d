// Buffers: the memory of a session that any thread writes records to, without a lock. Each stripe
// (a processor; one for all with NO_PER_PROCESSOR_BUFFERING) has one open buffer; a word says which
// it is and how far it is taken. Who finds no room puts a free buffer in its place; the full one
// goes to the logger. docs/session-internals.md#buffers
//
// One object per session slot of the runtime, living as long as that: whoever looks at it while the
// session comes or goes sees by the ticket that it is not the one he meant.
#pragma once

#include <etl/session.hpp>

#include "format/buffer_header.hpp"
#include "format/live_buffers.hpp"
#include "format/logfile_header.hpp"
#include "host/memory.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace etl::session {

/// `minimum` and `maximum` are raised so that there is a buffer more than there are stripes. A ring
/// has `minimum` of them. 65535 are the most.
struct BufferPlan {
    std::uint32_t buffer_size = 0; // bytes: a multiple of 8, up to etl::limits::buffer_bytes
    std::uint32_t minimum = 0, maximum = 0; // how many
    std::uint16_t stripes = 1;
    format::ClockType clock = format::ClockType::qpc;
    /// Null: the clock of the machine. Else the time is this number of 100 ns units, which a host
    /// sets to that of the event it writes; not with cpu_cycles.
    const std::atomic<std::int64_t>* time = nullptr;
    bool is_ring = false;  // the oldest full buffer is taken when none is free; no logger
    bool may_wait = false; // BLOCKING: writers wait for a free buffer
    /// So long a buffer that is closed may wait for a record that was begun in it.
    std::chrono::milliseconds patience{10'000};
    /// Where buffers outlive the process (docs/format/live-buffers.md): a file that must not be
    /// there yet. Empty: in memory alone.
    std::string mapped_file{};
};

/// Room for one record in an open buffer. Must be given to commit or abandon.
struct Place {
    std::byte* at = nullptr;
    std::int64_t time = 0; // stamp in the session's clock: not before those of records in front
    std::atomic<std::uint32_t>* in_place = nullptr; // bytes that were committed in its buffer
    std::uint32_t size = 0;      // taken: that of the record, up to a multiple of 8
    std::uint16_t processor = 0; // stripe
};

enum class Refusal : std::uint8_t {
    closed,       // the session of this ticket has ended
    too_large,    // for a buffer of the session; counted as lost
    no_buffer,    // none is free; counted as lost
    backlog_full, // nobody listens, and what is kept for consumers is full; counted as lost
};

/// A buffer that is closed and of which every record is in place (but see next_closed), in the
/// session's memory. With a number in the file it becomes a trace::FilledBufferView.
struct ClosedBuffer {
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

    /// A session begins; the ticket, never 0, is for those who write to it. Errors:
    /// not_enough_memory, invalid_parameter (no buffer size); of a mapped file: already_exists (a
    /// session that was killed left it, or one that runs has it), path_not_found, access_denied,
    /// disk_full, io_device.
    Outcome<std::uint16_t> open(const BufferPlan& plan);

    /// No reservation succeeds any more, and when it returns every record that was begun is in
    /// place (or was waited for as long as the plan's patience lasts). Waiting writers come back
    /// with `closed`. What is left waits for next_closed.
    void close();

    /// Gives the memory back; a mapped file is removed, for all of it was taken. After close, and
    /// when nobody looks at a ClosedBuffer any more. What is left in the buffers is gone.
    void release();

    /// With a mapped file: what recovery should know of the log file: its path, and the valid bytes
    /// of its header buffer, which includes these losses (docs/format/live-buffers.md#slot). By one
    /// thread; again when it changes.
    void tell_recovery(std::string_view log_file, Bytes header_buffer,
                       const format::LiveLosses& included = {}) noexcept;

    /// With a mapped file: buffers lost since the session began. By the same thread.
    void tell_lost_buffers(std::uint64_t count) noexcept;

    /// Lets writers have at most so many buffers in use at a time: open, full, or with the logger.
    /// A reservation that needs one more fails with backlog_full; with 0, every reservation does.
    /// open() sets no_limit. Not for rings.
    static constexpr std::uint32_t no_limit = 0xFFFFFFFF;
    void admit(std::uint32_t max) noexcept;

    /// Kept between what there is and four times the plan's maximum (less, where that would be more
    /// than 1 GB); a ring keeps what it has. The result is what holds from now on.
    std::uint32_t set_maximum(std::uint32_t maximum) noexcept;

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

    /// Counts an event that never got so far. False, and it is not, when the session of this ticket
    /// has ended.
    bool count_lost(std::uint16_t ticket, std::uint32_t events = 1) noexcept;

    // The logger; one thread (a ring: controllers, one at a time).

    /// The full buffer that was closed first; waits until its records are in place (a moment).
    /// Nothing: none is full. A record that is never finished (its thread was cancelled, or thrown
    /// out of a fault by longjmp) is waited for as long as the plan's patience lasts. Then an event
    /// counts as lost, the result is a copy in which that record is one to step over, and the
    /// buffer is never used again, nor its memory given back before the end of this object: so
    /// nothing breaks if the writer comes after all.
    std::optional<ClosedBuffer> next_closed();

    /// Done with it: it is free.
    void give_back(const ClosedBuffer& closed) noexcept;

    /// Closes every open buffer that holds records, of one stripe after the other. The result is a
    /// moment in the session's clock: no record that is reserved from now on has an earlier stamp,
    /// in any stripe. They are among the full ones then, behind those that were.
    std::int64_t close_open();

    /// Waits until a buffer is full (as many as `threshold`), an event found no free buffer, `wake`
    /// was called, or the time has come. May return early.
    void wait(std::uint32_t threshold, std::optional<std::int64_t> milliseconds);

    /// The thread (host::thread_id) of the logger: it never waits for a free buffer, for it is
    /// the one who makes them free: what it writes itself (in a callback) is lost, and counted.
    void set_logger_thread(std::uint32_t thread_id) noexcept;

    /// Ends wait(). Any thread.
    void wake() noexcept;

    /// Ring: a copy of all records that it holds, the buffers in the order in which they were
    /// closed, open ones last; the ring goes on as it was. `take` is called with each buffer, whose
    /// memory is the caller's until it returns. Records that are written meanwhile may be missing,
    /// and those they took the place of.
    void for_each_in_ring(const std::function<void(const ClosedBuffer&)>& take);

    // Any thread.

    std::uint32_t number_of_buffers() const noexcept;
    std::uint32_t free_buffers() const noexcept; // untouched open ones are free
    std::uint32_t available() const noexcept;    // that writers can still open; not of a ring
    std::uint64_t events_lost() const noexcept;
    bool is_closed() const noexcept; // by close(), or never opened
    std::uint32_t buffer_size() const noexcept;
    std::uint16_t stripes() const noexcept;
    std::int64_t now() const noexcept; // in the session's clock

    /// In the child of a fork: nothing here belongs to this process any more. Forgets it without
    /// touching files or the parent's mapped memory.
    void forget_in_child() noexcept;

    /// Defined in buffers.cpp.
    struct State;

private:
    std::unique_ptr<State> state_;
};

} // namespace etl::session
