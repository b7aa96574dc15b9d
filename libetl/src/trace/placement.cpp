#include "trace/placement.hpp"

#include <algorithm>

namespace etl::trace {

namespace {

class Growing final : public Placement {
public:
    Growing(FileOffset begin, std::uint64_t limit, Place::Kind at_limit, Table table) noexcept
        : begin_(begin), end_(begin), limit_(limit), at_limit_(at_limit), table_(table) {
        written(0);
    }

    Place next(std::uint64_t size) const noexcept override {
        const std::uint64_t table = table_.bytes + table_.bytes_per_buffer * (buffers_ + 1);
        if (limit_ == 0 || end_.value + size + table <= limit_) {
            return {Place::Kind::new_ground, end_};
        }
        // What an empty file has no room for, the next one has not either.
        const bool is_empty = end_ == begin_;
        return {at_limit_ == Place::Kind::next_file && is_empty ? Place::Kind::full : at_limit_,
                end_};
    }

    void written(std::uint64_t size) noexcept override {
        end_ = end_ + size;
        ++buffers_;
    }

    FileOffset end() const noexcept override { return end_; }

private:
    FileOffset begin_, end_;
    std::uint64_t limit_;
    Place::Kind at_limit_;
    Table table_;
    std::uint64_t buffers_ = 0;
};

class Rotating final : public Placement {
public:
    Rotating(std::uint64_t slots, std::uint32_t buffer_size) noexcept
        : slots_(slots), buffer_size_(buffer_size) {}

    Place next(std::uint64_t /*size*/) const noexcept override {
        const bool wraps = count_ >= slots_;
        const std::uint64_t slot =
            wraps ? start_buffers + (count_ - start_buffers) % (slots_ - start_buffers) : count_;
        return {wraps ? Place::Kind::old_buffer : Place::Kind::new_ground, {slot * buffer_size_}};
    }

    void written(std::uint64_t /*size*/) noexcept override { ++count_; }

    FileOffset end() const noexcept override { return {std::min(count_, slots_) * buffer_size_}; }

private:
    static constexpr std::uint64_t start_buffers = 1; // that are never overwritten

    std::uint64_t slots_;
    std::uint64_t buffer_size_;
    std::uint64_t count_ = start_buffers;
};

} // namespace

std::unique_ptr<Placement> grow_from(FileOffset begin, std::uint64_t limit, Place::Kind at_limit,
                                     Table table) {
    return std::make_unique<Growing>(begin, limit, at_limit, table);
}

std::unique_ptr<Placement> rotate_within(std::uint64_t limit, std::uint32_t buffer_size) {
    return std::make_unique<Rotating>(ring_slots(limit, buffer_size), buffer_size);
}

} // namespace etl::trace
