// Schemas for lines whose payload is made from their data: looked up as for decoding, by what the
// record says. One thread.
#pragma once

#include <etl/decode/decoder.hpp>
#include <etl/schema/schema_store.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace lines {

/// Gives the schemas from outside, frozen; asked when the first line needs them, then not again.
using SchemaLoader = std::function<std::shared_ptr<const etl::schema::SchemaStore>()>;

class Schemas {
public:
    /// `load` may be empty: no schemas from outside.
    explicit Schemas(SchemaLoader load) : load_(std::move(load)) {}

    struct Found {
        const etl::schema::EventSchema* schema = nullptr; // null: none, or none that tells how the
                                                          // bytes come from the values
        std::uint32_t pointer_size = 8;
    };

    /// The schema of a record, its own metadata included. Valid until generation() changes.
    Found find(etl::Bytes record, const etl::flow::TraceInfo& trace);

    /// Counts how often schemas that came with records were forgotten.
    std::uint32_t generation() const noexcept { return decoder_ ? decoder_->generation() : 0; }

    /// The description of an event; `version` none: of its highest version. Null: there is none.
    const etl::schema::EventSchema* find(const etl::Guid& provider, std::uint16_t id,
                                         std::optional<std::uint8_t> version);

    /// The GUID of a provider by its name: as the schemas say, else as TraceLogging derives it.
    etl::Guid guid_of(std::string_view provider_name);

private:
    const etl::schema::SchemaStore* store();

    SchemaLoader load_;
    std::shared_ptr<const etl::schema::SchemaStore> store_;
    std::optional<etl::decode::Decoder> decoder_;
    std::unordered_map<std::string, etl::Guid> guids_; // by lower-case name
    std::string last_name_;                            // and the answer to it
    etl::Guid last_guid_;
};

} // namespace lines
