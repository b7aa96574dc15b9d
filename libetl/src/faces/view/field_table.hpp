// The fields of an event, to which Field and Fields refer, and how the library reaches what the
// classes of the face hide.
#pragma once

#include <etl/event.hpp>
#include <etl/field.hpp>

#include "decode/decoder.hpp"
#include "decode/value.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace etl::facts {
struct Notes;
}

namespace etl::analysis {
struct Table;
}

namespace etl::inline view {

class Table;

/// The fields of one event as a flat list, in payload order: values, arrays, and structures. An
/// array or structure is followed by its elements or members. Reuses its memory for the next event.
class FieldTable {
public:
    using Kind = detail::FieldKind;
    using Node = detail::FieldNode;

    /// Fills the table by walking the payload once. The table refers to `event` until the next
    /// call.
    void fill(const decode::DecodedEvent& event);

    /// Iterates over all nodes.
    const Node* begin() const noexcept { return nodes_.data(); }

    const Node* end() const noexcept { return nodes_.data() + size_; }

    std::string_view name(const Node& node) const noexcept { return named_[node.field].name; }

    decode::Value value(const Node& node) const noexcept {
        const decode::PlannedField& field = planned_[node.field];
        return {{node.data, node.size}, field.form, field.error_space, field.hidden, field.map};
    }

    const decode::DecodedEvent& event() const noexcept { return *event_; }

    /// Returns the walker in its final state: failure, missing fields, remaining bytes.
    const decode::FieldWalker& walker() const noexcept { return walker_; }

private:
    void reserve(std::size_t nodes);
    void add(Kind kind);
    decode::Step next_field(std::size_t fields);
    decode::Step next_element();

    std::vector<Node> nodes_; // size_ of them are in use
    std::uint32_t size_ = 0;
    const decode::DecodedEvent* event_ = nullptr;
    const schema::Field* named_ = nullptr; // fields of the schema and of the plan
    const decode::PlannedField* planned_ = nullptr;
    decode::FieldWalker walker_;
};

/// What the C interface and others of the library need of the face.
struct Access {
    /// The bytes and the form of a value; Form::null for arrays, structures, and missing fields.
    static decode::Value value(const Field& field) noexcept;

    static const decode::DecodedEvent& decoded(const Event& event);

    /// Changes when EventKind::number, which caches use, starts over.
    static std::uint32_t generation(const Event& event) noexcept;

    static const FieldTable& table(const Event& event);

    static const facts::Notes& notes(const Event& event);

    /// All columns, the hidden ones too.
    static const analysis::Table& table(const Table& table) noexcept;

    static Table table_of(analysis::Table table, std::vector<std::string> remarks = {});
};

} // namespace etl::inline view
