#include "trace/buffer_index.hpp"

#include <etl/base/limits.hpp>
#include <etl/format/logfile_header.hpp>

#include <algorithm>
#include <unordered_map>

namespace etl::trace {

namespace {

using format::BufferHeaderView;
using format::BufferType;
namespace header = format::buffer_header;

constexpr std::uint32_t last_state = 6; // the highest that any list of ETW_BUFFER_STATE names

BufferHeaderView view(Bytes at) noexcept {
    return BufferHeaderView(at.first<header::size>());
}

bool all_zero(Bytes bytes) noexcept {
    return std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; });
}

class Indexer {
public:
    Indexer(Bytes file, const IndexHints& hints) : file_(file), hints_(hints) {
        compressed_ = (hints.log_file_mode & format::log_mode::compressed) != 0;
        nominal_ = hints.buffer_size;
        if (is_plausible(file) && !compressed_) {
            nominal_ = view(file).buffer_size();
        }
    }

    BufferIndex run() {
        if (is_plausible(file_) && view(file_).type() == BufferType::header) {
            const std::uint32_t codec = view(file_).state();
            index_.codec = codec == 2 || codec == 4 ? codec : 3;
        }
        std::uint64_t at = 0;
        while (at < file_.size()) {
            at = is_plausible(from(at)) ? add(at) : skip(at);
        }
        return std::move(index_);
    }

private:
    Bytes from(std::uint64_t at) const noexcept {
        return clamped(file_, static_cast<std::size_t>(at));
    }

    bool is_boundary(std::uint64_t at) const noexcept {
        return at == file_.size() || (at < file_.size() && is_plausible(from(at)));
    }

    /// Adds the buffer at `at` and gives the offset behind it.
    std::uint64_t add(std::uint64_t at) {
        const BufferHeaderView head = view(from(at));
        BufferEntry entry;
        entry.where = {at};
        entry.sequence = head.sequence_number();
        entry.disk_size = head.buffer_size();
        entry.used = head.used().value_or(0);
        entry.processor = head.processor();
        entry.logger_id = head.logger_id();
        entry.flags = head.flags();
        entry.type = head.type();
        if (!is_boundary(at + entry.disk_size)) {
            mend_size(entry);
        }
        if (entry.disk_size > file_.size() - at) {
            const std::uint64_t missing = entry.disk_size - (file_.size() - at);
            // Only bytes that held records are a loss: fill behind `used` may be cut without harm.
            const bool lost =
                entry.is_compressed() || entry.used == 0 || entry.used > file_.size() - at;
            find(lost ? Severity::warning : Severity::note, "the file ends inside a buffer", at,
                 missing);
            entry.disk_size = static_cast<std::uint32_t>(file_.size() - at);
            entry.cut = true;
        }
        if (!entry.is_compressed() && entry.used > entry.disk_size && !entry.cut) {
            find(Severity::warning, "the buffer claims more valid bytes than it has", at, 0);
            entry.used = entry.disk_size;
        }
        entry.run = run_of(entry);
        index_.entries.push_back(entry);
        return at + entry.disk_size;
    }

    /// The size leads nowhere: perhaps it is the size that is wrong, and the next buffer stands
    /// elsewhere.
    void mend_size(BufferEntry& entry) {
        const std::uint64_t at = entry.where.value;
        if (!compressed_) {
            if (nominal_ != 0 && entry.disk_size != nominal_ && at + nominal_ <= file_.size() &&
                is_boundary(at + nominal_)) {
                find(Severity::warning, "BufferSize contradicts the rest of the file", at, 0);
                entry.disk_size = nominal_;
            }
            return;
        }
        const std::uint64_t end = std::min<std::uint64_t>(at + entry.disk_size, file_.size());
        const std::uint64_t next = search(at + header::size, end);
        if (next < end) {
            find(Severity::warning, "BufferSize reaches into the next buffer", at, 0);
            entry.disk_size = static_cast<std::uint32_t>(next - at);
        }
    }

    /// Sequence numbers of one processor ascend in the file; where they start over, an appended run
    /// begins. In a circular file they start over at the seam instead, and their order is the order
    /// of time.
    std::uint32_t run_of(const BufferEntry& entry) {
        if (entry.type == BufferType::header ||
            (hints_.log_file_mode & format::log_mode::circular) != 0) {
            return 0;
        }
        auto [it, first] = last_.try_emplace(entry.processor, Last{entry.sequence, 0});
        if (!first && entry.sequence <= it->second.sequence) {
            ++it->second.run;
        }
        it->second.sequence = entry.sequence;
        return it->second.run;
    }

    /// Nothing plausible at `at`: gives the offset of the next buffer, or the end of the file.
    std::uint64_t skip(std::uint64_t at) {
        std::uint64_t next = file_.size();
        if (compressed_ || nominal_ == 0) {
            next = search(at + 1, file_.size());
        } else {
            for (std::uint64_t grid = at - at % nominal_ + nominal_; grid < file_.size();
                 grid += nominal_) {
                if (is_convincing(from(grid))) {
                    next = grid;
                    break;
                }
            }
        }
        const Bytes skipped = clamped(from(at), 0, static_cast<std::size_t>(next - at));
        if (next == file_.size() && all_zero(skipped)) {
            find(Severity::note, "unwritten tail of a preallocated file", at, skipped.size());
        } else if (next == file_.size() && skipped.size() < header::size) {
            find(Severity::warning, "stray bytes behind the last buffer", at, skipped.size());
        } else {
            find(Severity::warning, "no buffer header here", at, skipped.size());
        }
        return next;
    }

    /// The first convincing header in [at, end), at any alignment, or `end`.
    std::uint64_t search(std::uint64_t at, std::uint64_t end) const noexcept {
        for (; at + header::size <= end; ++at) {
            if (is_convincing(from(at))) {
                return at;
            }
        }
        return end;
    }

    void find(Severity severity, const char* what, std::uint64_t at, std::uint64_t skipped) {
        index_.findings.push_back({.severity = severity,
                                   .what = what,
                                   .where = {at},
                                   .buffer = index_.entries.size(),
                                   .offset = {},
                                   .bytes_skipped = skipped,
                                   .file = 0});
    }

    struct Last {
        std::int64_t sequence;
        std::uint32_t run;
    };

    Bytes file_;
    IndexHints hints_;
    std::uint32_t nominal_ = 0;
    bool compressed_ = false;
    BufferIndex index_;
    std::unordered_map<std::uint16_t, Last> last_;
};

} // namespace

bool is_plausible(Bytes at) noexcept {
    if (at.size() < header::size) {
        return false;
    }
    const BufferHeaderView head = view(at);
    return head.buffer_size() >= header::size && head.buffer_size() <= limits::buffer_bytes &&
           static_cast<std::uint16_t>(head.type()) <= 7 && head.offset() <= limits::buffer_bytes;
}

bool is_convincing(Bytes at) noexcept {
    if (!is_plausible(at)) {
        return false;
    }
    const BufferHeaderView head = view(at);
    const auto used = head.used();
    const bool whole = head.is_compressed() || (used && *used <= head.buffer_size());
    return (head.flags() & ~format::buffer_flag::known) == 0 && used && whole &&
           head.sequence_number() >= 0 && head.state() <= last_state &&
           load_le<std::int32_t>(at.data() + header::reference_count.offset) == 0;
}

BufferIndex index_buffers(Bytes file, const IndexHints& hints) {
    return Indexer(file, hints).run();
}

} // namespace etl::trace
