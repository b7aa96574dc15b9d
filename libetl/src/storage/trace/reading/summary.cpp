#include "trace/summary.hpp"

#include "flow/context.hpp"
#include "flow/kernel_record.hpp"
#include "flow/losses.hpp"
#include "flow/trace_info.hpp"
#include "format/kernel_group.hpp"
#include "format/known_guids.hpp"
#include "format/set_field.hpp"
#include "trace/missing_buffers.hpp"
#include "trace/reader.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace etl::trace {

namespace {

void extend(std::optional<std::int64_t>& first, std::optional<std::int64_t>& last,
            std::int64_t time) {
    first = std::min(first.value_or(time), time);
    last = std::max(last.value_or(time), time);
}

/// Where the events of a buffer are counted, by what says so without a search: the hook of kernel
/// events, of which a buffer has few.
class ProvidersByHook {
public:
    explicit ProvidersByHook(std::unordered_map<Guid, Summary::Provider>& all) : all_(&all) {}

    Summary::Provider& of(std::uint16_t hook) {
        auto& [known, provider] = slots_[hook % slots_.size()];
        if (provider == nullptr || known != hook) {
            known = hook;
            provider = &(*all_)[format::class_of_hook(hook)];
        }
        return *provider;
    }

private:
    std::unordered_map<Guid, Summary::Provider>* all_;
    std::array<std::pair<std::uint16_t, Summary::Provider*>, 61> slots_{};
};

} // namespace

void Summary::add(flow::Run run) {
    if (run.empty()) {
        return;
    }
    const flow::BufferContext& buffer = *run.front().buffer;
    by_processor[buffer.processor] += run.size();
    buffers_with_lost_events += (buffer.flags & format::buffer_flag::events_lost) != 0 ? 1U : 0U;
    ProvidersByHook by_hook(by_provider);
    Guid last_guid;
    Provider* last = nullptr;
    for (const flow::Event& event : run) {
        if (const auto kernel = flow::plain_kernel_record(event)) {
            Provider& provider = by_hook.of(kernel->hook);
            ++provider.events;
            provider.payload_bytes += kernel->payload.size();
        } else {
            const flow::EventHeader header = flow::read_header(event);
            if (last == nullptr || header.provider != last_guid) {
                last = &by_provider[header.provider];
                last_guid = header.provider;
            }
            ++last->events;
            last->payload_bytes += header.payload.size();
            invalid_items += header.has_invalid_items ? 1U : 0U;
        }
        ++by_kind[format::number_of(event.kind)];
        record_bytes += event.size;
        if (event.has_time) {
            extend(first_time, last_time, event.raw_time);
            if (flow::context_of(event) == flow::Context::none) {
                extend(first_own_time, last_own_time, event.raw_time);
            }
        } else {
            ++without_timestamp;
        }
    }
    events += run.size();
}

void Summary::combine(const Summary& other) {
    events += other.events;
    record_bytes += other.record_bytes;
    for (std::size_t i = 0; i < by_kind.size(); ++i) {
        by_kind[i] += other.by_kind[i];
    }
    for (const auto& [guid, provider] : other.by_provider) {
        Provider& mine = by_provider[guid];
        mine.events += provider.events;
        mine.payload_bytes += provider.payload_bytes;
    }
    for (const auto& [processor, count] : other.by_processor) {
        by_processor[processor] += count;
    }
    if (other.first_time) {
        extend(first_time, last_time, *other.first_time);
        extend(first_time, last_time, *other.last_time);
    }
    if (other.first_own_time) {
        extend(first_own_time, last_own_time, *other.first_own_time);
        extend(first_own_time, last_own_time, *other.last_own_time);
    }
    without_timestamp += other.without_timestamp;
    invalid_items += other.invalid_items;
    buffers_with_lost_events += other.buffers_with_lost_events;
    damage += other.damage;
}

Summary summarize(Reader& reader, unsigned threads) {
    std::vector<Summary> parts(std::max(1U, threads));
    Summary whole;
    whole.damage =
        reader.for_each_buffer(threads, [&](unsigned worker, const BufferEntry&, flow::Run events) {
            parts[worker].add(events);
        });
    for (const Summary& part : parts) {
        whole.combine(part);
    }
    return whole;
}

namespace {

/// Whether a record stands for events that a real-time session lost.
bool is_loss(const flow::Event& event) {
    return format::is_full(event.kind) &&
           flow::read_header(event).provider == format::lost_event_guid;
}

/// Reports with the file's number and counts the warnings.
class Checker {
public:
    Checker(const Reader& reader, DiagnosticSink& sink) : reader_(&reader), sink_(&sink) {}

    void find(Severity severity, const char* what, FileOffset where,
              std::optional<std::uint64_t> buffer = {}, std::optional<std::uint32_t> offset = {}) {
        warnings_ += severity == Severity::warning ? 1U : 0U;
        sink_->report({.severity = severity,
                       .what = what,
                       .where = where,
                       .buffer = buffer,
                       .offset = offset,
                       .bytes_skipped = 0,
                       .file = reader_->info().file});
    }

