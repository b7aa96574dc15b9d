// From the files to the event: what a Trace consists of. Private to view.
#pragma once

#include <etl/trace.hpp>

#include "dataset/dataset.hpp"
#include "gather/stream_schemas.hpp"
#include "session/live_source.hpp"
#include "view/event_state.hpp"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace etl::inline view {

/// Findings, of which only the first are kept.
class FirstFindings final : public DiagnosticSink {
public:
    /// A damaged trace can have one per buffer.
    static constexpr std::size_t max = 1000;

    void report(const Diagnostic& diagnostic) override {
        if (count_++ < max) {
            list_.push_back(diagnostic);
        }
    }

    void clear() noexcept {
        list_.clear();
        count_ = 0;
    }

    const std::vector<Diagnostic>& list() const noexcept { return list_; }

    std::uint64_t count() const noexcept { return count_; }

private:
    std::vector<Diagnostic> list_;
    std::uint64_t count_ = 0;
};

/// Lines for a user. Only the first ones are kept.
class Remarks {
public:
    /// A directory can contain thousands of files with schemas.
    static constexpr std::size_t max = 100;

    void add(std::string line);

    void operator()(const gather::Remark& remark) { add(describe(remark)); }

    const std::vector<std::string>& lines() const noexcept { return lines_; }

private:
    std::vector<std::string> lines_;
};

/// Members refer to those before them.
struct Trace::State {
    dataset::Options options;
    std::vector<std::string> paths; // that were opened; none: memory, or a session
    std::vector<TraceError> problems;
    Remarks remarks;
    FirstFindings findings;

    dataset::Selection select; // by headers alone
    std::optional<dataset::Dataset> traces;
    std::unique_ptr<session::LiveSource> live; // instead of traces
    std::optional<gather::StreamSchemas> live_schemas;
    std::optional<gather::SchemaFeed> feed; // from live
    std::vector<const flow::TraceInfo*> infos;

    dataset::Filters filters;
    std::optional<match::Matcher> matches;

    std::optional<dataset::Events> events; // of traces
    flow::Source* source = nullptr;        // the last of the chain
    flow::Run run;
    std::size_t at = 0;
    std::unique_ptr<Event> event;
    bool has_begun = false, has_ended = false;
    std::atomic<bool> is_stopped = false; // by another thread; files only: a session is closed
    std::optional<Error> failure;         // to open the files once more

    bool is_part() const noexcept { return options.part.count > 1; }

    /// Whether the condition holds for an event.
    bool wants(const Event& of);
    /// Returns the event for a record.
    Event& at_record(const flow::Event& record) noexcept;

    /// Opens files. `about` names them in errors.
    static std::expected<Trace, TraceError> open(dataset::Inputs inputs, std::string about,
                                                 const dataset::Options& options);
    /// Opens the readers; the numbers of the inputs stay the same afterwards.
    void open_traces(dataset::Inputs inputs);
    Result<void> open_traces_again(const dataset::Selection& selecting);
    /// Opens the source of a loop.
    Result<void> open_events();
    /// Finds what events are decoded and matched with.
    std::optional<TraceError> complete();
    void make_event(EventContext context);
    /// Of a live session, whose schemas are renewed as its events carry new ones.
    void use_schemas(const schema::SchemasByTrace& schemas);
    const flow::Event* next_record();
    void come_to_end();

    /// Writes what `edit` makes of the events; null: all of them as they are.
    Result<std::uint64_t> write(const std::string& path, const Edit* edit, Existing existing);

private:
    dataset::FindingSink finding_sink();
    void use_readers();
};

inline const flow::Event* Trace::State::next_record() {
    while (at == run.size()) [[unlikely]] {
        run = source->next_run();
        at = 0;
        const bool is_cut = is_stopped.load(std::memory_order_relaxed) && live == nullptr;
        if (is_cut) [[unlikely]] {
            run = {};
            return nullptr;
        }
        if (run.empty() && !source->is_paused()) {
            come_to_end();
            return nullptr;
        }
    }
    return &run[at++];
}

inline bool Trace::State::wants(const Event& of) {
    return !matches || (*matches)(Access::decoded(of), Access::generation(of));
}

inline Event& Trace::State::at_record(const flow::Event& record) noexcept {
    Event& to = *event;
    to.record_ = &record;
    to.header_ = nullptr;
    to.state_->has_table = false;
    to.state_->has_notes = false;
    return to;
}

} // namespace etl::inline view
