#include "rewrite/output.hpp"

#include "base/file_name.hpp"
#include "io/find_files.hpp"
#include "trace/inputs.hpp"

#include <algorithm>

namespace etl::rewrite {

std::string_view number_between(std::string_view file, std::string_view before,
                                std::string_view after) noexcept {
    const std::string_view name = file_name_of(file);
    before = file_name_of(before);
    const bool matches = name.size() > before.size() + after.size() && name.starts_with(before) &&
                         name.ends_with(after);
    const std::string_view number =
        matches ? name.substr(before.size(), name.size() - before.size() - after.size())
                : std::string_view{};
    return number.find_first_not_of("0123456789") == std::string_view::npos ? number
                                                                            : std::string_view{};
}

std::vector<std::string> numbered_files(const std::string& pattern) {
    const std::size_t at = pattern.rfind("%d");
    const std::size_t name = pattern.find_last_of('/') + 1; // 0 if there is no directory
    if (at == std::string::npos || at < name) {
        return {};
    }
    const std::string before = pattern.substr(0, at);
    const std::string after = pattern.substr(at + 2);
    auto files = io::find_files(before + "*" + after, io::Recursion::no,
                                [](std::string_view) { return true; });
    if (!files) { // none, or an unreadable directory
        return {};
    }
    std::erase_if(*files, [&](const std::string& file) {
        return number_between(file, before, after).empty();
    });
    return *std::move(files);
}

namespace {

constexpr const char* to_standard_output = "-";

io::ContainerLevel container_level(codec::Level level) noexcept {
    switch (level) {
    case codec::Level::fast:
        return io::ContainerLevel::fast;
    case codec::Level::small:
        return io::ContainerLevel::small;
    case codec::Level::normal:
        break;
    }
    return io::ContainerLevel::normal;
}

/// Whether files exist that the output replaces.
bool has_files_to_replace(const OutputOptions& options) {
    const bool is_series = options.file.mode == trace::FileMode::new_file;
    return options.files == nullptr && options.path != to_standard_output &&
           options.file.mode != trace::FileMode::append &&
           (is_series ? !numbered_files(options.path).empty() : io::is_regular_file(options.path));
}

std::unexpected<TraceError> refuse(const std::string& path, std::string detail) {
    return std::unexpected(
        TraceError{{.code = ErrorCode::invalid_option, .what = "output"}, path, std::move(detail)});
}

} // namespace

codec::Format codec_of(Compression compression) noexcept {
    switch (compression) {
    case Compression::xpress:
        return codec::Format::xpress;
    case Compression::xpress_huffman:
        return codec::Format::xpress_huffman;
    case Compression::lznt1:
        return codec::Format::lznt1;
    case Compression::none:
        break;
    }
    return codec::Format::none;
}

trace::LogFileOptions OutputOptions::log_file_options(unsigned threads) const {
    trace::LogFileOptions result = file;
    result.buffer_size = buffer_size.value_or(file.buffer_size);
    result.container = io::container_by_name(path);
    result.container_level = container_level(file.level);
    result.threads = threads;
    return result;
}

std::string file_of(const std::string& path) {
    return path == to_standard_output ? "/dev/stdout" : path; // does not exist on Windows
}

std::vector<std::string> files_of(const std::vector<std::string>& inputs, bool recursive) {
    std::vector<std::string> all;
    for (const std::string& input : inputs) {
        auto files = trace::find_inputs(input, recursive ? io::Recursion::yes : io::Recursion::no);
        if (files) {
            std::ranges::move(*files, std::back_inserter(all));
        }
    }
    return all;
}

std::expected<void, TraceError> check_output(const std::string& path,
                                             const std::vector<std::string>& inputs, bool recursive,
                                             Existing existing) {
    if (path.empty()) {
        return refuse("output", "missing path");
    }
    if (!io::is_regular_file(path)) {
        return {};
    }
    const std::vector<std::string> files = files_of(inputs, recursive);
    const auto same = std::ranges::find_if(
        files, [&](const std::string& file) { return io::is_same_file(path, file); });
    if (same != files.end()) {
        return refuse(path, "same file as the input " + *same);
    }
    return existing == Existing::keep ? refuse(path, "already exists")
                                      : std::expected<void, TraceError>{};
}

std::expected<Output, TraceError> Output::open(const OutputOptions& options, unsigned threads,
                                               trace::WriterOptions writer_options) {
    const bool replaces = has_files_to_replace(options);
    if (replaces && !options.replaces) {
        return std::unexpected(
            TraceError{{.code = ErrorCode::io_failure, .what = "already exists"}, options.path});
    }
    std::unique_ptr<io::AtomicFiles> files;
    writer_options.files = options.files != nullptr ? options.files : writer_options.files;
    if ((options.is_atomic || replaces) && writer_options.files == nullptr) {
        files = std::make_unique<io::AtomicFiles>();
        writer_options.files = files.get();
    }
    writer_options.file = options.log_file_options(threads);
    auto writer = trace::Writer::create(file_of(options.path), std::move(writer_options));
    if (!writer) {
        return std::unexpected(TraceError{writer.error(), options.path});
    }
    return Output(options.path, std::move(files), replaces, *std::move(writer));
}

Written Output::finish() {
    const auto closed = writer_->close();
    const trace::LogFileStatus& status = writer_->status();
    Written written{.events = writer_->events_written(),
                    .buffers = status.buffers_written,
                    .bytes = status.bytes_written,
                    .buffers_lost = status.buffers_lost,
                    .events_lost = writer_->events_lost(),
                    .events_corrected = writer_->events_corrected(),
                    .is_full = status.is_full};
    if (status.failure) {
        const bool is_named = path_ != to_standard_output;
        written.failure =
            TraceError{status.failure->error, is_named ? status.failure->path : path_};
    } else if (!closed) {
        written.failure = TraceError{closed.error(), path_};
    }
    if (files_ != nullptr && !written.failure) {
        if (const auto committed = files_->commit(); !committed) {
            written.commit_failure = committed.error();
        }
    }
    return written;
}

} // namespace etl::rewrite
