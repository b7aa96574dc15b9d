/* One of the four as a program of its own: PROGRAM_MAIN is its function of four.h. */
#include "four.h"

int main(int argc, char** argv) {
    static TCHAR Texts[4][1024];
    TCHAR* Arguments[5] = {NULL};
    int Count = argc < 4 ? argc : 4;
    int i;
    int k;

    for (i = 0; i < Count; ++i) {
        for (k = 0; k < 1023 && argv[i][k] != 0; ++k) {
            Texts[i][k] = (TCHAR)argv[i][k];
        }
        Arguments[i] = Texts[i];
    }
    return PROGRAM_MAIN(Count, Arguments);
}
