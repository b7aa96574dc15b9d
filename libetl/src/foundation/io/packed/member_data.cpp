#include "io/packed/member_data.hpp"

namespace etl::io {

namespace {

constexpr std::size_t head_size = 4096;

} // namespace

MemberData::MemberData(ArchiveReader& reader, UnpackBudget& budget, WholeStream stream)
    : reader_(&reader), budget_(&budget), stream_(stream) {
    fill_head();
}

MemberData::MemberData(Error failure, UnpackBudget& budget, WholeStream stream)
    : budget_(&budget), stream_(stream) {
    fail_with(failure);
    fill_head();
}

Bytes MemberData::head() const noexcept {
    return clamped(head_, 0, head_size);
}

Result<Bytes> MemberData::next_block() {
    if (!head_given_) {
        head_given_ = true;
        if (!head_.empty()) {
            return Bytes(head_);
        }
    }
    return from_reader();
}

std::optional<Error> MemberData::damage() const {
    return failure_ || reader_ == nullptr ? failure_ : reader_->remark();
}

void MemberData::fill_head() {
    while (head_.size() < head_size) {
        const auto block = from_reader();
        if (!block || block->empty()) {
            return;
        }
        head_.insert(head_.end(), block->begin(), block->end());
    }
}

// Stays at the end or at the failure once it is there.
Result<Bytes> MemberData::from_reader() {
    while (true) {
        if (failure_ && tail_ == nullptr) {
            return std::unexpected(*failure_);
        }
        if (at_end_) {
            return Bytes{};
        }
        auto block = tail_ != nullptr ? tail_->next_block() : reader_->read();
        if (!block) {
            fail_with(block.error());
        } else if (block->empty() && tail_ != nullptr) {
            tail_.reset();
        } else if (const auto granted = budget_->take(block->size()); !granted) {
            failure_ = granted.error();
            tail_.reset();
        } else {
            taken_ += block->size();
            at_end_ = block->empty();
            return block;
        }
    }
}

void MemberData::fail_with(const Error& error) {
    failure_ = error;
    if (error.code == ErrorCode::truncated || error.code == ErrorCode::malformed) {
        tail_ = std::make_unique<StreamTail>(stream_.kind, stream_.packed, taken_);
    }
}

} // namespace etl::io
