#include "sink/log/log_user_data.hpp"

#include "base/text.hpp"
#include "sink/windows/user_data.hpp"

#include <algorithm>
#include <utility>

namespace etl::sink {

namespace {

using Shape = LogUserDataShape;
using Node = UserDataTemplate::Node;

/// Translates the nodes of a template into fields.
class ShapeBuilder {
public:
    ShapeBuilder(Shape& to, const std::vector<Node>& nodes) : to_(to), nodes_(nodes) {}

    void build() {
        to_.root = nodes_[at_++].name;
        attributes(0);
        content(0);
    }

private:
    bool is(Node::Kind kind) const noexcept {
        return at_ < nodes_.size() && nodes_[at_].kind == kind;
    }

    void add(evtx::Field field, const Node* value) {
        std::uint32_t property = Shape::no_property;
        if (value != nullptr && value->field != UserDataTemplate::Piece::no_field) {
            property = value->field;
        } else if (value != nullptr) {
            std::vector<std::byte>& units = to_.literals.emplace_back(2 * value->text.size());
            const std::byte* const end = put_utf16le(units.data(), value->text);
            units.resize(static_cast<std::size_t>(end - units.data()));
            field.value = {evtx::ValueType::string, false, units};
            field.is_literal = true;
        } else if (!field.is_structure) {
            field.value = {evtx::ValueType::string, false, {}};
            field.is_literal = true; // an empty element
        }
        to_.fields.push_back(std::move(field));
        to_.properties.push_back(property);
    }

    void attributes(unsigned depth) {
        for (; is(Node::Kind::attribute); ++at_) {
            const Node& node = nodes_[at_];
            // Not every reader accepts an attribute without text.
            if (node.field != UserDataTemplate::Piece::no_field || !node.text.empty()) {
                add({.name = node.name, .depth = depth, .is_attribute = true}, &node);
            }
        }
    }

    /// Up to the end of the element.
    void content(unsigned depth) {
        while (at_ < nodes_.size() && !is(Node::Kind::end)) {
            if (is(Node::Kind::text)) {
                add({.name = {}, .depth = depth}, &nodes_[at_++]);
            } else {
                element(depth);
            }
        }
        ++at_;
    }

    void element(unsigned depth) {
        const std::string& name = nodes_[at_++].name;
        const bool has_text = is(Node::Kind::text);
        if (const std::size_t after = at_ + (has_text ? 1U : 0U);
            after < nodes_.size() && nodes_[after].kind == Node::Kind::end) {
            add({.name = name, .depth = depth}, has_text ? &nodes_[at_] : nullptr);
            at_ = after + 1;
            return;
        }
        add({.name = name, .depth = depth, .is_structure = true}, nullptr);
        attributes(depth + 1);
        content(depth + 1);
    }

    Shape& to_;
    const std::vector<Node>& nodes_;
    std::size_t at_ = 0;
};

std::unique_ptr<Shape> make_shape(const WindowsEvent& event) {
    const auto parsed = UserDataTemplate::parse(event.user_data);
    if (!parsed) {
        return nullptr;
    }
    auto shape = std::make_unique<Shape>();
    ShapeBuilder(*shape, parsed->nodes()).build();
    const schema::EventSchema& schema = *event.decoded->kind->schema;
    shape->property_of.resize(schema.fields.size());
    shape->is_member.resize(schema.fields.size());
    for (const std::uint16_t field : schema.top_level()) {
        const std::size_t end =
            std::min(schema.fields.size(), field + 1UL + schema.fields[field].members);
        for (std::size_t i = field; i < end; ++i) {
            shape->property_of[i] = shape->count;
            shape->is_member[i] = i != field;
        }
        ++shape->count;
    }
    return shape;
}

} // namespace

bool LogUserData::start(const WindowsEvent& event, std::uint32_t generation) {
    if (generation != generation_) {
        shapes_.clear();
        is_made_.clear();
        generation_ = generation;
    }
    const std::uint32_t number = event.decoded->kind->number;
    if (number >= shapes_.size()) {
        shapes_.resize(number + 1UL);
        is_made_.resize(number + 1UL);
    }
    if (!is_made_[number]) {
        shapes_[number] = make_shape(event);
        is_made_[number] = true;
    }
    shape_ = shapes_[number].get();
    if (shape_ == nullptr) {
        return false;
    }
    values_.clear();
    properties_.resize(std::max<std::size_t>(properties_.size(), shape_->count));
    for (Property& property : properties_) {
        property.value = Property::none;
        property.is_joined = false;
    }
    return true;
}

void LogUserData::add(std::uint32_t field, const decode::Value& value, bool is_item,
                      const decode::DisplayOptions& display) {
    Property& property = properties_[shape_->property_of[field]];
    if (!shape_->is_member[field] && !property.is_joined) {
        const bool is_first = property.value == Property::none;
        if (!is_item) {
            values_.add({}, value, display);
            property.value = values_.size() - 1;
            return;
        }
        if (values_.add_item({}, value, display, is_first)) {
            property.value = values_.size() - 1;
            return;
        }
    }
    if (std::exchange(property.is_joined, true)) {
        property.text += ", ";
    } else {
        property.text.clear();
    }
    decode::append_display(property.text, value, display);
}

std::span<const evtx::Field> LogUserData::list() {
    for (std::uint32_t i = 0; i < shape_->count; ++i) {
        if (properties_[i].is_joined) {
            values_.add_text({}, properties_[i].text);
            properties_[i].value = values_.size() - 1;
        }
    }
    const std::span<const evtx::Field> values = values_.list();
    for (std::size_t i = 0; i < shape_->fields.size(); ++i) {
        const std::uint32_t property = shape_->properties[i];
        if (property == Shape::no_property) {
            continue;
        }
        const std::size_t value =
            property < shape_->count ? properties_[property].value : Property::none;
        shape_->fields[i].value = value == Property::none ? evtx::Value{} : values[value].value;
    }
    return shape_->fields;
}

} // namespace etl::sink
