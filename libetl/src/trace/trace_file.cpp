#include "trace/trace_file.hpp"

#include "trace/existing_trace.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace etl::trace {

namespace {

namespace head = format::buffer_header;
using HeadBytes = std::array<std::byte, head::size>;

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
    return grow_from(begin, options.limit.bytes(),
                     options.mode == FileMode::new_file ? Place::Kind::next_file
                                                        : Place::Kind::full,
                     has_table ? seek_table : Table{});
}

void keep_first(Result<void>& kept, const Result<void>& now) {
    if (kept && !now) {
        kept = now;
    }
}

} // namespace

Result<std::unique_ptr<TraceFile>> TraceFile::create(io::FileMaker& files, const std::string& path,
                                                     const Recording& recording,
                                                     const LogFileOptions& options,
                                                     std::u16string_view file_name) {
    auto header = HeaderBuffer::make(recording, options, file_name);
    if (!header) {
        return std::unexpected(header.error());
    }
    auto file = files.open(path, io::FileMaker::Open::replace);
    if (!file) {
        return std::unexpected(file.error());
    }
    std::unique_ptr<TraceFile> trace(new TraceFile(std::move(*file), std::move(*header), options));
    if (auto begun = trace->begin(); !begun) {
        return std::unexpected(begun.error());
    }
    return trace;
}

Result<std::unique_ptr<TraceFile>> TraceFile::append_to(io::FileMaker& files,
                                                        const std::string& path,
                                                        const Recording& recording,
                                                        const LogFileOptions& options) {
    auto file = files.open(path, io::FileMaker::Open::existing);
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
    // From now on it is an unfinished file, until it is finished again.
    trace->header_.append_with(options);
    trace->header_.update({});
    if (auto cut = trace->cut_to_size(); !cut) {
        return std::unexpected(cut.error());
    }
    if (auto written = trace->write_header(); !written) {
        return std::unexpected(written.error());
    }
    if (auto reserved = trace->reserve(end.value); !reserved) {
        return std::unexpected(reserved.error());
    }
    return trace;
}

Result<void> TraceFile::begin() {
    if (options_.container != io::Container::none) {
        auto framer = io::FrameEncoder::create(options_.container, options_.container_level);
        if (!framer) {
            return std::unexpected(framer.error());
        }
        header_framer_ = std::move(*framer);
    }
    if (auto reserved = reserve(0); !reserved) {
        return reserved;
    }
    if (auto written = write_header(); !written) {
        return written;
    }
    if (header_framer_) {
        frames_.push_back({.packed = static_cast<std::uint32_t>(header_bytes_),
                           .content = static_cast<std::uint32_t>(header_.bytes().size())});
    }
    placement_ = make_placement(options_, {header_bytes_});
    return options_.durability == Durability::every_buffer ? file_->sync() : Result<void>{};
}

Result<void> TraceFile::reserve(std::uint64_t used) {
    if (!options_.preallocate) {
        return {};
    }
    const std::uint64_t limit = options_.limit.bytes();
    const std::uint64_t wanted =
        options_.mode == FileMode::circular
            ? ring_slots(limit, options_.buffer_size) * options_.buffer_size
            : limit;
    has_reserve_ = true;
    return file_->allocate(std::max(wanted, used));
}

Result<void> TraceFile::write_header() {
    Bytes bytes = header_.bytes();
    if (header_framer_) {
        // All that will change lies in the frame as it is: the frame keeps its size.
        header_frame_.clear();
        if (auto framed = header_framer_->encode(bytes, header_.used(), header_frame_); !framed) {
            return framed;
        }
        bytes = header_frame_;
    }
    header_bytes_ = bytes.size();
    return file_->write_at({0}, bytes);
}

Result<void> TraceFile::write_behind(FileOffset where, Bytes packed) {
    auto written = file_->write_at(where, packed);
    if (!written) {
        // An unwritten tail again, or none. If that fails, too, the torn buffer stays: readers
        // take its whole records.
        [[maybe_unused]] const auto undone =
            has_reserve_ ? file_->write_at(where, HeadBytes{}) : file_->resize(where.value);
    }
    return written;
}

/// The old buffer is declared empty first: a torn write leaves no records of two times in one.
Result<void> TraceFile::overwrite(FileOffset where, Bytes packed) {
    std::array<std::byte, sizeof(std::uint16_t)> type{};
    store_le(type.data(), static_cast<std::uint16_t>(format::BufferType::empty_marker));
    if (auto marked = file_->write_at(where + head::buffer_type.offset, type); !marked) {
        return marked;
    }
    if (auto body = file_->write_at(where + head::size, packed.subspan(head::size)); !body) {
        return body;
    }
    return file_->write_at(where, packed.first(head::size));
}

Result<Place::Kind> TraceFile::put(Bytes packed, std::uint32_t content) {
    const Place place = placement_->next(packed.size());
    if (place.kind == Place::Kind::full || place.kind == Place::Kind::next_file) {
        return place.kind;
    }
    auto written = place.kind == Place::Kind::old_buffer ? overwrite(place.where, packed)
                                                         : write_behind(place.where, packed);
    if (!written) {
        return std::unexpected(written.error());
    }
    placement_->written(packed.size());
    if (header_framer_) {
        frames_.push_back(
            {.packed = static_cast<std::uint32_t>(packed.size()), .content = content});
    }
    return place.kind;
}

Result<void> TraceFile::write_table() {
    if (!header_framer_) {
        return {};
    }
    std::vector<std::byte> table;
    io::encode_seek_table(options_.container, frames_, table);
    auto written = write_behind(placement_->end(), table);
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

Result<void> TraceFile::finish(const FileCounts& counts) {
    FileCounts all = counts;
    all.buffers_written += buffers_at_first_;
    header_.update(all);
    Result<void> outcome = write_table();
    keep_first(outcome, cut_to_size());
    keep_first(outcome, write_header());
    if (options_.durability != Durability::none) {
        keep_first(outcome, file_->sync());
    }
    keep_first(outcome, file_->close());
    return outcome;
}

} // namespace etl::trace
