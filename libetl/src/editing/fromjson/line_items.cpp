// LineRecords: extended items, among them what a record says of its own fields.
#include "format/encode.hpp"
#include "fromjson/given_members.hpp"
#include "fromjson/line_records.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace etl::fromjson {

namespace {

using etl::encode::InputValue;
using etl::format::ItemType;
using etl::format::RecordKind;
using etl::format::Width;
namespace event_flag = etl::format::event_flag;

bool holds_nul(std::string_view name) noexcept {
    return name.find('\0') != name.npos;
}

} // namespace

LineResult<void> LineRecords::fill_items(const EventLine& line) {
    if (line.items && prefer_ == PreferredSource::payload) {
        if (auto appended = ext_.append_items(given(line.items, values_), items_); !appended) {
            return appended;
        }
    } else {
        const Width width = draft_.kind.width;
        if (line.related_activity_id) {
            items_.begin(ItemType::related_activity_id).guid(*line.related_activity_id);
        }
        if (line.ext) {
            if (auto read = ext_.append_ext(given(line.ext, values_), width, items_); !read) {
                return read;
            }
        }
        if (line.stack) {
            if (auto read = ext_.append_stack(given(line.stack, values_), width, items_); !read) {
                return read;
            }
        }
        if (auto appended = append_schema_items(line); !appended) {
            return appended;
        }
    }
    encoded_items_.clear();
    if (const auto encoded = encode_items(items_.view(), encoded_items_); !encoded) {
        return line_error("", etl::describe(encoded.error()));
    }
    draft_.items = encoded_items_.view();
    // Items that were damaged are dumped as part of the payload.
    const bool is_damaged = draft_.items.empty() && !line.items && takes_payload(line);
    draft_.flags |= is_damaged ? line.flags & event_flag::extended_info : 0U;
    return {};
}

LineResult<void> LineRecords::append_schema_items(const EventLine& line) {
    // A record that was dumped with --raw has the traits that it says.
    const bool names_provider =
        is_tracelogging_ && line.provider && line.header == RecordKind::none;
    if (line.traits || names_provider) {
        std::string_view name = line.provider.value_or("");
        std::optional<etl::Guid> group;
        std::optional<etl::Guid> decode;
        for (etl::encode::InputValueList at(given(line.traits, values_)); !at.empty();
             at.pop_front()) {
            const InputValue& trait = at.front().front();
            if (trait.name == "name") {
                name = text(trait).value_or(name);
            } else if (auto id = guid(trait); id && trait.name == "group") {
                group = id;
            } else if (id && trait.name == "decode") {
                decode = id;
            } else {
                return line_error(fmt::format("traits.{}", trait.name), "not a trait with a GUID");
            }
        }
        if (holds_nul(name)) {
            return line_error("provider", "contains a NUL character");
        }
        metadata_.clear();
        if (const auto made = etl::encode::encode_traits(name, group, decode, metadata_); !made) {
            return line_error("provider", etl::describe(made.error()));
        }
        items_.begin(ItemType::provider_traits).bytes(metadata_.view());
    }
    return is_tracelogging_ ? append_metadata(line) : LineResult<void>{};
}

LineResult<void> LineRecords::append_metadata(const EventLine& line) {
    fields_.clear();
    if (line.fields) {
        if (const auto read = etl::encode::parse_fields(given(line.fields, values_), fields_);
            !read) {
            return line_error("fields", read.error());
        }
    } else if (line.data) {
        if (const auto inferred = etl::encode::infer_fields(given(line.data, values_), fields_);
            !inferred) {
            return line_error("data", inferred.error());
        }
    }
    if (holds_nul(line.event.value_or(""))) {
        return line_error("event", "contains a NUL character");
    }
    const auto bad_name = std::ranges::find_if(
        fields_, [](const etl::encode::MetadataField& field) { return holds_nul(field.name); });
    if (bad_name != fields_.end()) {
        return line_error(fmt::format("{}.{}", line.fields ? "fields" : "data", bad_name->name),
                          "the name contains a NUL character");
    }
    metadata_.clear();
    const auto made =
        etl::encode::encode_metadata(line.event.value_or(""), line.event_tags, fields_, metadata_);
    if (!made) {
        return line_error(line.fields ? "fields" : "data", etl::describe(made.error()));
    }
    items_.begin(ItemType::event_schema_tl).bytes(metadata_.view());
    return {};
}

} // namespace etl::fromjson
