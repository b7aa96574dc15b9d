#include "repair/live_records.hpp"

#include "format/buffer_header.hpp"
#include "format/record_kind.hpp"
#include "format/set_field.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace etl::repair {

namespace {

using format::LiveState;
using format::RecordKind;
using format::RecordShape;

constexpr std::uint32_t live_header_size = format::buffer_header::size;

/// Walks the records of one buffer, which nobody else changes.
class LiveWalk {
public:
    LiveWalk(Bytes from, MutableBytes to, bool is_full) : from_(from), to_(to), is_full_(is_full) {}

    LiveContent run() {
        found_.used = live_header_size;
        std::size_t at = live_header_size;
        while (at + sizeof(std::uint32_t) <= from_.size()) {
            if (load_le<std::uint32_t>(from_.data() + at) == 0) {
                at = skip_unbegun(at);
                continue;
            }
            const RecordShape shape = format::record_at(from_.subspan(at));
            const std::uint32_t size = format::padded(shape.size);
            if (shape.kind == RecordKind::none || size > from_.size() - at ||
                size > to_.size() - found_.used) {
                found_.damaged = from_.size() - at;
                break;
            }
            if (shape.kind.family == format::RecordFamily::error) {
                ++found_.incomplete;
            } else {
                keep(from_.subspan(at, shape.size), shape);
            }
            at += size;
        }
        return found_;
    }

private:
    /// Room that somebody took without having put down a byte: all of it is zero. Of an open
    /// buffer zeros are also what nobody took.
    std::size_t skip_unbegun(std::size_t at) {
        while (at + sizeof(std::uint64_t) <= from_.size() &&
               load_le<std::uint64_t>(from_.data() + at) == 0) {
            at += sizeof(std::uint64_t);
        }
        const bool is_behind_all = at + sizeof(std::uint64_t) > from_.size();
        found_.incomplete += is_full_ || !is_behind_all ? 1 : 0;
        if (!is_behind_all && load_le<std::uint32_t>(from_.data() + at) == 0) {
            found_.damaged = from_.size() - at; // no record begins in the middle of eight bytes
            return from_.size();
        }
        return at;
    }

    void keep(Bytes record, const RecordShape& shape) {
        const std::uint32_t size = format::padded(shape.size);
        const MutableBytes place = to_.subspan(found_.used, size);
        std::ranges::copy(record, place.begin());
        std::ranges::fill(place.subspan(shape.size), std::byte{0});
        const MutableBytes copied = place.first(shape.size);
        if (format::has_invalid_flags(shape.kind, copied)) {
            format::clear_invalid_flags(shape.kind, copied);
            ++found_.unlinked;
        }
        found_.used += size;
        ++found_.records;
        if (shape.has_time) {
            found_.oldest = std::min(found_.oldest.value_or(shape.time), shape.time);
            found_.newest = std::max(found_.newest.value_or(shape.time), shape.time);
        }
    }

    Bytes from_;
    MutableBytes to_;
    bool is_full_;
    LiveContent found_;
};

std::int64_t number_of(Bytes buffer) {
    const auto head = format::BufferHeaderView::at(buffer, {});
    // Beyond it no session gets.
    constexpr std::int64_t last_number = std::int64_t{1} << 62U;
    const std::int64_t number = head ? head->sequence_number() : 0;
    return number > 0 && number <= last_number ? number : 0;
}

} // namespace

Result<LiveRecords> LiveRecords::open(std::shared_ptr<const io::InputFile> file) {
    auto facts = format::parse_live_buffers(file->bytes());
    if (!facts) {
        return std::unexpected(facts.error());
    }
    LiveRecords records;
    records.file_ = std::move(file);
    records.facts_ = *facts;
    return records;
}

std::vector<std::byte> LiveRecords::empty_trace() const {
    const Bytes head = facts_.header_buffer;
    if (head.size() < live_header_size || head.size() > facts_.buffer_size) {
        return {};
    }
    std::vector<std::byte> trace(facts_.buffer_size, std::byte{0xFF});
    std::ranges::copy(head, trace.begin());
    store<format::buffer_header::buffer_size>(std::span(trace).first<live_header_size>(),
                                              facts_.buffer_size);
    return trace;
}

