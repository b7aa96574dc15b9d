#include "viewer/picture.hpp"

#include "base/json_object.hpp"
#include "viewer/replies.hpp"

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
    /// The number of the state of a piece that is not of a processor.
    std::uint32_t number_of(const TrackBins& bins, const TrackPiece& piece) {
        const TrackKind kind = bins.tracks[piece.track].kind;
        const auto [known, is_new] = known_.try_emplace({kind, piece.state}, 0);
        if (is_new) {
            known->second = number_of(analysis::state_name(bins, piece), "null");
        }
        return known->second;
    }

    /// That of a processor which runs a thread, or threads of its process.
    std::uint32_t number_of(const Track& thread, bool is_alone) {
        std::string name = fmt::format("{} ({})", thread.process.empty() ? "?" : thread.process,
                                       thread.pid ? std::to_string(*thread.pid) : "?");
        Track whose = thread;
        if (is_alone && thread.id) {
            name += fmt::format(" {}", *thread.id);
        } else {
            whose.id.reset();
        }
        return number_of(std::move(name), named(whose).take());
    }

    std::uint32_t number_of(std::string name, std::string whose) {
        const auto [found, is_new] = numbers_.try_emplace(
            {std::move(whose), std::move(name)}, static_cast<std::uint32_t>(numbers_.size()));
        if (is_new) {
            names_.text(utf8_text(found->first.second));
            whose_.raw(found->first.first);
        }
        return found->second;
    }

    std::string names() { return names_.take(); }

    std::string whose() { return whose_.take(); }

private:
    std::map<std::pair<TrackKind, std::uint32_t>, std::uint32_t> known_;
    std::map<std::pair<std::string, std::string>, std::uint32_t> numbers_;
    JsonList names_, whose_;
};

/// What a bin of a track has of one state.
struct Slot {
    std::uint32_t state = unused;
    std::uint64_t weight = 0;
    analysis::TrackSum sum{};

    static constexpr std::uint32_t unused = std::numeric_limits<std::uint32_t>::max();

    bool is_used() const noexcept { return state != unused; }
};

/// The records of one track after the other, in the order of their bins.
class Records {
public:
    /// The records that follow are those of another track.
    void begin_track(TrackKind kind, double bin_ticks) {
        kind_ = kind;
        ++track_;
        bin_ticks_ = bin_ticks;
        start_ = records_.size();
    }

    /// A state that fills neighboring bins is one record.
    void add(const Slot& slot, std::uint32_t bin) {
        const Record made{.track = track_,
                          .bin = bin,
                          .bins = 1,
                          .state = slot.state,
                          .share = static_cast<float>(
                              std::min(1.0, static_cast<double>(slot.sum.ticks) / bin_ticks_)),
                          .count = static_cast<float>(slot.sum.count),
                          .bytes = static_cast<double>(analysis::bytes_of(kind_, slot.sum))};
        if (records_.size() > start_ && is_whole(made) && is_whole(records_.back())) {
            Record& last = records_.back();
            if (last.state == made.state && last.bin + last.bins == bin) {
                ++last.bins;
                return;
            }
        }
        records_.push_back(made);
    }

    std::span<const Record> all() const noexcept { return records_; }

private:
    static bool is_whole(const Record& record) noexcept {
        return record.count == 0.0F && record.share >= 1.0F;
    }

    std::vector<Record> records_;
    std::size_t start_ = 0;
    std::uint32_t track_ = std::numeric_limits<std::uint32_t>::max(); // the next one is 0
    TrackKind kind_ = TrackKind::processor;
    double bin_ticks_ = 1.0;
};

/// The two largest states of each bin of one track.
class LargestStates {
public:
    explicit LargestStates(std::size_t bins) : bins_(bins) {}

    void add(std::uint64_t first, std::uint64_t last, Slot slot) {
        for (std::uint64_t bin = first; bin <= last; ++bin) {
            Slot other = slot;
            auto& [largest, second] = bins_[bin];
            if (other.weight > largest.weight || !largest.is_used()) {
                std::swap(other, largest);
            }
            if (other.is_used() && (other.weight > second.weight || !second.is_used())) {
                second = other;
            }
        }
    }

