// Indexes of traces, as `etl index` writes them.
#pragma once

#include "analysis/states.hpp"
#include "dataset/dataset.hpp"
#include "gather/trace_index.hpp"

#include <fstream>
#include <string>

namespace etl::test {

/// Writes the index of a trace next to it, with states as close as it can have them: at most so
/// many, about. False: it cannot be made.
inline bool write_index(const std::string& path, std::uint64_t states) {
    auto traces = dataset::Dataset::open({path}, {.threads = 1});
    const auto key = gather::index_key_or_new();
    if (traces.is_empty() || !key) {
        return false;
    }
    traces.make_index(0);
    const trace::Reader& reader = *traces.readers().front();
    auto sections = analysis::sections_of(traces, 0, {.spacing = reader.info().file_size / states});
    if (!sections) {
        return false;
    }
    const auto bytes = gather::encoded_index(reader, *traces.inputs().front().file,
                                             *traces.indexes().front(), *key, *std::move(sections));
    std::ofstream(gather::index_path(path), std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    return true;
}

} // namespace etl::test
