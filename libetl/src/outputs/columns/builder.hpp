// Fills columns with events: one row per event. Not thread-safe. Events of a kind seen before cause
// no allocation, except when buffers grow.
//
//     Layout layout;
//     ... layout.add(*decoded.kind) for each kind ...
//     Builder builder(layout, 65536);
//     builder.add(decoded, decoder.generation(), provider, name);
//     if (builder.is_full()) { use(builder.take()); }
#pragma once

#include "base/code_page.hpp"
#include "columns/array_builder.hpp"
#include "columns/layout.hpp"

#include <string_view>

namespace etl::columns {

class Builder {
public:
    /// `rows` of a batch: 1 to limits::batch_rows. `code_page` of 8-bit text; null: UTF-8 if valid,
    /// otherwise 1252. `spare`: memory for batches; null: all of it is new. Both outlive this.
    Builder(const Layout& layout, std::size_t rows, const CodePage* code_page = nullptr,
            SpareMemory* spare = nullptr);
    Builder(const Builder&) = delete;
    Builder& operator=(const Builder&) = delete;
    ~Builder();

    /// Adds an event as a row. In a layout with details, a name that is empty is null; so is an
    /// empty message, in a layout with messages. `generation` is that of its decoder; always use
    /// the same decoder. Values that the type of their column
    /// cannot hold (a time that nanoseconds cannot represent) and fields beyond the end of the
    /// payload are null. The traces of the events outlive the batch.
    bool add(const decode::DecodedEvent& event, std::uint32_t generation, std::string_view provider,
             std::string_view name, std::string_view message = {});

    std::size_t rows() const noexcept;

    /// Returns whether the batch has all its rows, or a column has limits::column_bytes.
    bool is_full() const noexcept;

    /// Returns the rows so far, and starts the next batch.
    Batch take();

    /// Returns the number of times that could not be represented.
    std::uint64_t unrepresentable() const noexcept;

    /// Returns the number of FILETIME and SYSTEMTIME fields that are all zeros, which are null:
    /// they were not set.
    std::uint64_t unset_times() const noexcept;

    const std::vector<BatchColumn>& columns() const noexcept;

private:
    struct State;

    std::unique_ptr<State> state_;
};

} // namespace etl::columns