    /// Forgets all.
    void move_to(Records& to) {
        for (std::uint32_t bin = 0; bin < bins_.size(); ++bin) {
            for (const Slot* const slot : {&bins_[bin].first, &bins_[bin].second}) {
                if (slot->is_used()) {
                    to.add(*slot, bin);
                }
            }
            bins_[bin] = {};
        }
    }

private:
    std::vector<std::pair<Slot, Slot>> bins_;
};

/// What each bin of one processor has: of the process with the most time, and of all others. The
/// rest is idle.
class BusyProcesses {
public:
    explicit BusyProcesses(std::size_t bins) : bins_(bins) {}

    /// `thread` outlives this.
    void add(std::uint64_t first, std::uint64_t last, const Track& thread,
             const analysis::TrackSum& sum) {
        if (thread.pid == 0U) {
            return;
        }
        for (std::uint64_t bin = first; bin <= last; ++bin) {
            std::vector<Use>& uses = bins_[bin];
            const auto use = std::ranges::find_if(uses, [&](const Use& one) {
                return one.thread->pid == thread.pid && one.thread->process == thread.process;
            });
            if (use == uses.end()) {
                uses.push_back({&thread, true, sum});
            } else {
                use->is_alone = use->is_alone && use->thread->id == thread.id;
                use->sum.add(sum);
            }
        }
    }

    /// Forgets all.
    void move_to(Records& to, States& states) {
        for (std::uint32_t bin = 0; bin < bins_.size(); ++bin) {
            std::vector<Use>& uses = bins_[bin];
            const auto largest =
                std::ranges::max_element(uses, {}, [](const Use& use) { return use.sum.ticks; });
            analysis::TrackSum others;
            for (auto use = uses.begin(); use != uses.end(); ++use) {
                if (use != largest) {
                    others.add(use->sum);
                }
            }
            if (largest != uses.end()) {
                to.add({.state = states.number_of(*largest->thread, largest->is_alone),
                        .sum = largest->sum},
                       bin);
            }
            if (others != analysis::TrackSum{}) {
                to.add({.state = states.number_of("other processes", "null"), .sum = others}, bin);
            }
            uses.clear();
        }
    }

private:
    struct Use {
        const Track* thread = nullptr; // the first one
        bool is_alone = true;
        analysis::TrackSum sum{};
    };

    std::vector<std::vector<Use>> bins_;
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

/// Nanoseconds after `begin`, saturated.
std::int64_t time_of_bin(const TrackBins& bins, std::int64_t bin, Filetime begin) {
    using Limits = std::numeric_limits<std::int64_t>;
    const auto raw = static_cast<std::int64_t>(analysis::unsigned_time(bin) << bins.shift);
    const auto ticks =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(bins.clock.to_filetime(raw).ticks) -
                                  static_cast<std::uint64_t>(begin.ticks));
    return ticks > Limits::max() / nanoseconds_per_tick   ? Limits::max()
           : ticks < Limits::min() / nanoseconds_per_tick ? Limits::min()
                                                          : ticks * nanoseconds_per_tick;
}

Grid grid_of(std::span<const TrackBins> traces, Filetime begin) {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    double end = std::numeric_limits<double>::lowest();
    for (const TrackBins& bins : traces) {
        for (const TrackPiece& piece : bins.pieces) {
            const std::int64_t from = time_of_bin(bins, piece.bin, begin);
            first = std::min(first, from);
            end = std::max(end, static_cast<double>(from) +
                                    bin_length(bins) * static_cast<double>(piece.bins));
        }
    }
    Grid grid;
    if (static_cast<double>(first) <= end) {
        grid.base_ns = first;
        grid.bin_ns = bin_length(traces.front());
        const double bins = std::round((end - static_cast<double>(first)) / grid.bin_ns);
        grid.bins =
            static_cast<std::uint64_t>(std::clamp(bins, 1.0, static_cast<double>(max_bins)));
    }
    return grid;
}

