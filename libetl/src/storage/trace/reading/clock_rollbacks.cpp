#include "trace/reading/clock_rollbacks.hpp"

#include "trace/limits.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace etl::trace {

namespace {

/// How far `from` is above `to`; 0 if it is not.
std::uint64_t fall(std::int64_t from, std::int64_t to) noexcept {
    return from > to ? static_cast<std::uint64_t>(from) - static_cast<std::uint64_t>(to) : 0;
}

/// Numbers of buffers as places in the order of their flushes: a circular file begins anywhere.
class FlushOrder {
public:
    FlushOrder(std::span<const BufferEntry> entries, bool is_circular) : count_(entries.size()) {
        std::uint64_t most = 0;
        for (std::size_t i = 2; is_circular && i < count_; ++i) {
            const std::uint64_t drop = fall(entries[i - 1].sequence, entries[i].sequence);
            if (drop > most) {
                most = drop;
                seam_ = i;
            }
        }
    }

    std::size_t operator()(std::uint32_t number) const noexcept {
        return number == 0 ? 0 : number + (number < seam_ ? count_ : 0);
    }

private:
    std::size_t count_;
    std::size_t seam_ = 0; // the oldest data buffer of a circular file
};

/// Between two buffers of a stream flush times fall: the clock was set back before the second one
/// was flushed.
struct Suspicion {
    std::uint32_t stream;
    std::size_t index;       // of the second one
    std::uint64_t by;        // flush times fall; 0: not known
    std::size_t after, upto; // in the order of flushes: behind the first, up to the second
};

/// Flush times tell, and where there are none an appended run makes suspicious.
class Suspicions {
public:
    Suspicions(std::span<const BufferEntry> entries, const FlushOrder& place)
        : entries_(entries), place_(&place) {}

    void inspect(std::uint32_t number, const BufferStream& stream) {
        const BufferEntry* before = nullptr; // the last one that has a flush time
        for (std::size_t i = 0; i < stream.buffers.size(); ++i) {
            const BufferEntry& entry = entries_[stream.buffers[i]];
            if (entry.time_stamp == 0) {
                if (i > 0 && entry.run != entries_[stream.buffers[i - 1]].run) {
                    add(number, stream, i, 0);
                }
                continue;
            }
            if (before != nullptr && entry.time_stamp < before->time_stamp) {
                add(number, stream, i, fall(before->time_stamp, entry.time_stamp));
            }
            before = &entry;
        }
    }

    /// By where they end.
    std::vector<Suspicion> take() {
        std::ranges::sort(list_, {}, &Suspicion::upto);
        return std::move(list_);
    }

private:
    void add(std::uint32_t number, const BufferStream& stream, std::size_t i, std::uint64_t by) {
        const std::size_t upto = (*place_)(stream.buffers[i]);
        const std::size_t after = std::min((*place_)(stream.buffers[i - 1]), upto - 1);
        list_.push_back({number, i, by, after, upto});
    }

    std::span<const BufferEntry> entries_;
    const FlushOrder* place_;
    std::vector<Suspicion> list_;
};

/// Two records of one stream, one behind the other, the second of which is earlier.
struct Fall {
    std::int64_t before = 0, after = 0;
    std::size_t index = 0; // of the second one's buffer in the stream
    std::uint32_t offset = 0;

    std::uint64_t depth() const noexcept { return fall(before, after); }
};

class Finder {
public:
    Finder(const LoadRequest& request, std::span<const BufferEntry> entries,
           std::span<const BufferStream> streams)
        : request_(request), entries_(entries), streams_(streams),
          place_(entries, (request.trace->header.log_file_mode & format::log_mode::circular) != 0),
          last_cuts_(streams.size()) {
        request_.order = Order::file;
        request_.select = nullptr;
        for (const BufferEntry& entry : entries) {
            bytes_left_ += max_loaded * entry.disk_size;
        }
    }

