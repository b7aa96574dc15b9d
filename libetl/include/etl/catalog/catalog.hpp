// Where schemas are found: files, folders and archives of manifests, class definitions,
// executables, TMFs and program databases, ETL_SCHEMA_PATH and TRACE_FORMAT_SEARCH_PATH, the
// per-user folder, and behind them all the kernel's classes, which come with the library. Lazy: a
// file is only scanned for its provider GUIDs, and parsed when one of them is wanted. One thread.
#pragma once

#include <etl/base/bytes.hpp>
#include <etl/base/function_ref.hpp>
#include <etl/base/result.hpp>
#include <etl/schema/message_table.hpp>
#include <etl/schema/schema_set.hpp>
#include <etl/schema/schema_store.hpp>

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

/// What sort of file schemas lie in. Private business of the catalog but for its size.
enum class FileKind : std::uint8_t;

class ImageMessages;
struct MuiName;

/// What a user should hear about a schema file: refused, or used with a remark.
struct Remark {
    std::string file;     // member of an archive: `archive.zip:member.man`
    std::size_t line = 0; // 1-based; 0: no line is meant
    std::string text;
    bool refused = false;
    std::size_t column = 0; // 1-based, in bytes; 0: not known
    bool damaged = false;   // part of the file is missing; the rest is used
};

struct Options {
    std::vector<std::string> paths; // --schema, in order: files, folders, archives or patterns
    bool environment = true;        // ETL_SCHEMA_PATH and the per-user folder too, behind them
    bool built_in = true;           // the library's own classes of the kernel, behind all others
    std::string culture = "en-US";
};

/// A schema file that was just parsed.
struct LoadedFile {
    std::string name; // member of an archive: `archive.zip:member.man`
    Bytes content;    // valid during the call only
    bool built_in = false;
};

/// Takes what a file holds.
using Receiver = FunctionRef<void(const LoadedFile& file, schema::SchemaSet&& set)>;

/// A path that the user named and that is of no use.
struct PathError {
    std::string path;
    Error error;
};

/// The files on disk that Catalog::open looks into for these options, those of the environment
/// included; an archive counts as one file. Paths that cannot be listed are left out. The .mui
/// files beside executables are not among them.
std::vector<std::string> schema_files(const Options& options);

class Catalog {
public:
    /// Lists and scans all paths; a folder with all that is below it, an archive (recognised by its
    /// content) once. A file that is reached twice counts where it comes first. Errors, only for a
    /// path in `options.paths`: not_found, io_failure, limit, and malformed for a file that defines
    /// no provider, nor holds messages for executables that do. Whatever is wrong with a file that
    /// only lies in a folder, or with a path of the environment, is a remark.
    static std::expected<Catalog, PathError> open(const Options& options);

    ~Catalog();
    Catalog(Catalog&& other) noexcept;
    Catalog& operator=(Catalog&& other) noexcept;
    Catalog(const Catalog&) = delete;
    Catalog& operator=(const Catalog&) = delete;

    /// Parses the files that define one of `providers` and adds them to `store`, in the order of
    /// the paths, by name within a folder. What was loaded before is not loaded again.
    void load(const std::unordered_set<Guid>& providers, schema::SchemaStore& store);
    /// Parses everything.
    void load_all(schema::SchemaStore& store);
    /// Parses everything and hands it over file by file, in the order of the paths.
    void load_all(Receiver receiver);

    /// Of Options::paths, in order: those that define providers, but no schema of which that was
    /// loaded so far is used.
    std::vector<std::string>
    unused_paths(FunctionRef<bool(const schema::EventSchema&)> is_used) const;

    /// Files that were refused or remarked upon so far, in order.
    const std::vector<Remark>& remarks() const noexcept { return remarks_; }

    /// Schema files found, whether loaded or not; members of archives count each, what is built in
    /// does not.
    std::size_t files() const noexcept { return entries_.size() - built_in_; }

private:
    struct Entry {
        std::string path;                   // on disk
        std::string member;                 // its name inside an archive
        std::optional<std::size_t> ordinal; // of the member; none: the file itself
        FileKind kind;
        std::vector<Guid> providers;
        bool loaded = false;
        Bytes built_in;                  // the content, when it is part of the library
        std::optional<std::size_t> from; // which of named_ it was found by
    };

    /// One of Options::paths, and what was loaded by it.
    struct NamedPath {
        std::string path;
        std::size_t entries = 0;
        std::vector<std::shared_ptr<const schema::EventSchema>> schemas;
    };

    /// The .mui file of an executable, in an archive.
    struct MuiMember {
        std::size_t ordinal = 0;
        std::size_t rank = 0; // of its language, CultureChain::rank
    };

    enum class Named : std::uint8_t { no, yes }; // by the user, not found in a folder

    using Wanted = FunctionRef<bool(const Entry&)>;

    explicit Catalog(const Options& options);

    Result<void> add_path(const std::string& path);
    Result<void> add_named_path(const std::string& path);
    void add_paths_of_environment();
    void add_built_in();
    Result<void> add_file(const std::string& path, Named named);
    Result<void> add_image(const std::string& path, Bytes image, Named named);
    Result<void> add_archive(const io::InputFile& archive);

    void load_if(Wanted wanted, Receiver receiver);
    void load_file(Entry& entry, Receiver receiver);
    /// `members` are all those of one archive.
    void load_members(std::span<Entry> members, Wanted wanted, Receiver receiver);
    using MuiTables = std::unordered_map<std::size_t, schema::MessageTable>; // by ordinal
    static std::string mui_key(const std::string& archive, std::string_view image);
    /// Keeps it if its language is better than those before.
    void add_mui(const std::string& archive, const MuiName& name, std::size_t ordinal);
    /// The .mui file for a member; null: the archive has none.
    const MuiMember* best_mui(const Entry& member) const;
    MuiTables read_mui_members(const io::InputFile& archive, std::span<Entry* const> members);
    void load_member(const Entry& member, Bytes content, const MuiTables& texts, Receiver receiver);
    void parse(const Entry& entry, Bytes content, const schema::MessageTable& messages,
               Receiver receiver);
    void note(const std::string& file, const Error& error);
    void refuse(std::string file, std::string why, std::size_t line = 0, std::size_t column = 0);

    std::vector<Entry> entries_; // members of one archive stand together
    std::size_t built_in_ = 0;   // of entries_, the last ones
    std::vector<NamedPath> named_;
    std::unordered_set<std::string> seen_; // files, by their canonical paths
    std::vector<Remark> remarks_;
    std::string culture_;
    std::unique_ptr<ImageMessages> image_messages_;
    std::unordered_map<std::string, MuiMember> best_mui_; // by mui_key, the best language
};

} // namespace etl::catalog
