#include "viewer/picture.hpp"

#include "base/json_object.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace etl::viewer {

namespace {

using analysis::Track;
using analysis::TrackBins;
using analysis::TrackKind;
using analysis::TrackPiece;

constexpr double nanoseconds_per_second = 1e9;
constexpr std::int64_t nanoseconds_per_tick = 100;

/// Bins of a picture: as many as there are, but no more memory than this for each track.
constexpr std::uint64_t max_bins = 65'536;

/// The identity of a track, to which others can be added.
JsonObject named(const Track& track) {
    const auto text_or_null = [](JsonObject& json, std::string_view key, const std::string& text) {
        if (text.empty()) {
            json.raw(key, "null");
        } else {
            json.text(key, utf8_text(text));
        }
    };
    JsonObject json;
    json.text("kind", analysis::name(track.kind));
    text_or_null(json, "process", track.process);
    json.raw("pid", track.pid ? std::to_string(*track.pid) : "null");
    json.raw("id", track.id ? std::to_string(*track.id) : "null");
    text_or_null(json, "name", track.name);
    return json;
}

/// One record: a state of a track in equal bins.
struct Record {
    std::uint32_t track = 0, bin = 0, bins = 1, state = 0;
    float share = 0.0F, count = 0.0F;
    double bytes = 0.0;
};

/// Names of states, by number.
class States {
public:
    std::uint32_t number_of(const TrackBins& bins, const TrackPiece& piece) {
        const bool is_processor = bins.tracks[piece.track].kind == TrackKind::processor;
        std::string name = is_processor ? std::string() : analysis::state_name(bins, piece);
        std::string whose = "null";
        if (is_processor && piece.state >= bins.tracks.size()) {
            name = "unknown";
        } else if (is_processor) {
            const Track& thread = bins.tracks[piece.state];
            name = thread.id
                       ? fmt::format("{} ({}) {}", thread.process.empty() ? "?" : thread.process,
                                     thread.pid ? std::to_string(*thread.pid) : "?", *thread.id)
                       : "unknown";
            whose = named(thread).take();
        }
        const auto [found, is_new] =
            numbers_.try_emplace({whose, name}, static_cast<std::uint32_t>(numbers_.size()));
        if (is_new) {
            names_.text(utf8_text(name));
            whose_.raw(whose);
        }
        return found->second;
    }

    std::string names() { return names_.take(); }

    std::string whose() { return whose_.take(); }

private:
    std::map<std::pair<std::string, std::string>, std::uint32_t> numbers_;
    JsonList names_, whose_;
};

/// The two largest states of each bin of one track.
class LargestStates {
public:
    explicit LargestStates(std::size_t bins) : bins_(bins) {}

    void add(std::uint64_t first, std::uint64_t last, std::uint32_t state,
             const analysis::TrackSum& sum, bool by_time) {
        for (std::uint64_t bin = first; bin <= last; ++bin) {
            Slot slot{state, by_time ? sum.ticks : sum.count, sum};
            auto& [largest, second] = bins_[bin];
            if (slot.weight > largest.weight || !largest.is_used()) {
                std::swap(slot, largest);
            }
            if (slot.is_used() && (slot.weight > second.weight || !second.is_used())) {
                second = slot;
            }
        }
    }

    /// Appends records; equal ones of neighbors are one. Forgets all.
    void move_to(std::uint32_t track, double bin_ticks, std::vector<Record>& to) {
        const auto start = static_cast<std::ptrdiff_t>(to.size());
        for (std::uint32_t bin = 0; bin < bins_.size(); ++bin) {
            for (const Slot* const slot : {&bins_[bin].first, &bins_[bin].second}) {
                if (slot->is_used()) {
                    add(*slot, track, bin, bin_ticks, start, to);
                }
            }
            bins_[bin] = {};
        }
    }

private:
    struct Slot {
        std::uint32_t state = unused;
        std::uint64_t weight = 0;
        analysis::TrackSum sum{};

        static constexpr std::uint32_t unused = std::numeric_limits<std::uint32_t>::max();

        bool is_used() const noexcept { return state != unused; }
    };

