#include "trace/reading/scanned_trace.hpp"

#include "base/text.hpp"
#include "trace/header/read_header_buffer.hpp"
#include "trace/index/header_checks.hpp"

#include <algorithm>

namespace etl::trace {

namespace {

Error not_a_trace(Bytes file) {
    const std::string_view text = as_text(clamped(file, 0, 64));
    const char* what = text.starts_with("version https://git-lfs")
                           ? "this is a Git LFS pointer, not the trace itself (run `git lfs pull`)"
                       : begins_packed_trace(file)
                           ? "most frames of this container are not trace buffers"
                           : "missing buffer header and log file header";
    return {ErrorCode::not_a_trace, what, {0}, 0, 0, 0};
}

/// Whether buffers record losses that the header does not count.
bool has_uncounted_losses(const format::LogfileHeader& header,
                          std::span<const BufferEntry> buffers) {
    constexpr std::uint32_t losing =
        format::buffer_flag::events_lost | format::buffer_flag::buffer_lost;
    return header.events_lost == 0 && header.buffers_lost == 0 &&
           std::ranges::any_of(buffers,
                               [](const BufferEntry& one) { return (one.flags & losing) != 0; });
}

} // namespace

/// Reads the log file header and finds the buffers. `first` is the first buffer, or the file;
/// `read` is the file to read headers from, or null.
void ScannedTrace::scan(Bytes first, const io::InputFile* read) {
    IndexHints hints;
    if (read_header_buffer(first, info)) {
        hints = {info.header.buffer_size, info.header.log_file_mode};
    }
    index = packed_.is_none() ? index_buffers(first, hints, read) : index_frames(packed_, hints);
    if (!info.has_header && packed_.is_none() && !index.entries.empty()) {
        // Something else may stand before the trace.
        const Bytes trace = clamped(first, static_cast<std::size_t>(index.entries[0].where.value));
        if (read_header_buffer(trace, info)) {
            hints = {info.header.buffer_size, info.header.log_file_mode};
            index = index_buffers(first, hints, read);
            index.codec = codec_of(trace);
        }
    }
    info.buffers = index.entries.size();
    info.processors = count_processors(index.entries);
    info.max_used_bytes = fullest(index.entries, hints.buffer_size);
    info.compressed_buffers = static_cast<std::uint64_t>(
        std::ranges::count_if(index.entries, &BufferEntry::is_compressed));
    const bool is_compressed = info.compressed_buffers > 0 ||
                               (info.header.log_file_mode & format::log_mode::compressed) != 0;
    info.codec = static_cast<std::uint16_t>(is_compressed ? index.codec : 0);
    info.has_unknown_losses =
        info.has_unknown_losses || has_uncounted_losses(info.header, index.entries);
}

void ScannedTrace::scan(const io::InputFile& content, bool is_single_pass) {
    size_ = content.bytes().size();
    bytes_ = clamped(content.bytes(), 0, static_cast<std::size_t>(content.intact_size()));
    info.name = file_->name();
    info.file_size = bytes_.size();
    info.backing = this;
    content.advise(io::InputFile::Access::random);
    packed_ = packed_trace(bytes_);
    if (packed_.is_none()) {
        scan(bytes_, is_single_pass ? &content : nullptr);
    } else {
        info.file_size = packed_.size();
        info.container = {container_name(packed_.kind), packed_.frames.size(), bytes_.size()};
        unpackers_.emplace(packed_.kind, on_demand_ == nullptr);
        scan(unpack_first(packed_), nullptr);
    }
    content.advise(io::InputFile::Access::sequential);
    watched_.emplace(*file_);
}

bool ScannedTrace::is_trace(Bytes content) const noexcept {
    const bool is_hopeless = packed_.is_none() && begins_packed_trace(content);
    return !is_hopeless && !index.entries.empty() && (info.has_header || index.is_convincing);
}

Result<std::unique_ptr<ScannedTrace>> ScannedTrace::open(std::shared_ptr<const io::InputFile> file,
                                                         const ReaderOptions& options) {
    const io::FileOnDemand* const on_demand = io::FileOnDemand::from(*file);
    const auto content = on_demand != nullptr ? on_demand->content() : file;
    if (!content) {
        return std::unexpected(content.error());
    }
    const Bytes bytes = (*content)->bytes();
    if (bytes.empty()) {
        return fail(ErrorCode::empty_file, "a trace starts with a buffer header");
    }
    std::unique_ptr<ScannedTrace> trace(new ScannedTrace(std::move(file)));
    trace->info.file = options.file;
    trace->on_demand_ = on_demand;
    trace->scan(**content, options.is_single_pass);
    if (!trace->is_trace(bytes)) {
        return std::unexpected(not_a_trace(bytes));
    }
    if (on_demand != nullptr) {
        trace->let_go();
    }
    return trace;
}

/// Nothing may refer to the mapping from here on.
void ScannedTrace::let_go() {
    bytes_ = {};
    packed_.packed = {};
    packed_.frames = {};
}

LoadRequest ScannedTrace::request(const ReaderOptions& options) {
    return {.file = bytes_,
            .on_demand = on_demand_,
            .watched = &*watched_,
            .trace = &info,
            .codec = static_cast<codec::Format>(index.codec),
            .order = options.order,
            .unpackers = unpackers_ ? &*unpackers_ : nullptr,
            .select = options.select ? &options.select : nullptr};
}

} // namespace etl::trace
