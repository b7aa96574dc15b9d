#include <etl/etl.h>
#include <etl/machine.hpp>
#include <etl/session.hpp>

#include "capi/building.hpp"
#include "capi/handles.hpp"
#include "capi/values.hpp"

#include <chrono>
#include <mutex>

namespace etl::capi {

// Options and states of sessions between C and C++.

/// Errors: of the structure.
std::expected<session::SessionOptions, etl_error> options_of(const etl_session_options* given);
std::expected<session::EnableOptions, etl_error> options_of(const etl_enable_options* given);

/// The outcome of a call that returns nothing, or nothing that is asked for.
template <typename T>
Outcome outcome_of(const session::Outcome<T>& result) {
    return result ? Outcome(ETL_OK) : Outcome(failed(result.error()));
}

/// Keeps a state, whose texts are valid until the next, and shows it unless `to` is null.
Outcome show(session::SessionState&& state, session::SessionState& kept, etl_session_state* to);

/// The same for the outcome of a call.
inline Outcome show(session::Outcome<session::SessionState>&& state, session::SessionState& kept,
                    etl_session_state* to) {
    return state ? show(*std::move(state), kept, to) : Outcome(failed(state.error()));
}

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

using namespace etl;
using namespace etl::capi;

namespace etl::capi {

/// Lives as long as a handle of it. The attachment ends before the runtime.
struct SharedRuntime {
    session::Runtime runtime{};
    std::mutex mutex{};
    std::optional<session::Attachment> attachment{};
};

} // namespace etl::capi

struct etl_runtime {
    std::shared_ptr<SharedRuntime> shared;
};

struct etl_registration {
    std::shared_ptr<SharedRuntime> runtime;             // outlives the others
    std::unique_ptr<const provider::Provider> provider; // outlives the registration
    session::Registration registration{};
};

struct etl_session {
    std::shared_ptr<SharedRuntime> runtime;
    session::Session session;
    std::mutex mutex{};
    session::SessionState state{}; // of the last query
};

namespace {

Outcome written(const session::WriteResult& result) {
    if (result.status == session::Status::success && result.lost == 0) {
        return ETL_OK;
    }
    if (result.status == session::Status::success) {
        return failed(ETL_LIMIT, "a session lost the event");
    }
    return failed(session::Failure{.status = result.status, .what = "writing an event"});
}

} // namespace

etl_status etl_runtime_create(etl_runtime** runtime, etl_error** error) {
    return guarded(error, [&]() -> Outcome {
        *runtime = new etl_runtime{std::make_shared<SharedRuntime>()};
        return ETL_OK;
    });
}

void etl_runtime_free(etl_runtime* runtime) {
    delete runtime;
}

etl_status etl_runtime_attach(etl_runtime* runtime, etl_error** error) {
    return guarded(error, [&]() -> Outcome {
        SharedRuntime& shared = *runtime->shared;
        const std::lock_guard lock(shared.mutex);
        if (shared.attachment) {
            return ETL_OK;
        }
        auto attached = session::attach(shared.runtime);
        if (!attached) {
            return failed(attached.error());
        }
        shared.attachment.emplace(*std::move(attached));
        return ETL_OK;
    });
}

etl_status etl_provider_register(etl_runtime* runtime, const char* name, const etl_guid* guid,
                                 etl_enable_function function, void* context,
                                 etl_registration** registration, etl_error** error) {
    return guarded(error, [&]() -> Outcome {
        *registration = nullptr;
        provider::ProviderOptions identity;
        if (guid != nullptr) {
            identity.guid = guid_of(*guid);
        }
        session::EnableCallback callback;
        if (function != nullptr) {
            callback = [function, context](const session::EnableNotification& notification) {
                function(context, notification.is_enabled != 0, notification.level,
                         notification.match_any, notification.match_all);
            };
        }
        auto registered = std::make_unique<etl_registration>(
            runtime->shared, std::make_unique<const provider::Provider>(view_of(name), identity));
        auto added = runtime->shared->runtime.add(*registered->provider, std::move(callback));
        if (!added) {
            return failed(added.error());
        }
        registered->registration = *std::move(added);
        *registration = registered.release();
        return ETL_OK;
    });
}

bool etl_registration_is_enabled(const etl_registration* registration, uint8_t level,
                                 uint64_t keyword) {
    return registration->registration.is_enabled(level, keyword);
}

etl_status etl_registration_write(etl_registration* registration, etl_builder* builder,
                                  const etl_record* context, etl_error** error) {
    return guarded(error, [&]() -> Outcome {
        if (builder->provider->guid() != registration->provider->guid()) {
            return failed(ETL_INVALID_ARGUMENT, "the builder is of another provider");
        }
        if (!registration->registration.is_enabled()) {
            return ETL_OK;
        }
        const auto read = read_record(context);
        if (!read) {
            return std::unexpected(read.error());
        }
        const auto record = record_of(*builder, *read);
        return record ? written(registration->registration.write(*record))
                      : Outcome(std::unexpected(record.error()));
    });
}

etl_status etl_registration_write_record(etl_registration* registration, const etl_record* record,
                                         etl_error** error) {
    return guarded(error, [&]() -> Outcome {
        const auto read = read_record(record);
        return read ? written(registration->registration.write(record_of(*read)))
                    : Outcome(std::unexpected(read.error()));
    });
}

void etl_registration_free(etl_registration* registration) {
    delete registration;
}

etl_status etl_session_start(etl_runtime* runtime, const etl_session_options* given,
                             etl_session** session, etl_error** error) {
    return guarded(error, [&]() -> Outcome {
        *session = nullptr;
        const auto options = options_of(given);
        if (!options) {
            return std::unexpected(options.error());
        }
        const auto started = runtime->shared->runtime.start(*options);
        if (!started) {
            return failed(started.error());
        }
        *session = new etl_session{runtime->shared, *started};
        return ETL_OK;
    });
}

etl_status etl_session_enable(etl_session* session, const etl_guid* provider,
                              const etl_enable_options* given, etl_error** error) {
    return guarded(error, [&]() -> Outcome {
        const auto options = options_of(given);
        return options ? outcome_of(session->session.enable(guid_of(*provider), *options))
                       : Outcome(std::unexpected(options.error()));
    });
}

etl_status etl_session_disable(etl_session* session, const etl_guid* provider, etl_error** error) {
    return guarded(error, [&] { return outcome_of(session->session.disable(guid_of(*provider))); });
}

etl_status etl_session_flush(etl_session* session, const char* file, etl_error** error) {
    return guarded(error,
                   [&] { return outcome_of(session->session.flush(std::string(view_of(file)))); });
}

etl_status etl_session_query(etl_session* session, etl_session_state* state, etl_error** error) {
    return guarded(error, [&] {
        const std::lock_guard lock(session->mutex);
        return show(session->session.query(), session->state, state);
    });
}

etl_status etl_session_stop(etl_session* session, const char* file, etl_session_state* state,
                            etl_error** error) {
    return guarded(error, [&] {
        auto stopped = session->session.stop(std::string(view_of(file)));
        const std::lock_guard lock(session->mutex);
        return show(std::move(stopped), session->state, state);
    });
}

void etl_session_free(etl_session* session) {
    delete session;
}

etl_status etl_listen(etl_session* session, const etl_open_options* options, etl_trace** trace,
                      etl_error** error) {
    const etl_status status = open_as(options, trace, error, [&](const TraceOptions& how) {
        return Trace::listen(session->session, how);
    });
    if (status == ETL_OK) {
        (*trace)->runtime = session->runtime;
    }
    return status;
}

using namespace etl;
using namespace etl::capi;

struct etl_controller {
    machine::Controller controller;
    session::SessionState state{};                 // of the last call
    std::vector<session::SessionState> sessions{}; // of the last list
};

etl_status etl_controller_connect(const char* directory, etl_controller** controller,
                                  etl_error** error) {
    return guarded(error, [&]() -> Outcome {
        *controller = nullptr;
        auto connected =
            machine::Controller::connect({.directory = std::string(view_of(directory))});
        if (!connected) {
            return failed(connected.error());
        }
        *controller = new etl_controller{*std::move(connected)};
        return ETL_OK;
    });
}

void etl_controller_free(etl_controller* controller) {
    delete controller;
}

etl_status etl_controller_start(etl_controller* controller, const etl_session_options* given,
                                etl_error** error) {
    return guarded(error, [&]() -> Outcome {
        const auto options = options_of(given);
        return options ? outcome_of(controller->controller.start(*options))
                       : Outcome(std::unexpected(options.error()));
    });
}

etl_status etl_controller_enable(etl_controller* controller, const char* session,
                                 const etl_guid* provider, const etl_enable_options* given,
                                 etl_error** error) {
    return guarded(error, [&]() -> Outcome {
        const auto options = options_of(given);
        return options ? outcome_of(controller->controller.enable(view_of(session),
                                                                  guid_of(*provider), *options))
                       : Outcome(std::unexpected(options.error()));
    });
}

etl_status etl_controller_disable(etl_controller* controller, const char* session,
                                  const etl_guid* provider, etl_error** error) {
    return guarded(error, [&] {
        return outcome_of(controller->controller.disable(view_of(session), guid_of(*provider)));
    });
}

etl_status etl_controller_flush(etl_controller* controller, const char* session, const char* file,
                                etl_error** error) {
    return guarded(error, [&] {
        return outcome_of(
            controller->controller.flush(view_of(session), std::string(view_of(file))));
    });
}

etl_status etl_controller_query(etl_controller* controller, const char* session,
                                etl_session_state* state, etl_error** error) {
    return guarded(error, [&] {
        return show(controller->controller.query(view_of(session)), controller->state, state);
    });
}

etl_status etl_controller_stop(etl_controller* controller, const char* session, const char* file,
                               etl_session_state* state, etl_error** error) {
    return guarded(error, [&] {
        return show(controller->controller.stop(view_of(session), std::string(view_of(file))),
                    controller->state, state);
    });
}

etl_status etl_controller_list(etl_controller* controller, size_t* count, etl_error** error) {
    return guarded(error, [&]() -> Outcome {
        auto sessions = controller->controller.sessions();
        if (!sessions) {
            return failed(sessions.error());
        }
        controller->sessions = *std::move(sessions);
        *count = controller->sessions.size();
        return ETL_OK;
    });
}

etl_status etl_controller_session(etl_controller* controller, size_t index,
                                  etl_session_state* state, etl_error** error) {
    return guarded(error, [&]() -> Outcome {
        if (index >= controller->sessions.size()) {
            return failed(ETL_NOT_FOUND, "no session has this index");
        }
        session::SessionState one = controller->sessions[index];
        return show(std::move(one), controller->state, state);
    });
}
