#include "rewrite/repairing.hpp"

#include "evtx/reader.hpp"

#include <array>
#include <system_error>

namespace etl::rewrite {

namespace {

/// Whether the file does not exist; a name that is too long cannot exist.
bool is_missing(const Error& error) {
    return error.code == ErrorCode::not_found || std::system_category().default_error_condition(
                                                     error.os_code) == std::errc::filename_too_long;
}

bool is_of_input(const Error& error) noexcept {
    return error.code == ErrorCode::not_a_trace || error.code == ErrorCode::empty_file;
}

} // namespace

std::string live_buffers_path(const std::string& input, const std::string& named) {
    return named.empty() ? input + ".buffers" : named;
}

std::expected<std::shared_ptr<const io::InputFile>, TraceError>
find_live_buffers(const std::string& input, const std::string& named) {
    const std::string path = live_buffers_path(input, named);
    auto file = io::InputFile::map(path);
    if (file) {
        return *std::move(file);
    }
    if (!named.empty() || !is_missing(file.error())) {
        return std::unexpected(TraceError{file.error(), path});
    }
    return nullptr;
}

std::vector<merge::Mismatch> mismatches_of(const std::shared_ptr<const io::InputFile>& file,
                                           const flow::TraceInfo& header) {
    const auto reader = trace::Reader::open(file);
    if (!reader || !(*reader)->info().has_header) {
        return {};
    }
    const std::array traces{&header, &(*reader)->info()};
    return merge::correlate(traces);
}

std::expected<repair::Report, TraceError> repair(const dataset::Input& input,
                                                 const Repairing& how) {
    io::AtomicFiles files;
    repair::Options options{.files = &files,
                            .recording = how.header,
                            .live_buffers = how.live_buffers,
                            .log_findings = input.log_findings.get(),
                            .file = how.output.log_file_options(1),
                            .threads = how.threads,
                            .progress = how.progress};
    options.is_log_closed = !input.is_event_log() || evtx::was_closed(*input.log_findings);
    auto report = repair::run(input.file, file_of(how.output.path), options);
    if (!report) {
        return std::unexpected(TraceError{
            report.error(), is_of_input(report.error()) ? input.name() : how.output.path});
    }
    if (const auto committed = files.commit(); !committed) {
        return std::unexpected(TraceError{committed.error(), how.output.path});
    }
    return *std::move(report);
}

} // namespace etl::rewrite
