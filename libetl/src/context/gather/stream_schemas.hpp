// Schemas for events that come once, from a pipe, a growing file, or a live session: those that
// they carry apply from where they appear. docs/streams.md#schemas
#pragma once

#include "catalog/catalog.hpp"
#include "decode/harvest.hpp"
#include "flow/source.hpp"
#include "gather/schemas.hpp"
#include "schema/schema_store.hpp"

#include <array>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace etl::gather {

/// A series of stores, each of which replaces the one before: schema files, and the schemas that
/// the events have carried so far. Used by one thread.
class StreamSchemas {
public:
    using Remarks = std::function<void(const Remark&)>;

    /// `remarks` is also called later, when schema files are parsed. Errors: as
    /// open_schema_files().
    static std::expected<StreamSchemas, catalog::PathError> open(const SchemaOptions& options,
                                                                 Remarks remarks);

    /// Sets the build of Windows that the header of the stream records; 0, as at first: unknown.
    void set_build(std::uint32_t build);

    /// Adds events of one buffer that have arrived.
    void add(flow::Run events);

    /// Builds a new store if `next`, an event that is about to be decoded, may need it. Returns
    /// whether it did.
    bool renew(const flow::Event& next);

    /// Frozen.
    const std::shared_ptr<const schema::SchemaStore>& newest() const noexcept { return newest_; }

    /// Counts events that are printed, to detect schemas that come too late: all events up to
    /// end_batch() are decoded with newest() of that moment.
    void count_printed(flow::Run events);
    void end_batch();

    /// The schema files.
    const catalog::Catalog& files() const noexcept { return catalog_; }

    /// The number of events that were counted without a schema, for which one came later.
    std::uint64_t printed_too_early() const noexcept { return printed_too_early_; }

    /// Reports the schemas carried by the events of `trace` that were rejected. Call once, at the
    /// end.
    void report_rejections(const std::string& trace) const;

private:
    using Key = schema::EventKey;

    struct KeyHash {
        std::size_t operator()(const Key& key) const noexcept {
            return std::hash<Guid>{}(key.provider) ^
                   ((std::size_t{key.id} << 8U | key.version) * std::size_t{0x9E3779B1U});
        }
    };

    /// The first event of a kind, of a stream of an unknown build of Windows: it chooses among
    /// layouts that builds have.
    struct FirstEvent {
        unsigned pointer_size = 8;
        std::vector<std::byte> payload;
    };

    /// Events of a kind without a schema.
    struct Count {
        std::uint64_t printed = 0;  // in batches that have ended
        std::uint64_t in_batch = 0; // since then
    };

    /// A recent kind of event, and its count; null: it has a schema.
    struct Recent {
        Key key;
        Count* count = nullptr;
        bool is_set = false;
    };

    StreamSchemas(SchemaFiles files, bool harvests, Remarks remarks);

    void load();
    void renew_store();
    bool add_first_events(flow::Run events);
    void choose_layouts(const schema::SchemaStore& among, schema::SchemaStore& to);
    void find_late_schemas();
    Count* count_of(const Key& key);

    catalog::Catalog catalog_;
    std::uint32_t windows_build_ = 0;
    std::unordered_map<Key, FirstEvent, KeyHash> first_events_;
    std::size_t first_bytes_ = 0; // of their payloads
    bool harvests_;
    Remarks remarks_;
    decode::Harvest harvest_;
    decode::HarvestReport report_;
    std::shared_ptr<schema::SchemaStore> from_files_; // never frozen: it grows with the providers
    std::shared_ptr<const schema::SchemaStore> newest_;
    std::size_t reported_ = 0;             // of the remarks of the catalog
    std::size_t found_ = 0;                // by the harvest, for newest_
    std::optional<std::uint64_t> pending_; // the first buffer with something newest_ has not
    std::uint64_t arrived_ = 0;            // events
    std::uint64_t renewed_at_ = 0;         // arrived_ when newest_ was built
    std::uint32_t renewals_ = 0;
    std::unordered_map<Key, Count, KeyHash> undecoded_; // events without a schema
    std::vector<Key> in_batch_;                         // those that came since end_batch()
    std::array<Recent, 256> recent_{};
    std::uint64_t printed_too_early_ = 0;
};

/// A source over a stream that keeps its schemas up to date.
class StreamPass : public flow::Source {
public:
    flow::Pin pin() const final { return upstream_->pin(); }

    const Error* error() const noexcept final { return upstream_->error(); }

    bool is_paused() const noexcept final { return upstream_->is_paused(); }

protected:
    StreamPass(flow::Source& upstream, StreamSchemas& schemas)
        : upstream_(&upstream), schemas_(&schemas) {}

    flow::Source* upstream_;
    StreamSchemas* schemas_;
};

/// Passes on the events of a stream and renews the schemas before an event that may need it.
class SchemaFeed final : public StreamPass {
public:
    enum class Harvesting : std::uint8_t {
        on_arrival, // the caller adds events to the schemas when they arrive
        on_passage, // the feed adds them when they pass
    };

    SchemaFeed(flow::Source& upstream, StreamSchemas& schemas,
               Harvesting harvesting = Harvesting::on_arrival)
        : StreamPass(upstream, schemas), harvesting_(harvesting) {}

    /// Sets the function that is called after each renewal.
    void on_renewal(std::function<void()> call) { on_renewal_ = std::move(call); }

    flow::Run next_run() override;

private:
    Harvesting harvesting_;
    std::function<void()> on_renewal_;
};

/// Passes on the events that are printed, and counts them.
class PrintedEvents final : public StreamPass {
public:
    PrintedEvents(flow::Source& upstream, StreamSchemas& schemas) : StreamPass(upstream, schemas) {}

    flow::Run next_run() override;
};

} // namespace etl::gather
