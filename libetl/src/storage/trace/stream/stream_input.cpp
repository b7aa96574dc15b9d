#include "evtx/reader.hpp"
#include "trace/header/read_header_buffer.hpp"
#include "trace/index/header_checks.hpp"
#include "trace/inputs.hpp"
#include "trace/stream.hpp"

#include <algorithm>

namespace etl::trace {

namespace {

constexpr std::size_t head_block = 1U << 16U;

/// What is no trace in its first bytes is none.
constexpr std::size_t searched_bytes = 1U << 20U;

/// The header of a tar archive has this size, and its mark at the end.
constexpr std::size_t min_bytes = 512;

/// Whether a buffer header begins anywhere in these bytes.
bool has_buffer_header(Bytes bytes) noexcept {
    for (std::size_t at = 0; at + format::buffer_header::size <= bytes.size(); ++at) {
        if (is_convincing(bytes.subspan(at))) {
            return true;
        }
    }
    return false;
}

} // namespace

Result<StreamInput> StreamInput::open(std::shared_ptr<io::ByteStream> stream, std::string name) {
    StreamInput input(std::move(stream), std::move(name));
    if (const auto recognized = input.recognize(); !recognized) {
        return std::unexpected(recognized.error());
    }
    return input;
}

/// Sets spool_reason_, or leaves it empty, once the first bytes say what the stream is. `is_last`:
/// nothing follows, at least for now.
bool StreamInput::is_recognized(bool is_last) {
    const Bytes head = head_;
    if (head.size() < min_bytes && !is_last) {
        return false;
    }
    if (io::is_packed(head)) {
        spool_reason_ = "compressed or archived";
        return true;
    }
    if (evtx::looks_like_event_log(head)) {
        spool_reason_ = event_log;
        return true;
    }
    if (!looks_like_trace(head)) {
        const bool has_header = has_buffer_header(head);
        spool_reason_ = has_header ? "damaged at the start" : "";
        return has_header;
    }
    const auto size =
        load<format::buffer_header::buffer_size>(head.first<format::buffer_header::size>());
    if (head.size() < std::size_t{size} + format::buffer_header::size && !is_last) {
        return false;
    }
    flow::TraceInfo info;
    if (!read_header_buffer(head, info)) {
        spool_reason_ = "damaged in the header";
        return has_ended_ || head.size() >= size;
    }
    const std::uint32_t mode = info.header.log_file_mode;
    spool_reason_ = (mode & format::log_mode::circular) != 0 ? "circular" : "";
    return true;
}

Result<void> StreamInput::recognize() {
    while (true) {
        const std::size_t size = head_.size();
        head_.resize(size + head_block);
        const auto arrival =
            stream_->read(MutableBytes(head_).subspan(size), std::chrono::milliseconds(500));
        head_.resize(size + (arrival ? arrival->size : 0));
        if (!arrival) {
            return std::unexpected(arrival.error());
        }
        has_ended_ = arrival->state == io::ByteStream::State::end;
        const bool is_pause = arrival->state == io::ByteStream::State::pause;
        if (head_.empty() && has_ended_) {
            return fail(ErrorCode::empty_file, "a trace starts with a buffer header");
        }
        const bool may_decide = head_.size() >= format::buffer_header::size + sizeof(std::uint64_t);
        if ((may_decide || has_ended_) && is_recognized(has_ended_ || is_pause)) {
            return {};
        }
        const bool is_trace = looks_like_trace(head_);
        if (has_ended_ ||
            (!is_trace && (head_.size() >= searched_bytes || (is_pause && may_decide)))) {
            return fail(ErrorCode::not_a_trace, "missing buffer header and log file header");
        }
    }
}

Result<std::shared_ptr<const io::InputFile>>
StreamInput::spool(const io::UnpackOptions& options) && {
    return io::spool(*stream_, std::exchange(head_, {}), name_, options);
}

} // namespace etl::trace