/// The tracks and records of all traces.
struct Picture {
    JsonList tracks{};
    States states{};
    Records records{};
};

/// The bins of a grid that a piece is in, the first and the last one.
std::pair<std::uint64_t, std::uint64_t> place_of(const TrackBins& bins, const TrackPiece& piece,
                                                 const Grid& grid, Filetime begin) {
    const auto last_bin = static_cast<double>(grid.bins - 1);
    const double from = std::round((static_cast<double>(time_of_bin(bins, piece.bin, begin)) -
                                    static_cast<double>(grid.base_ns)) /
                                   grid.bin_ns);
    const double first = std::clamp(from, 0.0, last_bin);
    const double length = static_cast<double>(piece.bins) * bin_length(bins) / grid.bin_ns;
    return {
        static_cast<std::uint64_t>(first),
        static_cast<std::uint64_t>(std::clamp(std::round(from + length - 1.0), first, last_bin))};
}

void add(const TrackBins& bins, const Grid& grid, Filetime begin, Picture& to) {
    static const Track unknown{.kind = TrackKind::thread};
    LargestStates largest(grid.bins);
    BusyProcesses busy(grid.bins);
    for (auto piece = bins.pieces.begin(); piece != bins.pieces.end();) {
        const std::uint32_t track = piece->track;
        const Track& whose = bins.tracks[track];
        for (; piece != bins.pieces.end() && piece->track == track; ++piece) {
            const auto [first, last] = place_of(bins, *piece, grid, begin);
            if (whose.kind == TrackKind::processor) {
                const bool is_known = piece->state < bins.tracks.size();
                busy.add(first, last, is_known ? bins.tracks[piece->state] : unknown, piece->each);
            } else {
                const bool by_time = has_duration(whose.kind);
                largest.add(first, last,
                            {.state = to.states.number_of(bins, *piece),
                             .weight = by_time ? piece->each.ticks : piece->each.count,
                             .sum = piece->each});
            }
        }
        to.tracks.raw(named(whose).take());
        to.records.begin_track(whose.kind, std::ldexp(1.0, static_cast<int>(bins.shift)));
        largest.move_to(to.records);
        busy.move_to(to.records, to.states);
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
    header.raw("remarks", lines_json(answer.remarks));
    std::string json = header.take();
    align(json, ' ');
    std::string to;
    append_le(to, picture_magic);
    append_le(to, picture_version);
    append_le(to, static_cast<std::uint32_t>(json.size()));
    append_le(to, static_cast<std::uint32_t>(picture.records.all().size()));
    to += json;
    append_column(to, picture.records.all(), &Record::track);
    append_column(to, picture.records.all(), &Record::bin);
    append_column(to, picture.records.all(), &Record::bins);
    append_column(to, picture.records.all(), &Record::state);
    append_column(to, picture.records.all(), &Record::share);
    append_column(to, picture.records.all(), &Record::count);
    append_column(to, picture.records.all(), &Record::bytes);
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
            std::uint64_t busy = 0;
            analysis::TrackSum sum;
            for (; piece != bins.pieces.end() && piece->track == track; ++piece) {
                busy += is_busy(bins, *piece) ? piece->each.ticks * piece->bins : 0;
                sum.add({.count = piece->each.count, .bytes = piece->each.bytes});
            }
            const TrackKind kind = bins.tracks[track].kind;
            JsonObject json = named(bins.tracks[track]);
            json.raw("busy_ns",
                     has_duration(kind)
                         ? std::to_string(analysis::nanoseconds_of(busy, bins.clock.frequency()))
                         : "null");
            json.number("count", sum.count);
            json.raw("bytes",
                     has_size(kind) ? std::to_string(analysis::bytes_of(kind, sum)) : "null");
            tracks.raw(json.take());
        }
    }
    JsonObject json;
    json.raw("tracks", tracks.take()).raw("remarks", lines_json(answer.remarks));
    return json.take();
}

} // namespace etl::viewer
