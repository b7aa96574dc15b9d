// Schema sources: files, directories, and archives of manifests, class definitions, executables,
// TMFs, and program databases; ETL_SCHEMA_PATH and TRACE_FORMAT_SEARCH_PATH; the per-user
// directory; and finally the built-in schemas: kernel classes and common providers. Lazy: files are
// only scanned for provider GUIDs, and parsed when a provider is needed. Not thread-safe.
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include "base/function_ref.hpp"
#include "schema/message_table.hpp"
#include "schema/schema_set.hpp"
#include "schema/schema_store.hpp"

#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace etl::io {

class InputFile;

} // namespace etl::io

namespace etl::catalog {

/// The kind of a schema file; private to the catalog.
enum class FileKind : std::uint8_t;

class BuiltIn;
class ImageMessages;
struct MuiName;

/// A message about a schema file that was rejected, or used with a remark.
struct Remark {
    std::string file;     // for an archive member: `archive.zip:member.man`
    std::size_t line = 0; // 1-based; 0: not line-specific
    std::string text;
    bool rejected = false;
    std::size_t column = 0; // 1-based, in bytes; 0: unknown
    bool damaged = false;   // part of the file is missing; the rest is used
};

struct Options {
    std::vector<std::string> paths; // --schema, in order: files, directories, archives, or patterns
    /// Also search ETL_SCHEMA_PATH and the per-user directory, after `paths`.
    bool environment = true;
    bool built_in = true; // also search the built-in schemas, after all others
    std::string culture = "en-US";
    bool code_names = false; // schema::ManifestOptions::code_names
};

/// A parsed schema file.
struct LoadedFile {
    std::string name; // for an archive member: `archive.zip:member.man`
    Bytes content;    // valid during the call only
    std::shared_ptr<const schema::SchemaFile> file; // for SchemaStore::add
};

/// Receives the content of a schema file.
using Receiver = FunctionRef<void(const LoadedFile& file, schema::SchemaSet&& set)>;

/// Returns the build of Windows whose built-in schemas serve `build`: the newest one that is not
/// above, else the oldest.
std::uint32_t built_in_generation(std::uint32_t build) noexcept;

/// A path given by the user that cannot be used.
struct PathError {
    std::string path;
    Error error;
};

/// Returns the files that Catalog::open examines for these options, including those of the
/// environment; an archive is one file. Omits paths that cannot be listed, and .mui files of
/// executables.
std::vector<std::string> schema_files(const Options& options);

class Catalog {
public:
    /// Lists and scans all paths; directories recursively; archives are recognized by content. A
    /// file reached twice is used at its first position. Errors, only for paths in `options.paths`:
    /// not_found, io_failure, limit, and malformed (a file that neither defines a provider nor
    /// contains messages for executables that do). Problems with files found in directories, and
    /// with paths from the environment, are remarks.
    static std::expected<Catalog, PathError> open(const Options& options);

    ~Catalog();
    Catalog(Catalog&& other) noexcept;
    Catalog& operator=(Catalog&& other) noexcept;
    Catalog(const Catalog&) = delete;
    Catalog& operator=(const Catalog&) = delete;

    /// Parses the files that define one of `providers` and adds them to `store`, in the order of
    /// the paths, and by name within a directory. Files already loaded are skipped.
    void load(const std::unordered_set<Guid>& providers, schema::SchemaStore& store);
    /// Loads the files that define `provider`, and those that define the other providers of these
    /// files: however many calls there are, the files of each provider are added in the order of
    /// the paths.
    void load_related(const Guid& provider, schema::SchemaStore& store);
    /// Parses everything.
    void load_all(schema::SchemaStore& store);
    /// Parses everything and passes it to `receiver` file by file, in the order of the paths.
    void load_all(Receiver receiver);

    /// Returns the entries of Options::paths, in order, that define providers but none of whose
    /// loaded schemas is used.
    std::vector<std::string>
    unused_paths(FunctionRef<bool(const schema::EventSchema&)> is_used) const;

    /// Returns the remarks so far, in order.
    const std::vector<Remark>& remarks() const noexcept { return remarks_; }

    /// Returns the number of schema files found, loaded or not; archive members count individually,
    /// built-in schemas do not count.
    std::size_t files() const noexcept { return entries_.size(); }

private:
    struct Entry {
        std::string path;                   // path on disk
        std::string member;                 // name in the archive
        std::optional<std::size_t> ordinal; // index of the member; none: the file itself
        FileKind kind;
        std::vector<Guid> providers;
        bool loaded = false;
        std::optional<std::size_t> from; // index in named_ of the path that led to it
    };

    /// One of Options::paths, and the schemas loaded from it.
    struct NamedPath {
        std::string path;
        std::size_t entries = 0;
        std::vector<std::shared_ptr<const schema::EventSchema>> schemas;
    };

    /// The .mui file of an executable, in an archive.
    struct MuiMember {
        std::size_t ordinal = 0;
        std::size_t rank = 0; // rank of its language, CultureChain::rank
    };

    enum class Named : std::uint8_t { no, yes }; // named by the user, not found in a directory

    using Wanted = FunctionRef<bool(const Entry&)>;

    explicit Catalog(const Options& options);

    Result<void> add_path(const std::string& path);
    Result<void> add_named_path(const std::string& path);
    void add_paths_of_environment();
    Result<void> add_file(const std::string& path, Named named);
    Result<void> add_image(const std::string& path, Bytes image, Named named);
    Result<void> add_archive(const io::InputFile& archive);

    void load_if(Wanted wanted, Receiver receiver);
    void load_file(Entry& entry, Receiver receiver);
    void load_built_in(std::string_view name, std::string_view text, Receiver receiver);
    /// `members` are all members of one archive.
    void load_members(std::span<Entry> members, Wanted wanted, Receiver receiver);
    using MuiTables = std::unordered_map<std::size_t, schema::MessageTable>; // by ordinal
    static std::string mui_key(const std::string& archive, std::string_view image);
    /// Stores the file if its language is better than that of earlier ones.
    void add_mui(const std::string& archive, const MuiName& name, std::size_t ordinal);
    /// Returns the .mui file for a member; null if the archive has none.
    const MuiMember* best_mui(const Entry& member) const;
    MuiTables read_mui_members(const io::InputFile& archive, std::span<Entry* const> members);
    void load_member(const Entry& member, Bytes content, const MuiTables& texts, Receiver receiver);
    void parse(const Entry& entry, Bytes content, const schema::MessageTable& messages,
               Receiver receiver);
    void note(const std::string& file, const Error& error);
    void reject(std::string file, std::string why, std::size_t line = 0, std::size_t column = 0);

    std::vector<Entry> entries_; // members of one archive are adjacent
    std::vector<NamedPath> named_;
    std::unordered_set<std::string> seen_; // canonical paths of files
    std::vector<Remark> remarks_;
    std::string culture_;
    bool code_names_;
    std::unique_ptr<ImageMessages> image_messages_;
    std::unique_ptr<BuiltIn> built_in_;                   // null: not searched
    std::unordered_map<std::string, MuiMember> best_mui_; // best language, by mui_key
};

} // namespace etl::catalog
