#include "decode/kinds/kind_builder.hpp"

#include "base/text.hpp"
#include "decode/fields/laid_out_payloads.hpp"
#include "decode/kinds/class_names.hpp"
#include "decode/known_names.hpp"
#include "format/event_header.hpp"
#include "format/kernel_group.hpp"
#include "format/provider_identity.hpp"
#include "schema/field_facts.hpp"
#include "schema/tracelogging.hpp"

#include <algorithm>

namespace etl::decode {

std::vector<Guid> identities_of(const flow::EventHeader& header, const EventItems& items) {
    std::vector<Guid> identities;
    if (!items.traits.empty()) {
        if (const auto traits = format::parse_provider_traits(items.traits);
            traits && traits->decode) {
            identities.push_back(*traits->decode);
        }
    }
    identities.push_back(header.provider);
    if (items.control_guid.size() == sizeof(Guid)) {
        identities.push_back(load_le<Guid>(items.control_guid.data()));
    }
    return identities;
}

schema::Match find_event(const schema::SchemaStore& store, const flow::EventHeader& header,
                         const EventItems& items) {
    for (const Guid& provider : identities_of(header, items)) {
        auto match = store.find({provider, header.id, header.version});
        if (!match.all().empty()) {
            return match;
        }
    }
    return {};
}

bool describes(const schema::EventSchema& candidate, bool wants_class) noexcept {
    using schema::Origin;
    // A TraceLogging event carries its schema: the ID in an exported one is not that of any event.
    if (candidate.origin == Origin::manifest && candidate.channel == format::tracelogging_channel) {
        return false;
    }
    return candidate.origin == Origin::event_info ||
           (candidate.origin != Origin::wpp && (candidate.origin == Origin::mof) == wants_class);
}

namespace {

using schema::EventSchema;
using schema::Origin;

DecodedBy decoded_by(Origin origin) noexcept {
    switch (origin) {
    case Origin::tracelogging:
        return DecodedBy::tracelogging;
    case Origin::event_info:
        return DecodedBy::event_info;
    case Origin::eventsource:
        return DecodedBy::eventsource;
    case Origin::manifest:
        return DecodedBy::manifest;
    case Origin::wevt:
        return DecodedBy::wevt;
    case Origin::mof:
        return DecodedBy::mof;
    case Origin::wpp:
        return DecodedBy::wpp;
    }
    return DecodedBy::none;
}

bool is_integer(schema::InType type) noexcept {
    using schema::InType;
    return (type >= InType::int8 && type <= InType::uint64) || type == InType::hex_int32 ||
           type == InType::hex_int64;
}

std::optional<std::string> known(std::string_view name) {
    return name.empty() ? std::nullopt : std::optional<std::string>(name);
}

/// Builds the variants of one kind.
class Builder {
public:
    Builder(const flow::EventHeader& header, const EventItems& items,
            const schema::SchemaStore* store)
        : header_(header), items_(items), store_(store) {
        if (const auto traits = format::parse_provider_traits(items.traits);
            !items.traits.empty() && traits) {
            append_utf8(traits_name_, traits->name);
            is_of_log_ = !traits->log_origin.empty();
        }
    }

    void tracelogging() {
        auto names = std::make_shared<schema::ProviderNames>();
        names->guid = header_.provider;
        names->name = provider_name().value_or("");
        auto parsed = schema::parse_tracelogging(items_.metadata, std::move(names));
        if (!parsed) {
            nothing(Family::event, RawReason::invalid_metadata);
            variants_.back()->problem = "TraceLogging metadata: " + describe(parsed.error());
            return;
        }
        schema::apply_field_facts(*parsed);
        if (is_of_log_) {
            return log_event(std::move(*parsed));
        }
        EventKind& kind =
            owned(std::make_shared<EventSchema>(std::move(*parsed)), DecodedBy::tracelogging);
        kind.event = kind.schema->event_name;
        kind.provider = provider_name();
    }

    void string() {
        auto text = std::make_shared<EventSchema>();
        schema::Field& field = text->fields.emplace_back();
        field.name = "string";
        field.in_type = schema::InType::unicode_string;
        owned(std::move(text), DecodedBy::string).provider = provider_name();
    }

    void logfile_header() {
        EventKind& kind = owned(logfile_header_schema(), DecodedBy::mof);
        kind.provider = format::system_trace_name;
        kind.event = kind.schema->event_name;
    }

