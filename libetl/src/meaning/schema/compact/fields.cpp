#include "schema/compact/fields.hpp"

#include "base/text.hpp"
#include "format/limits.hpp"
#include "schema/limits.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace etl::schema {

void CompactFields::read(CompactLine& line) {
    constexpr std::size_t blanks_per_level = 2;
    if (line.indent() % blanks_per_level != 0) {
        line.fail("expected an indentation by a multiple of two blanks");
        return;
    }
    const std::size_t depth = line.indent() / blanks_per_level - 1;
    if (depth > open_.size()) {
        open(line, depth);
    }
    close(depth);
    if (to_->fields.size() == limits::schema_fields) {
        line.fail(fmt::format("a template has more than {} fields", limits::schema_fields));
    }
    Field field;
    field.name = line.name();
    read_type(line, field);
    if (line.error()) {
        return;
    }
    to_->bytes += sizeof(Field) + field.name.size();
    names_.push_back(field.name);
    scopes_.add(names_.back(), field, to_->fields.size());
    to_->fields.push_back(std::move(field));
}

// The field before becomes a structure with members.
void CompactFields::open(CompactLine& line, std::size_t depth) {
    const bool follows = !to_->fields.empty() && to_->fields.back().in_type == InType::structure;
    if (depth != open_.size() + 1 || !follows) {
        line.fail("indented, but not after a structure");
    } else if (depth > limits::struct_depth) {
        line.fail("structures are nested too deep");
    } else {
        open_.push_back(to_->fields.size() - 1);
        scopes_.enter();
    }
}

void CompactFields::close(std::size_t depth) {
    for (; open_.size() > depth; open_.pop_back()) {
        const std::size_t members = to_->fields.size() - open_.back() - 1;
        to_->fields[open_.back()].members = static_cast<std::uint16_t>(members);
        scopes_.leave();
    }
}

void CompactFields::read_type(CompactLine& line, Field& field) {
    if (line.take_word("type")) {
        field.in_type = static_cast<InType>(line.number<std::uint16_t>());
    } else if (const auto type = parse_in_type(line.token().text)) {
        field.in_type = *type;
        line.next();
    } else {
        line.fail("expected a type");
    }
    if (line.take_mark('(')) {
        field.length = extent(line);
        line.expect_mark(')');
    }
    if (line.take_mark('[')) {
        field.count = count(line);
        line.expect_mark(']');
    }
    if (line.take_word("as")) {
        read_out_type(line, field);
    }
    if (line.take_word("by")) {
        line.expect_word("map");
        read_map(line, field);
    }
    if (line.take_word("tags")) {
        field.tags = line.number<std::uint32_t>();
    }
}

void CompactFields::read_out_type(CompactLine& line, Field& field) {
    if (line.take_word("out")) {
        line.expect_word("type");
        field.out_type = static_cast<OutType>(line.number<std::uint16_t>());
    } else if (const auto type = parse_out_type(line.token().text)) {
        field.out_type = *type;
        line.next();
    } else {
        line.fail("expected an output type");
    }
}

void CompactFields::read_map(CompactLine& line, Field& field) {
    const auto known = maps_->find(line.token().text);
    if (known == maps_->end()) {
        line.fail("expected the name of a map above");
        return;
    }
    line.name();
    const auto place = std::ranges::find(to_->maps, known->second);
    field.map = static_cast<std::uint16_t>(place - to_->maps.begin());
    if (place == to_->maps.end()) {
        to_->maps.push_back(known->second);
        to_->bytes += sizeof(to_->maps.front());
    }
}

// As an extent; also a count that precedes the elements. A field of that name stands in quotes.
Extent CompactFields::count(CompactLine& line) {
    if (!line.take_word("u16")) {
        return extent(line);
    }
    line.expect_word("before");
    line.expect_word("it");
    return {Extent::Kind::prefixed, 0};
}

// A number, `*`, `?`, `@` and the number of a field, or the name of a field.
Extent CompactFields::extent(CompactLine& line) {
    const CompactToken token = line.token();
    if (token.kind == CompactToken::Kind::word) {
        if (line.take_word("*")) {
            return {Extent::Kind::rest, 0};
        }
        if (line.take_word("?")) {
            return {Extent::Kind::unknown, 0};
        }
        if (token.text.front() >= '0' && token.text.front() <= '9') {
            return {Extent::Kind::fixed, line.number<std::uint32_t>()};
        }
        if (token.text.front() == '@') {
            const auto index = etl::parse_number(std::string_view(token.text).substr(1));
            return reference(line, index.value_or(to_->fields.size()));
        }
    }
    return reference(line, scopes_.find(token.text).value_or(to_->fields.size()));
}

Extent CompactFields::reference(CompactLine& line, std::size_t index) {
    const bool is_valid = index < to_->fields.size() && is_countable(to_->fields[index].in_type) &&
                          to_->fields[index].count.kind == Extent::Kind::natural;
    if (!is_valid) {
        line.fail("expected an earlier integer field");
        return {};
    }
    line.name();
    to_->fields[index].referenced = true;
    return {Extent::Kind::field, static_cast<std::uint32_t>(index)};
}

} // namespace etl::schema
