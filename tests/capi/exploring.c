/* Questions about opened traces, of C. */
#include "check.h"

#include <etl/etl.h>

static size_t column_of(const etl_table* table, const char* name) {
    etl_column column = ETL_COLUMN_INIT;
    size_t i;
    for (i = 0; etl_table_column(table, i, &column, NULL) == ETL_OK; ++i) {
        if (IS(column.name, name)) {
            return i;
        }
    }
    CHECK(!"the column exists");
    return 0;
}

static void answers_with_tables(etl_explorer* explorer) {
    etl_question question = ETL_QUESTION_INIT;
    etl_page page = ETL_PAGE_INIT;
    etl_table* table = NULL;
    etl_error* error = NULL;
    question.by = "event";
    question.sort = "events";
    question.row_count = 2;
    CHECK(etl_explorer_table(explorer, "stats", &question, &table, &page, &error) == ETL_OK);
    CHECK(etl_table_row_count(table) == 2 && page.first_row == 0 && page.rows > 2);
    CHECK(page.next_row == ETL_UNKNOWN_ROWS);
    etl_table_free(table);
    CHECK(etl_explorer_table(explorer, "teapots", NULL, &table, NULL, &error) == ETL_NOT_FOUND);
    CHECK(table == NULL && has(etl_error_message(error), "teapots"));
    etl_error_free(error);
    question.row_count = 1000000;
    CHECK(etl_explorer_table(explorer, "stats", &question, &table, NULL, &error) ==
          ETL_INVALID_ARGUMENT);
    CHECK(has(etl_error_message(error), "count"));
    etl_error_free(error);
    question.struct_size = 0;
    CHECK(etl_explorer_table(explorer, "stats", &question, &table, NULL, NULL) ==
          ETL_INVALID_ARGUMENT);
    CHECK(etl_explorer_flame(explorer, "event", NULL, &table, NULL, NULL) == ETL_OK);
    CHECK(column_of(table, "depth") == 0 && column_of(table, "weight") > 0);
    etl_table_free(table);
}

static void groups_frames(etl_explorer* explorer) {
    etl_question question = ETL_QUESTION_INIT;
    etl_table* table = NULL;
    etl_error* error = NULL;
    question.grouping = "^Process->processes;*->all";
    question.inverted = 1;
    CHECK(etl_explorer_flame(explorer, "event", &question, &table, NULL, &error) == ETL_OK);
    CHECK(etl_table_row_count(table) == 1);
    CHECK(IS(etl_table_cell(table, 0, column_of(table, "function")).text, "all"));
    CHECK(IS(etl_table_cell(table, 0, column_of(table, "kind")).text, "group"));
    etl_table_free(table);
    question.focus = "none";
    CHECK(etl_explorer_flame(explorer, "event", &question, &table, NULL, &error) == ETL_OK);
    CHECK(etl_table_row_count(table) == 0);
    etl_table_free(table);
    question.folding = "a;{b";
    CHECK(etl_explorer_flame(explorer, "event", &question, &table, NULL, &error) ==
          ETL_INVALID_ARGUMENT);
    CHECK(has(etl_error_message(error), "folding"));
    etl_error_free(error);
}

static void draws_tracks(etl_explorer* explorer) {
    static const char* const kinds[] = {"events"};
    static const char* const teapots[] = {"teapots"};
    etl_question question = ETL_QUESTION_INIT;
    etl_table* table = NULL;
    etl_error* error = NULL;
    question.columns = 10;
    question.track_kinds = kinds;
    question.track_kind_count = 1;
    CHECK(etl_explorer_lod(explorer, &question, &table, NULL, &error) == ETL_OK);
    CHECK(etl_table_row_count(table) > 0);
    CHECK(IS(etl_table_cell(table, 0, column_of(table, "track")).text, "events"));
    CHECK(etl_table_cell(table, 0, column_of(table, "count")).number > 0);
    etl_table_free(table);
    question.track_kinds = teapots;
    CHECK(etl_explorer_lod(explorer, &question, &table, NULL, &error) == ETL_INVALID_ARGUMENT);
    CHECK(has(etl_error_message(error), "teapots"));
    etl_error_free(error);
}

