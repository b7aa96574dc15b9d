// One table in the making: an analyzer asks for kinds of events, and the pass shows it their
// fields. One analyzer per trace. Not thread-safe. docs/analysis.md
#pragma once

#include "analysis/event_sums.hpp"
#include "analysis/owners.hpp"
#include "analysis/table.hpp"
#include "base/layout.hpp"
#include "base/text.hpp"
#include "decode/decoder.hpp"
#include "facts/frame_names.hpp"
#include "flow/event.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etl::analysis {

// Text in payloads.

/// Returns UTF-16 text up to its NUL, or to the end, as UTF-8.
inline std::string terminated_utf16(Bytes bytes) {
    std::size_t size = 0;
    while (size + 2 <= bytes.size() && load_le<std::uint16_t>(bytes.data() + size) != 0) {
        size += 2;
    }
    std::string text;
    append_utf16le(text, bytes.first(size));
    return text;
}

/// Where a field is in the payloads of one layout.
struct FieldPlace {
    std::uint16_t offset = 0;
    std::uint8_t size = 0;  // 0: the layout does not have it; of text: 1
    std::uint64_t mask = 0; // of its bytes in eight bytes; 0: not a number
};

/// An event that an analyzer asked for. Views; valid during the call.
struct Record {
    const flow::Event* event = nullptr;
    std::int64_t time = 0; // raw
    Bytes payload;
    const FieldPlace* places =
        nullptr;           // by number of the field in the subscription; null: without fields
    std::uint32_t tag = 0; // of the subscription
    std::uint32_t thread = flow::no_id, process = flow::no_id; // of the header
    std::uint16_t id = 0;                                      // of manifest events
    std::uint8_t version = 0;
    std::uint8_t pointer_size = 8; // of the payload
    bool in_range = false;

    std::uint16_t processor() const noexcept { return event->buffer->processor; }

    bool has(unsigned field) const noexcept {
        const FieldPlace& place = places[field];
        return place.size != 0 && std::size_t{place.offset} + place.size <= payload.size();
    }

    /// Returns the number in a field, zero-extended; 0 if the record does not have it.
    std::uint64_t number(unsigned field) const noexcept {
        const FieldPlace& place = places[field];
        if (std::size_t{place.offset} + sizeof(std::uint64_t) <= payload.size()) [[likely]] {
            return load_le<std::uint64_t>(payload.data() + place.offset) & place.mask;
        }
        return has(field) ? number_at_end(place) : 0;
    }

    std::uint32_t number32(unsigned field) const noexcept {
        return static_cast<std::uint32_t>(number(field));
    }

    /// Returns a number whose eight bytes would extend beyond the payload: from its last eight
    /// bytes. Of samples, half of the fields are such numbers.
    std::uint64_t number_at_end(const FieldPlace& place) const noexcept {
        constexpr std::size_t width = sizeof(std::uint64_t);
        if (payload.size() >= width) [[likely]] {
            const auto last = load_le<std::uint64_t>(payload.data() + payload.size() - width);
            return last >> 8 * (place.offset + width - payload.size()) & place.mask;
        }
        std::array<std::byte, width> bytes{};
        std::copy_n(payload.data() + place.offset, std::size_t{place.size} & 7U, bytes.begin());
        return load_le<std::uint64_t>(bytes.data()) & place.mask;
    }

    /// Returns the payload from a field on; empty if the record does not have it.
    Bytes rest(unsigned field) const noexcept {
        return has(field) ? payload.subspan(places[field].offset) : Bytes{};
    }
};

/// Takes the records that it asked for.
class Receiver {
public:
    Receiver() = default;
    Receiver(const Receiver&) = delete;
    Receiver& operator=(const Receiver&) = delete;
    virtual ~Receiver() = default;

    virtual void add(const Record& record) = 0;
};

/// A part of a table that several tables of one pass have alike: one of them reads the records, and
/// shows all what it finds.
class SharedReceiver : public Receiver {
public:
    /// Those for which it returns the same are of one class, and find the same.
    virtual std::string_view what() const noexcept = 0;

    /// Before the first event: also serves one of the same what(), which then receives nothing.
    virtual void serve(SharedReceiver& other) = 0;
};

/// Whether events are subject to --where, and counted as used.
enum class Use : std::uint8_t { values, context };

/// Tag of the records that Subscriptions::everything() asks for; they are read as little as
/// possible: without payload and header.
inline constexpr std::uint32_t everything_tag = 0xFFFFFFFF;

/// The kinds of events that analyzers subscribe to.
class Subscriptions {
public:
    struct Hook {
        std::uint16_t id = 0;
        std::uint32_t tag = 0;
        Use use = Use::values;
        std::vector<std::string_view> fields; // by name in the schema
        SharedReceiver* receiver = nullptr;   // null: the analyzer
    };

    struct Provider {
        Guid guid;
        std::uint32_t tag = 0;
        Use use = Use::values;
        std::vector<std::uint16_t> ids{};       // empty: all
        std::vector<std::string_view> fields{}; // by name in the schema
    };

    /// Kernel events; all versions. `receiver`: null, or the only one that the analyzer shares.
    void hook(std::uint16_t id, std::uint32_t tag, std::initializer_list<std::string_view> fields,
              Use use = Use::values, SharedReceiver* receiver = nullptr) {
        hooks_.push_back({id, tag, use, fields, receiver});
        shared_ = receiver != nullptr ? receiver : shared_;
    }

