#include "trace/files/placement.hpp"

#include <algorithm>

namespace etl::trace {

namespace {

class Growing final : public Placement {
public:
    Growing(FileOffset begin, std::uint64_t limit, Table table) noexcept
        : end_(begin), limit_(limit), table_(table) {}

    std::optional<Place> next(std::uint64_t size) const noexcept override {
        const std::uint64_t table = table_.bytes + table_.bytes_per_buffer * (buffers_ + 1);
        if (limit_ == 0 || end_.value + size + table <= limit_) {
            return Place{Place::Kind::new_ground, end_};
        }
        return std::nullopt;
    }

    void written(std::uint64_t size) noexcept override {
        end_ = end_ + size;
        ++buffers_;
    }

    void take_back(std::uint64_t size) noexcept override { end_.value -= size; }

    FileOffset end() const noexcept override { return end_; }

private:
    FileOffset end_;
    std::uint64_t limit_;
    Table table_;
    std::uint64_t buffers_ = 1; // that of the header
};

class Rotating final : public Placement {
public:
    Rotating(std::uint64_t slots, std::uint32_t buffer_size) noexcept
        : slots_(slots), buffer_size_(buffer_size) {}

    std::optional<Place> next(std::uint64_t /*size*/) const noexcept override {
        const bool wraps = count_ >= slots_;
        const std::uint64_t slot =
            wraps ? start_buffers + (count_ - start_buffers) % (slots_ - start_buffers) : count_;
        return Place{wraps ? Place::Kind::old_buffer : Place::Kind::new_ground,
                     {slot * buffer_size_}};
    }

    void written(std::uint64_t /*size*/) noexcept override { ++count_; }

    void take_back(std::uint64_t /*size*/) noexcept override {}

    FileOffset end() const noexcept override { return {std::min(count_, slots_) * buffer_size_}; }

private:
    static constexpr std::uint64_t start_buffers = 1; // that are never overwritten

    std::uint64_t slots_;
    std::uint64_t buffer_size_;
    std::uint64_t count_ = start_buffers;
};

} // namespace

std::unique_ptr<Placement> grow_from(FileOffset begin, std::uint64_t limit, Table table) {
    return std::make_unique<Growing>(begin, limit, table);
}

std::unique_ptr<Placement> rotate_within(std::uint64_t limit, std::uint32_t buffer_size) {
    return std::make_unique<Rotating>(ring_slots(limit, buffer_size), buffer_size);
}

} // namespace etl::trace
