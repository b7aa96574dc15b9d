/* writing CORPUS WORK: traces written and relogged through the C interface. */
#include "check.h"

#include <etl/etl.h>

static etl_builder *make_sale(int number) {
    static const char *const toppings[] = {"salt", "seeds"};
    static const int64_t weights[] = {-5, 7};
    static const uint64_t codes[] = {1, 65535};
    static const double grams[] = {0.5, -1};
    static const bool paid[] = {true, false, true};
    const int64_t baked[] = {etl_filetime(0), etl_filetime(INT64_C(1000000000))};
    etl_guid shops[2];
    unsigned i;
    etl_builder_options options = ETL_BUILDER_OPTIONS_INIT;
    etl_builder *builder = NULL;
    etl_guid guid = etl_guid_of_name("Coffee.Shop");
    options.level = 4;
    options.keyword = 2;
    shops[0] = guid;
    shops[1] = etl_guid_of_name("Tea.Shop");
    CHECK(etl_builder_create("Coffee.Shop", "Sold", &options, &builder, NULL) == ETL_OK);
    etl_builder_add_text(builder, "What", "croissant");
    etl_builder_add_signed(builder, "Order", number, 4);
    etl_builder_begin_struct(builder, "Price");
    etl_builder_add_unsigned(builder, "Cents", 250, 2);
    etl_builder_add_bool(builder, "IsPaid", true);
    etl_builder_end_struct(builder);
    etl_builder_begin_struct_array(builder, "Cups");
    for (i = 0; i < 2; ++i) {
        etl_builder_begin_struct(builder, NULL);
        etl_builder_add_unsigned(builder, "Size", i, 1);
        etl_builder_add_text(builder, "Drink", i == 0 ? "tea" : "");
        etl_builder_end_struct(builder);
    }
    etl_builder_end_struct(builder);
    etl_builder_add_text_array(builder, "Toppings", toppings, 2);
    etl_builder_add_signed_array(builder, "Weights", weights, 2, 1);
    etl_builder_add_unsigned_array(builder, "Codes", codes, 2, 2);
    etl_builder_add_double_array(builder, "Grams", grams, 2);
    etl_builder_add_bool_array(builder, "Paid", paid, 3);
    etl_builder_add_guid_array(builder, "Shops", shops, 2);
    etl_builder_add_time_array(builder, "Times", baked, 2);
    etl_builder_add_time_array(builder, "Never", NULL, 0);
    etl_builder_add_double(builder, "Warmth", 0.5);
    etl_builder_add_guid(builder, "Shop", &guid);
    etl_builder_add_time(builder, "Baked", etl_filetime(0));
    etl_builder_add_bytes(builder, "Photo", "\x01\x02", 2);
    etl_builder_add_pointer(builder, "Shelf", 0x7fff0000);
    return builder;
}

static etl_trace *open_one(const char *path) {
    etl_trace *trace = NULL;
    CHECK(etl_open(&path, 1, NULL, &trace, NULL) == ETL_OK);
    return trace;
}

/* The next event of the shop, or NULL. */
static etl_event *next_sale(etl_trace *trace) {
    etl_event *event = NULL;
    while (etl_trace_next(trace, &event, NULL) == ETL_OK) {
        if (IS(etl_event_provider(event), "Coffee.Shop")) {
            return event;
        }
    }
    return NULL;
}

static void write_sales(const char *path) {
    etl_writer_options options = ETL_WRITER_OPTIONS_INIT;
    etl_writer *writer = NULL;
    etl_error *error = NULL;
    int i;
    options.start_time = etl_filetime(INT64_C(1700000000000000000));
    options.replace = 1;
    CHECK(etl_writer_create(path, &options, &writer, NULL) == ETL_OK);
    for (i = 1; i <= 10; ++i) {
        etl_record context = ETL_RECORD_INIT;
        etl_builder *builder = make_sale(i);
        context.time = etl_filetime(INT64_C(1700000000000000000) + i * INT64_C(1000000000));
        context.process_id = 7;
        CHECK(etl_writer_add_event(writer, builder, &context, NULL) == ETL_OK);
        etl_builder_free(builder);
    }
    CHECK(etl_writer_count(writer) == 10);
    CHECK(etl_writer_flush(writer, NULL) == ETL_OK);
    CHECK(etl_writer_close(writer, NULL) == ETL_OK);
    etl_writer_free(writer);
    options.replace = 0;
    CHECK(etl_writer_create(path, &options, &writer, &error) == ETL_INVALID_ARGUMENT);
    CHECK(writer == NULL && strstr(etl_error_message(error), "exists") != NULL);
    etl_error_free(error);
}

