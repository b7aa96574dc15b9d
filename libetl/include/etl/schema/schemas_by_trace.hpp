// Assignment of schemas to traces. Schemas embedded in a trace apply to that trace only, because
// versions of an event differ between machines. docs/format/decoding.md#selection
#pragma once

#include <etl/schema/schema_store.hpp>

#include <concepts>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace etl::schema {

/// A frozen store for each trace, by trace number (flow::TraceInfo::file). Cheap to copy;
/// thread-safe if const.
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

    /// Sets the store of a trace. `own` is frozen and usually has the shared store as its base.
    /// Several traces may share a store (the files of one session). Returns false, without effect,
    /// beyond `max_stores`.
    [[nodiscard]] bool set(std::uint32_t trace, std::shared_ptr<const SchemaStore> own);

    /// Returns the number of a trace's store; traces that share a store have the same number.
    std::uint16_t number_of(std::uint32_t trace) const noexcept {
        return trace < numbers_.size() ? numbers_[trace] : std::uint16_t{0};
    }

    /// Returns the store of a trace, or null.
    const std::shared_ptr<const SchemaStore>& store_for(std::uint32_t trace) const noexcept {
        const std::uint16_t number = number_of(trace);
        return number == 0 ? shared_ : own_[number - 1U];
    }

private:
    std::shared_ptr<const SchemaStore> shared_;
    std::vector<std::shared_ptr<const SchemaStore>> own_;
    std::vector<std::uint16_t> numbers_; // by trace: 0 for shared_, otherwise index in own_ + 1
};

} // namespace etl::schema
