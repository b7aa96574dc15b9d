
#include <etl/etl.h>
#include <etl/machine.hpp>

#include "capi/session_values.hpp"

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
