/* rewriting CORPUS WORK: traces merged, split, repaired, and anonymized, and captures. */
#include "traces.h"

static unsigned events_in(const char *path) {
    etl_trace *trace = open_one(path, NULL);
    unsigned count = count_events(trace);
    etl_trace_free(trace);
    return count;
}

static etl_report_counts counts_of(const etl_report *report) {
    etl_report_counts counts = ETL_REPORT_COUNTS_INIT;
    CHECK(report != NULL && etl_report_get_counts(report, &counts, NULL) == ETL_OK);
    return counts;
}

static void test_merge(const char *corpus, const char *work) {
    const char *paths[2];
    const char *output = path_in(work, "merged.etl");
    const char *offset = "clock-qpc.etl";
    int64_t ticks = 10000000;
    etl_merge_options options = ETL_MERGE_OPTIONS_INIT;
    etl_file_options files = ETL_FILE_OPTIONS_INIT;
    etl_report *report = NULL;
    etl_error *error = NULL;
    paths[0] = path_in(corpus, "good/clock-qpc.etl");
    paths[1] = path_in(corpus, "good/clock-system-time.etl");
    files.replace = 1;
    options.files = &files;
    CHECK(etl_merge(paths, 2, output, &options, &report, &error) == ETL_UNSUPPORTED);
    CHECK(report == NULL && has(etl_error_message(error), "differs from"));
    etl_error_free(error);
    options.offset_inputs = &offset;
    options.offsets = &ticks;
    options.offset_count = 1;
    files.compression = ETL_COMPRESSION_XPRESS;
    CHECK(etl_merge(paths, 2, output, &options, &report, &error) == ETL_OK && error == NULL);
    CHECK(counts_of(report).events > 0 && counts_of(report).bytes > 0);
    CHECK(etl_report_part_count(report) == 0 && etl_report_remark(report, 99).size == 0);
    etl_report_free(report);
    files.replace = 0;
    CHECK(etl_merge(paths, 1, output, &options, NULL, &error) == ETL_INVALID_ARGUMENT);
    CHECK(has(etl_error_message(error), "already exists"));
    etl_error_free(error);
    files.compression = 9;
    CHECK(etl_merge(paths, 1, output, &options, NULL, NULL) == ETL_INVALID_ARGUMENT);
    options.struct_size = 1;
    CHECK(etl_merge(paths, 1, output, &options, NULL, NULL) == ETL_INVALID_ARGUMENT);
}

static void test_split(const char *corpus, const char *work) {
    const char *path = path_in(corpus, "good/first-steps.etl");
    const char *pattern = path_in(work, "part_%d.etl");
    etl_split_options options = ETL_SPLIT_OPTIONS_INIT;
    etl_file_options files = ETL_FILE_OPTIONS_INIT;
    etl_split_part part = ETL_SPLIT_PART_INIT;
    etl_report *report = NULL;
    files.replace = 1;
    options.files = &files;
    options.by = ETL_SPLIT_BY_COUNT;
    options.where = "provider == Example.SignalBox";
    CHECK(etl_split(path, pattern, &options, &report, NULL) == ETL_INVALID_ARGUMENT);
    options.limit = 2;
    CHECK(etl_split(path, pattern, &options, &report, NULL) == ETL_OK);
    CHECK(etl_report_part_count(report) > 1);
    CHECK(etl_report_part(report, 0, &part, NULL) == ETL_OK);
    CHECK(has(part.path.data, "part_1.etl") && IS(part.key, "events 1 to 2") && part.events == 2);
    CHECK(events_in(part.path.data) >= 2);
    CHECK(etl_report_part(report, 999, &part, NULL) == ETL_NOT_FOUND);
    etl_report_free(report);
    options.by = 99;
    CHECK(etl_split(path, pattern, &options, NULL, NULL) == ETL_INVALID_ARGUMENT);
}

static void test_repair(const char *corpus, const char *work) {
    const char *path = path_in(corpus, "damaged/garbage-between-buffers.etl");
    const char *output = path_in(work, "repaired.etl");
    etl_repair_options options = ETL_REPAIR_OPTIONS_INIT;
    etl_file_options files = ETL_FILE_OPTIONS_INIT;
    etl_report *report = NULL;
    files.replace = 1;
    options.files = &files;
    CHECK(etl_repair(path, output, &options, &report, NULL) == ETL_OK);
    CHECK(counts_of(report).losses > 0 && !counts_of(report).is_complete);
    CHECK(etl_report_remark_count(report) > 0 && etl_report_remark(report, 0).size > 0);
    etl_report_free(report);
    CHECK(events_in(output) > 0);
    options.header_from = path_in(corpus, "good/clock-qpc.etl");
    CHECK(etl_repair(path, output, &options, NULL, NULL) == ETL_INVALID_ARGUMENT);
}

