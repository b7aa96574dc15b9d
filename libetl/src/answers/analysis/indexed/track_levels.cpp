#include "analysis/indexed/track_levels.hpp"

#include <etl/byte_writer.hpp>

#include "analysis/indexed/packed.hpp"
#include "analysis/limits.hpp"
#include "analysis/parts/archive.hpp"
#include "base/cursor.hpp"
#include "base/varint.hpp"
#include "gather/trace_index.hpp"
#include "io/spilled_blocks.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace etl::analysis {

namespace {

using Limits = std::numeric_limits<std::int64_t>;

constexpr std::string_view levels_signature = "ETLTRACK";
constexpr std::uint32_t levels_version = 2;
constexpr int packing_level = 1; // of zstd

/// Bytes of the pieces of a span, and of what precedes the frames.
constexpr std::size_t max_span_content = std::size_t{64} << 20U;
constexpr std::size_t max_levels_head = std::size_t{256} << 20U;

/// Bytes of a block, about.
constexpr std::size_t block_bytes = std::size_t{512} << 10U;

/// Blocks that are kept in memory while a trace is read; the others are in a temporary file.
constexpr std::size_t frames_in_memory = std::size_t{4} << 20U;

/// Bytes of all frames: those of a trace of 60 GB. They fill fewer blocks than an index can have
/// sections.
constexpr std::size_t max_frames = std::size_t{3} << 29U;
static_assert(max_frames / block_bytes + 512 < trace::max_index_sections);

/// Times are far from the limits of their type, so that differences of them can be computed.
constexpr unsigned max_shift = 62;

Bytes bytes_of(const std::string& text) noexcept {
    return std::as_bytes(std::span(text));
}

// Pieces, by track and state: their number, their size, and for each the bins after the piece
// before, and what it has.

constexpr std::uint64_t has_ticks = 1, has_count = 2, has_bytes = 4;

constexpr unsigned piece_members = 3; // bits

void append_piece(std::string& to, const TrackPiece& piece, std::uint64_t after) {
    const TrackSum& sum = piece.each;
    append_varint(to, zigzag(static_cast<std::int64_t>(unsigned_time(piece.bin) - after)));
    append_varint(to, (piece.bins - 1) << piece_members | (sum.ticks != 0 ? has_ticks : 0) |
                          (sum.count != 0 ? has_count : 0) | (sum.bytes != 0 ? has_bytes : 0));
    for (const std::uint64_t value : {sum.ticks, sum.count, sum.bytes}) {
        if (value != 0) {
            append_varint(to, value);
        }
    }
}

bool read_piece(VarintReader& from, TrackPiece& piece, std::uint64_t after) {
    piece.bin = static_cast<std::int64_t>(after + unsigned_time(unzigzag(from.next())));
    const std::uint64_t members = from.next();
    piece.bins = (members >> piece_members) + 1;
    piece.each = {.ticks = (members & has_ticks) != 0 ? from.next() : 0,
                  .count = (members & has_count) != 0 ? from.next() : 0,
                  .bytes = (members & has_bytes) != 0 ? from.next() : 0};
    return from.is_intact();
}

std::string encode(const TrackSums& sums) {
    std::string all, of_state;
    sums.show_states([&](std::span<const TrackPiece> pieces) {
        of_state.clear();
        std::uint64_t after = 0;
        for (const TrackPiece& piece : pieces) {
            append_piece(of_state, piece, after);
            after = unsigned_time(piece.bin) + piece.bins;
        }
        append_varint(all, pieces.front().track);
        append_varint(all, pieces.front().state);
        append_varint(all, of_state.size());
        all += of_state;
    });
    return all;
}

/// Whether a piece is inside of a span, so that nothing overflows.
bool is_inside(const TrackPiece& piece, const TrackSpan& span) noexcept {
    const std::uint64_t at = unsigned_time(piece.bin) - unsigned_time(span.begin >> span.shift);
    const std::uint64_t count =
        ((unsigned_time(span.end) - unsigned_time(span.begin)) >> span.shift) + 2;
    return at < count && piece.bins <= count - at;
}

/// `is_sound(track, state)`: whether both exist.
template <typename IsSound, typename Wants>
bool add_pieces(Bytes content, const TrackSpan& span, IsSound&& is_sound, Wants&& wants,
                TrackSums& to) {
    VarintReader from(content);
    while (!from.is_at_end()) {
        TrackPiece piece;
        piece.track = static_cast<std::uint32_t>(from.next());
        piece.state = static_cast<std::uint32_t>(from.next());
        VarintReader pieces(from.bytes(from.next()));
        if (!from.is_intact() || !is_sound(piece.track, piece.state)) {
            return false;
        }
        if (!wants(piece.track)) {
            continue;
        }
        std::uint64_t after = 0;
        while (!pieces.is_at_end()) {
            if (!read_piece(pieces, piece, after) || !is_inside(piece, span)) {
                return false;
            }
            after = unsigned_time(piece.bin) + piece.bins;
            to.add(piece, span.shift);
        }
    }
    return from.is_intact();
}

} // namespace

