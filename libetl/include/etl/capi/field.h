/* Fields: values, arrays, and structures of an event. docs/c.md#fields
 *
 *     for (etl_field field = etl_event_fields(event); field.node != NULL;
 *          field = etl_field_next(field)) {
 *         etl_text name = etl_field_name(field), text = etl_field_text(field);
 *     }
 *
 * A field is a position that is copied freely and valid as long as its event. A missing field has
 * node NULL; it has no name, text, or members, so that calls can be chained. */
#ifndef ETL_CAPI_FIELD_H
#define ETL_CAPI_FIELD_H

#include <etl/capi/event.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Only `node` may be used, to compare it with NULL. */
typedef struct etl_field {
    etl_event *event;
    const void *node;
    const void *end;
} etl_field;

/* Types of fields. Later versions may add types; treat unknown ones as ETL_TYPE_TEXT. */
enum {
    ETL_TYPE_MISSING = 0, /* the event has no such field */
    ETL_TYPE_NULL = 1,    /* a field without a value */
    ETL_TYPE_BOOL = 2,
    ETL_TYPE_UNSIGNED = 3,
    ETL_TYPE_SIGNED = 4,
    ETL_TYPE_DOUBLE = 5,
    ETL_TYPE_TEXT = 6,
    ETL_TYPE_GUID = 7,
    ETL_TYPE_TIME = 8, /* FILETIME */
    ETL_TYPE_BYTES = 9,
    ETL_TYPE_ADDRESS = 10, /* IPv4, IPv6, socket, or MAC address, as text */
    ETL_TYPE_SID = 11,     /* as text */
    ETL_TYPE_ARRAY = 12,
    ETL_TYPE_STRUCT = 13
};

/* A value. `type` selects the member of `as`. */
typedef struct etl_value {
    uint32_t type;
    union {
        bool boolean;
        uint64_t number;    /* ETL_TYPE_UNSIGNED */
        int64_t integer;    /* ETL_TYPE_SIGNED */
        double floating;    /* ETL_TYPE_DOUBLE */
        int64_t time;       /* ETL_TYPE_TIME */
        etl_text text;      /* ETL_TYPE_TEXT, ETL_TYPE_ADDRESS, ETL_TYPE_SID */
        etl_bytes bytes;    /* ETL_TYPE_BYTES */
        etl_guid guid;      /* ETL_TYPE_GUID */
        size_t count;       /* ETL_TYPE_ARRAY, ETL_TYPE_STRUCT: elements or members */
    } as;
} etl_value;

/* Returns the first field of an event, in payload order; missing if there is none. */
ETL_API etl_field etl_event_fields(etl_event *event);

/* Returns the first top-level field with this name. */
ETL_API etl_field etl_event_field(etl_event *event, const char *name);

/* Returns the field, element, or member after this one; missing after the last. */
ETL_API etl_field etl_field_next(etl_field field);

/* Returns the first element of an array or member of a structure; missing if there is none. */
ETL_API etl_field etl_field_first(etl_field field);

/* Returns an element or member by its index. Constant time in arrays of values. */
ETL_API etl_field etl_field_at(etl_field field, size_t index);

/* Returns the first member of a structure with this name. */
ETL_API etl_field etl_field_member(etl_field field, const char *name);

/* Returns the number of elements or members; 0 for a value. */
ETL_API size_t etl_field_size(etl_field field);

/* Returns the name in the schema. An element has the name of its array. */
ETL_API etl_text etl_field_name(etl_field field);

/* Returns ETL_TYPE_... */
ETL_API uint32_t etl_field_type(etl_field field);

/* Returns the value as Windows displays it, with names of enumerations; arrays as `[a, b]`,
 * structures as `{name=a, name=b}`. */
ETL_API etl_text etl_field_text(etl_field field);

/* Returns the value. Errors: ETL_NOT_FOUND (missing). */
ETL_API etl_status etl_field_value(etl_field field, etl_value *value, etl_error **error);

/* Convert the value. Integers, Booleans, ports, and characters convert to integers; floating-point
 * numbers and all of these to double. Errors: ETL_NOT_FOUND (missing), ETL_WRONG_TYPE (the message
 * is `Drink: expected an integer, found text`), ETL_LIMIT (out of range). */
ETL_API etl_status etl_field_unsigned(etl_field field, uint64_t *value, etl_error **error);
ETL_API etl_status etl_field_signed(etl_field field, int64_t *value, etl_error **error);
ETL_API etl_status etl_field_double(etl_field field, double *value, etl_error **error);
ETL_API etl_status etl_field_guid(etl_field field, etl_guid *value, etl_error **error);
/* FILETIME, from FILETIME, SYSTEMTIME, and ticks of the session's clock. */
ETL_API etl_status etl_field_time(etl_field field, int64_t *value, etl_error **error);
/* The bytes of a value, as stored. */
ETL_API etl_status etl_field_bytes(etl_field field, etl_bytes *value, etl_error **error);

#ifdef __cplusplus
}
#endif

#endif
