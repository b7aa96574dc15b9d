/* recording CORPUS WORK: sessions and tables through the C interface. */
#include "check.h"

#include <etl/etl.h>

static unsigned changes = 0;

static void on_enable(void *context, bool is_enabled, uint8_t level, uint64_t any, uint64_t all) {
    CHECK(context == &changes && all == 0);
    CHECK(!is_enabled || (level == 4 && any == 1) || (level == 255 && any == UINT64_MAX));
    ++changes;
}

struct shop {
    etl_runtime *runtime;
    etl_registration *registration;
    etl_builder *sold;
    etl_guid guid;
};

static struct shop open_shop(void) {
    struct shop shop;
    etl_builder_options options = ETL_BUILDER_OPTIONS_INIT;
    options.level = 4;
    options.keyword = 1;
    shop.guid = etl_guid_of_name("Coffee.Shop");
    CHECK(etl_runtime_create(&shop.runtime, NULL) == ETL_OK);
    CHECK(etl_provider_register(shop.runtime, "Coffee.Shop", NULL, on_enable, &changes,
                                &shop.registration, NULL) == ETL_OK);
    CHECK(etl_builder_create("Coffee.Shop", "Sold", &options, &shop.sold, NULL) == ETL_OK);
    etl_builder_add_text(shop.sold, "What", "croissant");
    return shop;
}

static void close_shop(struct shop *shop) {
    etl_builder_free(shop->sold);
    etl_registration_free(shop->registration);
    etl_runtime_free(shop->runtime);
}

static void records_to_a_file(const char *path) {
    struct shop shop = open_shop();
    etl_session_options options = ETL_SESSION_OPTIONS_INIT;
    etl_enable_options how = ETL_ENABLE_OPTIONS_INIT;
    etl_session_state state = ETL_SESSION_STATE_INIT;
    etl_session *session = NULL, *second = NULL;
    etl_builder *other = NULL;
    etl_trace *trace = NULL;
    etl_event *event = NULL;
    etl_error *error = NULL;
    unsigned i, count = 0;
    remove(path);
    CHECK(!etl_registration_is_enabled(shop.registration, 4, 1));
    CHECK(etl_registration_write(shop.registration, shop.sold, NULL, NULL) == ETL_OK);
    options.name = "Sales";
    options.file = path;
    CHECK(etl_session_start(shop.runtime, &options, &session, NULL) == ETL_OK);
    CHECK(etl_session_start(shop.runtime, &options, &second, &error) == ETL_INVALID_ARGUMENT);
    CHECK(second == NULL && strstr(etl_error_message(error), "ALREADY_EXISTS") != NULL);
    etl_error_free(error);
    how.level = 4;
    how.match_any = 1;
    how.timeout_ms = 10000;
    CHECK(etl_session_enable(session, &shop.guid, &how, NULL) == ETL_OK);
    CHECK(changes == 1);
    CHECK(etl_registration_is_enabled(shop.registration, 4, 1));
    CHECK(!etl_registration_is_enabled(shop.registration, 5, 1));
    for (i = 0; i < 100; ++i) {
        CHECK(etl_registration_write(shop.registration, shop.sold, NULL, NULL) == ETL_OK);
    }
    CHECK(etl_builder_create("Coffee.Bar", "Sold", NULL, &other, NULL) == ETL_OK);
    CHECK(etl_registration_write(shop.registration, other, NULL, NULL) == ETL_INVALID_ARGUMENT);
    etl_builder_free(other);
    CHECK(etl_session_query(session, &state, NULL) == ETL_OK);
    CHECK(IS(state.name, "Sales") && state.providers == 1 && state.events_lost == 0);
    CHECK(etl_session_disable(session, &shop.guid, NULL) == ETL_OK);
    CHECK(etl_registration_write(shop.registration, shop.sold, NULL, NULL) == ETL_OK);
    CHECK(etl_session_stop(session, NULL, &state, NULL) == ETL_OK);
    CHECK(IS(state.file, path));
    CHECK(etl_session_stop(session, NULL, NULL, NULL) == ETL_NOT_FOUND);
    etl_session_free(session);
    close_shop(&shop);
    CHECK(etl_open(&path, 1, NULL, &trace, NULL) == ETL_OK);
    while (etl_trace_next(trace, &event, NULL) == ETL_OK) {
        count += IS(etl_event_name(event), "Sold") ? 1 : 0;
    }
    CHECK(count == 100);
    etl_trace_free(trace);
}