// Writing.

/// Spans that have ended, by level, and their frames.
class TrackRecorder::Spans {
public:
    void add(const TrackSpan& span, const TrackSums& sums) {
        is_unusable_ = is_unusable_ || sums.dropped() != 0;
        add(span, encode(sums));
    }

    /// After the last one: each level has all of them.
    void finish() {
        for (std::size_t level = 0; level < levels_.size() && !is_unusable_; ++level) {
            if (levels_[level].count > 1 && !levels_[level].open.empty()) {
                join(level);
            }
        }
        for (Level& level : levels_) {
            keep_block(level);
        }
    }

    bool is_unusable() const noexcept { return is_unusable_; }

    /// By level, then by time.
    std::vector<TrackSpan> take_spans();

    /// As the spans number them. Errors: io_failure.
    Result<std::vector<SharedBytes>> take_blocks();

private:
    struct Frame {
        TrackSpan span;
        std::vector<std::byte> content;
    };

    /// Spans that no longer one contains yet, and the block that is being filled.
    struct Level {
        std::size_t count = 0;
        std::vector<Frame> open;
        std::vector<std::byte> block;
        std::vector<std::size_t> in_block; // spans whose frames it has
    };

    void add(TrackSpan span, const std::string& pieces);
    void keep_block(Level& level);
    void join(std::size_t level);

    std::vector<Level> levels_;
    std::vector<TrackSpan> spans_;
    io::SpilledBlocks blocks_{frames_in_memory};
    std::uint32_t count_ = 0; // of blocks_
    std::uint64_t frame_bytes_ = 0;
    bool is_unusable_ = false;
};

void TrackRecorder::Spans::add(TrackSpan span, const std::string& pieces) {
    if (span.level >= levels_.size()) {
        levels_.resize(span.level + std::size_t{1});
    }
    auto frame = packed(bytes_of(pieces), packing_level);
    frame_bytes_ += frame.size();
    is_unusable_ = is_unusable_ || pieces.size() > max_span_content || frame_bytes_ > max_frames;
    if (is_unusable_) {
        levels_.clear();
        spans_.clear();
        return;
    }
    Level& level = levels_[span.level];
    if (level.block.size() >= block_bytes) {
        keep_block(level);
    }
    span.offset = level.block.size();
    span.size = frame.size();
    span.content_size = pieces.size();
    level.in_block.push_back(spans_.size());
    spans_.push_back(span);
    level.block.insert(level.block.end(), frame.begin(), frame.end());
    ++level.count;
    level.open.push_back({span, std::move(frame)});
    if (level.open.size() == spans_of_span) {
        join(span.level);
    }
}

