// The kinds of events in the traces, each of which becomes a table. Private to sql.
#pragma once

#include <etl/guid.hpp>

#include "flow/event.hpp"
#include "match/expression.hpp"
#include "sql/database.hpp"
#include "sql/event_plan.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace etl::sql {

/// What precedes the IDs and the time in the header of a kernel event, without the size: together
/// with the payload, it identifies the kind. 0 for other events.
struct HookHead {
    std::uint64_t bytes = 0;

    static HookHead of(const flow::Event& event) noexcept;

    auto operator<=>(const HookHead&) const = default;
};

/// Events with the same names of provider and event, ignoring case. They can have several IDs and
/// versions, and each of these can have other fields.
struct Kind {
    /// What the events of one layout have in common.
    struct Variant {
        Guid provider_guid;
        std::uint16_t id = 0;

        auto operator<=>(const Variant&) const = default;
    };

    std::string name;                           // of the table: `Provider/Event`
    std::optional<std::string> provider, event; // none: not known
    std::set<Variant> variants;

    /// A top-level field, as in `data`.
    struct Field {
        std::string name;
        std::string_view type; // as ColumnInfo::type; `any` if it differs between variants
        Comparison comparison = Comparison::none;

        auto operator<=>(const Field&) const = default;
    };

    std::vector<Field> fields;                 // of all variants
    std::optional<std::set<HookHead>> heads{}; // of all events; none: not all are known
};

struct Kinds {
    std::vector<Kind> list;  // by name
    std::size_t omitted = 0; // beyond limits::query_kinds
};

/// Reads the traces once, on `threads` threads. Kinds without a schema have no fields, and are not
/// part of the list.
Kinds find_kinds(gather::Readers readers, const schema::SchemasByTrace& schemas, unsigned threads);

/// Returns the condition that the events of a kind match, and no others.
match::Expression condition_of(const Kind& kind);

} // namespace etl::sql
