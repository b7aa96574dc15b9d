// Self-describing events and records of the C interface as those of C++. Private to capi.
#pragma once

#include <etl/etl.h>
#include <etl/provider.hpp>

#include "capi/values.hpp"

#include <functional>
#include <memory>

/// The fields are kept and replayed, because structures of SelfDescribingEvent are scopes.
struct etl_builder {
    struct Item {
        enum class Kind : std::uint8_t { value, begin, begin_array, end };

        Kind kind = Kind::value;
        std::string name{};                                                // of a structure
        std::size_t elements = 0;                                          // of an array
        std::function<void(etl::provider::SelfDescribingEvent& to)> add{}; // of a value
    };

    std::unique_ptr<const etl::provider::Provider> provider; // event points to it
    etl::provider::SelfDescribingEvent event;
    std::vector<Item> items{};
    std::vector<std::size_t> open{}; // structures and arrays: indices of their first items
    const char* problem = nullptr;   // the first; null: none
};

namespace etl::capi {

/// Returns the record of the event, with time and origin of `context`. Valid until the next call
/// with the same builder.
std::expected<format::EventRecord, etl_error> record_of(etl_builder& builder,
                                                        const etl_record& context);

/// Returns the same of a record without items.
format::EventRecord record_of(const etl_record& record) noexcept;

/// Reads a record; null: without time and IDs.
std::expected<etl_record, etl_error> read_record(const etl_record* given);

} // namespace etl::capi
