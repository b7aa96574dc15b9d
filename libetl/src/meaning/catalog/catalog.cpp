// Finding: which files and members define which providers.
#include "catalog/catalog.hpp"

#include "base/text.hpp"
#include "catalog/built_in.hpp"
#include "catalog/cache.hpp"
#include "catalog/image_messages.hpp"
#include "catalog/schema_file.hpp"
#include "io/find_files.hpp"
#include "io/input_file.hpp"
#include "io/unpack.hpp"
#include "schema/event_log.hpp"
#include "schema/image.hpp"
#include "schema/limits.hpp"
#include "schema/pdb.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <span>
#include <string_view>

namespace etl::catalog {

namespace {

// As in PATH: Windows needs the colon for drives.
constexpr char path_separator = std::filesystem::path::preferred_separator == '/' ? ':' : ';';

constexpr std::size_t head_size = 4096; // is_packed looks no further

// One spelling for one file; the path as it is when the system cannot say.
std::string canonical(const std::string& path) {
    std::error_code error;
    const auto resolved = std::filesystem::canonical(path, error);
    return error ? path : resolved.string();
}

/// The files that one path means: those of a folder and of all folders below it.
Result<std::vector<std::string>> files_of(const std::string& path) {
    const auto descend = io::is_directory(path) ? io::Recursion::yes : io::Recursion::no;
    return io::find_files(path, descend, [](std::string_view) { return true; });
}

std::vector<std::string> paths_of_environment() {
    std::vector<std::string> paths;
    // The second is where Windows' own tools look for TMFs.
    for (const char* variable : {"ETL_SCHEMA_PATH", "TRACE_FORMAT_SEARCH_PATH"}) {
        const std::string list = io::environment(variable);
        for (std::string_view rest = list; !rest.empty();) {
            const std::string_view path = rest.substr(0, rest.find(path_separator));
            rest.remove_prefix(std::min(path.size() + 1, rest.size()));
            if (!path.empty()) {
                paths.emplace_back(path);
            }
        }
    }
    const std::string config = io::user_config_directory();
    if (const std::string own = config + "/etl/schemas"; !config.empty() && io::is_directory(own)) {
        paths.push_back(own);
    }
    return paths;
}

} // namespace

std::vector<std::string> schema_files(const Options& options) {
    std::vector<std::string> paths = options.paths;
    if (options.environment) {
        std::ranges::move(paths_of_environment(), std::back_inserter(paths));
    }
    std::vector<std::string> files;
    for (const std::string& path : paths) {
        if (auto found = files_of(path)) {
            std::ranges::move(*found, std::back_inserter(files));
        }
    }
    return files;
}

Catalog::Catalog(const Options& options)
    : culture_(options.culture), code_names_(options.code_names),
      image_messages_(std::make_unique<ImageMessages>(CultureChain(options.culture))) {}

Catalog::~Catalog() = default;
Catalog::Catalog(Catalog&& other) noexcept = default;
Catalog& Catalog::operator=(Catalog&& other) noexcept = default;

std::expected<Catalog, PathError> Catalog::open(const Options& options) {
    Catalog catalog(options);
    for (const std::string& path : options.paths) {
        if (const auto added = catalog.add_named_path(path); !added) {
            return std::unexpected(PathError{path, added.error()});
        }
    }
    if (options.environment) {
        catalog.add_paths_of_environment();
    }
    if (options.built_in) {
        catalog.built_in_ = std::make_unique<BuiltIn>();
    }
    return catalog;
}

void Catalog::add_paths_of_environment() {
    for (const std::string& path : paths_of_environment()) {
        if (const auto added = add_path(path); !added) {
            reject(path, describe(added.error()));
        }
    }
}

Result<void> Catalog::add_named_path(const std::string& path) {
    const std::size_t first = entries_.size();
    const auto added = add_path(path);
    for (Entry& entry : std::span(entries_).subspan(first)) {
        entry.from = named_.size();
    }
    named_.push_back({path, entries_.size() - first, {}});
    return added;
}

std::vector<std::string>
Catalog::unused_paths(FunctionRef<bool(const schema::EventSchema&)> is_used) const {
    std::vector<std::string> unused;
    for (const NamedPath& named : named_) {
        const bool has_used = std::ranges::any_of(
            named.schemas, [&](const auto& schema) { return is_used(*schema); });
        if (named.entries > 0 && !has_used) {
            unused.push_back(named.path);
        }
    }
    return unused;
}

Result<void> Catalog::add_path(const std::string& path) {
    if (path == "-") {
        return fail(ErrorCode::unsupported, "schemas from standard input; name a file");
    }
    const auto files = files_of(path);
    if (!files) {
        return std::unexpected(files.error());
    }
    const Named named = io::is_directory(path) ? Named::no : Named::yes;
    for (const std::string& file : *files) {
        const auto added = add_file(file, named);
        if (!added && named == Named::yes) {
            return added;
        }
        // A directory can contain other files too: only those that cannot be read are reported.
        if (!added && added.error().code != ErrorCode::unsupported &&
            added.error().code != ErrorCode::malformed && added.error().code != ErrorCode::limit) {
            reject(file, describe(added.error()));
        }
    }
    return {};
}

Result<void> Catalog::add_file(const std::string& path, Named named) {
    if (!seen_.insert(canonical(path)).second) {
        return {};
    }
    const auto file = io::InputFile::map(path);
    if (!file) {
        return std::unexpected(file.error());
    }
    const Bytes content = (*file)->bytes();
    if (io::is_packed(clamped(content, 0, head_size))) {
        return add_archive(**file);
    }
    if (schema::PeImage::is_likely(content)) {
        (*file)->advise(io::InputFile::Access::random);
        return add_image(path, content, named);
    }
    const std::uint64_t most = schema::is_pdb(content) || schema::is_event_log(content)
                                   ? limits::pdb_file_bytes
                                   : limits::manifest_file_bytes;
    if (content.size() > most) {
        return fail(ErrorCode::limit, "size of a schema file", {}, most, content.size());
    }
    auto found = recognise(content);
    if (!found) {
        return fail(ErrorCode::unsupported, "not a schema file: it defines no provider");
    }
    entries_.push_back({path, {}, std::nullopt, found->kind, std::move(found->providers)});
    return {};
}

// Most executables of a folder define nothing: only headers and the tree of resources are read.
Result<void> Catalog::add_image(const std::string& path, Bytes image, Named named) {
    auto found = recognise(image);
    const auto parsed = schema::PeImage::parse(image);
    const auto truncation = schema::find_truncation(image);
    if (named == Named::yes) {
        if (!parsed) {
            return std::unexpected(parsed.error());
        }
        const auto tables = parsed->resources(schema::message_table_type);
        const bool has_messages =
            tables && std::ranges::any_of(*tables, [](const schema::Resource& table) {
                return !table.bytes.empty();
            });
        if (has_messages) {
            image_messages_->add_named(path);
        } else if (!found) {
            return std::unexpected(truncation.value_or(Error{
                ErrorCode::malformed, "the executable contains neither providers nor messages"}));
        }
    }
    if (truncation && parsed) {
        remarks_.push_back({.file = path, .text = describe(*truncation), .damaged = true});
    }
    if (named == Named::no) {
        image_messages_->add_found(path);
    }
    if (found) {
        entries_.push_back({path, {}, std::nullopt, found->kind, std::move(found->providers)});
    }
    return {};
}

std::string Catalog::mui_key(const std::string& archive, std::string_view image) {
    return archive + '\0' + to_lower_ascii(image);
}

void Catalog::add_mui(const std::string& archive, const MuiName& name, std::size_t ordinal) {
    const MuiMember mui{ordinal, image_messages_->cultures().rank(name.culture)};
    const auto [best, is_new] = best_mui_.try_emplace(mui_key(archive, name.image), mui);
    if (!is_new && mui.rank < best->second.rank) {
        best->second = mui;
    }
}

Result<void> Catalog::add_archive(const io::InputFile& archive) {
    std::size_t ordinal = 0;
    std::size_t members = 0;
    const std::size_t before = entries_.size();
    // The names of a cache say enough.
    const auto must_look = [&](std::string_view name) {
        ordinal = members++;
        const auto provider = provider_of_cache_member(name);
        if (provider) {
            entries_.push_back(
                {archive.name(), std::string(name), ordinal, FileKind::manifest, {*provider}});
        }
        return !provider;
    };
    const auto shown = io::for_each_member(
        archive, limits::manifest_file_bytes, must_look, [&](std::string_view name, Bytes content) {
            if (auto found = recognise(content)) {
                entries_.push_back({archive.name(), std::string(name), ordinal, found->kind,
                                    std::move(found->providers)});
            } else if (auto mui = parse_mui_name(name);
                       mui && schema::PeImage::is_likely(content)) {
                add_mui(archive.name(), *mui, ordinal);
            }
            return true;
        });
    const bool found_some = entries_.size() > before;
    if (!shown && found_some) {
        reject(archive.name(), describe(shown.error()));
    } else if (!shown) {
        return shown;
    } else if (!found_some) {
        return fail(ErrorCode::malformed, "the archive contains no schema file");
    }
    return {};
}

} // namespace etl::catalog
