#include "columnfiles/flatbuffer.hpp"

#include <algorithm>

namespace etl::columnfiles {

namespace {

constexpr std::size_t reference_size = 4;
constexpr std::size_t structure_alignment = 8;

/// `at + behind` becomes a multiple of the alignment.
void pad(std::string& to, std::size_t alignment, std::size_t behind = 0) {
    while ((to.size() + behind) % alignment != 0) {
        to.push_back('\0');
    }
}

/// Makes the reference at `place` point to `target`, which is after it.
void point(std::string& in, std::size_t place, std::size_t target) {
    const auto distance = static_cast<std::uint32_t>(target - place);
    for (std::size_t byte = 0; byte < reference_size; ++byte) {
        in[place + byte] = static_cast<char>(distance >> 8 * byte);
    }
}

} // namespace

void FlatTable::refer(Field field) {
    field.size = reference_size;
    fields_.push_back(std::move(field));
}

FlatTable& FlatTable::text(unsigned field, std::string_view value) {
    refer({.number = field, .kind = Kind::text, .bytes = std::string(value)});
    return *this;
}

FlatTable& FlatTable::table(unsigned field, FlatTable value) {
    Field added{.number = field, .kind = Kind::table};
    added.tables.push_back(std::move(value));
    refer(std::move(added));
    return *this;
}

FlatTable& FlatTable::tables(unsigned field, std::vector<FlatTable> values) {
    refer({.number = field, .kind = Kind::tables, .tables = std::move(values)});
    return *this;
}

FlatTable& FlatTable::structures(unsigned field, std::size_t count, std::string bytes) {
    refer({.number = field, .value = count, .kind = Kind::structures, .bytes = std::move(bytes)});
    return *this;
}

FlatTable& FlatTable::choice(unsigned field, std::uint8_t type, FlatTable value) {
    return number(field, type).table(field + 1, std::move(value));
}

/// Appends what a field refers to. Returns its place.
std::size_t FlatTable::append_value(std::string& to, const Field& field) {
    if (field.kind == Kind::table) {
        return field.tables.front().append_to(to);
    }
    if (field.kind == Kind::structures) {
        pad(to, structure_alignment, reference_size);
    } else {
        pad(to, reference_size);
    }
    const std::size_t place = to.size();
    if (field.kind == Kind::tables) {
        append_le(to, static_cast<std::uint32_t>(field.tables.size()));
        to.append(field.tables.size() * reference_size, '\0');
        for (std::size_t i = 0; i < field.tables.size(); ++i) {
            const std::size_t target = field.tables[i].append_to(to);
            point(to, place + reference_size * (i + 1), target);
        }
        return place;
    }
    const bool is_text = field.kind == Kind::text;
    append_le(to, static_cast<std::uint32_t>(is_text ? field.bytes.size() : field.value));
    to.append(field.bytes).append(is_text ? 1 : 0, '\0');
    return place;
}

/// Appends the table after its list of fields (vtable), and then what it refers to. Returns its
/// place.
std::size_t FlatTable::append_to(std::string& to) const {
    constexpr std::size_t slot = 2, head_size = 4; // sizes of both; distance to the list
    unsigned count = 0;
    for (const Field& field : fields_) {
        count = std::max(count, field.number + 1);
    }
    std::vector<std::uint16_t> slots(count, 0); // 0: absent
    std::vector<std::size_t> places;            // in the table
    std::size_t size = head_size;
    for (const Field& field : fields_) {
        size = (size + field.size - 1) / field.size * field.size;
        slots[field.number] = static_cast<std::uint16_t>(size);
        places.push_back(size);
        size += field.size;
    }
    pad(to, structure_alignment, head_size + count * slot); // so that the table is aligned
    const std::size_t list = to.size();
    append_le(to, static_cast<std::uint16_t>(head_size + count * slot));
    append_le(to, static_cast<std::uint16_t>(size));
    for (const std::uint16_t place : slots) {
        append_le(to, place);
    }
    const std::size_t table = to.size();
    append_le(to, static_cast<std::int32_t>(table - list));
    to.append(size - head_size, '\0');
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        const Field& field = fields_[i];
        if (field.kind == Kind::number) {
            for (std::size_t byte = 0; byte < field.size; ++byte) {
                to[table + places[i] + byte] = static_cast<char>(field.value >> 8 * byte);
            }
        } else {
            const std::size_t target = append_value(to, field);
            point(to, table + places[i], target);
        }
    }
    return table;
}

std::string FlatTable::buffer() const {
    std::string bytes(reference_size, '\0');
    const std::size_t root = append_to(bytes);
    point(bytes, 0, root);
    pad(bytes, structure_alignment);
    return bytes;
}

} // namespace etl::columnfiles
