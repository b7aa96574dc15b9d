/* Ends the program if a condition is false: a C program has no GoogleTest. */
#ifndef ETL_TESTS_CAPI_CHECK_H
#define ETL_TESTS_CAPI_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                         \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* Whether a text is this one. */
#define IS(text, literal)                                                                          \
    ((text).size == strlen(literal) && memcmp((text).data, literal, strlen(literal)) == 0)

/* Whether a text contains this one. */
static inline int has(const char *text, const char *part) {
    return text != NULL && strstr(text, part) != NULL;
}

/* A path in a folder, in static memory. */
static const char *path_in(const char *folder, const char *name) {
    static char paths[8][4096];
    static unsigned next = 0;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

#endif