static void listens_to_a_session(void) {
    struct shop shop = open_shop();
    etl_session_options options = ETL_SESSION_OPTIONS_INIT;
    etl_enable_options how = ETL_ENABLE_OPTIONS_INIT;
    etl_open_options reading = ETL_OPEN_OPTIONS_INIT;
    etl_session *session = NULL;
    etl_trace *trace = NULL;
    etl_event *event = NULL;
    unsigned i, count = 0;
    options.name = "Live";
    options.mode = ETL_MODE_REAL_TIME;
    how.level = 4;
    how.match_any = 1;
    CHECK(etl_session_start(shop.runtime, &options, &session, NULL) == ETL_OK);
    CHECK(etl_session_enable(session, &shop.guid, &how, NULL) == ETL_OK);
    reading.enrich = 1;
    CHECK(etl_listen(session, &reading, &trace, NULL) == ETL_INVALID_ARGUMENT);
    reading.enrich = 0;
    reading.where = "event == Sold";
    CHECK(etl_listen(session, &reading, &trace, NULL) == ETL_OK);
    for (i = 0; i < 10; ++i) {
        CHECK(etl_registration_write(shop.registration, shop.sold, NULL, NULL) == ETL_OK);
    }
    CHECK(etl_session_stop(session, NULL, NULL, NULL) == ETL_OK);
    while (etl_trace_next(trace, &event, NULL) == ETL_OK) {
        CHECK(IS(etl_field_text(etl_event_field(event, "What")), "croissant"));
        ++count;
    }
    CHECK(count == 10);
    etl_trace_free(trace);
    etl_session_free(session);
    close_shop(&shop);
}

/* A session in memory writes a trace when it is flushed. */
static void flushes_memory(const char *path) {
    struct shop shop = open_shop();
    etl_session_options options = ETL_SESSION_OPTIONS_INIT;
    etl_session *session = NULL;
    etl_trace *trace = NULL;
    etl_event *event = NULL;
    etl_record record = ETL_RECORD_INIT;
    unsigned records = 0;
    remove(path);
    options.name = "Memory";
    options.mode = ETL_MODE_BUFFERING;
    CHECK(etl_session_start(shop.runtime, &options, &session, NULL) == ETL_OK);
    CHECK(etl_session_enable(session, &shop.guid, NULL, NULL) == ETL_OK);
    record.id = 7;
    record.level = 4;
    record.payload = "abcd";
    record.payload_size = 4;
    CHECK(etl_registration_write_record(shop.registration, &record, NULL) == ETL_OK);
    record.struct_size = 1;
    CHECK(etl_registration_write_record(shop.registration, &record, NULL) == ETL_INVALID_ARGUMENT);
    CHECK(etl_session_flush(session, path, NULL) == ETL_OK);
    CHECK(etl_open(&path, 1, NULL, &trace, NULL) == ETL_OK);
    while (etl_trace_next(trace, &event, NULL) == ETL_OK) {
        if (IS(etl_event_name(event), "EventID(7)")) {
            etl_bytes payload = etl_event_payload(event);
            CHECK(payload.size == 4 && memcmp(payload.data, "abcd", 4) == 0);
            ++records;
        }
    }
    CHECK(records == 1);
    etl_trace_free(trace);
    CHECK(etl_session_stop(session, NULL, NULL, NULL) == ETL_OK);
    CHECK(etl_session_flush(session, path, NULL) == ETL_NOT_FOUND);
    etl_session_free(session);
    close_shop(&shop);
}

/* The session still runs when its reader ends. */
static void stops_listening(void) {
    struct shop shop = open_shop();
    etl_session_options options = ETL_SESSION_OPTIONS_INIT;
    etl_session *session = NULL;
    etl_trace *trace = NULL;
    etl_event *event = NULL;
    unsigned count = 0;
    options.name = "Stopped";
    options.mode = ETL_MODE_REAL_TIME;
    CHECK(etl_session_start(shop.runtime, &options, &session, NULL) == ETL_OK);
    CHECK(etl_session_enable(session, &shop.guid, NULL, NULL) == ETL_OK);
    CHECK(etl_listen(session, NULL, &trace, NULL) == ETL_OK);
    CHECK(etl_registration_write(shop.registration, shop.sold, NULL, NULL) == ETL_OK);
    CHECK(etl_session_flush(session, NULL, NULL) == ETL_OK);
    etl_trace_stop(trace);
    while (etl_trace_next(trace, &event, NULL) == ETL_OK) {
        count += IS(etl_event_name(event), "Sold") ? 1 : 0;
    }
    CHECK(count == 1 && etl_trace_next(trace, &event, NULL) == ETL_END);
    etl_trace_free(trace);
    CHECK(etl_session_stop(session, NULL, NULL, NULL) == ETL_OK); /* it has not ended */
    etl_session_free(session);
    close_shop(&shop);
}

