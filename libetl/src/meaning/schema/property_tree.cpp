#include "schema/property_tree.hpp"

#include "format/limits.hpp"
#include "schema/field_scopes.hpp"

#include <optional>

namespace etl::schema {

namespace {

class Arranger {
public:
    explicit Arranger(std::span<const Property> properties)
        : properties_(properties), place_(properties.size()) {}

    Result<PropertyTree> arrange(std::size_t top_level) {
        if (auto error = add(0, top_level, 0)) {
            return std::unexpected(*error);
        }
        return std::move(result_);
    }

private:
    std::optional<Error> add(std::size_t first, std::size_t count, std::uint32_t depth) {
        if (depth > format::max_struct_depth) {
            return Error{
                ErrorCode::limit, "nesting of structures", {}, format::max_struct_depth, depth, 0};
        }
        if (first > place_.size() || count > place_.size() - first) {
            return Error{ErrorCode::malformed,
                         "members of a structure",
                         {},
                         first + count,
                         place_.size(),
                         0};
        }
        for (std::size_t i = first; i < first + count; ++i) {
            if (place_[i]) {
                return Error{ErrorCode::malformed, "property at two offsets", {}, 0, i, 0};
            }
            if (auto error = add_one(i, depth)) {
                return error;
            }
        }
        return std::nullopt;
    }

    std::optional<Error> add_one(std::size_t index, std::uint32_t depth) {
        const Property& from = properties_[index];
        std::vector<Field>& fields = result_.fields;
        const std::size_t at = fields.size();
        Field field;
        field.name = from.name;
        field.tags = from.tags;
        field.count = count_of(from);
        if ((from.flags & property_flags::is_structure) != 0) {
            field.in_type = InType::structure;
            place_[index] = at;
            fields.push_back(std::move(field));
            const auto error = add(from.in_type, from.out_type, depth + 1);
            fields[at].members = static_cast<std::uint16_t>(fields.size() - at - 1);
            return error;
        }
        field.in_type = static_cast<InType>(from.in_type);
        field.out_type = from.out_type < format::first_private_out_type
                             ? static_cast<OutType>(from.out_type)
                             : OutType::none;
        field.length = length_of(from, field);
        if (from.map != 0) {
            result_.map_of_field.emplace_back(static_cast<std::uint16_t>(at), from.map);
        }
        place_[index] = at;
        fields.push_back(std::move(field));
        return std::nullopt;
    }

    Extent count_of(const Property& from) {
        if ((from.flags & property_flags::count_by_field) != 0) {
            return value_of(from.count);
        }
        if ((from.flags & property_flags::fixed_count) != 0 || from.count > 1) {
            return {Extent::Kind::fixed, from.count};
        }
        return {};
    }

    // Types of fixed size repeat their size as their length; that says nothing.
    Extent length_of(const Property& from, const Field& field) {
        const bool applies = field.in_type == InType::unicode_string ||
                             field.in_type == InType::ansi_string ||
                             field.in_type == InType::binary;
        if (!applies) {
            return {};
        }
        if ((from.flags & property_flags::length_by_field) != 0) {
            return value_of(from.length);
        }
        if (from.length != 0 || (from.flags & property_flags::fixed_length) != 0) {
            return {Extent::Kind::fixed, from.length};
        }
        const bool is_ipv6 = field.in_type == InType::binary && field.out_type == OutType::ipv6;
        return is_ipv6 ? Extent{Extent::Kind::fixed, 16} : Extent{};
    }

    // The value of an earlier property.
    Extent value_of(std::size_t index) {
        if (index >= place_.size() || !place_[index]) {
            return {Extent::Kind::unknown, 0};
        }
        Field& target = result_.fields[*place_[index]];
        if (!is_countable(target.in_type) || target.count.kind != Extent::Kind::natural) {
            return {Extent::Kind::unknown, 0};
        }
        target.referenced = true;
        return {Extent::Kind::field, static_cast<std::uint32_t>(*place_[index])};
    }

    std::span<const Property> properties_;
    std::vector<std::optional<std::size_t>> place_; // of each property among the fields
    PropertyTree result_;
};

} // namespace

Result<PropertyTree> arrange(std::span<const Property> properties, std::size_t top_level) {
    return Arranger(properties).arrange(top_level);
}

} // namespace etl::schema
