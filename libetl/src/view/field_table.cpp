#include <etl/view/field.hpp>

#include <algorithm>
#include <array>

namespace etl::inline view {

using decode::Step;

namespace {

/// Arrays and structures that are open at once: an array of structures counts twice.
constexpr std::size_t most_open = 2UL * limits::struct_depth + 1;

} // namespace

void FieldTable::fill(const decode::DecodedEvent& event) {
    event_ = &event;
    size_ = 0;
    if (event.kind->schema == nullptr) {
        return;
    }
    named_ = event.kind->schema->fields.data();
    planned_ = event.kind->plan.fields().data();
    std::array<std::uint32_t, most_open> open{};
    std::size_t depth = 0;
    std::uint32_t size = 0;
    auto room = static_cast<std::uint32_t>(nodes_.size());
    walker_.start(event.kind->plan, event.body);
    for (Step step = walker_.next(); step != Step::end; step = walker_.next()) {
        if (step == Step::array_end || step == Step::struct_end) {
            const std::uint32_t begun = open[--depth];
            nodes_[begun].span = size - begun;
            continue;
        }
        if (size == room) [[unlikely]] {
            room = std::max(32U, 2 * room);
            nodes_.resize(room);
        }
        Node& node = nodes_[size++];
        node.field = walker_.field();
        if (step == Step::value) [[likely]] {
            const Bytes bytes = walker_.bytes();
            node.data = bytes.data();
            node.size = static_cast<std::uint32_t>(bytes.size());
            node.span = 1;
            node.kind = Kind::value;
        } else {
            open[depth++] = size - 1;
            node.kind = step == Step::array_begin ? Kind::array : Kind::structure;
        }
    }
    size_ = size;
}

} // namespace etl::inline view
