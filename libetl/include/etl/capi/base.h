/* Rules and types shared by all functions of the C interface. docs/c.md
 *
 * Errors. A function that can fail returns an etl_status. Its last parameter receives an error
 * with a message, or NULL on success; pass NULL if only the status matters. Functions that return
 * a text, bytes, a count, or a field instead return nothing (data NULL, 0) if memory is exhausted,
 * and the next etl_trace_next of their trace returns ETL_NO_MEMORY. After ETL_NO_MEMORY, a trace
 * can only be freed: all other calls return the same. No C++ exception leaves the library.
 *
 * Handles. An opaque type with a function etl_..._free belongs to the caller, who frees it once;
 * freeing NULL does nothing. Other pointers are views whose lifetime is documented.
 *
 * Threads. A handle and everything obtained from it is used by one thread at a time. Different
 * handles are independent. Exceptions are documented as "Thread-safe."
 *
 * Structures that may grow begin with `struct_size`, which the caller sets, best with the macro
 * ETL_..._INIT. The library reads and writes only that many bytes, so programs compiled with an
 * older header keep working. Zero is the default of every option.
 *
 * Paths and texts are UTF-8. Times are FILETIME: 100 ns units since 1601-01-01 UTC.
 */
#ifndef ETL_CAPI_BASE_H
#define ETL_CAPI_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) && defined(ETL_SHARED)
#define ETL_API __declspec(dllimport)
#elif defined(__GNUC__)
#define ETL_API __attribute__((visibility("default")))
#else
#define ETL_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The result of a call. Values are stable; later versions may add some. */
typedef int32_t etl_status;

enum {
    ETL_OK = 0,
    ETL_END = 1,              /* there are no more events; not an error */
    ETL_TRUNCATED = 2,        /* fewer bytes than a structure needs */
    ETL_MALFORMED = 3,        /* the bytes contradict the format */
    ETL_LIMIT = 4,            /* a limit was reached, or a number is out of range */
    ETL_NOT_A_TRACE = 5,      /* the file is something else */
    ETL_EMPTY_FILE = 6,       /* the file is empty */
    ETL_NOT_FOUND = 7,        /* no such file, field, session, or name */
    ETL_IO_FAILURE = 8,       /* the operating system reported an error: etl_error_os_code */
    ETL_UNSUPPORTED = 9,      /* valid, but not supported */
    ETL_INVALID_ARGUMENT = 10, /* an invalid argument or combination of options */
    ETL_WRONG_TYPE = 11,      /* the value of a field has another type */
    ETL_NO_MEMORY = 12,       /* memory is exhausted */
    ETL_CANCELED = 13,        /* a callback ended the call */
    ETL_INTERNAL = 14         /* an unexpected error: please report it */
};

/* Returns "ok", "end", "not found", ...: static text. An unknown status returns "unknown". */
ETL_API const char *etl_status_name(etl_status status);

/* An error. Belongs to the caller. */
typedef struct etl_error etl_error;

/* Returns the message, one or several lines without a final newline, ending with a NUL. Valid as
 * long as the error. NULL returns "". */
ETL_API const char *etl_error_message(const etl_error *error);

/* Returns the status that the failed call returned. NULL returns ETL_OK. */
ETL_API etl_status etl_error_status(const etl_error *error);

/* Returns the offset in the file, in bytes, at which the error was found; 0 if not applicable. */
ETL_API uint64_t etl_error_offset(const etl_error *error);

/* Returns errno or GetLastError for ETL_IO_FAILURE; otherwise 0. */
ETL_API int etl_error_os_code(const etl_error *error);

ETL_API void etl_error_free(etl_error *error);

/* UTF-8 text without a terminating NUL. `data` is not NULL, also if `size` is 0, unless memory is
 * exhausted. */
typedef struct etl_text {
    const char *data;
    size_t size; /* in bytes */
} etl_text;

typedef struct etl_bytes {
    const void *data;
    size_t size;
} etl_bytes;

/* A GUID in the byte order of Windows: a little-endian uint32_t and two uint16_t, then 8 bytes. */
typedef struct etl_guid {
    uint8_t bytes[16];
} etl_guid;

/* Parses `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`, in any case, with or without braces. Errors:
 * ETL_INVALID_ARGUMENT. Thread-safe. */
ETL_API etl_status etl_guid_parse(const char *text, etl_guid *guid, etl_error **error);

/* Writes the 36 lowercase characters and a NUL. Thread-safe. */
ETL_API void etl_guid_format(const etl_guid *guid, char text[37]);

/* Returns the GUID that TraceLogging and EventSource derive from the name of a provider.
 * Thread-safe. */
ETL_API etl_guid etl_guid_of_name(const char *provider);

/* Converts between FILETIME and nanoseconds since 1970-01-01 UTC. Times out of range become the
 * nearest value. Thread-safe. */
ETL_API int64_t etl_unix_ns(int64_t filetime);
ETL_API int64_t etl_filetime(int64_t unix_ns);

/* Returns the current time. Thread-safe. */
ETL_API int64_t etl_now(void);

/* Returns the version of the library, such as "0.1.0". Thread-safe. */
ETL_API const char *etl_version(void);

#ifdef __cplusplus
}
#endif

#endif