static void test_anonymize(const char *corpus, const char *work) {
    const char *path = path_in(corpus, "good/process-activity.etl");
    const char *output = path_in(work, "anonymous.etl");
    const char *redaction = "Process/Start/CommandLine";
    etl_anonymize_options options = ETL_ANONYMIZE_OPTIONS_INIT;
    etl_file_options files = ETL_FILE_OPTIONS_INIT;
    etl_report *report = NULL;
    files.replace = 1;
    options.files = &files;
    options.key = "kettle";
    options.redactions = &redaction;
    options.redaction_count = 1;
    options.undecodable = ETL_UNDECODABLE_DROP;
    CHECK(etl_anonymize(&path, 1, output, &options, &report, NULL) == ETL_OK);
    CHECK(counts_of(report).changed_values > 0);
    etl_report_free(report);
    path = path_in(corpus, "good/every-record-kind.etl");
    options.undecodable = ETL_UNDECODABLE_REFUSE;
    CHECK(etl_anonymize(&path, 1, output, &options, &report, NULL) == ETL_UNSUPPORTED);
    CHECK(report == NULL);
}

/* Two packets of one conversation. */
static void write_packets(const char *path) {
    static const uint8_t frame[] = {
        7, 0, 0, 0, 7, 0, 0, 0, 46, 0, 0, 0,                            /* interface, size */
        2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0,                       /* Ethernet */
        0x45, 0, 0, 32, 0, 1, 0, 0, 64, 17, 0, 0, 192, 0, 2, 1, 192, 0, 2, 2, /* IPv4 */
        0x30, 0x39, 0, 53, 0, 12, 0, 0, 1, 2, 3, 4};                    /* UDP */
    etl_writer *writer = NULL;
    etl_record record = ETL_RECORD_INIT;
    CHECK(etl_writer_create(path, NULL, &writer, NULL) == ETL_OK);
    CHECK(etl_guid_parse("2ed6006e-4729-4609-b423-3ee7bcd678ef", &record.provider, NULL) == ETL_OK);
    record.id = 1001;
    record.keyword = UINT64_C(0x1C0000000); /* a complete packet, sent */
    record.payload = frame;
    record.payload_size = sizeof frame;
    CHECK(etl_writer_add(writer, &record, NULL) == ETL_OK);
    CHECK(etl_writer_add(writer, &record, NULL) == ETL_OK);
    CHECK(etl_writer_close(writer, NULL) == ETL_OK);
    etl_writer_free(writer);
}

static void test_packets(const char *corpus, const char *work) {
    const char *path = path_in(work, "packets.etl");
    const char *output = path_in(work, "packets.pcapng");
    const char *none = path_in(work, "none.pcapng");
    const char *without = path_in(corpus, "good/first-steps.etl");
    etl_packet_options options = ETL_PACKET_OPTIONS_INIT;
    etl_table *table = NULL;
    etl_column column = ETL_COLUMN_INIT;
    etl_report *report = NULL;
    remove(path);
    remove(output);
    write_packets(path);
    CHECK(etl_packets_create(&path, 1, NULL, &table, NULL) == ETL_OK);
    CHECK(etl_table_row_count(table) == 2);
    CHECK(etl_table_column(table, 0, &column, NULL) == ETL_OK && IS(column.name, "time"));
    etl_table_free(table);
    options.limit = 1;
    CHECK(etl_packets_create(&path, 1, &options, &table, NULL) == ETL_OK);
    CHECK(etl_table_row_count(table) == 1);
    etl_table_free(table);
    CHECK(etl_flows_create(&path, 1, NULL, &table, NULL) == ETL_OK);
    CHECK(etl_table_row_count(table) == 1);
    etl_table_free(table);
    CHECK(etl_write_capture(&path, 1, output, NULL, &report, NULL) == ETL_OK);
    CHECK(counts_of(report).packets == 2 && etl_report_remark_count(report) == 0);
    etl_report_free(report);
    CHECK(etl_write_capture(&path, 1, output, NULL, NULL, NULL) == ETL_INVALID_ARGUMENT);
    options.replace = 1;
    CHECK(etl_write_capture(&path, 1, output, &options, &report, NULL) == ETL_OK);
    CHECK(counts_of(report).packets == 1);
    etl_report_free(report);
    CHECK(etl_write_capture(&path, 1, path, &options, &report, NULL) == ETL_INVALID_ARGUMENT);
    CHECK(report == NULL);
    options.where = "id == 9";
    CHECK(etl_write_capture(&path, 1, none, &options, &report, NULL) == ETL_OK);
    CHECK(counts_of(report).packets == 0 && etl_report_remark_count(report) > 0);
    etl_report_free(report);
    options.where = NULL;
    CHECK(etl_write_capture(&without, 1, none, NULL, NULL, NULL) == ETL_OK);
    CHECK(fopen(none, "rb") == NULL);
    options.drops = 9;
    CHECK(etl_packets_create(&path, 1, &options, &table, NULL) == ETL_INVALID_ARGUMENT);
}

int main(int count, char **arguments) {
    const char *corpus = count > 2 ? arguments[1] : "";
    const char *work = count > 2 ? arguments[2] : "";
    CHECK(count > 2);
    test_merge(corpus, work);
    test_split(corpus, work);
    test_repair(corpus, work);
    test_anonymize(corpus, work);
    test_packets(corpus, work);
    return 0;
}