    void packed_text() {
        EventKind& kind = owned(packed_text_schema(header_.provider), DecodedBy::mof);
        name_class(header_, kind);
    }

    /// Schemas of the store that describe this id, or this class and type. Guesses come last.
    void from_store(Family family, unsigned forced_pointer_size) {
        const bool wants_class = family != Family::event;
        const schema::Match match = wants_class ? find_class() : find_event();
        for (const EventSchema* candidate : match.candidates) {
            if (describes(*candidate, wants_class)) {
                add(candidate, 0, wants_class);
            }
        }
        const EventSchema* best = variants_.empty() ? nullptr : variants_.front()->schema;
        for (const EventSchema* const candidate : match.other_builds) {
            best = best == nullptr && describes(*candidate, wants_class) ? candidate : best;
        }
        mark_guesses(match);
        const bool is_described = !variants_.empty() && !variants_.front()->is_guess;
        const Neighbors neighbors = is_described ? Neighbors{} : neighbors_of(wants_class, best);
        if (!is_described) {
            nothing(family, neighbors.nearest() != nullptr ? std::optional(RawReason::other_version)
                                                           : std::nullopt);
            std::ranges::rotate(variants_, variants_.end() - 1);
            name_as(neighbors.nearest(), wants_class);
        } else if (wants_class && forced_pointer_size == 0) {
            add_other_pointer_size();
        }
        const bool is_newest = !is_described && neighbors.above == nullptr && wants_class &&
                               is_kernel_class(header_.provider);
        add_other_builds(match.other_builds, wants_class);
        add_lower_versions(match.lower, wants_class, is_newest);
        add_other_manifests();
    }

    /// Messages of WPP, by the GUID of their source file and their number.
    void message() {
        const schema::Match match =
            store_ != nullptr ? store_->find({header_.provider, header_.id, 0}) : schema::Match{};
        for (const EventSchema* candidate : match.candidates) {
            if (candidate->origin == Origin::wpp) {
                add(candidate, 0, false).level_name = {};
            }
        }
        if (variants_.empty()) {
            nothing(Family::message);
        }
    }

    /// Names only.
    void nothing(Family family, std::optional<RawReason> why = std::nullopt) {
        EventKind& kind = *variants_.emplace_back(std::make_unique<EventKind>());
        kind.provider = provider_name();
        if (const auto* names = store_ != nullptr ? store_->provider(header_.provider) : nullptr;
            names != nullptr && names->is_guess && kind.provider == names->name) {
            kind.note = "provider by its name";
        }
        kind.raw_reason = why ? *why : raw_reason(family);
        kind.pointer_size = header_.pointer_size;
        if (family == Family::kernel || family == Family::classic) {
            name_class(header_, kind);
        } else if (family == Family::manifest_chunk) {
            kind.event = "ManifestData";
        }
    }

    Variants take() { return std::move(variants_); }

private:
    /// The schemas of the version, which are guesses, and of the next versions; null: none.
    struct Neighbors {
        const EventSchema* same = nullptr;
        const EventSchema* below = nullptr;
        const EventSchema* above = nullptr;

        const EventSchema* nearest() const noexcept {
            return same != nullptr ? same : below != nullptr ? below : above;
        }
    };

    /// An event of an event log has its fields, as text or numbers; what they mean, and how the
    /// event is called, the schema of its provider says, where there is one.
    void log_event(EventSchema fields) {
        const schema::Match match = find_event();
        const auto found = std::ranges::find_if(match.candidates, [](const EventSchema* candidate) {
            return describes(*candidate, false);
        });
        const EventSchema* const schema = found != match.candidates.end() ? *found : nullptr;
        if (schema != nullptr) {
            explain(fields, *schema);
        }
        EventKind& kind = owned(std::make_shared<EventSchema>(std::move(fields)), DecodedBy::evtx);
        kind.provider = provider_name();
        // An empty name is a name, unless an ID stands for it.
        if (!kind.schema->event_name.empty() || header_.id == 0) {
            kind.event = kind.schema->event_name;
        }
        if (schema == nullptr) {
            return;
        }
        kind.event = schema->event_name.empty() ? kind.event : known(schema->event_name);
        kind.file = store_->file_of(*schema);
        kind.task_name = kind.schema->task_name;
        kind.opcode_name = kind.schema->opcode_name;
        if (const auto* names = schema->provider.get()) {
            kind.level_name = names->level_name(header_.level);
            kind.keywords = names->keyword_names(header_.keyword);
        }
    }

