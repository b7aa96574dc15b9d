#include "trace/index/buffer_indexer.hpp"

#include "base/limits.hpp"
#include "format/logfile_header.hpp"
#include "trace/index/header_checks.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

namespace etl::trace {

namespace {

using format::BufferHeaderView;
using format::BufferType;
namespace header = format::buffer_header;

bool all_zero(Bytes bytes) noexcept {
    return bytes.empty() || (bytes[0] == std::byte{0} &&
                             std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

} // namespace

BufferIndexer::BufferIndexer(Bytes file, const IndexHints& hints, const io::InputFile* content)
    : file_(file), content_(content),
      nominal_(hints.buffer_size <= etl::limits::buffer_bytes ? hints.buffer_size : 0),
      compressed_((hints.log_file_mode & format::log_mode::compressed) != 0),
      is_preallocated_((hints.log_file_mode & format::log_mode::preallocate) != 0), index_(hints) {
    // One of the two that name the size may be damaged: the one that leads on is right.
    if (!compressed_ && is_plausible(file) &&
        (nominal_ == 0 || leads_on(header_view(file).buffer_size()))) {
        nominal_ = header_view(file).buffer_size();
    }
}

BufferIndex BufferIndexer::run() {
    std::uint64_t at = 0;
    while (at < end()) {
        const std::uint32_t size = size_at(at);
        at = size != 0 ? add(at, size) : skip(at);
    }
    return index_.take(codec_of(file_));
}

void BufferIndexer::show(Bytes bytes, std::uint64_t begin, bool is_all) noexcept {
    file_ = bytes;
    begin_ = begin;
    is_all_ = is_all;
}

std::uint64_t BufferIndexer::need(std::uint64_t at) const noexcept {
    if (from(at).size() < header::size) {
        return header::size;
    }
    const std::uint32_t size = is_plausible(from(at)) ? header_view(from(at)).buffer_size() : 0;
    const bool is_shortened = compressed_ && size != 0 && !is_convincing(from(at + size));
    return (is_shortened ? std::uint64_t{size} + nominal_ : std::max(size, nominal_)) +
           header::size;
}

bool BufferIndexer::is_at_hand(std::uint64_t at) const noexcept {
    const Bytes there = from(at);
    if (!is_plausible(there) || header_view(there).buffer_size() > there.size()) {
        return false;
    }
    const std::uint32_t size = header_view(there).buffer_size();
    return size == nominal_ || (is_convincing(there) && (compressed_ || size == there.size()));
}

std::optional<std::uint64_t> BufferIndexer::cross(IndexGap& gap) {
    const std::uint64_t begin = std::max(gap.checked, begin_);
    gap.is_zero = gap.is_zero && all_zero(from(begin));
    gap.checked = end();
    std::optional<std::uint64_t> next = gap.is_searched ? std::nullopt : hop(gap);
    if (!next && gap.is_searched) {
        const std::uint64_t found = search(gap.at, end());
        next = found != end() ? std::optional(found) : std::nullopt;
        const std::uint64_t last = end() - std::min<std::uint64_t>(end(), header::size - 1);
        gap.at = std::max(gap.at, last);
    }
    if (!next && !is_all_) {
        return std::nullopt;
    }
    const bool is_unwritten = !next && (!gap.is_searched || (compressed_ && gap.is_zero));
    report_gap(gap.begin, next.value_or(end()), is_unwritten);
    return next.value_or(end());
}

std::uint64_t BufferIndexer::kept_from(const IndexGap& gap) const noexcept {
    const std::uint64_t back = gap.is_searched ? 0 : nominal_;
    return std::min(end(), std::max(gap.begin, gap.at - std::min(gap.at, back)));
}

std::uint32_t BufferIndexer::size_at(std::uint64_t at) {
    const Bytes bytes = head_at(at);
    if (bytes.size() < header::size) {
        return 0;
    }
    const BufferHeaderView head = header_view(bytes);
    const std::uint32_t size = head.buffer_size();
    const bool plausible = is_plausible(bytes);
    compressed_ = compressed_ || (plausible && head.is_compressed() && is_convincing(bytes));
    if (plausible && leads_on(at + size)) {
        return size;
    }
    if (compressed_) {
        return plausible && (at == 0 || is_convincing(bytes)) ? shortened(at, size) : 0;
    }
    if (nominal_ == 0) {
        return is_convincing(bytes) ? size : 0;
    }
    if (plausible && size == nominal_) {
        return size;
    }
    const std::uint64_t next = at + nominal_;
    if (looks_written(bytes) && *head.used() <= nominal_ && (next > end() || leads_on(next))) {
        index_.find(Severity::warning, "BufferSize differs from that of the file", at, 0);
        return nominal_;
    }
    return plausible && at == 0 ? size : 0;
}

std::uint64_t BufferIndexer::add(std::uint64_t at, std::uint32_t size) {
    if (nominal_ == 0 && !compressed_) {
        nominal_ = size;
    }
    return at + index_.add(head_at(at), at, size, end() - at).disk_size;
}

Bytes BufferIndexer::from(std::uint64_t at) const noexcept {
    return clamped(file_, static_cast<std::size_t>(at - begin_));
}

/// The header of a buffer at `at`, or what there is of it. Valid until the next but one is asked
/// for.
Bytes BufferIndexer::head_at(std::uint64_t at) noexcept {
    const Bytes mapped = clamped(from(at), 0, header::size);
    if (content_ == nullptr || mapped.size() < header::size) {
        return mapped;
    }
    auto found = std::ranges::find(heads_, at, &Head::at);
    if (found == heads_.end()) {
        found = heads_.begin() + (latest_head_ == 0 ? 1 : 0);
        found->at = at;
        if (content_->read({at}, found->bytes) < header::size) {
            std::ranges::copy(mapped, found->bytes.begin());
        }
    }
    latest_head_ = static_cast<std::size_t>(found - heads_.begin());
    return found->bytes;
}

/// A buffer surely begins at `at`, or the file ends there.
bool BufferIndexer::leads_on(std::uint64_t at) noexcept {
    return at == end() || (at < end() && is_convincing(head_at(at)));
}

/// The size of a compressed buffer that leads nowhere: cut off where the next buffer begins. It
/// need not be wrong: the file may end there, or damage follow.
std::uint32_t BufferIndexer::shortened(std::uint64_t at, std::uint32_t size) {
    const std::uint64_t last = std::min<std::uint64_t>(at + size, end());
    const std::uint64_t next = search_leading(at + header::size, last);
    if (next == last) {
        return size;
    }
    index_.find(Severity::warning, "BufferSize overlaps the next buffer", at, 0);
    return static_cast<std::uint32_t>(next - at);
}

/// No buffer at `at`: gives the offset of the next one, or the end of the file.
std::uint64_t BufferIndexer::skip(std::uint64_t at) {
    const std::uint64_t written = hop_over_zeros(at);
    std::uint64_t next = written;
    if (written < end() && (written == at || !is_next(written))) {
        next = index_.buffers() == 0
                   ? search_first(at + 1, search_end(at))
                   : search(written == at ? at + 1 : written - nominal_ + 1, search_end(at));
    }
    if (next < end() && !is_next(next)) {
        next = end();
    }
    const Bytes skipped = clamped(from(at), 0, static_cast<std::size_t>(next - at));
    report_gap(at, next, written == end() || (next == end() && compressed_ && all_zero(skipped)));
    return next;
}

void BufferIndexer::report_gap(std::uint64_t at, std::uint64_t next, bool is_unwritten) {
    const std::uint64_t skipped = next - at;
    if (is_unwritten) {
        index_.find(Severity::note,
                    is_preallocated_ ? "unwritten tail of a preallocated file"
                                     : "zeros after the last buffer",
                    at, skipped);
    } else if (next == end() && skipped < header::size) {
        index_.find(Severity::warning, "stray bytes after the last buffer", at, skipped);
    } else {
        index_.find(Severity::warning, "missing buffer header", at, skipped);
    }
}

/// The end of a gap if it is a header at a whole number of buffers after its begin; otherwise
/// the gap is to be searched, or more must be at hand.
std::optional<std::uint64_t> BufferIndexer::hop(IndexGap& gap) const noexcept {
    const bool may_hop = !compressed_ && nominal_ != 0;
    while (may_hop && gap.at + header::size <= end() &&
           all_zero(clamped(from(gap.at), 0, header::size))) {
        gap.at += nominal_;
    }
    const bool is_partial = gap.at + header::size > end();
    if (is_partial && (!is_all_ || gap.at >= end() || all_zero(from(gap.at)))) {
        return std::nullopt;
    }
    if (!is_partial && gap.at != gap.begin && is_next(gap.at)) {
        return gap.at;
    }
    gap.is_searched = true;
    gap.at = gap.at == gap.begin ? gap.begin + 1 : gap.at - nominal_ + 1;
    return std::nullopt;
}

/// Space that was reserved and never written has a zero header wherever a buffer would stand.
/// Only those are looked at: the rest may be holes of many gigabytes.
std::uint64_t BufferIndexer::hop_over_zeros(std::uint64_t at) const noexcept {
    if (compressed_ || nominal_ == 0) {
        return at;
    }
    while (at < end() && all_zero(clamped(from(at), 0, header::size))) {
        at += nominal_;
    }
    return std::min<std::uint64_t>(at, end());
}

/// What is no trace at all is not searched to its end.
std::uint64_t BufferIndexer::search_end(std::uint64_t at) const noexcept {
    constexpr std::uint64_t far = 4 * std::uint64_t{etl::limits::buffer_bytes};
    return index_.buffers() == 0 ? std::min<std::uint64_t>(at + far, end()) : end();
}

/// A buffer of this file surely begins at `at`. Packed bytes have places full of zeros, such as
/// the table of a Huffman code, and those are all that most of a header is; they do not say
/// that they are compressed, nor have they the size of the buffers that are not.
bool BufferIndexer::is_next(std::uint64_t at) const noexcept {
    if (!is_convincing(from(at))) {
        return false;
    }
    const BufferHeaderView head = header_view(from(at));
    const bool has_size = head.buffer_size() == nominal_;
    if (!compressed_) {
        return nominal_ == 0 || has_size;
    }
    return (nominal_ == 0 || *head.used() <= nominal_) &&
           (head.is_compressed() || has_size || head.type() == BufferType::header);
}

/// The first buffer of this file that begins in [at, last), at any alignment, or `last`.
std::uint64_t BufferIndexer::search(std::uint64_t at, std::uint64_t last) const noexcept {
    constexpr std::uint64_t block = 4096;
    while (at < last && at + header::size <= end()) {
        // BufferSize is no zero: of zeros, as in a hole of the file, only the last three can begin
        // it.
        if (load_le<std::uint64_t>(from(at).data()) == 0) {
            const Bytes next = clamped(from(at), 0, block);
            const auto other = std::ranges::find_if(
                next.subspan(8), [](std::byte byte) { return byte != std::byte{0}; });
            at += static_cast<std::uint64_t>(other - next.begin()) - 3;
        } else if (is_next(at)) {
            return at;
        } else {
            ++at;
        }
    }
    return last;
}

/// The first of them that leads to another one, or to the end of the file; or `last`.
std::uint64_t BufferIndexer::search_leading(std::uint64_t at, std::uint64_t last) noexcept {
    for (std::uint64_t found = search(at, last); found != last; found = search(found + 1, last)) {
        if (leads_on(found + header_view(from(found)).buffer_size())) {
            return found;
        }
    }
    return last;
}

/// The first where the beginning of the file is destroyed: nothing tells the size of buffers,
/// and within a buffer there are bytes enough that look like a header. One that leads to
/// another is none of these.
std::uint64_t BufferIndexer::search_first(std::uint64_t at, std::uint64_t last) noexcept {
    const std::uint64_t leading = search_leading(at, last);
    return leading != last ? leading : search(at, last);
}

struct StreamIndex::State {
    BufferIndexer indexer;
    std::uint64_t at = 0;
    std::optional<IndexGap> gap;
};

StreamIndex::StreamIndex(Bytes first, const IndexHints& hints)
    : state_(std::make_unique<State>(State{BufferIndexer(first, hints), 0, std::nullopt})) {}

StreamIndex::~StreamIndex() = default;

std::uint64_t StreamIndex::position() const noexcept {
    return state_->gap ? state_->indexer.kept_from(*state_->gap) : state_->at;
}

std::uint64_t StreamIndex::needed() const noexcept {
    return state_->gap ? format::buffer_header::size : state_->indexer.need(state_->at);
}

StreamIndex::Step StreamIndex::advance(Bytes bytes, std::uint64_t begin, Following following) {
    auto& [indexer, at, gap] = *state_;
    indexer.show(bytes, begin, following == Following::nothing);
    if (following == Following::nothing && at >= indexer.end() && !gap) {
        return Step::end;
    }
    if (!gap) {
        const std::uint64_t there = indexer.end() - at;
        const bool is_enough = following == Following::nothing || there >= indexer.need(at) ||
                               (following == Following::nothing_yet && indexer.is_at_hand(at));
        if (!is_enough) {
            return Step::more;
        }
        if (const std::uint32_t size = indexer.size_at(at); size != 0) {
            at = indexer.add(at, size);
            return Step::buffer;
        }
        gap = IndexGap{.begin = at, .at = at, .checked = at};
    }
    const auto next = indexer.cross(*gap);
    if (!next) {
        return Step::more;
    }
    at = *next;
    gap.reset();
    return Step::gap;
}

BufferIndex StreamIndex::take() {
    return state_->indexer.builder().drain();
}

} // namespace etl::trace
