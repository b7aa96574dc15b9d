// Which earlier field a `length` or `count` means. docs/format/decoding.md#lengths-and-counts
#pragma once

#include <etl/schema/event_schema.hpp>

#include <optional>
#include <string_view>
#include <vector>

namespace etl::schema {

/// True for types whose value can say how many or how long.
bool is_countable(InType type) noexcept;

/// The structures around the place where the next field goes. Refers to a field list that grows.
class FieldScopes {
public:
    explicit FieldScopes(std::vector<Field>& fields) : fields_(fields) {}

    /// The field just added is a structure whose members follow.
    void enter() { begins_.push_back(fields_.size()); }

    /// The members of the innermost structure are complete.
    void leave() noexcept;

    /// The nearest scalar integer field of this name: of the innermost structure first, then of
    /// those around it, the template last. When none is equal, blanks and colons are ignored: dumps
    /// drop them from names, not from references.
    std::optional<std::size_t> find(std::string_view name) const noexcept;

private:
    template <typename Matches>
    std::optional<std::size_t> find_if(Matches matches) const noexcept;

    std::vector<Field>& fields_;
    std::vector<std::size_t> begins_{
        0}; // of each scope; scope k ends before the structure of scope k + 1
};

} // namespace etl::schema
