#include "columnfiles/arrow_messages.hpp"

#include <bit>
#include <vector>

namespace etl::columnfiles {

using columns::Column;
using columns::Type;

namespace {

/// Type, a union.
enum class ArrowType : std::uint8_t {
    integer = 2,
    floating_point = 3,
    binary = 4,
    utf8 = 5,
    boolean = 6,
    timestamp = 10,
    list = 12,
    fixed_size_binary = 15,
};

/// Fields of Field, DictionaryEncoding, Schema, and KeyValue.
enum ArrowSchemaField : unsigned {
    field_name = 0,
    is_nullable = 1,
    field_type = 2, // and its table
    field_dictionary = 4,
    field_children = 5,
    dictionary_id = 0,
    index_type = 1,
    endianness = 0,
    schema_fields = 1,
    schema_metadata = 2,
    pair_key = 0,
    pair_value = 1,
};

FlatTable integer(std::int32_t bits, bool is_signed) {
    return FlatTable().number(0, bits).number(1, is_signed);
}

void add_integer(FlatTable& field, Type type) {
    const bool is_signed = type <= Type::int64;
    field.choice(field_type, static_cast<std::uint8_t>(ArrowType::integer),
                 integer(static_cast<std::int32_t>(8 * width_of(type)), is_signed));
}

void add_type(FlatTable& field, ArrowType type, FlatTable parameters = {}) {
    field.choice(field_type, static_cast<std::uint8_t>(type), std::move(parameters));
}

/// Adds the type of single values of a column.
void add_value_type(FlatTable& field, Type type, std::size_t number) {
    constexpr std::int16_t single_precision = 1, double_precision = 2, nanosecond = 3;
    switch (type) {
    case Type::boolean:
        return add_type(field, ArrowType::boolean);
    case Type::float32:
        return add_type(field, ArrowType::floating_point, FlatTable().number(0, single_precision));
    case Type::float64:
        return add_type(field, ArrowType::floating_point, FlatTable().number(0, double_precision));
    case Type::time:
        return add_type(field, ArrowType::timestamp,
                        FlatTable().number(0, nanosecond).text(1, "UTC"));
    case Type::guid: // without the extension type arrow.uuid, which some readers refuse
        return add_type(field, ArrowType::fixed_size_binary,
                        FlatTable().number(0, static_cast<std::int32_t>(width_of(Type::guid))));
    case Type::binary:
        return add_type(field, ArrowType::binary);
    case Type::text:
        return add_type(field, ArrowType::utf8);
    case Type::label:
        add_type(field, ArrowType::utf8);
        field.table(field_dictionary, FlatTable()
                                          .number(dictionary_id, std::uint64_t{number})
                                          .table(index_type, integer(32, true)));
        return;
    case Type::int8:
    case Type::int16:
    case Type::int32:
    case Type::int64:
    case Type::uint8:
    case Type::uint16:
    case Type::uint32:
    case Type::uint64:
        return add_integer(field, type);
    }
}

/// All columns are nullable.
FlatTable named_field(std::string_view name) {
    return FlatTable().text(field_name, name).number(is_nullable, true);
}

FlatTable field_of(const Column& column, std::size_t number) {
    FlatTable field = named_field(column.name);
    std::vector<FlatTable> children;
    if (column.is_list) {
        add_type(field, ArrowType::list);
        add_value_type(children.emplace_back(named_field("item")), column.type, number);
    } else {
        add_value_type(field, column.type, number);
    }
    return field.tables(field_children, std::move(children));
}

} // namespace

FlatTable arrow_schema(std::span<const Column> columns, const Properties& properties) {
    std::vector<FlatTable> fields, pairs;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        fields.push_back(field_of(columns[i], i));
    }
    for (const auto& [key, value] : properties) {
        pairs.push_back(FlatTable().text(pair_key, key).text(pair_value, value));
    }
    const std::int16_t order = std::endian::native == std::endian::little ? 0 : 1; // of the buffers
    return FlatTable()
        .number(endianness, order)
        .tables(schema_fields, std::move(fields))
        .tables(schema_metadata, std::move(pairs));
}

} // namespace etl::columnfiles
