#include "columns/layout.hpp"

#include "base/text.hpp"
#include "columns/limits.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace etl::columns {

using decode::Form;
using decode::PlannedField;
using decode::Shape;

namespace {

struct OriginColumn {
    std::string_view name;
    Type type;
};

constexpr std::array<OriginColumn, detailed_origin_columns> origins{{
    {"time", Type::time},
    {"pid", Type::uint32},
    {"tid", Type::uint32},
    {"cpu", Type::uint16},
    {"provider", Type::label},
    {"event", Type::label},
    {"file", Type::label},
    {"provider_guid", Type::guid},
    {"id", Type::uint16},
    {"version", Type::uint8},
    {"channel", Type::uint8},
    {"level", Type::uint8},
    {"opcode", Type::uint8},
    {"task", Type::uint16},
    {"keyword", Type::uint64},
    {"activity_id", Type::guid},
    {"related_activity_id", Type::guid},
    {"source", Type::label},
    {"decode_error", Type::label},
    {"decode_note", Type::label},
    {"payload", Type::binary},
}};

bool is_signed_type(Type type) noexcept {
    return type >= Type::int8 && type <= Type::int64;
}

bool is_unsigned_type(Type type) noexcept {
    return type >= Type::uint8 && type <= Type::uint64;
}

bool is_float(Type type) noexcept {
    return type == Type::float32 || type == Type::float64;
}

bool is_array(const PlannedField& field) noexcept {
    return field.count.kind != schema::Extent::Kind::natural;
}

/// Fields in arrays, and their nesting: how many arrays a field is in, itself included.
std::vector<unsigned> list_depths(std::span<const PlannedField> fields) {
    std::vector<unsigned> depths(fields.size(), 0);
    for (std::size_t i = 0; i < fields.size(); ++i) {
        if (is_array(fields[i])) {
            const std::size_t end = std::min(i + 1 + fields[i].members, fields.size());
            for (std::size_t member = i; member < end; ++member) {
                ++depths[member];
            }
        }
    }
    return depths;
}

std::tuple<std::string, std::string, bool> key_of(const Leaf& leaf) {
    return {leaf.column.structures, leaf.column.name, leaf.column.is_list};
}

Leaf folded(std::uint32_t field, std::uint32_t end, std::string name) {
    return {.field = field,
            .end = end,
            .column = {.name = std::move(name), .type = Type::text},
            .is_folded = true};
}

} // namespace

Type type_of(Form form) noexcept {
    if (schema::is_integer(form)) {
        constexpr std::array sizes{Type::uint8, Type::uint16, Type::uint32, Type::uint64};
        const auto step =
            (static_cast<unsigned>(form) - static_cast<unsigned>(Form::int8)) % sizes.size();
        const auto type = static_cast<unsigned>(sizes[step]);
        constexpr unsigned to_signed =
            static_cast<unsigned>(Type::uint8) - static_cast<unsigned>(Type::int8);
        return static_cast<Type>(schema::is_signed(form) ? type - to_signed : type);
    }
    return form == Form::boolean   ? Type::boolean
           : form == Form::float32 ? Type::float32
           : form == Form::float64 ? Type::float64
           : form == Form::guid    ? Type::guid
           : form == Form::binary  ? Type::binary
           : form == Form::port    ? Type::uint16
           : form == Form::filetime || form == Form::ticks || form == Form::systemtime ? Type::time
                                                                                       : Type::text;
}

Type common_type(Type a, Type b) noexcept {
    if (a == b) {
        return a;
    }
    if (a > b) {
        std::swap(a, b);
    }
    const bool same_sign =
        (is_signed_type(a) && is_signed_type(b)) || (is_unsigned_type(a) && is_unsigned_type(b));
    if (same_sign || (is_float(a) && is_float(b))) {
        return b;
    }
    if (is_signed_type(a) && is_unsigned_type(b) && b != Type::uint64) {
        return Type::int64;
    }
    return Type::text;
}