std::optional<format::LiveLosses> LiveRecords::losses() const {
    if (!facts_.counts_losses) {
        return std::nullopt;
    }
    const auto reader = trace::Reader::open(io::InputFile::from_memory(empty_trace(), "header"));
    const auto since = [](std::uint64_t all, std::uint64_t before) {
        return all > before ? all - before : 0;
    };
    format::LiveLosses lost{.events = since(facts_.lost.events, facts_.lost_before.events),
                            .buffers = since(facts_.lost.buffers, facts_.lost_before.buffers)};
    if (reader && (*reader)->info().has_header) {
        lost.events += (*reader)->info().header.events_lost;
        lost.buffers += (*reader)->info().header.buffers_lost;
    }
    return lost;
}

std::optional<bool> LiveRecords::belongs_to(const flow::TraceInfo& trace) const {
    if (facts_.header_buffer.empty() || !trace.has_header) {
        return std::nullopt;
    }
    const auto reader = trace::Reader::open(io::InputFile::from_memory(empty_trace(), "header"));
    if (!reader || !(*reader)->info().has_header) {
        return std::nullopt;
    }
    const flow::TraceInfo& own = (*reader)->info();
    return own.reference_time == trace.reference_time &&
           own.header.start_time == trace.header.start_time &&
           own.header.boot_time == trace.header.boot_time &&
           own.header.session_name == trace.header.session_name &&
           own.header.log_file_name == trace.header.log_file_name;
}

std::vector<LiveBuffer> LiveRecords::missing_in(std::span<const trace::BufferEntry> buffers) const {
    std::map<std::pair<std::int64_t, std::uint16_t>, bool> whole; // by number and processor
    for (const trace::BufferEntry& buffer : buffers) {
        whole[{buffer.sequence, buffer.processor}] |= !buffer.is_truncated;
    }
    std::vector<LiveBuffer> missing;
    for (std::uint32_t i = 0; i < facts_.buffer_count; ++i) {
        const format::LiveEntry entry = format::live_entry_at(facts_, file_->bytes(), i);
        if (entry.state == LiveState::free || entry.state == LiveState::damaged) {
            continue;
        }
        const bool is_full = entry.state == LiveState::full;
        const LiveBuffer buffer{.number = i,
                                .processor = static_cast<std::uint16_t>(entry.stripe),
                                .sequence = is_full ? number_of(entry.buffer) : 0,
                                .order = entry.order,
                                .closed_at = is_full ? entry.closed_at : 0};
        const auto found = whole.find({buffer.sequence, buffer.processor});
        if (buffer.sequence == 0 || found == whole.end() || !found->second) {
            missing.push_back(buffer);
        }
    }
    std::ranges::sort(missing, {},
                      [](const LiveBuffer& one) { return std::pair(one.order, one.number); });
    std::set<std::pair<std::int64_t, std::uint16_t>> numbers;
    for (LiveBuffer& one : missing) {
        const bool is_first = numbers.emplace(one.sequence, one.processor).second;
        one.sequence = is_first ? one.sequence : 0;
    }
    return missing;
}

std::uint64_t LiveRecords::damaged() const {
    std::uint64_t count = 0;
    for (std::uint32_t i = 0; i < facts_.buffer_count; ++i) {
        const format::LiveEntry entry = format::live_entry_at(facts_, file_->bytes(), i);
        count += entry.state == LiveState::damaged ? 1U : 0U;
    }
    return count;
}

LiveContent LiveRecords::copy(const LiveBuffer& buffer, MutableBytes to) {
    const format::LiveEntry entry = format::live_entry_at(facts_, file_->bytes(), buffer.number);
    const bool is_full = entry.state == LiveState::full && entry.used >= live_header_size;
    const std::size_t size = is_full ? entry.used : entry.buffer.size();
    copy_.assign(entry.buffer.begin(), entry.buffer.begin() + static_cast<std::ptrdiff_t>(size));
    return LiveWalk(copy_, to, is_full).run();
}

} // namespace etl::repair
