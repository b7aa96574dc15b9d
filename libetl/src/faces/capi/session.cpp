#include <etl/machine.hpp>
#include <etl/session.hpp>

#include "capi/building.hpp"
#include "capi/handles.hpp"
#include "capi/session_values.hpp"

#include <mutex>

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