std::vector<Leaf> leaves_of(const decode::EventKind& kind, const LayoutOptions& options) {
    std::vector<Leaf> leaves;
    if (kind.schema == nullptr) {
        return leaves;
    }
    const std::span<const PlannedField> fields = kind.plan.fields();
    const std::vector<std::string> paths = schema::field_paths(*kind.schema);
    const std::vector<unsigned> depths = list_depths(fields);
    std::uint32_t top_end = 0;              // of the top-level field
    std::uint32_t array = 0, array_end = 0; // the last array of structures
    for (std::uint32_t i = 0; i < fields.size(); ++i) {
        const PlannedField& field = fields[i];
        const auto end = static_cast<std::uint32_t>(
            std::min<std::size_t>(i + std::size_t{1} + field.members, fields.size()));
        if (i >= top_end) {
            top_end = end;
            const bool is_deep = std::any_of(depths.begin() + i, depths.begin() + end,
                                             [](unsigned depth) { return depth > 1; });
            if (is_deep) {
                leaves.push_back(folded(i, end, paths[i]));
                i = end - 1;
                continue;
            }
        }
        if (field.shape == Shape::structure && is_array(field)) {
            array = i;
            array_end = end;
        }
        if (field.shape != Shape::structure && field.form != Form::null) {
            const bool is_member =
                options.structures && i < array_end && paths[i].starts_with(paths[array] + ".");
            const bool is_label =
                options.enumerations && field.map != nullptr && schema::is_integer(field.form);
            leaves.push_back(
                {.field = i,
                 .end = i + 1,
                 .column = {.name = is_member ? paths[i].substr(paths[array].size() + 1) : paths[i],
                            .type = is_label ? Type::label : type_of(field.form),
                            .is_list = depths[i] == 1,
                            .structures = is_member ? paths[array] : ""}});
        }
    }
    return leaves;
}

Layout::Layout(const LayoutOptions& options) : options_(options) {
    const std::size_t count = options.details ? detailed_origin_columns : origin_columns;
    for (const OriginColumn& origin : std::span(origins).first(count)) {
        columns_.push_back({.name = std::string(origin.name), .type = origin.type});
    }
    if (options.messages) {
        columns_.push_back({.name = "message", .type = Type::text});
    }
    own_ = columns_.size();
}

bool Layout::is_taken(std::string_view name, std::size_t columns) const noexcept {
    return std::ranges::any_of(std::span(columns_).first(columns), [&](const BatchColumn& column) {
        const std::string& taken = column.structures.empty() ? column.name : column.structures;
        return options_.details ? equals_ignoring_case(taken, name) : taken == name;
    });
}

std::string Layout::unique(std::string name) const {
    if (is_taken(name, own_)) {
        name.insert(0, "data.");
    }
    while (is_taken(name, columns_.size())) {
        name.append("#2");
    }
    return name;
}

void Layout::add(const decode::EventKind& kind) {
    for (const Leaf& leaf : leaves_of(kind, options_)) {
        if (const std::uint32_t* const known = find(leaf)) {
            Type& type = columns_[*known].type;
            type = common_type(type, leaf.column.type);
            continue;
        }
        if (columns_.size() >= limits::columns) {
            ++omitted_;
            continue;
        }
        BatchColumn column = leaf.column;
        const auto index = static_cast<std::uint32_t>(columns_.size());
        if (column.structures.empty()) {
            column.name = unique(std::move(column.name));
        } else {
            const auto [known, is_new] = structures_.try_emplace(column.structures);
            Structures& all = known->second;
            if (is_new) {
                all.name = unique(column.structures);
            }
            column.structures = all.name;
            all.columns.push_back(index);
        }
        by_leaf_.emplace(key_of(leaf), index);
        columns_.push_back(std::move(column));
    }
}

const std::uint32_t* Layout::find(const Leaf& leaf) const {
    const auto known = by_leaf_.find(key_of(leaf));
    return known != by_leaf_.end() ? &known->second : nullptr;
}

std::span<const std::uint32_t> Layout::columns_of(std::string_view structures) const {
    const auto known = structures_.find(structures);
    return known != structures_.end() ? std::span<const std::uint32_t>(known->second.columns)
                                      : std::span<const std::uint32_t>();
}

} // namespace etl::columns
