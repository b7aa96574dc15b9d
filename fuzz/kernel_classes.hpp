// The classes that come with the library, for fuzz targets that decode by them.
#pragma once

#include "catalog/catalog.hpp"
#include "fuzz/require.hpp"

#include <memory>

namespace etl::fuzz {

inline std::shared_ptr<const schema::SchemaStore> kernel_classes() {
    auto store = std::make_shared<schema::SchemaStore>();
    auto catalog = catalog::Catalog::open({.environment = false});
    require(catalog.has_value());
    catalog->load_all(*store);
    store->freeze();
    return store;
}

} // namespace etl::fuzz
