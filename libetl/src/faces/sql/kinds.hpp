// The kinds of events in the traces, each of which becomes a table. Private to sql.
#pragma once

#include <etl/guid.hpp>

#include "dataset/dataset.hpp"
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

    std::vector<Field> fields; // of all variants
};

struct Kinds {
    std::vector<Kind> list;  // by name
    std::size_t omitted = 0; // beyond limits::query_kinds
};

/// Reads the traces once, on `threads` threads; those with an index that knows the kinds, only
/// where payloads decide. Kinds without a schema have no fields, and are not part of the list.
Kinds find_kinds(dataset::Dataset& traces, const schema::SchemasByTrace& schemas, unsigned threads);

/// Returns the condition that the events of a kind match, and no others.
match::Expression condition_of(const Kind& kind);

} // namespace etl::sql
