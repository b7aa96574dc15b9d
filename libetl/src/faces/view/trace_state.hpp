// From the files to the event: what a Trace consists of. Private to view.
#pragma once

#include "gather/stream_schemas.hpp"
#include "match/matcher.hpp"
#include "trace/window_reader.hpp"
#include "view/limits.hpp"
#include "view/opening.hpp"
#include "view/trace.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace etl::inline view {

/// Findings, of which only the first are kept.
class FirstFindings final : public DiagnosticSink {
public:
    void report(const Diagnostic& diagnostic) override {
        if (count_++ < limits::kept_findings) {
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

/// As trace::ReaderOptions::select.
using Selection = std::function<bool(const flow::Event&)>;

/// An event log as a trace, which is one of the files.
struct EventLog {
    std::shared_ptr<const io::InputFile> file;
    FirstFindings findings{}; // of the conversion
};

/// Members refer to those before them.
struct Trace::State {
    TraceOptions options;
    std::vector<TraceError> problems;
    Remarks remarks;
    FirstFindings findings;

    std::vector<std::shared_ptr<const io::InputFile>> files;
    std::vector<EventLog> event_logs;
    Selection select; // by headers alone
    Readers readers;
    /// With a part: of each reader.
    std::vector<std::shared_ptr<const trace::TraceIndex>> indexes;
    std::vector<std::unique_ptr<trace::WindowReader>> parts; // of the readers, instead of them
    std::unique_ptr<session::LiveSource> live;               // instead of readers
    std::optional<gather::StreamSchemas> live_schemas;
    std::optional<gather::SchemaFeed> feed; // from live
    std::vector<const flow::TraceInfo*> infos;

    flow::TimeFilter::Window window;
    match::Condition condition;
    std::optional<match::Matcher> matches;

    std::unique_ptr<flow::Source> joined, windowed;
    flow::Source* source = nullptr; // the last of the chain
    flow::Run run;
    std::size_t at = 0;
    std::unique_ptr<Event> event;
    bool has_begun = false, has_ended = false;
    std::atomic<bool> is_stopped = false; // by another thread; files only: a session is closed
    std::optional<Error> failure;         // to open the files once more

    void open_inputs(const std::vector<std::string>& paths);
    void add_file(std::shared_ptr<const io::InputFile> file);
    const EventLog* event_log_of(const std::shared_ptr<const io::InputFile>& file) const noexcept;
    void report_conversion(std::uint32_t number);
    trace::ReaderOptions reader_options(std::size_t number, const Selection& selecting);
    Result<void> open_readers(const Selection& selecting);
    bool wants(Event& of);
    std::optional<TraceError> complete();
    void use_schemas(const schema::SchemasByTrace& schemas);

    bool is_part() const noexcept { return options.part.count > 1; }

    Result<void> open_parts();
    void read_indexes();
    Result<void> join();
    const flow::Event* next_record();
    void come_to_end();
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

inline bool Trace::State::wants(Event& of) {
    return !matches || (*matches)(of.decoded(), of.generation());
}

} // namespace etl::inline view