    /// Events of a manifest provider by ID (empty: all); all versions. A name of a field can be
    /// several, `IssuingThreadId|ThreadId`.
    void provider(const Guid& guid, std::uint32_t tag, std::initializer_list<std::uint16_t> ids,
                  Use use = Use::values, std::initializer_list<std::string_view> fields = {}) {
        providers_.push_back({guid, tag, use, ids, fields});
    }

    /// All events except those of the class EventTrace, without fields.
    void everything() {
        everything_ = true;
        described_only_ = false;
    }

    /// The same, of which only those with a descriptor are shown.
    void everything_described() {
        everything();
        described_only_ = true;
    }

    /// The same as everything(), of the events in range.
    void everything_in_range() {
        everything_ = true;
        in_range_only_ = true;
    }

    /// The same, as sums: Analyzer::add_sums().
    void sums(SumsBy by) {
        everything_in_range();
        sums_ = by;
    }

    const std::vector<Hook>& hooks() const noexcept { return hooks_; }

    const std::vector<Provider>& providers() const noexcept { return providers_; }

    /// What the analyzer may share with others; null: nothing.
    SharedReceiver* shared() const noexcept { return shared_; }

    bool has_everything() const noexcept { return everything_; }

    /// Whether has_everything() is about events in range.
    bool is_in_range_only() const noexcept { return in_range_only_; }

    bool is_described_only() const noexcept { return described_only_; }

    /// None: has_everything() is about records.
    const std::optional<SumsBy>& sums() const noexcept { return sums_; }

private:
    std::vector<Hook> hooks_;
    std::vector<Provider> providers_;
    SharedReceiver* shared_ = nullptr;
    bool everything_ = false, in_range_only_ = false, described_only_ = false;
    std::optional<SumsBy> sums_;
};

/// What analyzers use of a trace. Times are raw.
struct Context {
    const flow::TraceInfo* trace = nullptr;
    const facts::Facts* facts = nullptr;
    std::shared_ptr<const facts::FactsByTrace> all_facts;
    Owners* owners = nullptr;
    const facts::FrameNames* names = nullptr;
    const schema::SchemasByTrace* schemas = nullptr;
    /// Limits of the range T; `end` is known when the pass is over, or by PassOptions::range.
    std::int64_t begin = 0;
    std::int64_t end = 0;
    /// Only a part of the trace is read, from `part_begin` on. T is that of the whole trace.
    bool is_part = false;
    std::int64_t part_begin = std::numeric_limits<std::int64_t>::min(); // that of the first part
    /// All events are before the range: only a state is wanted (states.hpp).
    bool is_state = false;
    /// The pass goes on after finish(): `end` is a cut.
    bool is_cut = false;
    /// With is_state: all events so far are before this time, and no later one is; in start(), the
    /// time of the first event. Raw.
    std::int64_t last_cut = 0;

    /// Whether what is unknown can be known from an earlier part.
    bool continues() const noexcept {
        return part_begin != std::numeric_limits<std::int64_t>::min();
    }

    /// The part of the time from `from` to `to` that is after T.begin.
    std::uint64_t cut(std::int64_t from, std::int64_t to) const noexcept {
        const std::int64_t least = from < begin ? begin : from;
        return to > least ? static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(least) : 0;
    }
};

class Archive; // of state as bytes

class Analyzer : public Receiver {
public:
    virtual void subscribe(Subscriptions& subscriptions) = 0;

    /// Called once before the first event, at which Context::begin is known.
    virtual void start(Context& context) { context_ = &context; }

    /// What Subscriptions::sums() asks for. Other records of the same events are added before or
    /// after it.
    virtual void add_sums(const EventSums& /*sums*/) {}

    /// Whether events from a time to another, raw, may be parts of the same sums.
    virtual bool may_sum(std::int64_t /*first*/, std::int64_t /*last*/) const { return true; }

    /// Returns the table, without a coverage except for `not_recorded` and `remainders`, and
    /// without a total. Called once after the last event; Context::end is known. Of forms with
    /// TableForm::window_sums, also before, with Context::is_cut.
    virtual Table finish() = 0;

    /// Of those, after the last event: whether the columns of TableForm::window_sums add up.
    virtual bool adds_windows() const { return true; }

    /// After finish(), for a part of a trace: writes what began or ended in another part, and which
    /// sources the part contains.
    virtual void save(Archive& /*to*/) {}

    /// Without events: adds what save() wrote for each part, in the order of the parts, to the
    /// table of finish(), which then contains what is in none of those of the parts.
    virtual void stitch(Archive& /*from*/) {}

    /// With Context::is_state, several times, each after finish(): writes what tables of later
    /// events depend on. Analyzers whose forms have the same TableForm::state write the same.
    virtual void save_state(Archive& to) { save(to); }

    /// With Context::is_state, after the last event: its time. Not if there was none.
    virtual void end_states(std::int64_t /*last*/) {}

    /// After start(), before the first event: takes over what save_state() wrote.
    virtual void load_state(Archive& from) { stitch(from); }

protected:
    Context& context() const noexcept { return *context_; }

private:
    Context* context_ = nullptr;
};

} // namespace etl::analysis