static void reads_what_was_written(const char *path) {
    etl_trace *trace = open_one(path);
    etl_event *event = next_sale(trace);
    etl_event_header header = ETL_EVENT_HEADER_INIT;
    const etl_guid tea = etl_guid_of_name("Tea.Shop");
    etl_guid guid;
    etl_value value;
    unsigned count = 1;
    CHECK(event != NULL && etl_event_get_header(event, &header, NULL) == ETL_OK);
    CHECK(etl_unix_ns(header.time) == INT64_C(1700000001000000000));
    CHECK(header.process_id == 7 && header.thread_id == ETL_NO_ID);
    CHECK(header.level == 4 && header.keyword == 2);
    CHECK(IS(etl_field_text(etl_event_field(event, "What")), "croissant"));
    CHECK(IS(etl_field_text(etl_event_field(event, "Price")), "{Cents=250, IsPaid=true}"));
    CHECK(IS(etl_field_text(etl_event_field(event, "Cups")),
             "[{Size=0, Drink=tea}, {Size=1, Drink=}]"));
    CHECK(IS(etl_field_text(etl_event_field(event, "Toppings")), "[salt, seeds]"));
    CHECK(IS(etl_field_text(etl_event_field(event, "Weights")), "[-5, 7]"));
    CHECK(IS(etl_field_text(etl_event_field(event, "Codes")), "[1, 65535]"));
    CHECK(IS(etl_field_text(etl_event_field(event, "Grams")), "[0.5, -1]"));
    CHECK(IS(etl_field_text(etl_event_field(event, "Paid")), "[true, false, true]"));
    CHECK(etl_field_guid(etl_field_at(etl_event_field(event, "Shops"), 1), &guid, NULL) == ETL_OK);
    CHECK(memcmp(&guid, &tea, sizeof guid) == 0);
    CHECK(etl_field_value(etl_field_at(etl_event_field(event, "Times"), 1), &value, NULL) == ETL_OK);
    CHECK(value.type == ETL_TYPE_TIME && etl_unix_ns(value.as.time) == 1000000000);
    CHECK(etl_field_size(etl_event_field(event, "Never")) == 0);
    CHECK(etl_field_value(etl_event_field(event, "Baked"), &value, NULL) == ETL_OK);
    CHECK(value.type == ETL_TYPE_TIME && etl_unix_ns(value.as.time) == 0);
    CHECK(etl_field_value(etl_event_field(event, "Photo"), &value, NULL) == ETL_OK);
    CHECK(value.type == ETL_TYPE_BYTES && value.as.bytes.size == 2);
    while (next_sale(trace) != NULL) {
        ++count;
    }
    CHECK(count == 10);
    etl_trace_free(trace);
}

static void writes_records(const char *path) {
    etl_writer_options options = ETL_WRITER_OPTIONS_INIT;
    etl_record record = ETL_RECORD_INIT;
    etl_writer *writer = NULL;
    etl_trace *trace = NULL;
    etl_event *event = NULL;
    options.replace = 1;
    options.compression = ETL_COMPRESSION_XPRESS;
    CHECK(etl_writer_create(path, &options, &writer, NULL) == ETL_OK);
    record.provider = etl_guid_of_name("Coffee.Raw");
    record.id = 12;
    record.payload = "abcd";
    record.payload_size = 4;
    CHECK(etl_writer_add(writer, &record, NULL) == ETL_OK);
    record.payload_size = 70000;
    CHECK(etl_writer_add(writer, &record, NULL) == ETL_LIMIT);
    CHECK(etl_writer_close(writer, NULL) == ETL_OK);
    etl_writer_free(writer);
    trace = open_one(path);
    CHECK(etl_trace_next(trace, &event, NULL) == ETL_OK); /* the log file header */
    CHECK(etl_trace_next(trace, &event, NULL) == ETL_OK);
    CHECK(IS(etl_event_name(event), "EventID(12)") && etl_event_payload(event).size == 4);
    CHECK(etl_event_fields(event).node == NULL);
    etl_trace_free(trace);
    options.compression = 9;
    CHECK(etl_writer_create(path, &options, &writer, NULL) == ETL_INVALID_ARGUMENT);
}

