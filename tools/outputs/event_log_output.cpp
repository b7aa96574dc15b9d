#include "outputs/event_log_output.hpp"

#include "cli/console.hpp"
#include "io/writable_file.hpp"
#include "sink/event_log.hpp"

#include <fmt/format.h>

namespace cli {

namespace {

/// Writes to a file from its start.
class FileFromStart final : public etl::Output {
public:
    explicit FileFromStart(etl::io::WritableFile& file) : file_(file) {}

    etl::Result<void> write(std::string_view bytes) override {
        const auto written = file_.write_at({size_}, std::as_bytes(std::span(bytes)));
        size_ += bytes.size();
        return written;
    }

private:
    etl::io::WritableFile& file_;
    std::uint64_t size_ = 0;
};

void report_log(const std::string& path, const etl::evtx::PackedEvents& log) {
    if (log.counts().cut > 0) {
        say(fmt::format("{}: warning: {} shortened to fit into a chunk of 64 KB", printable(path),
                        plural(log.counts().cut, "event")));
    }
    if (log.refused() > 0) {
        say(fmt::format("{}: warning: {} left out, because the names of the fields exceed a chunk "
                        "of 64 KB",
                        printable(path), plural(log.refused(), "event")));
    }
    if (log.after_end() > 0) {
        say(fmt::format("{}: warning: {} left out, because an event log has at most 4 GB; use "
                        "--from and --until to write several",
                        printable(path), plural(log.after_end(), "event")));
    }
}

etl::Result<void> complete(etl::io::WritableFile& file, etl::evtx::PackedEvents& log) {
    const auto head = log.finish();
    if (!head) {
        return std::unexpected(head.error());
    }
    const auto written = file.write_at({}, *head);
    return written ? file.close() : written;
}

} // namespace

ExitCode write_event_log(MergedEvents& events, const etl::flow::Encoder& encoder,
                         const EncodedOutput& to, etl::flow::PipelineResult& result) {
    const std::string& path = to.path;
    etl::io::AtomicFiles files;
    using Opened = etl::Result<std::unique_ptr<etl::io::WritableFile>>;
    auto file = path == "-" ? Opened(etl::fail(etl::ErrorCode::unsupported, "event log"))
                            : files.open(path, etl::io::FileFactory::Open::replace);
    if (path == "-" || (file && (*file)->is_stream())) {
        say("an event log cannot be written to a pipe; name a file with -o");
        return ExitCode::usage;
    }
    if (!file) {
        say(path, file.error());
        return ExitCode::failed;
    }
    FileFromStart output(**file);
    etl::evtx::PackedEvents log(output);
    const ExitCode exit = write_encoded_to(events, encoder, log, to, &result);
    if (exit == ExitCode::failed) {
        return exit;
    }
    auto done = complete(**file, log);
    done = done ? files.commit() : done;
    if (!done) {
        say(path, done.error());
        return ExitCode::failed;
    }
    report_log(path, log);
    report_payloads(result.decoding.errors, 0, "ProcessingErrorData");
    const bool lost = log.counts().cut + log.refused() + log.after_end() > 0;
    return lost ? worst(exit, ExitCode::damaged) : exit;
}

} // namespace cli
