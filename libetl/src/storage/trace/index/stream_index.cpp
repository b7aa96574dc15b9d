#include "trace/index/stream_index.hpp"

#include "trace/index/buffer_indexer.hpp"

#include <optional>

namespace etl::trace {

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
