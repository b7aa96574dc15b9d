#include "trace/files/file_series.hpp"

#include "base/file_name.hpp"
#include "base/text.hpp"

#include <utility>

namespace etl::trace {

namespace {

/// `pattern` with `number` in place of the last `%d`.
template <typename Text>
Text numbered(const Text& pattern, unsigned number) {
    const typename Text::value_type directive[] = {'%', 'd'};
    const std::size_t at = pattern.rfind(directive, Text::npos, 2);
    if (at == Text::npos) {
        return pattern;
    }
    const std::string digits = std::to_string(number);
    Text text = pattern.substr(0, at);
    text.append(digits.begin(), digits.end());
    return text.append(pattern, at + 2);
}

} // namespace

std::size_t find_series_number(std::string_view path) noexcept {
    constexpr std::size_t none = std::string_view::npos;
    const std::size_t name = path.size() - file_name_of(path).size();
    const std::size_t at = path.find('%', name);
    const bool has_one_number =
        at != none && path.substr(at).starts_with("%d") && path.find('%', at + 1) == none;
    return has_one_number ? at : none;
}

FileSeries::FileSeries(std::string path, const Recording& recording, const LogFileOptions& options,
                       io::FileFactory& files, LogCounts& counts)
    : pattern_(std::move(path)), recording_(recording), options_(options), files_(files),
      counts_(counts) {}

Result<void> FileSeries::open() {
    const bool is_series = options_.mode == FileMode::new_file;
    const std::string path = is_series ? numbered(pattern_, number_) : pattern_;
    counts_.set_path(path);
    Recording named = recording_;
    if (is_series) {
        named.header.log_file_name = numbered(named.header.log_file_name, number_);
    }
    Result<std::unique_ptr<TraceFile>> opened = fail(ErrorCode::not_found, "no file");
    if (options_.mode == FileMode::append) {
        opened = TraceFile::append_to(files_, path, named, options_);
    }
    const bool is_new = !opened && opened.error().code == ErrorCode::not_found;
    if (is_new) {
        opened = TraceFile::create(files_, path, named, options_, to_utf16(path));
    }
    if (!opened) {
        return std::unexpected(opened.error());
    }
    file_ = std::move(*opened);
    counts_.begin_file(is_new ? file_->header_bytes() : 0);
    return {};
}

bool FileSeries::ensure_open() {
    if (file_) {
        return true;
    }
    last_open_ = open();
    if (!last_open_) {
        counts_.keep_latest(last_open_.error());
    }
    return last_open_.has_value();
}

bool FileSeries::may_go_on() {
    if (options_.mode != FileMode::new_file) {
        counts_.set_full(); // a series never ends
        return false;
    }
    // What an empty file has no room for, the next one has not either.
    return counts_.buffers_in_file() != 0;
}

bool FileSeries::put(Bytes bytes) {
    for (unsigned attempt = 0; attempt < 2; ++attempt) {
        if (!accepts_buffers()) {
            return false;
        }
        const auto outcome = file_->put(bytes, options_.buffer_size);
        if (!outcome) {
            counts_.keep_latest(outcome.error());
            return false;
        }
        if (*outcome == TraceFile::Put::written) {
            return true;
        }
        if (!may_go_on()) {
            return false;
        }
        leave();
    }
    return false;
}

bool FileSeries::put(const PackedBuffer& packed) {
    if (!put(*packed.bytes)) {
        return false;
    }
    counts_.add_written(packed.buffer.newest_time, packed.buffer.processor);
    counts_.add_bytes(packed.bytes->size());
    sync();
    return true;
}

void FileSeries::sync() {
    if (options_.durability == Durability::every_buffer) {
        if (const auto synced = file_->sync(); !synced) {
            counts_.keep(synced.error());
        }
    }
}

/// `end_time` 0: that of the newest event.
void FileSeries::finish(std::int64_t end_time) {
    auto outcome = file_->finish(counts_.final(file_->header(), end_time));
    counts_.add_bytes(file_->table_bytes());
    file_.reset();
    if (!outcome) {
        counts_.keep(outcome.error());
        finished_ = finished_ ? outcome : finished_;
    }
}

void FileSeries::leave() {
    finish(0);
    ++number_;
}

Result<void> FileSeries::close() {
    if (!is_closed_ && is_owed_a_file()) {
        ensure_open();
    }
    if (file_) {
        finish(recording_.header.end_time);
    }
    is_closed_ = true;
    return finished_ ? last_open_ : finished_;
}

/// There is none, but there is something to say in one.
bool FileSeries::is_owed_a_file() const noexcept {
    return !file_ && (!last_open_ || (counts_.status().files == 0 && counts_.has_losses()));
}

} // namespace etl::trace