static void follows_threads(etl_explorer* explorer) {
    etl_question window = ETL_QUESTION_INIT;
    etl_table* table = NULL;
    etl_error* error = NULL;
    CHECK(etl_explorer_follow(explorer, 1, 4242, "+0s", NULL, &table, NULL, &error) == ETL_OK);
    CHECK(etl_table_row_count(table) == 0 && column_of(table, "waker") > 0);
    CHECK(has(etl_table_remark(table, 0).data, "4242"));
    etl_table_free(table);
    window.from = "+0s";
    window.to = "+0.001s";
    CHECK(etl_explorer_follow(explorer, 1, 4242, NULL, &window, &table, NULL, &error) == ETL_OK);
    CHECK(etl_table_row_count(table) == 1);
    CHECK(IS(etl_table_cell(table, 0, column_of(table, "state")).text, "unknown"));
    etl_table_free(table);
    CHECK(etl_explorer_follow(explorer, 9, 4242, NULL, NULL, &table, NULL, NULL) == ETL_NOT_FOUND);
}

static void answers_with_events(etl_explorer* explorer) {
    etl_question question = ETL_QUESTION_INIT;
    etl_page page = ETL_PAGE_INIT;
    etl_table* table = NULL;
    etl_event_detail* detail = NULL;
    etl_error* error = NULL;
    const etl_table* fields = NULL;
    uint32_t input, offset;
    uint64_t buffer, row;
    question.where = "event == TrainApproaches";
    question.row_count = 1;
    CHECK(etl_explorer_events(explorer, &question, &table, &page, &error) == ETL_OK);
    CHECK(etl_table_row_count(table) == 1);
    CHECK(IS(etl_table_cell(table, 0, column_of(table, "event")).text, "TrainApproaches"));
    input = (uint32_t)etl_table_cell(table, 0, column_of(table, "input")).number;
    buffer = etl_table_cell(table, 0, column_of(table, "buffer")).number;
    offset = (uint32_t)etl_table_cell(table, 0, column_of(table, "offset")).number;
    etl_table_free(table);
    CHECK(etl_explorer_event(explorer, input, buffer, offset, 7, &detail, &error) == ETL_OK);
    CHECK(has(etl_event_detail_json(detail).data, "\"Train\":\"IC 12\""));
    fields = etl_event_detail_fields(detail);
    CHECK(IS(etl_table_cell(fields, 0, column_of(fields, "field")).text, "Train"));
    CHECK(IS(etl_table_cell(fields, 0, column_of(fields, "value")).text, "IC 12"));
    CHECK(etl_table_row_count(etl_event_detail_stack(detail)) == 0);
    CHECK(etl_event_detail_header(detail).size > 0 && etl_event_detail_payload(detail).size > 5);
    CHECK(etl_event_detail_file_offset(detail) > offset);
    etl_event_detail_free(detail);
    CHECK(etl_explorer_event(explorer, input, buffer, offset + 1, 0, &detail, &error) ==
          ETL_NOT_FOUND);
    CHECK(detail == NULL && has(etl_error_message(error), "no event"));
    etl_error_free(error);
    question.where = NULL;
    CHECK(etl_explorer_search(explorer, "ic 1", &question, &table, &page, &error) == ETL_OK);
    CHECK(etl_table_row_count(table) == 1);
    row = etl_table_cell(table, 0, column_of(table, "row")).number;
    etl_table_free(table);
    question.first_row = row + 1;
    CHECK(etl_explorer_search(explorer, "ic 1", &question, &table, &page, &error) == ETL_OK);
    CHECK(etl_table_row_count(table) == 0 ||
          etl_table_cell(table, 0, column_of(table, "row")).number > row);
    etl_table_free(table);
}

int main(int count, char** arguments) {
    etl_explorer_options options = ETL_EXPLORER_OPTIONS_INIT;
    etl_explorer* explorer = NULL;
    etl_error* error = NULL;
    const char *path, *missing;
    CHECK(count == 3);
    path = path_in(arguments[1], "good/first-steps.etl");
    missing = path_in(arguments[1], "good/none.etl");
    options.threads = 1;
    CHECK(etl_explorer_open(&path, 1, &options, &explorer, &error) == ETL_OK);
    CHECK(!etl_explorer_is_indexed(explorer));
    answers_with_tables(explorer);
    answers_with_events(explorer);
    groups_frames(explorer);
    draws_tracks(explorer);
    follows_threads(explorer);
    etl_explorer_stop(explorer, 0); /* nothing is under way */
    etl_explorer_free(explorer);
    etl_explorer_free(NULL);
    CHECK(etl_explorer_open(&missing, 1, NULL, &explorer, &error) == ETL_NOT_FOUND);
    CHECK(explorer == NULL && has(etl_error_message(error), "none.etl"));
    etl_error_free(error);
    return 0;
}
