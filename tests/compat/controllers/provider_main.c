/* The provider as a program of its own. */
#include "four.h"

int main(void) {
    return ProviderMain(0, NULL);
}
