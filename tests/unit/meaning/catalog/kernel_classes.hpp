// The classes that come with the library, for tests that look at all of them.
#pragma once

#include "catalog/catalog.hpp"
#include "tests/support/folders.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace etl::catalog {

/// All of them, with the remarks that loading them gave.
struct Classes {
    schema::SchemaStore store; // frozen
    std::vector<Remark> remarks;
};

inline Classes load_classes(std::vector<std::string> folders) {
    Classes classes;
    for (std::string& folder : folders) {
        folder.insert(0, test::source_dir() + "/schemas/");
    }
    auto catalog =
        Catalog::open({.paths = std::move(folders), .environment = false, .built_in = false});
    EXPECT_TRUE(catalog);
    if (catalog) {
        catalog->load_all(classes.store);
        classes.remarks = catalog->remarks();
    }
    classes.store.freeze();
    return classes;
}

inline Classes load_kernel_classes() {
    return load_classes({"kernel"});
}

/// The rows of a CSV file, quoted fields too, without its heading.
inline std::vector<std::vector<std::string>> read_csv(const std::string& path) {
    std::ifstream file(path);
    std::vector<std::vector<std::string>> rows;
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
        std::vector<std::string> fields(1);
        bool quoted = false;
        for (const char c : line) {
            if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                fields.emplace_back();
            } else if (c != '\r') {
                fields.back().push_back(c);
            }
        }
        rows.push_back(std::move(fields));
    }
    return rows;
}

inline std::vector<std::string> split(const std::string& list, char separator) {
    std::vector<std::string> parts(1);
    for (const char c : list) {
        if (c == separator) {
            parts.emplace_back();
        } else {
            parts.back().push_back(c);
        }
    }
    return parts;
}

/// Bytes that the fields [begin, end) take at least: texts are empty but have their end, arrays
/// that another field counts have no element.
inline std::size_t min_bytes(const std::vector<schema::Field>& fields, std::size_t begin,
                             std::size_t end, unsigned pointer_size) {
    using schema::Extent;
    using schema::InType;
    std::size_t sum = 0;
    for (std::size_t i = begin; i < end; i += 1U + fields[i].members) {
        const schema::Field& field = fields[i];
        std::size_t one = schema::fixed_size(field.in_type, pointer_size);
        if (field.in_type == InType::unicode_string) {
            one = field.length.kind == Extent::Kind::fixed ? 2 * field.length.value : 2;
        } else if (field.in_type == InType::ansi_string) {
            one = field.length.kind == Extent::Kind::fixed ? field.length.value : 1;
        } else if (field.in_type == InType::binary && field.length.kind == Extent::Kind::fixed) {
            one = field.length.value;
        } else if (field.in_type == InType::wbem_sid) {
            one = 4;
        } else if (field.out_type == schema::OutType::ipv6) {
            one = 16;
        } else if (field.in_type == InType::structure) {
            one = min_bytes(fields, i + 1, i + 1 + field.members, pointer_size);
        }
        const std::size_t count = field.count.kind == Extent::Kind::natural ? 1
                                  : field.count.kind == Extent::Kind::fixed ? field.count.value
                                                                            : 0;
        sum += one * count;
    }
    return sum;
}

inline std::size_t min_bytes(const schema::EventSchema& event, unsigned pointer_size) {
    return min_bytes(event.fields, 0, event.fields.size(), pointer_size);
}

} // namespace etl::catalog
