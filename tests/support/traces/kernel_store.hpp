// The classes that come with the library, loaded once for all tests of a program.
#pragma once

#include "catalog/catalog.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace etl::test {

inline std::shared_ptr<const schema::SchemaStore> kernel_store() {
    static const auto store = [] {
        auto filled = std::make_shared<schema::SchemaStore>();
        auto catalog = catalog::Catalog::open({.environment = false});
        EXPECT_TRUE(catalog);
        if (catalog) {
            catalog->load_all(*filled);
        }
        filled->freeze();
        return filled;
    }();
    return store;
}

} // namespace etl::test