void TrackRecorder::Spans::keep_block(Level& level) {
    if (level.in_block.empty()) {
        return;
    }
    for (const std::size_t span : level.in_block) {
        spans_[span].block = count_;
    }
    ++count_;
    level.in_block.clear();
    level.block.shrink_to_fit();
    blocks_.add(std::exchange(level.block, {}));
}

/// Makes one span of the next level.
void TrackRecorder::Spans::join(std::size_t level) {
    const std::vector<Frame> frames = std::exchange(levels_[level].open, {});
    const auto shift_of = [](const Frame& frame) { return frame.span.shift; };
    TrackSpan all{.level = static_cast<std::uint32_t>(level + 1),
                  .shift = shift_of(std::ranges::max(frames, {}, shift_of)),
                  .begin = frames.front().span.begin,
                  .end = frames.back().span.end};
    const std::uint64_t ticks = unsigned_time(all.end) - unsigned_time(all.begin);
    while (all.shift < max_shift && (ticks >> all.shift) >= max_span_bins) {
        ++all.shift;
    }
    TrackSums sums(all.shift, limits::analysis_values);
    for (const Frame& frame : frames) {
        const auto all_tracks = [](std::uint32_t, std::uint32_t = 0) { return true; };
        const auto pieces = unpacked(frame.content, max_span_content);
        is_unusable_ =
            !add_pieces(pieces, frame.span, all_tracks, all_tracks, sums) || is_unusable_;
    }
    add(all, sums);
}

std::vector<TrackSpan> TrackRecorder::Spans::take_spans() {
    std::ranges::stable_sort(spans_, {}, &TrackSpan::level);
    return std::exchange(spans_, {});
}

Result<std::vector<SharedBytes>> TrackRecorder::Spans::take_blocks() {
    return blocks_.take();
}

TrackRecorder::TrackRecorder(unsigned threads)
    : spans_(std::make_unique<Spans>()), pool_(threads > 1 ? 1 : 0) {}

TrackRecorder::~TrackRecorder() = default;

/// Bins become longer when there are too many.
void TrackRecorder::extend_to(std::int64_t time) {
    if (!sums_) {
        sums_.emplace(0, limits::analysis_values);
    }
    first_ = std::min(first_.value_or(time), time);
    last_ = std::max(last_, time);
    const auto bin_of = [this](std::int64_t of) { return unsigned_time(of >> sums_->shift()); };
    while (sums_->shift() < max_shift && bin_of(last_) - bin_of(*first_) >= max_span_bins) {
        sums_->coarsen();
    }
}

void TrackRecorder::add(std::uint32_t track, std::uint32_t state, std::int64_t time,
                        const TrackSum& sum) {
    has_late_ = has_late_ || time < begin_;
    extend_to(time);
    sums_->add(track, state, time, sum);
}

void TrackRecorder::add_interval(std::uint32_t track, std::uint32_t state, const Interval& interval,
                                 std::uint64_t count, std::optional<std::int64_t> ended) {
    if (interval.from < begin_) {
        if (long_.size() < limits::analysis_values) {
            long_.push_back({track, state, interval, count, ended});
        } else {
            has_too_many_long_ = true;
        }
        return;
    }
    extend_to(interval.from);
    extend_to(std::max(interval.from, interval.to - 1));
    sums_->add_interval(track, state, interval, count);
}

void TrackRecorder::cut(std::int64_t time) {
    end_span(time);
    begin_ = time;
}

void TrackRecorder::end_span(std::int64_t end) {
    if (!sums_) {
        sums_.emplace(0, limits::analysis_values);
    }
    const TrackSpan span{.shift = sums_->shift(),
                         .begin = begin_ == Limits::min() ? first_.value_or(end) : begin_,
                         .end = end};
    if (packing_.valid()) {
        packing_.get();
    }
    const auto sums = std::make_shared<const TrackSums>(*std::move(sums_));
    packing_ = pool_.start([this, span, sums] { spans_->add(span, *sums); });
    sums_.reset();
    first_.reset();
    last_ = Limits::min();
}