static void reports_what_cannot_be_built(const char *path) {
    etl_writer_options options = ETL_WRITER_OPTIONS_INIT;
    etl_writer *writer = NULL;
    etl_builder *builder = NULL;
    etl_error *error = NULL;
    const uint64_t large = 256;
    int i;
    options.replace = 1;
    CHECK(etl_writer_create(path, &options, &writer, NULL) == ETL_OK);
    CHECK(etl_builder_create("", "Sold", NULL, &builder, NULL) == ETL_INVALID_ARGUMENT);
    CHECK(etl_builder_create("Coffee.Shop", "Sold", NULL, &builder, NULL) == ETL_OK);
    etl_builder_add_signed(builder, "Small", 300, 1);
    CHECK(etl_writer_add_event(writer, builder, NULL, &error) == ETL_INVALID_ARGUMENT);
    CHECK(strstr(etl_error_message(error), "range") != NULL);
    etl_error_free(error);
    etl_builder_clear(builder);
    etl_builder_add_unsigned_array(builder, "Large", &large, 1, 1);
    CHECK(etl_writer_add_event(writer, builder, NULL, NULL) == ETL_INVALID_ARGUMENT);
    etl_builder_clear(builder);
    etl_builder_begin_struct(builder, "Open");
    CHECK(etl_writer_add_event(writer, builder, NULL, NULL) == ETL_INVALID_ARGUMENT);
    etl_builder_clear(builder);
    etl_builder_end_struct(builder);
    CHECK(etl_writer_add_event(writer, builder, NULL, NULL) == ETL_INVALID_ARGUMENT);
    etl_builder_clear(builder);
    etl_builder_begin_struct_array(builder, "Empty");
    etl_builder_end_struct(builder);
    CHECK(etl_writer_add_event(writer, builder, NULL, NULL) == ETL_INVALID_ARGUMENT);
    etl_builder_clear(builder);
    etl_builder_begin_struct_array(builder, "Numbers");
    etl_builder_add_unsigned(builder, "Number", 1, 4);
    etl_builder_end_struct(builder);
    CHECK(etl_writer_add_event(writer, builder, NULL, NULL) == ETL_INVALID_ARGUMENT);
    etl_builder_clear(builder);
    etl_builder_begin_struct_array(builder, "Mixed");
    for (i = 0; i < 2; ++i) {
        etl_builder_begin_struct(builder, NULL);
        etl_builder_add_unsigned(builder, "Number", 1, i == 0 ? 4 : 8);
        etl_builder_end_struct(builder);
    }
    etl_builder_end_struct(builder);
    CHECK(etl_writer_add_event(writer, builder, NULL, NULL) == ETL_LIMIT);
    etl_builder_clear(builder);
    for (i = 0; i < 200; ++i) {
        etl_builder_begin_struct(builder, "Deep");
    }
    for (i = 0; i < 200; ++i) {
        etl_builder_end_struct(builder);
    }
    CHECK(etl_writer_add_event(writer, builder, NULL, NULL) == ETL_LIMIT);
    etl_builder_clear(builder);
    CHECK(etl_writer_add_event(writer, builder, NULL, NULL) == ETL_OK);
    etl_builder_free(builder);
    CHECK(etl_writer_close(writer, NULL) == ETL_OK);
    etl_writer_free(writer);
}

/* Drops even orders, changes order 1, adds an event after order 3, and passes the others. */
static etl_status edit(void *context, etl_event *event, etl_relogger *to) {
    unsigned *seen = (unsigned *)context;
    int64_t order = 0;
    etl_change change = ETL_CHANGE_INIT;
    ++*seen;
    if (etl_field_signed(etl_event_field(event, "Order"), &order, NULL) != ETL_OK) {
        return etl_relogger_pass(to, NULL);
    }
    if (order % 2 == 0) {
        return ETL_OK;
    }
    if (order == 1) {
        change.members = ETL_CHANGE_PROCESS_ID;
        change.process_id = 99;
        return etl_relogger_emit(to, &change, NULL);
    }
    if (order == 3) {
        etl_builder *builder = make_sale(1000);
        CHECK(etl_relogger_pass(to, NULL) == ETL_OK);
        CHECK(etl_relogger_add_event(to, builder, NULL, NULL) == ETL_OK);
        etl_builder_free(builder);
        return ETL_OK;
    }
    return etl_relogger_pass(to, NULL);
}

/* Adds a record after each event. */
static etl_status add_records(void *context, etl_event *event, etl_relogger *to) {
    etl_record record = ETL_RECORD_INIT;
    etl_error *error = NULL;
    (void)context;
    (void)event;
    record.provider = etl_guid_of_name("Coffee.Raw");
    record.id = 77;
    record.process_id = 55;
    record.payload = "abcd";
    record.payload_size = 4;
    CHECK(etl_relogger_add(to, &record, NULL) == ETL_OK);
    record.struct_size = 0;
    CHECK(etl_relogger_add(to, &record, &error) == ETL_INVALID_ARGUMENT);
    CHECK(has(etl_error_message(error), "struct_size"));
    etl_error_free(error);
    return etl_relogger_pass(to, NULL);
}

