/* Keyboard input. docs/compat.md */
#ifndef ETL_COMPAT_CONIO_H
#define ETL_COMPAT_CONIO_H

#include <stdio.h>

#define _getch() getchar()
#define getch() getchar()

#endif
