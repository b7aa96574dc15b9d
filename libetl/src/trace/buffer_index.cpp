#include "trace/buffer_index.hpp"

#include <etl/base/limits.hpp>
#include <etl/format/logfile_header.hpp>

#include "trace/index_builder.hpp"

#include <algorithm>
#include <cstring>

namespace etl::trace {

namespace {

using format::BufferHeaderView;
using format::BufferType;
namespace header = format::buffer_header;

constexpr std::uint32_t last_state = 6; // the highest that any list of ETW_BUFFER_STATE names
constexpr std::uint16_t last_type = 7;  // the highest BufferType

BufferHeaderView view(Bytes at) noexcept {
    return BufferHeaderView(at.first<header::size>());
}

bool all_zero(Bytes bytes) noexcept {
    return bytes.empty() || (bytes[0] == std::byte{0} &&
                             std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

class Indexer {
public:
    Indexer(Bytes file, const IndexHints& hints)
        : file_(file), nominal_(hints.buffer_size),
          compressed_((hints.log_file_mode & format::log_mode::compressed) != 0), index_(hints) {
        // One of the two that name the size may be damaged: the one that leads on is right.
        if (!compressed_ && is_plausible(file) &&
            (nominal_ == 0 || leads_on(view(file).buffer_size()))) {
            nominal_ = view(file).buffer_size();
        }
    }

    BufferIndex run() {
        std::uint64_t at = 0;
        while (at < file_.size()) {
            const std::uint32_t size = size_at(at);
            at = size != 0 ? add(at, size) : skip(at);
        }
        return index_.take(codec_of(file_));
    }

private:
    Bytes from(std::uint64_t at) const noexcept {
        return clamped(file_, static_cast<std::size_t>(at));
    }

    /// A buffer surely begins at `at`, or the file ends there.
    bool leads_on(std::uint64_t at) const noexcept {
        return at == file_.size() || (at < file_.size() && is_convincing(from(at)));
    }

    /// How far the buffer at `at` reaches, where one is expected; 0: none is there.
    std::uint32_t size_at(std::uint64_t at) {
        if (from(at).size() < header::size) {
            return 0;
        }
        const BufferHeaderView head = view(from(at));
        const std::uint32_t size = head.buffer_size();
        const bool plausible = is_plausible(from(at));
        compressed_ = compressed_ || (plausible && head.is_compressed() && is_convincing(from(at)));
        if (plausible && leads_on(at + size)) {
            return size;
        }
        if (compressed_) {
            return plausible && (at == 0 || is_convincing(from(at))) ? shortened(at, size) : 0;
        }
        if (nominal_ == 0) {
            return is_convincing(from(at)) ? size : 0;
        }
        if (plausible && size == nominal_) {
            return size;
        }
        const std::uint64_t end = at + nominal_;
        if (looks_written(from(at)) && *head.used() <= nominal_ &&
            (end > file_.size() || leads_on(end))) {
            index_.find(Severity::warning, "BufferSize contradicts the rest of the file", at, 0);
            return nominal_;
        }
        return plausible && at == 0 ? size : 0;
    }

    /// The size of a compressed buffer that leads nowhere: cut off where the next buffer begins. It
    /// need not be wrong: the file may end there, or damage follow.
    std::uint32_t shortened(std::uint64_t at, std::uint32_t size) {
        const std::uint64_t end = std::min<std::uint64_t>(at + size, file_.size());
        const std::uint64_t next = search_leading(at + header::size, end);
        if (next == end) {
            return size;
        }
        index_.find(Severity::warning, "BufferSize reaches into the next buffer", at, 0);
        return static_cast<std::uint32_t>(next - at);
    }

    /// Adds the buffer at `at` and gives the offset behind it.
    std::uint64_t add(std::uint64_t at, std::uint32_t size) {
        if (nominal_ == 0 && !compressed_) {
            nominal_ = size;
        }
        return at + index_.add(from(at), at, size, file_.size() - at).disk_size;
    }

    /// No buffer at `at`: gives the offset of the next one, or the end of the file.
    std::uint64_t skip(std::uint64_t at) {
        const std::uint64_t written = hop_over_zeros(at);
        std::uint64_t next = written;
        if (written < file_.size() && (written == at || !is_next(written))) {
            next = index_.buffers() == 0
                       ? search_first(at + 1, search_end(at))
                       : search(written == at ? at + 1 : written - nominal_ + 1, search_end(at));
        }
        if (next < file_.size() && !is_next(next)) {
            next = file_.size();
        }
        const Bytes skipped = clamped(from(at), 0, static_cast<std::size_t>(next - at));
        if (written == file_.size() || (next == file_.size() && compressed_ && all_zero(skipped))) {
            index_.find(Severity::note, "unwritten tail of a preallocated file", at,
                        skipped.size());
        } else if (next == file_.size() && skipped.size() < header::size) {
            index_.find(Severity::warning, "stray bytes behind the last buffer", at,
                        skipped.size());
        } else {
            index_.find(Severity::warning, "no buffer header here", at, skipped.size());
        }
        return next;
    }

    /// Space that was reserved and never written has a zero header wherever a buffer would stand.
    /// Only those are looked at: the rest may be holes of many gigabytes.
    std::uint64_t hop_over_zeros(std::uint64_t at) const noexcept {
        if (compressed_ || nominal_ == 0) {
            return at;
        }
        while (at < file_.size() && all_zero(clamped(from(at), 0, header::size))) {
            at += nominal_;
        }
        return std::min<std::uint64_t>(at, file_.size());
    }

    /// What is no trace at all is not searched to its end.
    std::uint64_t search_end(std::uint64_t at) const noexcept {
        constexpr std::uint64_t far = 4 * std::uint64_t{limits::buffer_bytes};
        return index_.buffers() == 0 ? std::min<std::uint64_t>(at + far, file_.size())
                                     : file_.size();
    }

    /// A buffer of this file surely begins at `at`. Packed bytes have places full of zeros, such as
    /// the table of a Huffman code, and those are all that most of a header is; they do not say
    /// that they are compressed, nor have they the size of the buffers that are not.
    bool is_next(std::uint64_t at) const noexcept {
        if (!is_convincing(from(at))) {
            return false;
        }
        const BufferHeaderView head = view(from(at));
        const bool has_size = head.buffer_size() == nominal_;
        if (!compressed_) {
            return nominal_ == 0 || has_size;
        }
        return (nominal_ == 0 || *head.used() <= nominal_) &&
               (head.is_compressed() || has_size || head.type() == BufferType::header);
    }

    /// The first buffer of this file that begins in [at, end), at any alignment, or `end`.
    std::uint64_t search(std::uint64_t at, std::uint64_t end) const noexcept {
        while (at < end && at + header::size <= file_.size()) {
            // BufferSize is no zero: eight of them rule out the next five places at once.
            if (load_le<std::uint64_t>(file_.data() + at) == 0) {
                at += 5;
            } else if (is_next(at)) {
                return at;
            } else {
                ++at;
            }
        }
        return end;
    }

    /// The first of them that leads to another one, or to the end of the file; or `end`.
    std::uint64_t search_leading(std::uint64_t at, std::uint64_t end) const noexcept {
        for (std::uint64_t found = search(at, end); found != end; found = search(found + 1, end)) {
            if (leads_on(found + view(from(found)).buffer_size())) {
                return found;
            }
        }
        return end;
    }

    /// The first where the beginning of the file is destroyed: nothing tells the size of buffers,
    /// and within a buffer there are bytes enough that look like a header. One that leads to
    /// another is none of these.
    std::uint64_t search_first(std::uint64_t at, std::uint64_t end) const noexcept {
        const std::uint64_t leading = search_leading(at, end);
        return leading != end ? leading : search(at, end);
    }

    Bytes file_;
    std::uint32_t nominal_; // bytes of an uncompressed buffer; 0: not known yet
    bool compressed_;
    IndexBuilder index_;
};

} // namespace

bool is_plausible(Bytes at) noexcept {
    if (at.size() < header::size) {
        return false;
    }
    const BufferHeaderView head = view(at);
    return head.buffer_size() >= header::size && head.buffer_size() <= limits::buffer_bytes &&
           static_cast<std::uint16_t>(head.type()) <= last_type &&
           head.offset() <= limits::buffer_bytes;
}

bool looks_written(Bytes at) noexcept {
    if (at.size() < header::size) {
        return false;
    }
    const BufferHeaderView head = view(at);
    return static_cast<std::uint16_t>(head.type()) <= last_type &&
           (head.flags() & ~format::buffer_flag::known) == 0 && head.used() &&
           *head.used() <= limits::buffer_bytes && head.sequence_number() >= 0 &&
           head.state() <= last_state &&
           load_le<std::int32_t>(at.data() + header::reference_count.offset) == 0;
}

bool is_convincing(Bytes at) noexcept {
    if (!is_plausible(at) || !looks_written(at)) {
        return false;
    }
    const BufferHeaderView head = view(at);
    return head.is_compressed() || *head.used() <= head.buffer_size();
}

std::uint32_t codec_of(Bytes trace) noexcept {
    if (!is_plausible(trace) || view(trace).type() != BufferType::header) {
        return 3;
    }
    const std::uint32_t codec = view(trace).state();
    return codec == 2 || codec == 4 ? codec : 3;
}

BufferIndex index_buffers(Bytes file, const IndexHints& hints) {
    return Indexer(file, hints).run();
}

std::uint32_t fullest(std::span<const BufferEntry> entries, std::uint32_t nominal) noexcept {
    std::uint32_t bytes = 0;
    for (const BufferEntry& entry : entries) {
        const std::uint32_t unsaid = entry.is_compressed() ? nominal : entry.disk_size;
        bytes = std::max(bytes, entry.used != 0 ? entry.used : unsaid);
    }
    return std::min(bytes, limits::buffer_bytes);
}

std::uint32_t count_processors(std::span<const BufferEntry> entries) noexcept {
    std::uint32_t count = 0;
    for (const BufferEntry& entry : entries) {
        count = std::max(count, entry.processor + 1U);
    }
    return count;
}

} // namespace etl::trace
