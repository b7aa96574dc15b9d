// Arrays and batches of a few values, for tests of columnfiles.
#pragma once

#include "columns/batch.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace etl::columnfiles {

template <typename T>
columns::Array numbers(const std::vector<T>& values) {
    columns::Array array;
    array.size = values.size();
    array.bytes.assign(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    return array;
}

inline columns::Array texts(const std::vector<std::string>& values) {
    columns::Array array;
    array.size = values.size();
    array.offsets.push_back(0);
    for (const std::string& value : values) {
        array.bytes.append(value);
        array.offsets.push_back(static_cast<std::int32_t>(array.bytes.size()));
    }
    return array;
}

inline columns::Array labels(const std::vector<std::int32_t>& values,
                             const std::vector<std::string>& dictionary) {
    columns::Array array = numbers(values);
    array.dictionary = std::make_unique<columns::Array>(texts(dictionary));
    return array;
}

/// An array that has its value once, for `count` elements.
inline columns::Array repeating(columns::Array&& one, std::size_t count) {
    one.repeats = true;
    one.size = count;
    one.nulls = one.bytes.empty() ? count : 0;
    one.offsets.clear();
    return std::move(one);
}

inline columns::Batch batch_of(columns::Array&& array) {
    columns::Batch batch;
    batch.rows = array.size;
    batch.columns.push_back(std::move(array));
    return batch;
}

} // namespace etl::columnfiles