    void check_header() {
        const flow::TraceInfo& info = reader_->info();
        if (!info.has_header) {
            return; // the reader has said so
        }
        if (info.is_unfinalized) {
            find(Severity::note,
                 "the trace is not finalized: EndTime and BuffersWritten are 0; what its session "
                 "lost is unknown",
                 {});
        }
        if (info.header.events_lost > 0 || buffers_lost_by_session(info) > 0) {
            find(Severity::note,
                 flow::is_header_stated(info)
                     ? "the session lost events or buffers"
                     : "the event log that the trace was converted from lacks records",
                 {});
        }
    }

    void check_buffers() {
        const auto entries = reader_->buffers();
        bool has_losses = reader_->info().header.events_lost > 0; // already reported
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const BufferEntry& entry = entries[i];
            if ((entry.flags & format::buffer_flag::events_lost) != 0 &&
                !std::exchange(has_losses, true)) {
                find(Severity::note, "the session lost events before the buffer was flushed",
                     entry.where, i);
            }
            if (i > 0 && entry.type == format::BufferType::header) {
                find(Severity::note, "another header buffer: the file is a concatenation",
                     entry.where, i);
            }
            if (entry.used == 0) {
                find(Severity::note, "the buffer has no valid size", entry.where, i);
            }
            if ((entry.flags & ~format::buffer_flag::known) != 0) {
                find(Severity::note, "unknown bits in BufferFlag", entry.where, i);
            }
        }
    }

    void check_events(
        Reader& reader,
        const std::function<void(std::uint64_t events, const flow::Event& newest)>& progress) {
        constexpr std::uint64_t between_progress = 1U << 14U;
        std::uint64_t events = 0;
        std::uint64_t told = 0;
        bool is_lossy = false;
        bool has_unknown_losses = false;
        for (flow::Run run = reader.next_run(); !run.empty(); run = reader.next_run()) {
            for (const flow::Event& event : run) {
                if (!is_lossy && is_loss(event)) {
                    is_lossy = true;
                    find(Severity::note, "events were lost before this one (RT_LostEvent)",
                         event.buffer->where, event.buffer->number, event.offset());
                }
                if (flow::indicates_unknown_losses(event) &&
                    !std::exchange(has_unknown_losses, true)) {
                    find(Severity::note,
                         flow::is_header_stated(reader_->info())
                             ? "what the session lost is unknown: the trace does not state it "
                               "(LibEtl.Losses)"
                             : "what was lost is unknown: the trace does not state it "
                               "(LibEtl.Losses)",
                         event.buffer->where, event.buffer->number, event.offset());
                }
                if (format::has_invalid_flags(event.kind, event.bytes())) {
                    find(Severity::warning, "invalid extended data items in an event",
                         event.buffer->where, event.buffer->number, event.offset());
                }
            }
            events += run.size();
            if (progress && events - told >= between_progress) {
                told = events;
                progress(events, run.back());
            }
        }
    }

    std::uint64_t warnings() const noexcept { return warnings_; }

private:
    const Reader* reader_;
    DiagnosticSink* sink_;
    std::uint64_t warnings_ = 0;
};

} // namespace

std::uint64_t
check(Reader& reader, DiagnosticSink& sink,
      const std::function<void(std::uint64_t events, const flow::Event& newest)>& progress) {
    Checker checker(reader, sink);
    checker.check_header();
    checker.check_buffers();
    checker.check_events(reader, progress);
    return checker.warnings() + reader.damage();
}

namespace {

/// Keeps the first of all places.
class FirstPlace final : public DiagnosticSink {
public:
    void report(const Diagnostic& finding) override {
        if (finding.severity == Severity::warning) {
            add({finding.where, finding.offset.value_or(0), finding});
        }
    }

    void add(DamageLocation place) { first_ = std::min(first_.value_or(place), place); }

    const std::optional<DamageLocation>& get() const noexcept { return first_; }

private:
    std::optional<DamageLocation> first_;
};

} // namespace

std::optional<DamageLocation> find_first_damage(std::shared_ptr<const io::InputFile> file,
                                                unsigned threads) {
    DiagnosticList opening;
    const auto reader =
        Reader::open(std::move(file), {.threads = threads, .diagnostics = &opening});
    if (!reader) {
        return DamageLocation{.buffer = {}, .offset = 0, .finding = {.what = "not a trace"}};
    }
    FirstPlace first;
    const auto entries = (*reader)->buffers();
    for (const Diagnostic& finding : opening.list()) {
        // What a file holds of its last buffer is intact up to the end of the file.
        const bool is_cut = finding.severity == Severity::warning && finding.buffer &&
                            *finding.buffer < entries.size() &&
                            entries[*finding.buffer].is_truncated &&
                            entries[*finding.buffer].where == finding.where;
        if (is_cut) {
            first.add({finding.where, std::numeric_limits<std::uint32_t>::max(), finding});
        } else {
            first.report(finding);
        }
    }
    std::vector<std::uint32_t> numbers(entries.size());
    std::iota(numbers.begin(), numbers.end(), 0U);
    (*reader)->show_buffers(std::move(numbers), [&](const BufferContent& buffer) {
        std::ranges::for_each(buffer.findings, [&](const Diagnostic& one) { first.report(one); });
    });
    return first.get();
}

} // namespace etl::trace