    ClockRollbacks run() {
        Suspicions suspicions(entries_, place_);
        for (std::uint32_t i = 0; i < streams_.size(); ++i) {
            suspicions.inspect(i, streams_[i]);
        }
        const std::vector<Suspicion> list = suspicions.take();
        // The fewest places that explain all of them: processors tell of the same set-back.
        std::size_t places = 0;
        for (auto begin = list.begin(); begin != list.end();) {
            const auto end = std::find_if(begin, list.end(), [&](const Suspicion& suspicion) {
                return suspicion.after >= begin->upto;
            });
            if (++places > limits::clock_rollbacks) {
                found_.is_complete = false;
                break;
            }
            confirm({begin, end});
            begin = end;
        }
        std::ranges::stable_sort(found_.cuts, {}, &ClockCut::stream);
        return std::move(found_);
    }

private:
    /// Suspicions of one place count if the events of one of their streams fall nearly as deep, or,
    /// where the clock was set back twice between two flushes, a fair part of it. Buffers of
    /// relogged traces have times of another clock, and then no events fall.
    void confirm(std::span<const Suspicion> suspicions) {
        std::optional<flow::ClockRollback> set_back;
        std::uint64_t depth = 0;
        for (const Suspicion& suspicion : suspicions) {
            std::optional<Fall> deepest;
            for (const Fall& fall : falls(suspicion.stream, suspicion.index)) {
                deepest = !deepest || fall.depth() > deepest->depth() ? fall : *deepest;
            }
            if (deepest && ticks(*deepest) >= suspicion.by / 4) {
                depth = std::max(depth, deepest->depth());
                include(*deepest, suspicion.stream, set_back);
            }
        }
        if (set_back) {
            found_.list.push_back(*set_back);
            for (std::uint32_t i = 0; i < streams_.size(); ++i) {
                cut(i, suspicions.front().upto, depth);
            }
        }
    }

    /// In the unit of flush times.
    std::uint64_t ticks(const Fall& fallen) const noexcept {
        if ((request_.trace->header.log_file_mode & format::log_mode::relog) == 0) {
            return fallen.depth();
        }
        const flow::Clock& clock = request_.trace->clock;
        return fall(clock.to_filetime(fallen.before).ticks, clock.to_filetime(fallen.after).ticks);
    }

    void include(const Fall& fall, std::uint32_t stream,
                 std::optional<flow::ClockRollback>& to) const {
        const std::uint32_t number = streams_[stream].buffers[fall.index];
        if (!to) {
            to = {fall.before, fall.after, entries_[number].where, number};
            return;
        }
        to->before = std::max(to->before, fall.before);
        to->after = std::min(to->after, fall.after);
        if (number < to->buffer) {
            to->buffer = number;
            to->where = entries_[number].where;
        }
    }

    /// Cuts a stream where its events show the set-back found last, `depth` at least, or, if they
    /// do not, in front of the first buffer that was flushed from `place` on.
    void cut(std::uint32_t number, std::size_t place, std::uint64_t depth) {
        const std::vector<std::uint32_t>& buffers = streams_[number].buffers;
        const auto at = std::ranges::partition_point(
            buffers, [&](std::uint32_t buffer) { return place_(buffer) < place; });
        const auto index = static_cast<std::size_t>(at - buffers.begin());
        if (index == buffers.size()) {
            return;
        }
        const auto epoch = static_cast<std::uint32_t>(found_.list.size());
        const std::int64_t after = found_.list.back().after;
        const std::vector<Fall> list = falls(number, index);
        const auto shown = std::ranges::find_if(list, [&](const Fall& fall) {
            return fall.depth() >= depth / 2 && trace::fall(after, fall.after) <= depth / 2;
        });
        std::optional<LastCut>& last = last_cuts_[number];
        if (shown == list.end() && last && last->from == index) {
            found_.cuts[last->cut].epoch = epoch; // nothing of it lies between the two
            return;
        }
        ClockCut cut{.stream = number, .index = index, .epoch = epoch};
        if (shown != list.end()) {
            cut.index = shown->index;
            cut.offset = shown->offset;
        }
        cut.first_time = first_time(number, cut);
        last = {index, found_.cuts.size()};
        found_.cuts.push_back(cut);
    }

