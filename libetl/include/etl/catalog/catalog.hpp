// Where schemas are found: files, folders and archives of manifests, ETL_SCHEMA_PATH, the per-user folder.
// Lazy: a file is only scanned for its provider GUIDs, and parsed when one of them is wanted. One thread.
#pragma once

#include <etl/base/function_ref.hpp>
#include <etl/base/result.hpp>
#include <etl/schema/schema_store.hpp>

#include <string>
#include <unordered_set>
#include <vector>

namespace etl::catalog {

/// What a user should hear about a schema file: refused, or used with a remark.
struct Remark {
    std::string file; // member of an archive: `archive.zip:member.man`
    std::size_t line = 0;
    std::string text;
    bool refused = false;
};

struct Options {
    std::vector<std::string> paths; // --schema, in order; files, folders or archives
    bool environment = true;        // ETL_SCHEMA_PATH and the per-user folder too
    std::string culture = "en-US";
};

class Catalog {
public:
    /// Lists and scans all paths. Errors: not_found, io_failure, malformed for a path that the user named.
    static Result<Catalog> open(const Options& options);

    /// Parses the files that define one of `providers` and adds them to `store`, in order of preference.
    void load(const std::unordered_set<Guid>& providers, schema::SchemaStore& store);
    /// Parses everything.
    void load_all(schema::SchemaStore& store);

    /// Files that were refused or remarked upon so far, in order.
    const std::vector<Remark>& remarks() const noexcept { return remarks_; }

    std::size_t files() const noexcept { return entries_.size(); }

private:
    struct Entry {
        std::string path;   // on disk
        std::string member; // inside an archive; empty: the file itself
        std::vector<Guid> providers;
        bool loaded = false;
    };

    std::vector<Entry> entries_;
    std::vector<Remark> remarks_;
    std::string culture_;
};

} // namespace etl::catalog
