// A trace on disk with all that is known of its events. For those who link etl_trace, etl_catalog
// and GTest.
#pragma once

#include "catalog/catalog.hpp"
#include "decode/harvest.hpp"
#include "trace/inputs.hpp"
#include "trace/reader.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace etl::test {

struct DecodableTrace {
    std::unique_ptr<trace::Reader> reader; // null: the file is no trace, whatever its name
    std::shared_ptr<schema::SchemaStore> store;

    template <typename Visit>
    void for_each_event(Visit visit) const {
        reader->for_each_buffer(1, [&](unsigned, const auto&, flow::Run run) {
            for (const flow::Event& event : run) {
                visit(event);
            }
        });
    }
};

/// The trace with what it carries itself, the built-in classes and `schemas`. A failure is added
/// where file or schemas cannot be opened.
inline DecodableTrace decodable_trace(const std::filesystem::path& path,
                                      const std::vector<std::string>& schemas) {
    const auto inputs = trace::open_inputs({path.string()});
    auto catalog = catalog::Catalog::open({.paths = schemas, .environment = false});
    if (inputs.files.empty() || !catalog) {
        ADD_FAILURE() << path << " or its schemas cannot be opened";
        return {};
    }
    auto reader = trace::Reader::open(inputs.files.front());
    if (!reader) {
        return {};
    }
    decode::Harvest harvest;
    (*reader)->for_each_buffer(1, [&](unsigned, const auto&, flow::Run run) { harvest.add(run); });
    auto store = std::make_shared<schema::SchemaStore>();
    harvest.finish(*store);
    catalog->load(harvest.providers(), *store);
    store->freeze();
    return {std::move(*reader), std::move(store)};
}

} // namespace etl::test
