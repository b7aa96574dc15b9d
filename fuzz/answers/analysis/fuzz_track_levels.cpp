// Levels of detail of tracks. Properties: what is read of a section, whatever it is, stays inside
// of its spans, and has rows; and the levels of a recorder add up to what was recorded. The first
// byte chooses: 0, the rest is a section; else it is a list of intervals and cuts.
#include "analysis/indexed/track_levels.hpp"
#include "base/layout.hpp"
#include "fuzz/require.hpp"

#include <algorithm>
#include <span>
#include <vector>

using namespace etl;

namespace {

constexpr std::size_t max_entries = 1U << 16U;

constexpr auto all_tracks = [](std::uint32_t /*track*/) { return true; };

analysis::TrackLevels::BlockOf blocks_of(const analysis::EncodedLevels& section) {
    return [&section](std::uint32_t block) {
        return block < section.blocks.size() ? Bytes(section.blocks[block]) : Bytes{};
    };
}

/// It is also each of its blocks.
void check_section(Bytes section) {
    const auto levels =
        analysis::TrackLevels::open(section, [section](std::uint32_t) { return section; });
    if (!levels) {
        return;
    }
    for (const analysis::TrackSpan& span : levels->spans()) {
        analysis::TrackSums sums(span.shift, max_entries);
        static_cast<void>(levels->add_span(span, all_tracks, sums));
        analysis::TrackBins bins{
            .shift = span.shift, .tracks = levels->tracks(), .pieces = sums.pieces()};
        for (const analysis::TrackPiece& piece : bins.pieces) {
            fuzz::require(piece.bin >= span.begin >> span.shift);
        }
        analysis::sort_tracks(bins);
        fuzz::require(analysis::track_rows(bins).size() == bins.pieces.size());
    }
    static_cast<void>(levels->show_long(all_tracks, [](const analysis::LongInterval& one) {
        fuzz::require(one.interval.from <= one.interval.to);
    }));
}

/// Intervals end in the order in which they are shown, and cuts are between them.
void check_recorder(Bytes steps) {
    constexpr std::size_t step_size = 4, max_steps = 300; // more only take longer
    constexpr std::uint32_t cut_track = 7;
    analysis::TrackRecorder recorder;
    analysis::TrackSums direct(0, max_entries);
    std::int64_t now = 1;
    steps = steps.first(std::min(steps.size(), max_steps * step_size));
    for (; steps.size() >= step_size; steps = steps.subspan(step_size)) {
        const auto at = [&](std::size_t i) { return std::to_integer<std::uint32_t>(steps[i]); };
        const std::uint32_t track = at(0) % (cut_track + 1);
        now += at(1);
        if (track == cut_track) {
            recorder.cut(++now);
            continue;
        }
        const Interval interval{
            std::max<std::int64_t>(1, now - static_cast<std::int64_t>(at(2) << (at(3) % 8))), now};
        recorder.add_interval(track, at(3) % 4, interval, 1, now);
        direct.add_interval(track, at(3) % 4, interval, 1);
    }
    recorder.finish({1, now},
                    std::vector<analysis::Track>(cut_track, {.kind = analysis::TrackKind::disk}));
    const analysis::EncodedLevels section = recorder.take();
    const auto levels = analysis::TrackLevels::open(section.head, blocks_of(section));
    fuzz::require(levels.has_value());
    // Each level has everything, in bins that are as long as those of its longest span.
    const auto& spans = levels->spans();
    for (std::uint32_t level = 0; level <= spans.back().level; ++level) {
        const auto of_level =
            std::ranges::equal_range(spans, level, {}, &analysis::TrackSpan::level);
        const unsigned shift = std::ranges::max(of_level, {}, &analysis::TrackSpan::shift).shift;
        analysis::TrackSums sums(shift, max_entries);
        for (const analysis::TrackSpan& span : of_level) {
            fuzz::require(levels->add_span(span, all_tracks, sums));
        }
        fuzz::require(levels->show_long(all_tracks, [&](const analysis::LongInterval& one) {
            sums.add_interval(one.track, one.state, one.interval, one.count);
        }));
        while (direct.shift() < shift) {
            direct.coarsen();
        }
        fuzz::require(sums.pieces() == direct.pieces());
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const Bytes rest = std::as_bytes(std::span(data, size)).subspan(1);
    if (data[0] == 0) {
        check_section(rest);
    } else {
        check_recorder(rest);
    }
    return 0;
}
