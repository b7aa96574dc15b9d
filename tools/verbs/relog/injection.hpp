// --inject: events from JSON lines. docs/relog.md#inject
#pragma once

#include "cli/exit_code.hpp"
#include "cli/line_problems.hpp"
#include "flow/source.hpp"
#include "fromjson/line_source.hpp"
#include "fromjson/line_trace.hpp"
#include "trace/recording.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cli {

/// Reads lines in batches; the events of each batch are in time order. One thread.
class Injection final : public etl::flow::Source {
public:
    /// The events belong to `trace`, which must outlive this; `recording` has its clock. `store`,
    /// frozen, encodes lines without a payload.
    Injection(const etl::trace::Recording& recording, const etl::flow::TraceInfo& trace,
              std::shared_ptr<const etl::schema::SchemaStore> store);
    Injection(const Injection&) = delete;
    Injection& operator=(const Injection&) = delete;
    ~Injection() override = default;

    /// If an input cannot be opened, prints why and returns false.
    bool open(const std::vector<std::string>& paths);

    etl::flow::Run next_run() override;

    etl::flow::Pin pin() const override { return batch_; }

    const etl::Error* error() const noexcept override { return nullptr; }

    std::uint64_t events() const noexcept { return events_; }

    /// Damaged if a line was invalid or a file could not be read to its end, which has been
    /// printed.
    ExitCode exit_code() const noexcept;

    /// Prints unknown keys to standard error.
    void report_unknown_keys() const;

private:
    /// Records and the events that refer to them.
    struct Batch {
        std::vector<std::byte> bytes;
        std::vector<etl::flow::Event> events;
        std::map<std::uint16_t, etl::flow::BufferContext> buffers; // by processor
    };

    struct Line {
        etl::fromjson::LineSource::Line line;
        std::size_t file = 0;
    };

    std::optional<Line> next_line();
    void look_at_first(const Line& line);
    void add(const Line& line, Batch& batch);
    void finish(Batch& batch);
    std::shared_ptr<Batch> read_batch();

    const etl::flow::TraceInfo* info_;
    etl::trace::Recording recording_;
    etl::fromjson::LineTrace trace_;
    LineProblems problems_{LineProblems::Shown::first_at_most};
    std::vector<std::unique_ptr<etl::fromjson::LineSource>> sources_;
    std::size_t current_ = 0; // of sources_
    bool begun_ = false;
    bool failed_ = false;        // an input could not be read to its end
    std::int64_t last_time_ = 0; // raw
    std::uint64_t events_ = 0;
    std::shared_ptr<Batch> batch_;
    etl::flow::Run rest_; // of batch_
};

} // namespace cli
