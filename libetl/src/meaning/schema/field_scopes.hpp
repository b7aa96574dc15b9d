// Which earlier field a `length` or `count` means. docs/format/decoding.md#lengths-and-counts
#pragma once

#include "schema/event_schema.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace etl::schema {

/// True for types whose value can say how many or how long.
bool is_countable(InType type) noexcept;

/// A name without blanks and colons: dumps drop them from names, not from references.
std::string bare_name(std::string_view name);

/// The fields that the next one can refer to, by name.
class FieldScopes {
public:
    /// Makes a field known; only scalar integers count. `name` must outlive this.
    void add(std::string_view name, const Field& field, std::size_t index);

    /// Members of a structure follow.
    void enter() { scopes_.emplace_back(); }

    /// The members of the innermost structure are complete: nobody outside can refer to them.
    void leave() { scopes_.pop_back(); }

    /// The index of the nearest field of this name: in the innermost structure first, then in those
    /// around it, at the top last. When none is equal, their bare names count.
    std::optional<std::size_t> find(std::string_view name) const;

private:
    struct Scope {
        std::unordered_map<std::string_view, std::size_t> by_name;
        std::unordered_map<std::string, std::size_t> by_bare_name;
    };

    std::vector<Scope> scopes_{1};
};

} // namespace etl::schema