    /// Gives the fields of an event of an event log the maps and forms of those that a schema
    /// describes under the same names, and the event its message.
    static void explain(EventSchema& fields, const EventSchema& schema) {
        fields.id = schema.id;
        fields.version = schema.version;
        fields.maps = schema.maps;
        fields.task_name = schema.task_name;
        fields.opcode_name = schema.opcode_name;
        fields.symbol = schema.symbol;
        if (schema.provider) {
            fields.provider = schema.provider;
        }
        const std::vector<std::uint16_t> stored = fields.top_level();
        const std::vector<std::uint16_t> described = schema.top_level();
        bool is_same = stored.size() == described.size();
        for (std::size_t i = 0; i < stored.size(); ++i) {
            schema::Field& field = fields.fields[stored[i]];
            const auto same = std::ranges::find_if(described, [&](std::uint16_t number) {
                return schema.fields[number].name == field.name;
            });
            if (same == described.end()) {
                is_same = false;
                continue;
            }
            is_same = is_same && described[i] == *same;
            const schema::Field& of = schema.fields[*same];
            // The type of a value in a log is that of the template: UInt32 shown as hexadecimal is
            // HexInt32.
            const bool is_same_number =
                is_integer(of.in_type) && is_integer(field.in_type) &&
                schema::fixed_size(of.in_type, 8) == schema::fixed_size(field.in_type, 8);
            field.map = is_same_number ? of.map : schema::Field::no_map;
            if (of.in_type == field.in_type && field.out_type == schema::OutType::none) {
                field.out_type = of.out_type;
            }
        }
        // Inserts of a message are numbers of fields.
        fields.message = is_same ? schema.message : std::string();
    }

    RawReason raw_reason(Family family) const {
        switch (family) {
        case Family::manifest_chunk:
            return RawReason::manifest_chunk;
        case Family::message:
            return RawReason::no_format;
        case Family::other:
            return RawReason::no_layout;
        case Family::kernel:
        case Family::classic:
        case Family::event:
        case Family::string:
        case Family::logfile_header:
        case Family::packed_text:
            break;
        }
        return header_.provider == format::event_metadata_guid ? RawReason::schema_record
               : is_known()                                    ? RawReason::no_schema
                                                               : RawReason::unknown_provider;
    }

    bool is_known() const {
        return header_.is_kernel || provider_name() || is_kernel_class(header_.provider);
    }

    /// Without a schema: what the trace itself says, then the store, then the table.
    std::optional<std::string> provider_name() const {
        if (!traits_name_.empty()) {
            return traits_name_;
        }
        const schema::ProviderNames* names =
            store_ != nullptr ? store_->provider(header_.provider) : nullptr;
        return names != nullptr && !names->name.empty()
                   ? names->name
                   : known(known_provider_name(header_.provider));
    }

    schema::Match find_event() const {
        return store_ != nullptr ? decode::find_event(*store_, header_, items_) : schema::Match{};
    }

    // Classes are kept under (class GUID, event type, class version).
    schema::Match find_class() const {
        return store_ != nullptr ? store_->find({header_.provider, header_.opcode, header_.version})
                                 : schema::Match{};
    }

    int likeness(const EventSchema& candidate) const noexcept {
        constexpr int channel_counts_most = 8;
        return (candidate.channel == header_.channel ? channel_counts_most : 0) +
               static_cast<int>(candidate.level == header_.level) +
               static_cast<int>(candidate.opcode == header_.opcode) +
               static_cast<int>(candidate.task == header_.task) +
               static_cast<int>(candidate.keyword == header_.keyword);
    }