void TrackRecorder::finish(const Interval& range, std::vector<Track> tracks,
                           std::vector<std::string> missing) {
    range_ = range;
    tracks_ = std::move(tracks);
    missing_ = std::move(missing);
    end_span(range.to == Limits::max() ? range.to : range.to + 1);
    packing_.get();
    spans_->finish();
}

namespace {

void visit(Archive& archive, Track& track) {
    auto kind = static_cast<std::uint8_t>(track.kind);
    archive.number(kind);
    if (kind >= static_cast<std::uint8_t>(TrackKind::kinds)) {
        archive.fail();
        kind = 0;
    }
    track.kind = static_cast<TrackKind>(kind);
    archive.optional(track.pid);
    archive.text(track.process);
    archive.optional(track.id);
    archive.text(track.name);
}

void visit(Archive& archive, TrackSpan& span) {
    archive.number(span.level);
    archive.number(span.shift);
    archive.number(span.begin);
    archive.number(span.end);
    archive.number(span.block);
    archive.number(span.offset);
    archive.number(span.size);
    archive.number(span.content_size);
}

void append_long(std::string& to, std::span<const LongInterval> of_track) {
    std::string intervals;
    std::int64_t after = 0;
    for (const LongInterval& one : of_track) {
        const auto [from, end] = one.interval;
        append_varint(intervals, zigzag(static_cast<std::int64_t>(unsigned_time(from) -
                                                                  unsigned_time(after))));
        append_varint(intervals, unsigned_time(end) - unsigned_time(from));
        append_varint(intervals, one.state);
        append_varint(intervals, one.count);
        append_varint(intervals,
                      one.ended ? unsigned_time(*one.ended) - unsigned_time(end) + 1 : 0);
        after = from;
    }
    append_varint(to, of_track.front().track);
    append_varint(to, intervals.size());
    to += intervals;
}

std::string encode_long(std::vector<LongInterval>& all) {
    std::ranges::stable_sort(all, [](const LongInterval& a, const LongInterval& b) {
        return std::pair(a.track, a.interval.from) < std::pair(b.track, b.interval.from);
    });
    std::string encoded;
    for (auto at = all.begin(); at != all.end();) {
        const auto end = std::find_if(
            at, all.end(), [&](const LongInterval& one) { return one.track != at->track; });
        append_long(encoded, {at, end});
        at = end;
    }
    return encoded;
}

/// What precedes the frames.
struct LevelsHead {
    std::vector<Track>& tracks;
    std::vector<TrackSpan>& spans;
    std::vector<std::byte>& long_intervals;
    Interval& range;
    std::vector<std::string>& missing;

    void archive_in(Archive& archive) {
        archive.list(tracks, [&](Track& track) { visit(archive, track); });
        archive.list(spans, [&](TrackSpan& span) { visit(archive, span); });
        archive.bytes(long_intervals);
        archive.number(range.from);
        archive.number(range.to);
        archive.list(missing, [&](std::string& source) { archive.text(source); });
    }
};

} // namespace

EncodedLevels TrackRecorder::take() {
    std::vector<TrackSpan> spans = spans_->take_spans();
    if (has_late_ || has_too_many_long_ || spans_->is_unusable() || spans.empty()) {
        return {};
    }
    const std::string intervals = encode_long(long_);
    std::vector<std::byte> long_intervals(bytes_of(intervals).begin(), bytes_of(intervals).end());
    Archive head;
    LevelsHead{tracks_, spans, long_intervals, range_, missing_}.archive_in(head);
    const auto content = head.take();
    if (content.size() > max_levels_head) {
        return {};
    }
    ByteWriter to;
    to.text8(levels_signature).u32(levels_version).u32(0).bytes(packed(content, packing_level));
    auto blocks = spans_->take_blocks();
    return blocks ? EncodedLevels{.head = to.take(), .blocks = *std::move(blocks)}
                  : EncodedLevels{};
}