    /// Among the records of buffers[index - 1] and buffers[index] that lie behind the last cut.
    std::vector<Fall> falls(std::uint32_t number, std::size_t index) {
        const ClockCut* const last =
            last_cuts_[number] ? &found_.cuts[last_cuts_[number]->cut] : nullptr;
        std::vector<Fall> found;
        std::optional<std::int64_t> before;
        for (std::size_t i = index == 0 ? 0 : index - 1; i <= index; ++i) {
            if (last != nullptr && i < last->index) {
                continue;
            }
            const std::uint32_t from = last != nullptr && i == last->index ? last->offset : 0;
            bool is_first = true;
            for (const flow::Event& event : load(number, i)) {
                if (!event.has_time || event.offset() < from) {
                    continue;
                }
                if (before && event.raw_time < *before) {
                    found.push_back({*before, event.raw_time, i, is_first ? 0 : event.offset()});
                }
                before = event.raw_time;
                is_first = false;
            }
        }
        return found;
    }

    std::int64_t first_time(std::uint32_t number, const ClockCut& cut) {
        std::int64_t first = std::numeric_limits<std::int64_t>::max();
        bool is_known = false;
        const std::size_t end = std::min(cut.index + 2, streams_[number].buffers.size());
        for (std::size_t i = cut.index; i < end; ++i) {
            for (const flow::Event& event : load(number, i)) {
                if (event.has_time && (i > cut.index || event.offset() >= cut.offset)) {
                    first = std::min(first, event.raw_time);
                    is_known = true;
                }
            }
        }
        return is_known ? first : no_time;
    }

    /// No events once the work is out of proportion to the file.
    flow::Run load(std::uint32_t number, std::size_t i) {
        if (bytes_left_ == 0) {
            found_.is_complete = false;
            return {};
        }
        const std::uint32_t buffer = streams_[number].buffers[i];
        trace::load_records(request_, entries_[buffer], buffer, buffer_);
        bytes_left_ -= std::min<std::uint64_t>(bytes_left_, buffer_.context.bytes.size());
        return buffer_.events.view();
    }

    /// Times its size on disk that a file may be loaded, and beyond it.
    static constexpr std::uint64_t max_loaded = 64;
    static constexpr std::uint64_t always_loaded = std::uint64_t{64} << 20U;

    struct LastCut {
        std::size_t from; // the buffer that was flushed first after the set-back
        std::size_t cut;  // in found_.cuts
    };

    LoadRequest request_;
    std::span<const BufferEntry> entries_;
    std::span<const BufferStream> streams_;
    FlushOrder place_;
    ClockRollbacks found_;
    std::vector<std::optional<LastCut>> last_cuts_; // by stream
    LoadedBuffer buffer_;
    std::uint64_t bytes_left_ = always_loaded;
};

} // namespace

ClockRollbacks find_clock_rollbacks(const LoadRequest& request,
                                    std::span<const BufferEntry> entries,
                                    std::span<const BufferStream> streams) {
    return Finder(request, entries, streams).run();
}

std::vector<BufferStream> cut_at(std::vector<BufferStream> streams,
                                 std::span<const ClockCut> cuts) {
    // From the last cut of each stream to its first, so that indices stay what they are.
    for (auto cut = cuts.rbegin(); cut != cuts.rend(); ++cut) {
        BufferStream& whole = streams[cut->stream];
        const auto index = static_cast<std::ptrdiff_t>(cut->index);
        BufferStream rest{.buffers = {whole.buffers.begin() + index, whole.buffers.end()},
                          .of_first = {.from = cut->offset},
                          .of_last = whole.of_last,
                          // A buffer that is cut counts once more in each stream that it is in.
                          .rank = whole.rank + cut->index + cut->epoch,
                          .epoch = cut->epoch,
                          .first_time = cut->first_time};
        const bool is_shared = cut->offset > 0;
        whole.buffers.resize(cut->index + (is_shared ? 1 : 0));
        whole.of_last = is_shared ? RecordRange{.to = cut->offset} : RecordRange{};
        streams.push_back(std::move(rest));
    }
    std::erase_if(streams, [](const BufferStream& stream) { return stream.buffers.empty(); });
    return streams;
}

} // namespace etl::trace