    // Built-in schemas come after all others, and each after those that are as much like the
    // record: among equals the order of the store holds.
    EventKind& add(const EventSchema* candidate, std::size_t first, bool is_class) {
        const schema::SchemaFile* const file = store_->file_of(*candidate);
        const auto order = [&](const EventSchema& schema, const schema::SchemaFile* from) {
            return std::pair(from != nullptr && from->built_in, -likeness(schema));
        };
        const auto place = std::ranges::upper_bound(
            variants_.begin() + static_cast<std::ptrdiff_t>(first), variants_.end(),
            order(*candidate, file), {},
            [&](const auto& kind) { return order(*kind->schema, kind->file); });
        EventKind& kind = **variants_.insert(place, std::make_unique<EventKind>());
        kind.schema = candidate;
        kind.file = file;
        kind.decoded_by = decoded_by(candidate->origin);
        kind.plan = Plan::compile(*candidate, header_.pointer_size);
        kind.pointer_size = header_.pointer_size;
        kind.event = known(candidate->event_name);
        kind.task_name = candidate->task_name;
        kind.opcode_name = candidate->opcode_name;
        if (const auto* names = candidate->provider.get()) {
            kind.provider = known(names->name);
            kind.level_name = names->level_name(header_.level);
            kind.channel_name = names->channel_name(header_.channel);
            kind.keywords = names->keyword_names(header_.keyword);
        }
        if (!kind.provider) {
            kind.provider = provider_name();
        }
        if (is_class) {
            name_described_class(header_, kind);
        }
        return kind;
    }

    // Of an unknown build only a payload that is consumed to the last byte speaks for one of
    // several layouts: they come in the order of the store, the newest first. A GUID that was
    // computed from a name makes all layouts guesses.
    void mark_guesses(const schema::Match& match) {
        for (const auto& kind : variants_) {
            if (match.has_choice && kind->schema->builds != 0) {
                kind->is_guess = true;
                kind->note = match.is_chosen ? "newest layout that matches"
                                             : "newest layout that matches this payload";
            } else if (kind->schema->provider && kind->schema->provider->is_guess) {
                kind->is_guess = true;
                kind->note = "provider by its name";
            }
        }
        if (std::ranges::any_of(variants_, [](const auto& kind) { return kind->is_guess; })) {
            std::ranges::stable_partition(variants_,
                                          [](const auto& kind) { return !kind->is_guess; });
        }
    }

    // A server, an edition, or an update can have the layout of another build.
    void add_other_builds(const std::vector<const EventSchema*>& others, bool wants_class) {
        for (const EventSchema* candidate : others) {
            if (describes(*candidate, wants_class)) {
                EventKind& kind = add(candidate, variants_.size(), wants_class);
                kind.is_guess = true;
                kind.note = "layout of build ";
                append_decimal(kind.note, schema::nearest_build(*candidate, store_->build()));
            }
        }
    }

    // The highest version first. Versions usually append fields, but nothing makes them: only a
    // payload that is consumed to the last byte speaks for a lower one. `is_newest`: the version is
    // higher than all known ones of a class of the kernel, which hardly ever does anything else
    // (docs/decisions/0008): the highest known one is also read with more bytes after it.
    void add_lower_versions(const std::vector<const EventSchema*>& lower, bool wants_class,
                            bool is_newest) {
        std::size_t first = variants_.size(); // of the version
        const EventSchema* last = nullptr;
        const EventSchema* highest = nullptr;
        for (const EventSchema* candidate : lower) {
            if (!describes(*candidate, wants_class)) {
                continue;
            }
            if (last == nullptr || last->version != candidate->version) {
                first = variants_.size();
            }
            last = candidate;
            highest = highest == nullptr ? candidate : highest;
            EventKind& kind = add(candidate, first, wants_class);
            kind.is_guess = true;
            kind.allows_more = is_newest && candidate->version == highest->version;
            kind.note = "layout of version ";
            append_decimal(kind.note, candidate->version);
        }
    }

    /// Of an event that is not described in its own version, or only by guesses, `best` first.
    Neighbors neighbors_of(bool wants_class, const EventSchema* best) const {
        Neighbors found{.same = best};
        if (store_ == nullptr) {
            return found;
        }
        const std::vector<Guid> identities =
            wants_class ? std::vector{header_.provider} : identities_of(header_, items_);
        for (const Guid& provider : identities) {
            for (const EventSchema* schema :
                 store_->all_versions(provider, wants_class ? header_.opcode : header_.id)) {
                if (!describes(*schema, wants_class)) {
                    continue;
                }
                if (schema->version < header_.version &&
                    (found.below == nullptr || schema->version > found.below->version)) {
                    found.below = schema;
                } else if (schema->version > header_.version &&
                           (found.above == nullptr || schema->version < found.above->version)) {
                    found.above = schema;
                }
            }
            if (found.nearest() != nullptr) {
                break;
            }
        }
        return found;
    }