static void computes_tables(const char *corpus) {
    etl_table_options options = ETL_TABLE_OPTIONS_INIT;
    etl_column column = ETL_COLUMN_INIT;
    etl_table *table = NULL;
    etl_error *error = NULL;
    const char *path = path_in(corpus, "good/first-steps.etl");
    const char *missing = path_in(corpus, "good/none.etl");
    uint64_t sum = 0;
    size_t row, events = 0;
    options.by = "provider";
    CHECK(etl_table_create("stats", &path, 1, &options, &table, &error) == ETL_OK);
    CHECK(etl_table_row_count(table) >= 2);
    while (etl_table_column(table, events, &column, NULL) == ETL_OK &&
           !IS(column.name, "events")) {
        ++events;
    }
    CHECK(column.unit == ETL_UNIT_COUNT);
    for (row = 0; row < etl_table_row_count(table); ++row) {
        etl_cell cell = etl_table_cell(table, row, events);
        CHECK(cell.type == ETL_CELL_NUMBER);
        sum += cell.number;
    }
    CHECK(sum > 0 && etl_table_total(table, events).number == sum);
    CHECK(etl_table_cell(table, 0, 0).type == ETL_CELL_TEXT);
    CHECK(IS(etl_table_cell(table, 0, 0).text, "Example.SignalBox"));
    CHECK(etl_table_cell(table, row, 0).type == ETL_CELL_NULL);
    CHECK(etl_table_column(table, 999, &column, NULL) == ETL_NOT_FOUND);
    etl_table_free(table);
    CHECK(etl_table_create("none", &path, 1, NULL, &table, &error) == ETL_NOT_FOUND);
    CHECK(table == NULL && strstr(etl_error_message(error), "none") != NULL);
    etl_error_free(error);
    CHECK(etl_table_create("stats", &missing, 1, NULL, &table, NULL) == ETL_NOT_FOUND);
    options.where = "level ==";
    CHECK(etl_table_create("stats", &path, 1, &options, &table, NULL) == ETL_INVALID_ARGUMENT);
    CHECK(etl_table_kind_count() > 10 && etl_table_kind_name(0).size > 0);
    CHECK(etl_table_kind_name(etl_table_kind_count()).size == 0);
}

static void describes_tables(const char *corpus) {
    etl_column column = ETL_COLUMN_INIT;
    etl_table *table = NULL;
    etl_error *error = NULL;
    const char *path = path_in(corpus, "good/first-steps.etl");
    size_t i, columns;
    int found = 0;
    CHECK(etl_table_create("cpu", &path, 1, NULL, &table, NULL) == ETL_OK);
    columns = etl_table_column_count(table);
    CHECK(columns > 3 && etl_table_column(table, columns - 1, &column, NULL) == ETL_OK);
    CHECK(etl_table_column(table, columns, &column, &error) == ETL_NOT_FOUND);
    CHECK(etl_error_message(error)[0] != '\0');
    etl_error_free(error);
    column.struct_size = 0;
    CHECK(etl_table_column(table, 0, &column, NULL) == ETL_INVALID_ARGUMENT);
    CHECK(etl_table_remark_count(table) > 0); /* the trace has no samples */
    for (i = 0; i < etl_table_remark_count(table); ++i) {
        CHECK(etl_table_remark(table, i).size > 0);
        found = found || has(etl_table_remark(table, i).data, "samples");
    }
    CHECK(found && etl_table_remark(table, i).size == 0);
    etl_table_free(table);
    for (i = 0; !IS(etl_table_kind_name(i), "cpu"); ++i) {
        CHECK(i < etl_table_kind_count());
    }
    CHECK(IS(etl_table_kind_by(i), "process")); /* its default */
    CHECK(etl_table_kind_by(etl_table_kind_count()).size == 0);
}

int main(int count, char **arguments) {
    CHECK(count == 3);
    records_to_a_file(path_in(arguments[2], "recorded.etl"));
    listens_to_a_session();
    stops_listening();
    flushes_memory(path_in(arguments[2], "memory.etl"));
    computes_tables(arguments[1]);
    describes_tables(arguments[1]);
    puts("recording: passed");
    return 0;
}
