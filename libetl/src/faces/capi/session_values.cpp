#include "capi/session_values.hpp"

#include <chrono>

namespace etl::capi {

std::expected<session::SessionOptions, etl_error> options_of(const etl_session_options* given) {
    const auto read = read_sized(given);
    if (!read) {
        return std::unexpected(read.error());
    }
    return session::SessionOptions{.name = std::string(view_of(read->name)),
                                   .clock = read->clock,
                                   .buffer_kb = read->buffer_kb,
                                   .minimum_buffers = read->minimum_buffers,
                                   .maximum_buffers = read->maximum_buffers,
                                   .maximum_file_size = read->maximum_file_size,
                                   .mode = read->mode,
                                   .flush_timer = read->flush_timer,
                                   .file = std::string(view_of(read->file))};
}

std::expected<session::EnableOptions, etl_error> options_of(const etl_enable_options* given) {
    const auto read = read_sized(given);
    if (!read) {
        return std::unexpected(read.error());
    }
    constexpr std::uint32_t max = 255;
    if (read->level > max) {
        return failed(ETL_INVALID_ARGUMENT, "a level is at most 255");
    }
    return session::EnableOptions{.level = static_cast<std::uint8_t>(read->level),
                                  .match_any = read->match_any,
                                  .match_all = read->match_all,
                                  .property = read->property,
                                  .timeout = std::chrono::milliseconds(read->timeout_ms)};
}

Outcome show(session::SessionState&& state, session::SessionState& kept, etl_session_state* to) {
    kept = std::move(state);
    if (to == nullptr) {
        return ETL_OK;
    }
    return write_sized(to, {.struct_size = 0,
                            .name = text_of(kept.options.name),
                            .file = text_of(kept.file),
                            .events_lost = kept.events_lost,
                            .id = kept.id,
                            .mode = kept.options.mode,
                            .buffer_kb = kept.options.buffer_kb,
                            .buffers = kept.number_of_buffers,
                            .free_buffers = kept.free_buffers,
                            .buffers_written = kept.buffers_written,
                            .log_buffers_lost = kept.log_buffers_lost,
                            .real_time_buffers_lost = kept.real_time_buffers_lost,
                            .consumers = kept.consumers,
                            .providers = static_cast<std::uint32_t>(kept.providers.size())});
}

} // namespace etl::capi
