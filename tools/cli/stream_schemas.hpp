// Schemas for a trace that is read once: those that it carries apply from where they appear.
// docs/streams.md#schemas
#pragma once

#include <etl/catalog/catalog.hpp>
#include <etl/decode/harvest.hpp>
#include <etl/flow/source.hpp>
#include <etl/schema/schema_store.hpp>

#include "cli/schemas.hpp"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace cli {

/// Stores, each of which replaces the one before: schema files, and what the trace has carried so
/// far. One thread.
class StreamSchemas {
public:
    /// Nothing if a schema file that the user named cannot be used; standard error says which one.
    static std::optional<StreamSchemas> open(const SchemaOptions& options);

    /// Takes the events of a buffer that has arrived.
    void add(etl::flow::Run events);

    /// Makes a new store if `next`, an event that is about to be decoded, may need it. True: there
    /// is one.
    bool renew(const etl::flow::Event& next);

    /// Frozen.
    const std::shared_ptr<const etl::schema::SchemaStore>& newest() const noexcept {
        return newest_;
    }

    /// Counts events that are printed, to find out whether schemas come too late: all events up to
    /// end_batch() are decoded with what is newest() then.
    void count_printed(etl::flow::Run events);
    void end_batch();

    /// Where the schemas of files come from.
    const etl::catalog::Catalog& files() const noexcept { return catalog_; }

    /// Events that were counted without a schema, for which one came later.
    std::uint64_t printed_too_early() const noexcept { return printed_too_early_; }

    /// Says on standard error what was refused of what the trace carries. Call once, at the end;
    /// schema files that are refused are told when they are loaded.
    void tell_refusals(const std::string& trace) const;

private:
    using Key = etl::schema::EventKey;

    struct KeyHash {
        std::size_t operator()(const Key& key) const noexcept {
            return std::hash<etl::Guid>{}(key.provider) ^
                   ((std::size_t{key.id} << 8U | key.version) * std::size_t{0x9E3779B1U});
        }
    };

    /// Of a kind of event without a schema.
    struct Count {
        std::uint64_t printed = 0;  // in batches that have ended
        std::uint64_t in_batch = 0; // since then
    };

    /// A kind of event seen lately, and its count; null: it has a schema.
    struct Recent {
        Key key;
        Count* count = nullptr;
        bool is_set = false;
    };

    StreamSchemas(etl::catalog::Catalog catalog, bool harvests);

    void load();
    void build();
    void find_late_schemas();
    Count* count_of(const Key& key);

    etl::catalog::Catalog catalog_;
    bool harvests_;
    etl::decode::Harvest harvest_;
    etl::decode::HarvestReport report_;
    etl::schema::SchemaStore from_files_; // never frozen: it grows with the providers seen
    std::shared_ptr<const etl::schema::SchemaStore> newest_;
    std::size_t told_ = 0;                 // of the remarks of the catalog
    std::size_t found_ = 0;                // by the harvest, for newest_
    std::optional<std::uint64_t> pending_; // the first buffer with something newest_ has not
    std::uint64_t arrived_ = 0;            // where the newest buffer is in the stream
    std::uint64_t built_ = 0;              // and was when newest_ was made
    std::uint32_t builds_ = 0;
    std::unordered_map<Key, Count, KeyHash> undecoded_; // events without a schema
    std::vector<Key> in_batch_;                         // those that came since end_batch()
    std::array<Recent, 256> recent_{};
    std::uint64_t printed_too_early_ = 0;
};

/// A source over a stream that works on its schemas as events pass.
class StreamPass : public etl::flow::Source {
public:
    etl::flow::Pin pin() const final { return upstream_->pin(); }

    const etl::Error* error() const noexcept final { return upstream_->error(); }

    bool is_paused() const noexcept final { return upstream_->is_paused(); }

protected:
    StreamPass(etl::flow::Source& upstream, StreamSchemas& schemas)
        : upstream_(&upstream), schemas_(&schemas) {}

    etl::flow::Source* upstream_;
    StreamSchemas* schemas_;
};

/// Passes on the events of a stream, with schemas kept up to date: what `on_renewal` is called for.
class SchemaFeed final : public StreamPass {
public:
    SchemaFeed(etl::flow::Source& upstream, StreamSchemas& schemas)
        : StreamPass(upstream, schemas) {}

    void on_renewal(std::function<void()> call) { on_renewal_ = std::move(call); }

    etl::flow::Run next_run() override;

private:
    std::function<void()> on_renewal_;
};

/// Passes on the events that are printed, and counts them.
class PrintedEvents final : public StreamPass {
public:
    PrintedEvents(etl::flow::Source& upstream, StreamSchemas& schemas)
        : StreamPass(upstream, schemas) {}

    etl::flow::Run next_run() override;
};

} // namespace cli
