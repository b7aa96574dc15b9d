// What an index pass learns from the kinds of the events in each buffer. Private to gather.
#pragma once

#include "decode/kind_numbers.hpp"
#include "facts/relevance.hpp"
#include "flow/context.hpp"
#include "flow/source.hpp"
#include "gather/limits.hpp"
#include "trace/trace_index.hpp"

#include <algorithm>
#include <compare>
#include <limits>
#include <memory>
#include <vector>

namespace etl::gather {

/// What events of a kind can be to a buffer that contains them.
struct KindMarks {
    trace::IndexedBuffer buffer; // without times
    facts::ClassSources sources;
    flow::RuntimeRecord runtime = flow::RuntimeRecord::none;
};

/// Those of the kind of an event.
inline KindMarks marks_of(flow::Event event) noexcept {
    event.has_time = true; // others of its kind have one
    KindMarks marks{.buffer = {},
                    .sources = facts::class_sources_of(event),
                    .runtime = flow::runtime_record_of(event)};
    marks.buffer.has_origins = facts::may_have_origin(event);
    marks.buffer.has_facts = facts::may_have_facts(event, facts::Scope::everything);
    marks.buffer.has_processes = facts::may_have_facts(event, facts::Scope::processes);
    marks.buffer.has_sampling = facts::may_have_sampling_interval(event);
    marks.buffer.has_context = flow::context_of(event) != flow::Context::none ||
                               flow::is_stack_record(event) ||
                               marks.runtime != flow::RuntimeRecord::none;
    return marks;
}

/// What runtimes record in a buffer.
struct RuntimeRecords {
    bool has_events = false, has_stacks = false;

    void add(flow::RuntimeRecord record) noexcept {
        has_events = has_events || record != flow::RuntimeRecord::none;
        has_stacks = has_stacks || record == flow::RuntimeRecord::stack;
    }
};

/// What the kinds of the events of a buffer say about it.
struct BufferMarks {
    trace::IndexedBuffer buffer;
    facts::ClassSources sources;
    RuntimeRecords runtimes;

    void add(const KindMarks& kind) noexcept {
        for (bool trace::IndexedBuffer::* const mark :
             {&trace::IndexedBuffer::has_origins, &trace::IndexedBuffer::has_facts,
              &trace::IndexedBuffer::has_processes, &trace::IndexedBuffer::has_sampling,
              &trace::IndexedBuffer::has_context}) {
            buffer.*mark = buffer.*mark || kind.buffer.*mark;
        }
        sources.add(kind.sources);
        runtimes.add(kind.runtime);
    }
};

/// The kinds of events in the buffers that a thread meets.
class SeenKinds {
public:
    BufferMarks add(std::uint32_t number, flow::Run events) {
        BufferMarks marks;
        marks.buffer.begins_untimed = !events.empty() && !events.front().has_time;
        for (const flow::Event& event : events) {
            if (event.has_time) {
                marks.buffer.first_time = std::min(marks.buffer.first_time, event.raw_time);
                marks.buffer.last_time = std::max(marks.buffer.last_time, event.raw_time);
            }
            const std::uint32_t kind = is_full_ ? decode::KindNumbers::none : numbers_.of(event);
            if (kind < kinds_.size() && kinds_[kind].last == number) [[likely]] {
                continue;
            }
            if (kind == decode::KindNumbers::none || places_ == limits::kind_places) {
                forget();
                marks.add(marks_of(event));
                continue;
            }
            marks.add(meet(kind, number, event).marks);
        }
        return marks;
    }

    /// Takes over what another thread saw.
    void combine(SeenKinds&& other) {
        if (is_full_ || other.is_full_) {
            forget();
            return;
        }
        for (std::uint32_t i = 0; i < other.kinds_.size(); ++i) {
            const std::uint32_t number = numbers_.of(other.numbers_, i);
            if (number == decode::KindNumbers::none) {
                forget();
                return;
            }
            auto& places = at(number).places;
            places.insert(places.end(), other.kinds_[i].places.begin(),
                          other.kinds_[i].places.end());
        }
    }

    /// Returns the kinds in the order in which the buffers show them. Nothing: there are too many.
    std::shared_ptr<const std::vector<trace::BufferKind>> take() {
        if (is_full_) {
            return nullptr;
        }
        for (Kind& kind : kinds_) {
            std::ranges::sort(kind.places);
        }
        std::ranges::sort(kinds_, {}, [](const Kind& kind) { return kind.places.front(); });
        std::vector<trace::BufferKind> all;
        for (const Kind& kind : kinds_) {
            trace::BufferKind& one = all.emplace_back();
            one.offset = kind.places.front().offset;
            for (const Place& place : kind.places) {
                one.add(place.buffer);
            }
        }
        return std::make_shared<const std::vector<trace::BufferKind>>(std::move(all));
    }

private:
    /// The first event of a kind in a buffer.
    struct Place {
        std::uint32_t buffer = 0, offset = 0;

        auto operator<=>(const Place&) const = default;
    };

    struct Kind {
        std::uint32_t last = std::numeric_limits<std::uint32_t>::max(); // buffer
        KindMarks marks;
        std::vector<Place> places;
    };

    Kind& at(std::uint32_t number) {
        if (number >= kinds_.size()) {
            kinds_.resize(std::size_t{number} + 1);
        }
        return kinds_[number];
    }

    /// There are too many kinds, or too many places.
    void forget() {
        is_full_ = true;
        kinds_ = {};
    }

    const Kind& meet(std::uint32_t kind, std::uint32_t number, const flow::Event& event) {
        Kind& known = at(kind);
        if (known.places.empty()) {
            known.marks = marks_of(event);
        }
        known.last = number;
        known.places.push_back({number, event.offset()});
        ++places_;
        return known;
    }

    decode::KindNumbers numbers_;
    std::vector<Kind> kinds_; // by number
    std::size_t places_ = 0;  // of all
    bool is_full_ = false;
};

} // namespace etl::gather
