// An executable that fetch_image.cmake brought, and what it holds.
#pragma once

#include "catalog/catalog.hpp"
#include "io/input_file.hpp"
#include "schema/image.hpp"
#include "schema/wevt.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>

namespace etl::test {

class FetchedImage : public ::testing::Test {
protected:
    void SetUp() override {
        const char* path = std::getenv("ETL_IMAGE");
        if (path == nullptr) {
            GTEST_SKIP() << "ETL_IMAGE does not say where the file is";
        }
        path_ = path;
        auto file = io::InputFile::map(path_);
        ASSERT_TRUE(file) << describe(file.error());
        file_ = *file;
    }

    Bytes bytes() const { return file_->bytes(); }

    /// Everything in it; nothing may be remarked upon.
    schema::SchemaStore load() const {
        auto catalog =
            catalog::Catalog::open({.paths = {path_}, .environment = false, .built_in = false});
        schema::SchemaStore store;
        EXPECT_TRUE(catalog);
        if (catalog) {
            catalog->load_all(store);
            EXPECT_THAT(catalog->remarks(), ::testing::IsEmpty());
        }
        store.freeze();
        return store;
    }

private:
    std::string path_;
    std::shared_ptr<const io::InputFile> file_;
};

inline const schema::EventSchema& event(const schema::SchemaStore& store,
                                        const schema::EventKey& key) {
    const auto found = store.find(key);
    if (found.candidates.empty()) {
        throw std::out_of_range("event");
    }
    return *found.candidates.front();
}

/// `name:type/out` of each field.
inline std::string fields(const schema::EventSchema& event) {
    std::string all;
    for (const schema::Field& field : event.fields) {
        all += field.name + ":" + std::string(name(field.in_type)) + "/" +
               std::string(name(field.out_type)) + " ";
    }
    return all;
}

} // namespace etl::test
