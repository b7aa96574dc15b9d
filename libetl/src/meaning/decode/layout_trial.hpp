// Which layout the events of a trace have whose build of Windows is unknown: the newest one that
// consumes all payloads. One LayoutTrial per thread; combine() joins them.
// docs/format/decoding.md#builds
#pragma once

#include "decode/decoder.hpp"
#include "flow/source.hpp"
#include "schema/schema_store.hpp"

#include <map>
#include <memory>
#include <span>
#include <vector>

namespace etl::decode {

/// Returns the first of these layouts that consumes a payload to the last byte with plausible
/// values; null: none does. `pointer_size`: 4 or 8.
const schema::EventSchema* first_that_fits(std::span<const schema::EventSchema* const> layouts,
                                           Bytes payload, unsigned pointer_size);

class LayoutTrial {
public:
    /// `store` is frozen, and its build is unknown.
    explicit LayoutTrial(std::shared_ptr<const schema::SchemaStore> store);

    /// Adds the events of one buffer; buffers may come in any order.
    void add(flow::Run events);

    /// Takes over the results of another trial with the same store. The result does not depend on
    /// how buffers are distributed.
    void combine(const LayoutTrial& other);

    /// Returns the newest layout that is left of each event that has several of them, sorted by
    /// event. Events of which none is left are omitted: each payload decides. Nothing: there are
    /// more events, or larger ones, than the limits (limits::tried_events, limits::tried_fields).
    std::vector<const schema::EventSchema*> chosen() const;

private:
    /// A layout, and whether no payload has contradicted it.
    struct Rival {
        const schema::EventSchema* schema = nullptr;
        Plan plan_of_32_bits, plan_of_64_bits;
        bool is_left = true;
    };

    /// What the store has of an event.
    struct Contest {
        bool is_known = false;     // there are schemas
        std::vector<Rival> rivals; // the newest first; empty: there is no choice
    };

    std::span<Rival> rivals_of(const flow::EventHeader& header, const EventItems& items);
    Contest* contest_of(const schema::EventKey& key);
    void add(const schema::EventKey& key, Contest contest);
    bool is_full() const noexcept;

    std::shared_ptr<const schema::SchemaStore> store_;
    std::map<schema::EventKey, Contest> events_; // by the provider that the store knows them by
    std::size_t fields_ = 0;                     // of all rivals
    FieldWalker walker_;
};

} // namespace etl::decode
