// write_shapes FOLDER: writes a file or series of every mode with every compression and container
// into the folder, for decoders of others.
#include "tests/support/traces/canal_story.hpp"

#include <cstdio>
#include <exception>

int main(int count, char** arguments) {
    using namespace etl::test;
    if (count != 2) {
        std::fputs("usage: write_shapes FOLDER\n", stderr);
        return 64;
    }
    try {
        for (const FileShape& shape : file_shapes()) {
            write_shape(shape, std::string(arguments[1]) + "/", etl::io::disk());
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
