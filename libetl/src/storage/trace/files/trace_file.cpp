#include "trace/files/trace_file.hpp"

#include "trace/files/existing_trace.hpp"

#include <algorithm>
#include <utility>

namespace etl::trace {

namespace {

// Of the seek table: its frame and footer, and the most that a buffer adds.
constexpr Table seek_table{.bytes = 8 + 9, .bytes_per_buffer = 12};

std::unique_ptr<Placement> make_placement(const LogFileOptions& options, FileOffset begin) {
    switch (options.mode) {
    case FileMode::circular:
        return rotate_within(options.limit.bytes(), options.buffer_size);
    case FileMode::sequential:
    case FileMode::append:
    case FileMode::new_file:
        break;
    }
    const bool has_table = options.container != io::Container::none;
    return grow_from(begin, options.limit.bytes(), has_table ? seek_table : Table{});
}

void keep_first(Result<void>& kept, const Result<void>& now) {
    if (kept && !now) {
        kept = now;
    }
}

} // namespace

Result<std::unique_ptr<TraceFile>>
TraceFile::create(io::FileFactory& files, const std::string& path, const Recording& recording,
                  const LogFileOptions& options, std::u16string_view file_name) {
    auto header = HeaderBuffer::make(recording, options, file_name);
    if (!header) {
        return std::unexpected(header.error());
    }
    // What is there is opened as it is: it is emptied when nothing speaks against it any more.
    auto file = files.open(path, io::FileFactory::Open::existing);
    // Where files are replaced as a whole nothing can happen to it.
    const bool is_new = !file && (file.error().code == ErrorCode::not_found ||
                                  file.error().code == ErrorCode::unsupported);
    if (is_new) {
        file = files.open(path, io::FileFactory::Open::replace);
    }
    if (!file) {
        return std::unexpected(file.error());
    }
    const auto old_size = (*file)->size();
    if (!old_size) {
        return std::unexpected(old_size.error());
    }
    std::unique_ptr<TraceFile> trace(new TraceFile(std::move(*file), std::move(*header), options));
    if (auto begun = trace->begin(*old_size); !begun) {
        trace.reset();
        if (is_new) {
            // Where that fails, too, a stub stays.
            [[maybe_unused]] const auto removed = files.remove(path);
        }
        return std::unexpected(begun.error());
    }
    return trace;
}

Result<std::unique_ptr<TraceFile>> TraceFile::append_to(io::FileFactory& files,
                                                        const std::string& path,
                                                        const Recording& recording,
                                                        const LogFileOptions& options) {
    auto file = files.open(path, io::FileFactory::Open::existing);
    if (!file) {
        return std::unexpected(file.error());
    }
    auto found = read_existing(**file, recording, options);
    if (!found) {
        return std::unexpected(found.error());
    }
    std::unique_ptr<TraceFile> trace(
        new TraceFile(std::move(*file), std::move(found->header), options));
    trace->last_sequence_ = found->last_sequence;
    trace->buffers_at_first_ = found->buffers;
    const FileOffset end{found->buffers * options.buffer_size};
    trace->placement_ = make_placement(options, end);
    const auto old_size = trace->file_->size();
    if (!old_size) {
        return std::unexpected(old_size.error());
    }
    const Bytes found_header = trace->header_.bytes();
    const std::vector<std::byte> old_header(found_header.begin(), found_header.end());
    const format::LogfileHeader& found_facts = trace->header_.header();
    if (found_facts.end_time == 0 && found_facts.buffers_written == 0) { // it will be finalized
        if (auto indicated = trace->header_.indicate_unknown_losses(); !indicated) {
            return std::unexpected(indicated.error());
        }
    }
    trace->header_.append_with(recording, options);
    if (auto gone_on = trace->go_on(*old_size); !gone_on) {
        // A torn end may have become zeros; readers see none of either.
        [[maybe_unused]] const auto restored = trace->file_->write_at({0}, old_header);
        [[maybe_unused]] const auto resized = trace->file_->resize(*old_size);
        return std::unexpected(gone_on.error());
    }
    return trace;
}

/// Room first; what was there is given up last.
Result<void> TraceFile::go_on(std::uint64_t old_size) {
    const std::uint64_t end = placement_->end().value;
    const std::uint64_t wanted = options_.preallocate ? std::max(reserved_size(), end) : end;
    if (wanted > old_size) {
        if (auto reserved = file_->allocate(wanted); !reserved) {
            return reserved;
        }
    }
    // From now on it is an unfinished file, until it is finished again.
    header_.update({});
    if (auto written = write_header(); !written) {
        return written;
    }
    if (old_size > end) {
        if (auto cut = file_->resize(end); !cut) {
            return cut;
        }
        return wanted > end ? file_->allocate(wanted) : Result<void>{};
    }
    return {};
}

Result<void> TraceFile::begin(std::uint64_t old_size) {
    if (file_->is_stream() && (options_.mode != FileMode::sequential || options_.preallocate)) {
        return fail(ErrorCode::invalid_option,
                    "a pipe requires sequential mode without preallocation");
    }
    if (options_.container != io::Container::none) {
        auto framer = io::FrameEncoder::create(options_.container, options_.container_level);
        if (!framer) {
            return std::unexpected(framer.error());
        }
        header_framer_ = std::move(*framer);
    }
    if (auto emptied = empty(old_size); !emptied) {
        return emptied;
    }
    if (auto written = write_header(); !written) {
        [[maybe_unused]] const auto emptied = file_->resize(0);
        return written;
    }
    if (header_framer_) {
        frames_.push_back({.packed = static_cast<std::uint32_t>(header_bytes_),
                           .content = static_cast<std::uint32_t>(header_.bytes().size())});
    }
    placement_ = make_placement(options_, {header_bytes_});
    return options_.durability == Durability::every_buffer ? file_->sync() : Result<void>{};
}

/// Makes room for the header buffer and what is reserved, and gives up what was there. That it is
/// not given up for nothing, room is asked for beforehand.
Result<void> TraceFile::empty(std::uint64_t old_size) {
    const std::uint64_t wanted = options_.preallocate ? reserved_size() : header_.bytes().size();
    if (old_size != 0) {
        if (wanted > old_size) {
            if (auto fits = file_->allocate(wanted); !fits) {
                return fits;
            }
        }
        if (auto cut = file_->resize(0); !cut) {
            [[maybe_unused]] const auto undone = file_->resize(old_size);
            return cut;
        }
    }
    return options_.preallocate ? file_->allocate(wanted) : Result<void>{};
}

/// What Preallocate asks for.
std::uint64_t TraceFile::reserved_size() const noexcept {
    const std::uint64_t limit = options_.limit.bytes();
    return options_.mode == FileMode::circular
               ? ring_slots(limit, options_.buffer_size) * options_.buffer_size
               : limit;
}

Result<Bytes> TraceFile::framed_header() {
    if (!header_framer_) {
        return header_.bytes();
    }
    // All that will change lies in the frame as it is: the frame keeps its size.
    header_frame_.clear();
    if (auto framed = header_framer_->encode(header_.bytes(), header_.used(), header_frame_);
        !framed) {
        return std::unexpected(framed.error());
    }
    return Bytes(header_frame_);
}

Result<void> TraceFile::write_header() {
    const auto bytes = framed_header();
    if (!bytes) {
        return std::unexpected(bytes.error());
    }
    if (header_bytes_ != 0 && header_bytes_ != bytes->size()) {
        return fail(ErrorCode::malformed, "the size of the header frame changed", {}, header_bytes_,
                    bytes->size());
    }
    header_bytes_ = bytes->size();
    return file_->write_at({0}, *bytes);
}

Result<TraceFile::Put> TraceFile::put(Bytes packed, std::uint32_t content) {
    const auto place = placement_->next(packed.size());
    if (!place) {
        return Put::no_room;
    }
    auto written = place->kind == Place::Kind::old_buffer ? writes_.overwrite(place->where, packed)
                                                          : writes_.append(place->where, packed);
    if (!written) {
        return std::unexpected(written.error());
    }
    placement_->written(packed.size());
    if (header_framer_) {
        frames_.push_back(
            {.packed = static_cast<std::uint32_t>(packed.size()), .content = content});
    }
    return Put::written;
}

Result<void> TraceFile::write_table() {
    if (!header_framer_) {
        return {};
    }
    std::vector<std::byte> table;
    io::encode_seek_table(options_.container, frames_, table);
    auto written = writes_.append(placement_->end(), table);
    if (written) {
        table_bytes_ = table.size();
    }
    return written;
}

Result<void> TraceFile::cut_to_size() {
    const std::uint64_t end = placement_->end().value + table_bytes_;
    const auto size = file_->size();
    if (!size) {
        return std::unexpected(size.error());
    }
    return *size == end ? Result<void>{} : file_->resize(end);
}

Result<void> TraceFile::update_header(const FileCounts& counts) {
    if (file_->is_stream()) {
        return {};
    }
    header_.update({.processors = counts.processors,
                    .events_lost = counts.events_lost,
                    .buffers_lost = counts.buffers_lost});
    return write_header();
}

Result<void> TraceFile::sync() {
    auto synced = file_->sync();
    keep_first(synced_, synced);
    return synced;
}

/// The header that says that the file is whole.
Result<void> TraceFile::write_final_header(const FileCounts& counts) {
    FileCounts all = counts;
    all.buffers_written += buffers_at_first_;
    header_.update(all);
    auto written = write_header();
    if (written && options_.durability != Durability::none) {
        written = file_->sync();
    }
    if (!written) {
        header_.update({});
        [[maybe_unused]] const auto undone = write_header();
    }
    return written;
}

Result<void> TraceFile::finish(const FileCounts& counts) {
    Result<void> outcome = synced_;
    keep_first(outcome, write_table());
    keep_first(outcome, cut_to_size());
    if (options_.durability != Durability::none) {
        keep_first(outcome, file_->sync());
    }
    if (outcome && !file_->is_stream()) {
        outcome = write_final_header(counts);
    }
    keep_first(outcome, file_->close());
    return outcome;
}

} // namespace etl::trace
