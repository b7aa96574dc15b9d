// A stream whose bytes come as a test wants it: in chunks of given sizes, with pauses.
#pragma once

#include "tests/support/reading.hpp"
#include "trace/stream.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace etl::test {

/// Gives the bytes of an image: of each chunk as many as the reader takes at once. A chunk of 0
/// bytes is a pause. What the chunks leave comes at last, in one.
class StreamFeed final : public io::ByteStream {
public:
    explicit StreamFeed(Image image, std::vector<std::size_t> chunks = {})
        : image_(std::move(image)), chunks_(std::move(chunks)) {
        chunks_.push_back(image_.size());
    }

    Result<Arrival> read(MutableBytes into, std::chrono::milliseconds) override {
        while (next_ < chunks_.size() && chunks_[next_] == 0) {
            if (++next_; next_ < chunks_.size()) {
                return Arrival{State::pause, 0};
            }
        }
        if (next_ == chunks_.size() || at_ == image_.size()) {
            return failure_ ? Result<Arrival>(std::unexpected(*failure_)) : Arrival{State::end, 0};
        }
        const std::size_t size = std::min({into.size(), chunks_[next_], image_.size() - at_});
        std::copy_n(image_.begin() + static_cast<std::ptrdiff_t>(at_), size, into.begin());
        at_ += size;
        chunks_[next_] -= size;
        next_ += chunks_[next_] == 0 ? 1U : 0U;
        return Arrival{State::data, size};
    }

    /// Fails where it would end.
    void fail_at_end(const Error& error) { failure_ = error; }

private:
    Image image_;
    std::vector<std::size_t> chunks_;
    std::size_t next_ = 0;
    std::size_t at_ = 0;
    std::optional<Error> failure_;
};

/// What came out of a stream, and where it paused.
struct StreamReading {
    std::optional<Error> error; // of opening, or of the stream
    std::string spool_reason;   // it was not read for this reason
    flow::TraceInfo info;
    std::vector<Seen> events;        // the log file header record included
    std::vector<std::size_t> pauses; // how many events had come by then
    std::vector<Diagnostic> findings;
    std::uint64_t late_events = 0;
    std::uint64_t damage = 0;

    std::vector<int> ids() const {
        Reading reading;
        reading.events = events;
        return reading.ids();
    }
};

inline StreamReading read_stream(std::shared_ptr<io::ByteStream> stream,
                                 trace::StreamOptions options = {}) {
    StreamReading reading;
    DiagnosticList findings;
    options.diagnostics = &findings;
    options.pause = std::chrono::milliseconds(1); // the first one of a feed counts
    auto input = trace::StreamInput::open(std::move(stream), "made.etl");
    if (!input) {
        reading.error = input.error();
        return reading;
    }
    reading.spool_reason = input->spool_reason();
    auto reader = trace::StreamReader::open(std::move(*input), options);
    if (!reader) {
        reading.error = reader.error();
        return reading;
    }
    trace::StreamReader& source = **reader;
    while (true) {
        const flow::Run run = source.next_run();
        if (run.empty() && !source.is_paused()) {
            break;
        }
        if (run.empty()) {
            reading.pauses.push_back(reading.events.size());
        }
        for (const flow::Event& event : run) {
            reading.events.push_back(seen(event));
        }
    }
    if (const Error* error = source.error()) {
        reading.error = *error;
    }
    reading.info = source.info();
    reading.findings = findings.list();
    reading.late_events = source.late_events();
    reading.damage = source.damage();
    return reading;
}

inline StreamReading read_stream(Image image, std::vector<std::size_t> chunks = {},
                                 const trace::StreamOptions& options = {}) {
    return read_stream(std::make_shared<StreamFeed>(std::move(image), std::move(chunks)), options);
}

} // namespace etl::test