    static void add(const Slot& slot, std::uint32_t track, std::uint32_t bin, double bin_ticks,
                    std::ptrdiff_t start, std::vector<Record>& to) {
        const Record made{.track = track,
                          .bin = bin,
                          .bins = 1,
                          .state = slot.state,
                          .share = static_cast<float>(
                              std::min(1.0, static_cast<double>(slot.sum.ticks) / bin_ticks)),
                          .count = static_cast<float>(slot.sum.count),
                          .bytes = static_cast<double>(slot.sum.bytes)};
        const bool is_whole = slot.sum.count == 0 && made.share >= 1.0F;
        if (is_whole && static_cast<std::ptrdiff_t>(to.size()) > start) {
            Record& last = to.back();
            if (last.state == made.state && last.share >= 1.0F && last.count == 0.0F &&
                last.bin + last.bins == bin) {
                ++last.bins;
                return;
            }
        }
        to.push_back(made);
    }

    std::vector<std::pair<Slot, Slot>> bins_;
};

/// The bins of all traces of a picture: those of the first one.
struct Grid {
    std::int64_t base_ns = 0; // of bin 0, after the begin
    double bin_ns = 1.0;
    std::uint64_t bins = 0;
};

double bin_length(const TrackBins& bins) {
    const auto frequency = static_cast<double>(std::max<std::int64_t>(bins.clock.frequency(), 1));
    return std::ldexp(1.0, static_cast<int>(bins.shift)) * nanoseconds_per_second / frequency;
}

std::int64_t time_of_bin(const TrackBins& bins, std::int64_t bin, Filetime begin) {
    const auto raw = static_cast<std::int64_t>(analysis::unsigned_time(bin) << bins.shift);
    const auto ticks = static_cast<std::uint64_t>(bins.clock.to_filetime(raw).ticks) -
                       static_cast<std::uint64_t>(begin.ticks);
    return static_cast<std::int64_t>(ticks * nanoseconds_per_tick);
}

Grid grid_of(std::span<const TrackBins> traces, Filetime begin) {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    std::int64_t end = std::numeric_limits<std::int64_t>::min();
    Grid grid;
    for (const TrackBins& bins : traces) {
        for (const TrackPiece& piece : bins.pieces) {
            const std::int64_t from = time_of_bin(bins, piece.bin, begin);
            first = std::min(first, from);
            end = std::max(end, from + static_cast<std::int64_t>(bin_length(bins) *
                                                                 static_cast<double>(piece.bins)));
        }
    }
    if (first <= end) {
        grid.base_ns = first;
        grid.bin_ns = bin_length(traces.front());
        const double bins = std::round(static_cast<double>(end - first) / grid.bin_ns);
        grid.bins =
            static_cast<std::uint64_t>(std::clamp(bins, 1.0, static_cast<double>(max_bins)));
    }
    return grid;
}

/// The tracks and records of all traces.
struct Picture {
    JsonList tracks{};
    States states{};
    std::vector<Record> records{};
    std::uint32_t track_count = 0;
};

void add(const TrackBins& bins, const Grid& grid, Filetime begin, Picture& to) {
    const double length = bin_length(bins);
    const auto bin_ticks = std::ldexp(1.0, static_cast<int>(bins.shift));
    LargestStates largest(grid.bins);
    for (auto piece = bins.pieces.begin(); piece != bins.pieces.end();) {
        const std::uint32_t track = piece->track;
        const Track& whose = bins.tracks[track];
        for (; piece != bins.pieces.end() && piece->track == track; ++piece) {
            const double from =
                static_cast<double>(time_of_bin(bins, piece->bin, begin) - grid.base_ns) /
                grid.bin_ns;
            const auto first = static_cast<std::uint64_t>(
                std::clamp(std::round(from), 0.0, static_cast<double>(grid.bins - 1)));
            const double until =
                std::round(from) + static_cast<double>(piece->bins) * length / grid.bin_ns - 1.0;
            const auto last = static_cast<std::uint64_t>(std::clamp(
                std::round(until), static_cast<double>(first), static_cast<double>(grid.bins - 1)));
            largest.add(first, last, to.states.number_of(bins, *piece), piece->each,
                        has_duration(whose.kind));
        }
        largest.move_to(to.track_count++, bin_ticks, to.records);
        to.tracks.raw(named(whose).take());
    }
}

template <typename T>
void append_le(std::string& to, T value) {
    auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
    if constexpr (std::endian::native == std::endian::big) {
        std::ranges::reverse(bytes);
    }
    to.append(bytes.data(), bytes.size());
}

void align(std::string& to, char with) {
    constexpr std::size_t alignment = 8;
    to.append((alignment - to.size() % alignment) % alignment, with);
}

template <typename Member>
void append_column(std::string& to, std::span<const Record> records, Member member) {
    for (const Record& record : records) {
        append_le(to, record.*member);
    }
    align(to, '\0');
}

std::string remarks_json(const std::vector<std::string>& remarks) {
    JsonList list;
    for (const std::string& remark : remarks) {
        list.text(utf8_text(remark));
    }
    return list.take();
}

} // namespace

