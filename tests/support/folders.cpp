#include "tests/support/folders.hpp"

namespace etl::test {

std::string source_dir() {
    return ETL_SOURCE_DIR;
}

std::string shared_corpus() {
    return ETL_SHARED_CORPUS;
}

} // namespace etl::test
