// Assignment of schemas to traces. Schemas embedded in a trace apply to that trace only, and those
// in an input of a merge to its machine and boot, because versions of an event differ between
// machines. docs/format/decoding.md#selection
#pragma once

#include "base/number_grid.hpp"
#include "schema/schema_store.hpp"

#include <concepts>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace etl::schema {

/// A frozen store for each trace, by trace number (flow::TraceInfo::file), and for each input of a
/// merge (flow::BufferContext::merged_input). Cheap to copy; thread-safe if const.
class SchemasByTrace {
public:
    /// Store numbers are 16 bits wide.
    static constexpr std::size_t max_stores = 0xFFFF;

    /// No schemas.
    SchemasByTrace() = default;

    /// `shared` is the frozen store for all traces without their own store; null: no schemas.
    template <std::convertible_to<std::shared_ptr<const SchemaStore>> Shared>
    // NOLINTNEXTLINE(google-explicit-constructor): one store for all traces is the common case
    SchemasByTrace(Shared&& shared) : shared_(std::forward<Shared>(shared)) {}

    /// Sets the store of a trace, or of one input of a merge. `own` is frozen and usually has the
    /// shared store as its base. Several may share a store (the files of one session). Returns
    /// false, without effect, beyond `max_stores`.
    [[nodiscard]] bool set(std::uint32_t trace, std::shared_ptr<const SchemaStore> own) {
        return set(trace, 0, std::move(own));
    }

    [[nodiscard]] bool set(std::uint32_t trace, std::uint16_t merged_input,
                           std::shared_ptr<const SchemaStore> own);

    /// Returns the number of a store; traces that share a store have the same number. Input 0, and
    /// one without its own store, has that of the trace.
    std::uint16_t number_of(std::uint32_t trace, std::uint16_t merged_input = 0) const noexcept {
        return static_cast<std::uint16_t>(numbers_.at(trace, merged_input));
    }

    /// Returns the store of a trace, or of one input of a merge, or null.
    const std::shared_ptr<const SchemaStore>&
    store_for(std::uint32_t trace, std::uint16_t merged_input = 0) const noexcept {
        const std::uint16_t number = number_of(trace, merged_input);
        return number == 0 ? shared_ : own_[number - 1U];
    }

private:
    std::shared_ptr<const SchemaStore> shared_;
    std::vector<std::shared_ptr<const SchemaStore>> own_;
    NumberGrid numbers_; // by trace and input: 0 for shared_, otherwise index in own_ + 1
};

} // namespace etl::schema
