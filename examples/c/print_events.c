/* print_events FILE [WHERE]: all fields of all events that match. */
#include <etl/etl.h>

#include <stdio.h>

int main(int count, char **arguments) {
    etl_open_options options = ETL_OPEN_OPTIONS_INIT;
    const char *path = count > 1 ? arguments[1] : "-";
    etl_trace *trace = NULL;
    etl_event *event = NULL;
    etl_error *error = NULL;
    etl_status status;

    options.where = count > 2 ? arguments[2] : NULL;
    status = etl_open(&path, 1, &options, &trace, &error);
    while (status == ETL_OK && (status = etl_trace_next(trace, &event, &error)) == ETL_OK) {
        etl_text provider = etl_event_provider(event), name = etl_event_name(event);
        etl_field field;
        printf("%.*s %.*s\n", (int)provider.size, provider.data, (int)name.size, name.data);
        for (field = etl_event_fields(event); field.node != NULL; field = etl_field_next(field)) {
            etl_text key = etl_field_name(field), text = etl_field_text(field);
            printf("  %.*s=%.*s\n", (int)key.size, key.data, (int)text.size, text.data);
        }
    }
    if (status != ETL_END) {
        fprintf(stderr, "%s\n", etl_error_message(error));
    }
    etl_error_free(error);
    etl_trace_free(trace);
    return status == ETL_END ? 0 : 2;
}
