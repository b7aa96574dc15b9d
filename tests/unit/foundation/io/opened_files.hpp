// Files that are open, and what is in them.
#pragma once

#include "io/writable_file.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace etl::io {

using Open = FileFactory::Open;

inline std::unique_ptr<WritableFile> opened(FileFactory& files, const std::string& path,
                                            Open how = Open::replace) {
    auto file = files.open(path, how);
    EXPECT_TRUE(file) << describe(file.error());
    return file ? std::move(*file) : nullptr;
}

inline std::string read(WritableFile& file, std::uint64_t where, std::size_t size) {
    std::string text(size, '?');
    const auto got = file.read_at({where}, std::as_writable_bytes(std::span(text)));
    EXPECT_TRUE(got);
    text.resize(got.value_or(0));
    return text;
}

} // namespace etl::io
