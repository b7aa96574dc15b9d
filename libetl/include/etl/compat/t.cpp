#include <conio.h>
int x;
