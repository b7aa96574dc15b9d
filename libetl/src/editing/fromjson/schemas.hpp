// Schemas for lines whose payload is made from their data: looked up as for decoding, by what the
// record says. One thread.
#pragma once

#include "decode/decoder.hpp"
#include "fromjson/draft.hpp"
#include "fromjson/line_trace.hpp"
#include "schema/schema_store.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace etl::fromjson {

class Schemas {
public:
    /// `load` may be empty: no schemas from outside.
    explicit Schemas(SchemaLoader load) : load_(std::move(load)) {}

    /// The build of Windows that the trace is of: its layouts come first. 0, as at first: unknown.
    void set_build(std::uint32_t build);

    struct Found {
        // Null: none, or none that tells how the bytes come from the values.
        const etl::schema::EventSchema* schema = nullptr;
        std::uint32_t pointer_size = 8;
    };

    /// The schema of a record, its own metadata included. Valid until generation() changes.
    Found find(etl::Bytes record, const etl::flow::TraceInfo& trace);

    /// What else the record may be: other descriptions of its event or class, and, for a class,
    /// those with the other size of pointers. Decoding chooses among them by the payload.
    /// `version`: they are of this or lower ones. Valid until the next call.
    std::span<const Found> others(const Draft& draft, const Found& first, std::uint8_t version);

    /// True for a schema that is part of the library.
    bool is_built_in(const etl::schema::EventSchema& schema);

    /// Counts how often schemas were forgotten: those that came with records, and those from
    /// outside when there are more of them.
    std::uint32_t generation() const noexcept {
        return generations_ + (decoder_ ? decoder_->generation() : 0);
    }

    /// The description of an event; `version` none: of the highest version that the build has, else
    /// of the highest one. Null: there is none.
    const etl::schema::EventSchema* find(const etl::Guid& provider, std::uint16_t id,
                                         std::optional<std::uint8_t> version);

    struct Named {
        const etl::schema::EventSchema* event = nullptr; // null: none, or several
        bool is_ambiguous = false;                       // events with different ids have the name
    };

    /// The description of an event by its name or symbol; `version` none: of its highest version.
    Named find_named(const etl::Guid& provider, std::string_view name,
                     std::optional<std::uint8_t> version);

    /// True when events of the provider are described.
    bool describes(const etl::Guid& provider);

    /// The highest described version of an event of a class; nothing: there is none.
    std::optional<std::uint8_t> highest_version(const etl::Guid& event_class, std::uint8_t type);

    /// The GUIDs of the providers with a name: as the schemas say, else the one that TraceLogging
    /// derives. Valid until the next call.
    std::span<const etl::Guid> guids_of(std::string_view provider_name);

private:
    using Events = std::vector<const etl::schema::EventSchema*>;

    const etl::schema::SchemaStore* store_with(const etl::Guid& provider);
    void use(std::shared_ptr<const etl::schema::SchemaStore> store);
    const etl::schema::EventSchema* highest_lower(const etl::flow::EventHeader& header,
                                                  bool is_class);
    bool is_better(const etl::schema::EventSchema& one,
                   const etl::schema::EventSchema& other) const;
    void index();
    void index(const etl::schema::EventSchema& schema);

    SchemaLoader load_;
    std::uint32_t build_ = 0;
    std::shared_ptr<const etl::schema::SchemaStore> loaded_;   // by load_
    bool has_all_ = false;                                     // of what load_ has,
    std::unordered_set<etl::Guid> asked_;                      // or these providers
    std::shared_ptr<const etl::schema::SchemaStore> store_;    // loaded_, for the build
    std::shared_ptr<const etl::schema::SchemaStore> previous_; // what a line found there is in use
    std::uint32_t generations_ = 0;                            // of decoders before this one
    bool is_indexed_ = false;
    std::optional<etl::decode::Decoder> decoder_;
    std::vector<Found> others_;
    std::unordered_map<std::string, std::vector<etl::Guid>> guids_; // by lower-case name
    std::unordered_map<etl::Guid, std::unordered_map<std::string_view, Events>> events_; // by name
    std::string last_name_; // and the answer to it
    std::vector<etl::Guid> last_guids_;
};

} // namespace etl::fromjson
