#include "packets/drop_names.hpp"

#include "base/text.hpp"
#include "format/known_guids.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace etl::packets {

namespace {

using Names = std::map<std::uint32_t, std::string>;

void read_map(const schema::EventSchema& schema, std::string_view field, Names& to) {
    for (const schema::Field& one : schema.fields) {
        if (one.name == field && one.map < schema.maps.size()) {
            const auto& entries = schema.maps[one.map]->entries;
            to.insert(entries.begin(), entries.end());
        }
    }
}

void append_named(std::string& to, const Names& names, std::uint32_t code,
                  void (*append_code)(std::string&, std::uint32_t)) {
    const auto name = names.find(code);
    if (name == names.end()) {
        append_code(to, code);
        return;
    }
    to += name->second;
    to += " (";
    append_code(to, code);
    to += ")";
}

void append_decimal_code(std::string& to, std::uint32_t code) {
    append_decimal(to, code);
}

void append_hex_code(std::string& to, std::uint32_t code) {
    append_hex(to, code);
}

} // namespace

bool has_known_layout(const schema::EventSchema& schema) noexcept {
    // The sizes of PktGroupId to LoggedPayloadSize.
    constexpr std::array<std::size_t, 12> sizes{8, 2, 2, 2, 2, 2, 2, 2, 4, 4, 2, 2};
    return schema.fields.size() > sizes.size() &&
           std::ranges::equal(
               sizes, std::span(schema.fields).first(sizes.size()), {}, {},
               [](const schema::Field& field) {
                   const bool is_scalar = field.count.kind == schema::Extent::Kind::natural;
                   return is_scalar ? schema::fixed_size(field.in_type, 8) : std::size_t{0};
               });
}

const DropNames::Tables& DropNames::tables_of(std::uint32_t trace) {
    constexpr std::uint16_t drop_event = 170;
    const std::uint16_t number = schemas_.number_of(trace);
    const auto known = tables_.find(number);
    if (known != tables_.end()) {
        return known->second;
    }
    Tables& tables = tables_[number];
    if (const auto& store = schemas_.store_for(trace)) {
        const schema::Match match = store->find({format::pktmon_guid, drop_event, 0});
        for (const schema::EventSchema* const schema : match.candidates) { // the best one first
            read_map(*schema, "DropReason", tables.reasons);
            read_map(*schema, "DropLocation", tables.locations);
        }
    }
    return tables;
}

void DropNames::append(std::string& to, const Drop& drop, std::uint32_t trace) {
    const Tables& tables = tables_of(trace);
    append_named(to, tables.reasons, drop.reason, append_decimal_code);
    to += " at ";
    append_named(to, tables.locations, drop.location, append_hex_code);
}

std::string DropNames::reason(const Drop& drop, std::uint32_t trace) {
    const Tables& tables = tables_of(trace);
    const auto name = tables.reasons.find(drop.reason);
    return name != tables.reasons.end() ? name->second : std::to_string(drop.reason);
}

} // namespace etl::packets