static void adds_records(const char *from, const char *path) {
    etl_trace *trace = open_one(from);
    etl_event *event = NULL;
    uint64_t count = 0;
    unsigned added = 0;
    CHECK(etl_trace_relog(trace, path, true, add_records, NULL, &count, NULL) == ETL_OK);
    etl_trace_free(trace);
    trace = open_one(path);
    while (etl_trace_next(trace, &event, NULL) == ETL_OK) {
        etl_event_header header = ETL_EVENT_HEADER_INIT;
        CHECK(etl_event_get_header(event, &header, NULL) == ETL_OK);
        if (header.id == 77) {
            CHECK(IS(etl_event_name(event), "EventID(77)") && header.process_id == 55);
            CHECK(memcmp(etl_event_payload(event).data, "abcd", 4) == 0);
            ++added;
        }
    }
    CHECK(added > 0 && count >= 2 * added - 1); /* each event of the trace, and one after it */
    etl_trace_free(trace);
}

static etl_status cancel(void *context, etl_event *event, etl_relogger *to) {
    (void)context;
    (void)event;
    (void)to;
    return ETL_CANCELED;
}

/* The trace that is relogged cannot be read otherwise. */
static etl_status read_inside(void *context, etl_event *event, etl_relogger *to) {
    etl_trace *trace = (etl_trace *)context;
    etl_event *other = NULL;
    etl_error *error = NULL;
    CHECK(etl_trace_next(trace, &other, &error) == ETL_UNSUPPORTED && other == NULL);
    CHECK(strstr(etl_error_message(error), "relogs") != NULL);
    etl_error_free(error);
    CHECK(etl_trace_rewind(trace, NULL) == ETL_UNSUPPORTED);
    CHECK(etl_trace_save(trace, "none.etl", true, NULL, NULL) == ETL_UNSUPPORTED);
    CHECK(etl_event_name(event).size > 0);
    return etl_relogger_pass(to, NULL);
}

static void relogs(const char *from, const char *path) {
    etl_trace *trace = open_one(from);
    etl_event *event = NULL;
    FILE *file = NULL;
    unsigned seen = 0;
    uint64_t count = 0;
    int64_t orders[16];
    unsigned orders_seen = 0;
    CHECK(etl_trace_relog(trace, path, true, edit, &seen, &count, NULL) == ETL_OK);
    CHECK(seen == 11 && count == 6); /* 1, 3, 1000, 5, 7, 9; the writer adds the header */
    etl_trace_free(trace);
    trace = open_one(path);
    while ((event = next_sale(trace)) != NULL) {
        etl_event_header header = ETL_EVENT_HEADER_INIT;
        CHECK(etl_field_signed(etl_event_field(event, "Order"), &orders[orders_seen++], NULL) ==
              ETL_OK);
        CHECK(etl_event_get_header(event, &header, NULL) == ETL_OK);
        CHECK(header.process_id == (orders_seen == 1 ? 99 : 7));
    }
    CHECK(orders_seen == 6 && orders[0] == 1 && orders[1] == 3 && orders[2] == 1000);
    etl_trace_free(trace);
    remove(path);
    trace = open_one(from);
    CHECK(etl_trace_relog(trace, path, true, cancel, NULL, NULL, NULL) == ETL_CANCELED);
    file = fopen(path, "rb");
    CHECK(file == NULL); /* no file remains */
    CHECK(next_sale(trace) != NULL); /* the trace can still be read */
    CHECK(etl_trace_relog(trace, path, true, read_inside, trace, &count, NULL) == ETL_OK);
    CHECK(count > 0 && next_sale(trace) != NULL);
    etl_trace_free(trace);
}

int main(int count, char **arguments) {
    const char *sales = NULL;
    CHECK(count == 3);
    sales = path_in(arguments[2], "sales.etl");
    write_sales(sales);
    reads_what_was_written(sales);
    writes_records(path_in(arguments[2], "records.etl"));
    reports_what_cannot_be_built(path_in(arguments[2], "built.etl"));
    relogs(sales, path_in(arguments[2], "relogged.etl"));
    adds_records(sales, path_in(arguments[2], "added.etl"));
    puts("writing: passed");
    return 0;
}
