/* machine WORK: a session of the machine through the C interface: this program is recorded, and controls the session as
 * well. ETL_HOST names the directory of the host, PATH that of etld; WORK is an absolute path. */
#include "check.h"

#include <etl/etl.h>

#include <time.h>

static void wait_until_enabled(const etl_registration *registration) {
    const time_t begin = time(NULL);
    while (!etl_registration_is_enabled(registration, 4, 0)) {
        CHECK(difftime(time(NULL), begin) < 30);
    }
}

static void control(etl_controller *controller, const etl_guid *shop, const char *path) {
    etl_session_options options = ETL_SESSION_OPTIONS_INIT;
    etl_enable_options how = ETL_ENABLE_OPTIONS_INIT;
    etl_session_state state = ETL_SESSION_STATE_INIT;
    etl_error *error = NULL;
    size_t count = 0;
    options.name = "Morning";
    options.file = path;
    CHECK(etl_controller_start(controller, &options, NULL) == ETL_OK);
    CHECK(etl_controller_start(controller, &options, &error) == ETL_INVALID_ARGUMENT);
    CHECK(strstr(etl_error_message(error), "ALREADY_EXISTS") != NULL);
    etl_error_free(error);
    how.level = 4;
    CHECK(etl_controller_enable(controller, "Morning", shop, &how, NULL) == ETL_OK);
    CHECK(etl_controller_enable(controller, "Evening", shop, &how, NULL) == ETL_NOT_FOUND);
    CHECK(etl_controller_list(controller, &count, NULL) == ETL_OK && count == 1);
    CHECK(etl_controller_session(controller, 0, &state, NULL) == ETL_OK);
    CHECK(IS(state.name, "Morning") && state.providers == 1);
    CHECK(etl_controller_session(controller, 1, &state, NULL) == ETL_NOT_FOUND);
}

static void query_and_flush(etl_controller *controller, const etl_guid *shop) {
    etl_session_state state = ETL_SESSION_STATE_INIT;
    CHECK(etl_controller_flush(controller, "Morning", NULL, NULL) == ETL_OK);
    CHECK(etl_controller_flush(controller, "Evening", NULL, NULL) == ETL_NOT_FOUND);
    CHECK(etl_controller_query(controller, "Morning", &state, NULL) == ETL_OK);
    CHECK(IS(state.name, "Morning") && state.providers == 1 && state.buffers_written > 0);
    CHECK(etl_controller_query(controller, "Evening", &state, NULL) == ETL_NOT_FOUND);
    CHECK(etl_controller_disable(controller, "Morning", shop, NULL) == ETL_OK);
    CHECK(etl_controller_query(controller, "Morning", &state, NULL) == ETL_OK);
    CHECK(state.providers == 0);
    CHECK(etl_controller_disable(controller, "Evening", shop, NULL) == ETL_NOT_FOUND);
}

static unsigned sold_in(const char *path) {
    etl_trace *trace = NULL;
    etl_event *event = NULL;
    unsigned count = 0;
    CHECK(etl_open(&path, 1, NULL, &trace, NULL) == ETL_OK);
    while (etl_trace_next(trace, &event, NULL) == ETL_OK) {
        count += IS(etl_event_name(event), "Sold") ? 1 : 0;
    }
    etl_trace_free(trace);
    return count;
}

int main(int count, char **arguments) {
    const char *path = path_in(arguments[1], "morning.etl");
    const etl_guid shop = etl_guid_of_name("Coffee.Shop");
    etl_builder_options level = ETL_BUILDER_OPTIONS_INIT;
    etl_session_state state = ETL_SESSION_STATE_INIT;
    etl_runtime *runtime = NULL;
    etl_registration *registration = NULL;
    etl_builder *sold = NULL;
    etl_controller *controller = NULL;
    unsigned i;
    CHECK(count == 2);
    remove(path);
    CHECK(etl_controller_connect(NULL, &controller, NULL) == ETL_OK);
    CHECK(etl_runtime_create(&runtime, NULL) == ETL_OK);
    CHECK(etl_runtime_attach(runtime, NULL) == ETL_OK);
    CHECK(etl_runtime_attach(runtime, NULL) == ETL_OK); /* again: nothing changes */
    CHECK(etl_provider_register(runtime, "Coffee.Shop", NULL, NULL, NULL, &registration, NULL) ==
          ETL_OK);
    level.level = 4;
    CHECK(etl_builder_create("Coffee.Shop", "Sold", &level, &sold, NULL) == ETL_OK);
    etl_builder_add_text(sold, "What", "croissant");
    CHECK(etl_registration_write(registration, sold, NULL, NULL) == ETL_OK); /* no session records it */
    control(controller, &shop, path);
    wait_until_enabled(registration);
    for (i = 0; i < 50; ++i) {
        CHECK(etl_registration_write(registration, sold, NULL, NULL) == ETL_OK);
    }
    query_and_flush(controller, &shop);
    CHECK(etl_controller_stop(controller, "Morning", NULL, &state, NULL) == ETL_OK);
    CHECK(IS(state.name, "Morning") && state.events_lost == 0);
    CHECK(etl_controller_stop(controller, "Morning", NULL, NULL, NULL) == ETL_NOT_FOUND);
    CHECK(sold_in(path) == 50);
    etl_builder_free(sold);
    etl_registration_free(registration);
    etl_runtime_free(runtime);
    etl_controller_free(controller);
    puts("machine: passed");
    return 0;
}