    /// An event keeps its name when its layout changes.
    void name_as(const EventSchema* schema, bool is_class) {
        EventKind& kind = *variants_.front();
        if (schema == nullptr || kind.event || schema->event_name.empty()) {
            return;
        }
        kind.event = schema->event_name;
        kind.task_name = schema->task_name;
        kind.opcode_name = schema->opcode_name;
        if (const auto* names = schema->provider.get(); names != nullptr && !is_class) {
            kind.level_name = names->level_name(header_.level);
            kind.channel_name = names->channel_name(header_.channel);
            kind.keywords = names->keyword_names(header_.keyword);
        }
        if (!kind.note.empty()) {
            return;
        }
        const bool is_of_version = schema->version == header_.version && !schema->any_version;
        const std::uint32_t build = schema::nearest_build(*schema, store_->build());
        if (!is_of_version) {
            kind.note = "name of version ";
            append_decimal(kind.note, schema->version);
        } else if (build != 0) {
            kind.note = "name of build ";
            append_decimal(kind.note, build);
        }
    }

    EventKind& owned(std::shared_ptr<const EventSchema> schema, DecodedBy decoded_by) {
        EventKind& kind = *variants_.emplace_back(std::make_unique<EventKind>());
        kind.schema = schema.get();
        kind.decoded_by = decoded_by;
        kind.plan = Plan::compile(*schema, header_.pointer_size);
        kind.pointer_size = header_.pointer_size;
        kind.owned = std::move(schema);
        return kind;
    }

    // Records of synthetic and relogged traces have layouts of one pointer size under headers of
    // the other. docs/format/decoding.md#pointer-size
    void add_other_pointer_size() {
        const unsigned other = header_.pointer_size == 4 ? 8 : 4;
        for (std::size_t i = 0, count = variants_.size(); i < count; ++i) {
            const EventKind& natural = *variants_[i];
            if (!natural.plan.depends_on_pointer_size()) {
                continue;
            }
            auto kind = std::make_unique<EventKind>(natural);
            kind->plan = Plan::compile(*natural.schema, other);
            kind->pointer_size = static_cast<std::uint8_t>(other);
            kind->is_guess = true;
            kind->note = "pointer size ";
            append_decimal(kind->note, other);
            kind->note += other == 8 ? " under a 32-bit header" : " under a 64-bit header";
            variants_.push_back(std::move(kind));
        }
    }

    // For events of processes that logged no manifest: any of the layouts may be theirs.
    void add_other_manifests() {
        const auto is_logged = [](const auto& kind) {
            return kind->schema != nullptr && kind->schema->logs != nullptr && !kind->is_guess;
        };
        if (std::ranges::count_if(variants_, is_logged) < 2) {
            return;
        }
        for (std::size_t i = 0, count = variants_.size(); i < count; ++i) {
            if (is_logged(variants_[i])) {
                auto kind = std::make_unique<EventKind>(*variants_[i]);
                kind->is_guess = true;
                kind->note = "one of several manifests of this EventSource";
                variants_.push_back(std::move(kind));
            }
        }
    }

    const flow::EventHeader& header_;
    const EventItems& items_;
    const schema::SchemaStore* store_;
    std::string traits_name_;
    bool is_of_log_ = false; // an event of an event log
    Variants variants_;
};

} // namespace

Variants build_kinds(const flow::EventHeader& header, const EventItems& items, Family family,
                     const schema::SchemaStore* store, const DecoderOptions& options) {
    Builder builder(header, items, store);
    if (options.payloads == Payloads::raw) {
        builder.nothing(family, RawReason::not_requested);
        return builder.take();
    }
    if (!items.metadata.empty()) {
        builder.tracelogging();
        return builder.take();
    }
    switch (family) {
    case Family::string:
        builder.string();
        break;
    case Family::logfile_header:
        builder.logfile_header();
        break;
    case Family::packed_text:
        builder.packed_text();
        break;
    case Family::event:
    case Family::classic:
    case Family::kernel:
        builder.from_store(family, options.pointer_size);
        break;
    case Family::message:
        builder.message();
        break;
    case Family::manifest_chunk:
    case Family::other:
        builder.nothing(family);
        break;
    }
    return builder.take();
}

} // namespace etl::decode
