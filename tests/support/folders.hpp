// Where tests find their files. In one source, so that the others compile alike in every checkout.
#pragma once

#include <string>

namespace etl::test {

/// The folder of this checkout.
std::string source_dir();

/// ../shared/corpus: real traces, which need not be there.
std::string shared_corpus();

} // namespace etl::test
