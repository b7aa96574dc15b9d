// What a repair found and did not find, buffer by buffer, as its report will have it.
#pragma once

#include <etl/error.hpp>

#include "repair/live_records.hpp"
#include "repair/repair.hpp"
#include "repair/rescue.hpp"
#include "trace/missing_buffers.hpp"

#include <map>
#include <set>
#include <span>

namespace etl::repair {

// What is not in a repaired trace: collected while it is written, in the order of time at the end.

/// What is known of one buffer once it was gone through.
struct KnownBuffer {
    FileOffset where{};
    std::optional<std::int64_t> oldest, newest; // raw
};

/// Keeps the first limits::losses and counts the others.
class LossList {
public:
    void add(const Loss& loss);

    /// That of a part of a buffer: where nothing tells yet what it lies before, the next buffer of
    /// its processor will.
    void add_inside(const Loss& loss);

    /// A buffer of `processor` begins at a raw time.
    void begin_buffer(std::uint16_t processor, std::int64_t oldest);

    std::uint64_t count() const noexcept { return losses_.size() + more_; }

    /// Puts them into the report, in the order of time.
    void give(Report& report);

private:
    std::vector<Loss> losses_;
    std::map<std::uint16_t, std::vector<std::size_t>> open_ended_; // by processor
    std::uint64_t more_ = 0;
    bool has_losses_ = false;           // that the session did not report,
    std::uint64_t missing_buffers_ = 0; // and buffers among them
};

/// Fills in between what a damaged place of the file lies; `buffers` are in the order of the file.
void set_span(Loss& loss, std::span<const KnownBuffer> buffers);

/// What lies before and after buffers that are missing; `buffers` by number.
void set_span(Loss& loss, const trace::MissingBuffers::Gap& gap,
              std::span<const KnownBuffer> buffers);

class Account {
public:
    /// Both outlive it.
    Account(std::span<const trace::BufferEntry> buffers, Report& report);

    /// The header buffer.
    void note_head(const trace::BufferContent& buffer, const Rescued& rescued);

    /// Any other, in the order of writing. `max`: bytes that a buffer of the output holds; claims
    /// beyond are not believed.
    void note(const trace::BufferContent& buffer, const Rescued& rescued, const BufferTimes& times,
              std::uint32_t max);

    /// A buffer that was not in the file.
    void note_live(std::uint16_t processor, const LiveContent& content);

    /// Newest raw time so far: of a processor, of all (`min` if there is none later).
    std::optional<std::int64_t> newest(std::uint16_t processor) const;
    std::int64_t newest_of_all(std::int64_t min) const;

    /// Highest processor that a buffer names + 1.
    std::uint32_t processors() const noexcept;

    /// Events whose extended items became payload.
    std::uint64_t unlinked() const noexcept { return unlinked_; }

    /// Something in the file is damaged.
    void lose(const Loss& loss);

    /// Something is not in the file.
    void miss(const Loss& loss);

    /// The file ends in the middle of a buffer that was found whole elsewhere: that is no loss.
    void forget_torn_end() noexcept { has_torn_end_ = false; }

    /// What the index pass found: bytes that are no buffer, and headers that contradict the file.
    void tell_of_opening(const DiagnosticList& findings, bool has_header);

    /// What was found in the event log that the trace was converted from.
    void tell_of_log(const DiagnosticList& findings);

    /// `is_headless`: the file begins with another buffer than the header buffer.
    void tell_of_missing(const trace::MissingBuffers& missing, bool is_headless);

    /// What the header counts as lost.
    void tell_of_session(const format::LogfileHeader& header);

    /// Puts the losses into the report.
    void give();

private:
    void note_holes(const trace::BufferContent& buffer, const Rescued& rescued,
                    const BufferTimes* times, std::uint32_t max);
    std::uint64_t behind_all() const noexcept;
    void note_facts(const trace::BufferContent& buffer, const Rescued& rescued);

    std::span<const trace::BufferEntry> buffers_;
    Report& report_;
    std::map<std::uint16_t, std::int64_t> newest_; // raw, by processor
    std::vector<KnownBuffer> known_;               // by number
    std::set<std::uint16_t> processors_;
    LossList losses_;
    std::uint64_t unlinked_ = 0;
    bool has_torn_end_ = true; // what is no buffer at the end of the file is one that was lost
};

} // namespace etl::repair
