#include "view/field_table.hpp"

#include <algorithm>
#include <array>

namespace etl::inline view {

using decode::Step;

namespace {

/// Arrays and structures that are open at once: an array of structures counts twice.
constexpr std::size_t max_open = 2UL * format::max_struct_depth + 1;

} // namespace

void FieldTable::reserve(std::size_t nodes) {
    if (nodes > nodes_.size()) [[unlikely]] {
        nodes_.resize(std::max<std::size_t>(nodes, 2 * nodes_.size()));
    }
}

void FieldTable::add(Kind kind) {
    reserve(size_ + std::size_t{1});
    const Bytes bytes = kind == Kind::value ? walker_.bytes() : Bytes{};
    nodes_[size_++] = {.data = bytes.data(),
                       .size = static_cast<std::uint32_t>(bytes.size()),
                       .field = walker_.field(),
                       .kind = kind};
}

// Most fields are plain: they are taken at once.
Step FieldTable::next_field(std::size_t fields) {
    reserve(size_ + fields);
    Node* node = nodes_.data() + size_;
    walker_.take_plain([&](std::uint32_t field, Bytes bytes) {
        *node++ = {bytes.data(), static_cast<std::uint32_t>(bytes.size()), field};
    });
    size_ = static_cast<std::uint32_t>(node - nodes_.data());
    return walker_.next();
}

// Elements of fixed size are taken at once, other values one by one.
Step FieldTable::next_element() {
    const std::uint32_t field = walker_.field();
    std::uint32_t size = size_;
    const auto keep = [&](Bytes bytes) {
        reserve(size + std::size_t{1});
        nodes_[size++] = {bytes.data(), static_cast<std::uint32_t>(bytes.size()), field};
    };
    walker_.take_elements(keep);
    Step step = walker_.next();
    for (; step == Step::value; step = walker_.next()) {
        keep(walker_.bytes());
    }
    size_ = size;
    return step;
}

void FieldTable::fill(const decode::DecodedEvent& event) {
    event_ = &event;
    size_ = 0;
    if (event.kind->schema == nullptr) {
        return;
    }
    named_ = event.kind->schema->fields.data();
    planned_ = event.kind->plan.fields().data();
    const std::size_t fields = event.kind->plan.fields().size();
    std::array<std::uint32_t, max_open> open{};
    std::size_t depth = 0;
    walker_.start(event.kind->plan, event.body);
    Step step = next_field(fields);
    while (step != Step::end) {
        if (step == Step::value) {
            add(Kind::value);
        } else if (step == Step::array_begin || step == Step::struct_begin) {
            open[depth++] = size_;
            add(step == Step::array_begin ? Kind::array : Kind::structure);
        } else {
            const std::uint32_t begun = open[--depth];
            nodes_[begun].span = size_ - begun;
        }
        step = step == Step::array_begin ? next_element() : next_field(fields);
    }
}

} // namespace etl::inline view
