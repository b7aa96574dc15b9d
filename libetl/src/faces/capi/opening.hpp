// Opening of traces with the options of C. Private to capi.
#pragma once

#include "capi/handles.hpp"

#include <memory>

namespace etl::capi {

/// Errors: of the structure and of its values.
std::expected<TraceOptions, etl_error> options_of(const etl_open_options* given);

/// Opens a trace as `open` does with the options.
template <typename Open>
etl_status open_as(const etl_open_options* given, etl_trace** to, etl_error** error, Open&& open) {
    return guarded(error, [&]() -> Outcome {
        *to = nullptr;
        const auto options = options_of(given);
        if (!options) {
            return std::unexpected(options.error());
        }
        auto opened = open(*options);
        if (!opened) {
            return failed(opened.error());
        }
        auto made = std::make_unique<etl_trace>(*std::move(opened));
        made->has_all_events = options->where.empty() && options->from.empty() &&
                               options->to.empty() && options->part.count <= 1;
        *to = made.release();
        return ETL_OK;
    });
}

} // namespace etl::capi
