// What is to be done with the fields of one kind of event, worked out once. Private to anonymize.
#pragma once

#include <etl/guid.hpp>

#include "anonymize/names/units.hpp"
#include "anonymize/texts/embedded.hpp"
#include "anonymize/texts/roles.hpp"
#include "decode/decoder.hpp"
#include "decode/value.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace etl::anonymize {

// What a field holds, by its type and its name. docs/anonymize.md#fields

/// A value of `form` in a field called `name`, of an event whose provider or class is `provider`.
/// Arrays of characters and of bytes are texts and binaries here.
Role role_of(decode::Form form, std::string_view name, const Guid& provider) noexcept;

/// Whether elements of an array of such values belong together: characters make up a text, bytes a
/// binary.
bool is_piece(decode::Form form) noexcept;

/// What such a value, or the pieces of one, is read as.
UnitSize unit_size_of(decode::Form form) noexcept;

struct FieldTask {
    Role role = Role::nothing;
    UnitSize unit = UnitSize::one;
    decode::Form form = decode::Form::null;
    bool redact = false;
    bool in_pieces = false; // an array whose elements make up one value
    /// Asked to be redacted, but others take their count or length from it.
    bool cannot_redact = false;

    bool is_idle() const noexcept { return role == Role::nothing && !redact && !cannot_redact; }
};

/// How often something was done to a field.
struct FieldCounts {
    std::array<std::uint64_t, kind_count> changed{};
    std::uint64_t binary = 0;
    std::uint64_t unredacted = 0;
    std::uint64_t kept = 0;   // texts that stayed as they were
    std::uint64_t partly = 0; // texts of which a part stayed
    std::string shape;        // of the first of them
};

/// What became of the data of an item with names of a schema: events of one kind repeat it.
struct RewrittenItem {
    std::vector<std::byte> before, after;
    KindSet changed = 0;
    bool is_cleared = false; // at least in part
};

struct KindPlan {
    std::string provider, event;
    std::vector<std::string> fields;
    std::vector<FieldTask> tasks;
    std::vector<FieldCounts> counts; // of each field
    bool is_idle = true;             // no field is to be looked at
    bool carries_schema = false;
    bool is_opaque = false;   // nothing describes the payload
    bool has_packet = false;  // it is looked into by its layout, not by a schema
    bool has_details = false; // likewise, if the payload contradicts the schema
    Report::Unchecked unchecked;
    std::array<std::uint64_t, kind_count> elsewhere{}; // changes outside of the fields
    std::array<std::uint64_t, kind_count> packets{};   // changes of captured packets
    std::array<std::uint64_t, kind_count> schemas{};   // changes of names in metadata and traits
    std::uint64_t sids_of_items = 0;
    RewrittenItem metadata, traits;
    std::vector<std::uint64_t> redactions; // by Options::redact: fields that it fits
};

KindPlan make_plan(const decode::DecodedEvent& event, const Options& options);

/// Adds what was counted for one kind to the whole, and forgets it.
void settle(KindPlan& plan, Report& report);

} // namespace etl::anonymize
