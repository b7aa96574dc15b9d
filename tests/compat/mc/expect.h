/* For programs that test generated headers. */
#ifndef EXPECT_H
#define EXPECT_H

#include <stdio.h>

static int g_Failures;

/* Counts what is not as it should be, and says where. */
#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            ++g_Failures;                                                                          \
        }                                                                                          \
    } while (0)

#endif