// Reading.

namespace {

/// Whether the spans are as TrackLevels::spans() says.
bool are_sound(const std::vector<TrackSpan>& spans) {
    constexpr std::uint32_t max_level = 21; // of 2^63 spans
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const TrackSpan& span = spans[i];
        const bool follows = i == 0 || span.level == spans[i - 1].level + 1 ||
                             (span.level == spans[i - 1].level && span.begin == spans[i - 1].end);
        const bool is_empty = span.begin >= span.end && span.level != 0;
        if (!follows || span.begin > span.end || is_empty || span.level > max_level ||
            span.shift > max_shift || span.content_size > max_span_content) {
            return false;
        }
    }
    return !spans.empty() && spans.front().level == 0;
}

} // namespace

Result<TrackLevels> TrackLevels::open(Bytes section, BlockOf block_of) {
    Cursor from(section);
    if (as_text(from.bytes("signature", levels_signature.size())) != levels_signature) {
        return fail(ErrorCode::malformed, "not the levels of tracks");
    }
    const std::uint32_t version = from.u32("version");
    from.u32("reserved");
    if (from && version != levels_version) {
        return fail(ErrorCode::unsupported, "version of the levels", {}, levels_version, version);
    }
    const auto head = unpacked(from.bytes("tracks", from.left()), max_levels_head);
    TrackLevels levels;
    Archive archive{Bytes(head)};
    LevelsHead{levels.tracks_, levels.spans_, levels.long_, levels.range_, levels.missing_}
        .archive_in(archive);
    if (!from || head.empty() || !archive.is_complete() || !are_sound(levels.spans_)) {
        return fail(ErrorCode::malformed, "levels of tracks");
    }
    levels.block_of_ = std::move(block_of);
    return levels;
}

bool TrackLevels::has_state(std::uint32_t track, std::uint32_t state) const noexcept {
    return track < tracks_.size() &&
           (tracks_[track].kind != TrackKind::processor || state < tracks_.size());
}

bool TrackLevels::add_span(const TrackSpan& span, Wants wants, TrackSums& to) const {
    const Bytes block = block_of_(span.block);
    if (span.offset > block.size() || span.size > block.size() - span.offset) {
        return false;
    }
    const auto content = unpacked(
        block.subspan(static_cast<std::size_t>(span.offset), static_cast<std::size_t>(span.size)),
        max_span_content);
    const auto is_sound = [this](std::uint32_t track, std::uint32_t state) {
        return has_state(track, state);
    };
    return content.size() == span.content_size && add_pieces(content, span, is_sound, wants, to);
}

bool TrackLevels::show_long(Wants wants, FunctionRef<void(const LongInterval&)> show) const {
    VarintReader from{Bytes(long_)};
    while (!from.is_at_end()) {
        LongInterval one;
        one.track = static_cast<std::uint32_t>(from.next());
        VarintReader intervals(from.bytes(from.next()));
        if (!from.is_intact() || one.track >= tracks_.size()) {
            return false;
        }
        if (!wants(one.track)) {
            continue;
        }
        std::uint64_t after = 0;
        while (!intervals.is_at_end()) {
            const std::uint64_t begin = after + unsigned_time(unzigzag(intervals.next()));
            const std::uint64_t end = begin + intervals.next();
            one.interval = {static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end)};
            one.state = static_cast<std::uint32_t>(intervals.next());
            one.count = intervals.next();
            const std::uint64_t ended = intervals.next();
            one.ended = ended == 0 ? std::nullopt
                                   : std::optional(static_cast<std::int64_t>(end + ended - 1));
            if (!intervals.is_intact() || one.interval.from > one.interval.to ||
                !has_state(one.track, one.state)) {
                return false;
            }
            after = begin;
            show(one);
        }
    }
    return from.is_intact();
}

} // namespace etl::analysis