std::string picture_of(const explore::TracksAnswer& answer, Filetime begin) {
    const Grid grid = grid_of(answer.traces, begin);
    Picture picture;
    for (const TrackBins& bins : answer.traces) {
        if (!bins.pieces.empty()) {
            add(bins, grid, begin, picture);
        }
    }
    JsonObject header;
    header.text("base_ns", std::to_string(grid.base_ns));
    header.raw("bin_ns", fmt::format("{}", grid.bin_ns));
    header.number("bins", grid.bins).raw("tracks", picture.tracks.take());
    header.raw("states", picture.states.names()).raw("state_of", picture.states.whose());
    header.boolean("is_exact", answer.traces.size() < 2);
    header.raw("remarks", remarks_json(answer.remarks));
    std::string json = header.take();
    align(json, ' ');
    std::string to;
    append_le(to, picture_magic);
    append_le(to, picture_version);
    append_le(to, static_cast<std::uint32_t>(json.size()));
    append_le(to, static_cast<std::uint32_t>(picture.records.size()));
    to += json;
    append_column(to, picture.records, &Record::track);
    append_column(to, picture.records, &Record::bin);
    append_column(to, picture.records, &Record::bins);
    append_column(to, picture.records, &Record::state);
    append_column(to, picture.records, &Record::share);
    append_column(to, picture.records, &Record::count);
    append_column(to, picture.records, &Record::bytes);
    return to;
}

namespace {

/// What a person means by the time of a track: of a thread, when it runs; of a processor, when it
/// is not idle.
bool is_busy(const TrackBins& bins, const TrackPiece& piece) {
    const TrackKind kind = bins.tracks[piece.track].kind;
    if (kind == TrackKind::processor) {
        return piece.state < bins.tracks.size() && bins.tracks[piece.state].pid != 0U;
    }
    return kind != TrackKind::thread || piece.state == analysis::ThreadState::running;
}

} // namespace

std::string tracks_json(const explore::TracksAnswer& answer) {
    JsonList tracks;
    for (const TrackBins& bins : answer.traces) {
        for (auto piece = bins.pieces.begin(); piece != bins.pieces.end();) {
            const std::uint32_t track = piece->track;
            std::uint64_t busy = 0, count = 0, bytes = 0;
            for (; piece != bins.pieces.end() && piece->track == track; ++piece) {
                busy += is_busy(bins, *piece) ? piece->each.ticks * piece->bins : 0;
                count += piece->each.count;
                bytes += piece->each.bytes;
            }
            const TrackKind kind = bins.tracks[track].kind;
            JsonObject json = named(bins.tracks[track]);
            json.raw("busy_ns",
                     has_duration(kind)
                         ? std::to_string(analysis::nanoseconds_of(busy, bins.clock.frequency()))
                         : "null");
            json.number("count", count);
            json.raw("bytes", has_size(kind) ? std::to_string(bytes) : "null");
            tracks.raw(json.take());
        }
    }
    JsonObject json;
    json.raw("tracks", tracks.take()).raw("remarks", remarks_json(answer.remarks));
    return json.take();
}

} // namespace etl::viewer
