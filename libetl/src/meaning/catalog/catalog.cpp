// Finding: which files and members define which providers.
#include "catalog/catalog.hpp"

#include "base/file_name.hpp"
#include "base/text.hpp"
#include "catalog/built_in.hpp"
#include "catalog/cache.hpp"
#include "catalog/image_messages.hpp"
#include "catalog/schema_file.hpp"
#include "io/find_files.hpp"
#include "io/input_file.hpp"
#include "io/unpack.hpp"
#include "schema/compact.hpp"
#include "schema/event_log.hpp"
#include "schema/image.hpp"
#include "schema/limits.hpp"
#include "schema/mof.hpp"
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
    const std::uint64_t max = schema::is_pdb(content) || schema::is_event_log(content)
                                  ? schema::limits::pdb_file_bytes
                                  : schema::limits::manifest_file_bytes;
    if (content.size() > max) {
        return fail(ErrorCode::limit, "size of a schema file", {}, max, content.size());
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
    const auto shown =
        io::for_each_member(archive, schema::limits::manifest_file_bytes, must_look,
                            [&](std::string_view name, Bytes content) {
                                if (auto found = recognise(content)) {
                                    entries_.push_back({archive.name(), std::string(name), ordinal,
                                                        found->kind, std::move(found->providers)});
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

// Loading: parsing the files that are wanted.

namespace {

auto into(schema::SchemaStore& store) {
    return [&store](const LoadedFile& loaded, schema::SchemaSet&& set) {
        for (auto& provider : set.providers) {
            store.add_provider(std::move(provider));
        }
        for (auto& event : set.events) {
            store.add(std::move(event), loaded.file);
        }
    };
}

} // namespace

void Catalog::load(const std::unordered_set<Guid>& providers, schema::SchemaStore& store) {
    const auto defines_one = [&](const Entry& entry) {
        return std::ranges::any_of(entry.providers,
                                   [&](const Guid& guid) { return providers.contains(guid); });
    };
    load_if(defines_one, into(store));
    if (built_in_) {
        built_in_->take(providers, [&](std::string_view name, std::string_view text) {
            load_built_in(name, text, into(store));
        });
    }
}

void Catalog::load_related(const Guid& provider, schema::SchemaStore& store) {
    std::unordered_set<Guid> wanted{provider};
    for (std::size_t before = 0; before != wanted.size();) {
        before = wanted.size();
        for (const Entry& entry : entries_) {
            if (std::ranges::any_of(entry.providers,
                                    [&](const Guid& guid) { return wanted.contains(guid); })) {
                wanted.insert(entry.providers.begin(), entry.providers.end());
            }
        }
    }
    load(wanted, store);
}

void Catalog::load_all(schema::SchemaStore& store) {
    load_all(into(store));
}

void Catalog::load_all(Receiver receiver) {
    load_if([](const Entry&) { return true; }, receiver);
    if (built_in_) {
        built_in_->take_all([&](std::string_view name, std::string_view text) {
            load_built_in(name, text, receiver);
        });
    }
}

// They are correct: a test parses all of them.
void Catalog::load_built_in(std::string_view name, std::string_view text, Receiver receiver) {
    const Bytes content = std::as_bytes(std::span(text));
    auto set = name.ends_with(".mof") ? schema::parse_mof(content) : schema::parse_compact(content);
    if (set) {
        auto file = std::make_shared<schema::SchemaFile>(std::string(name), true);
        receiver({"built-in:" + file->name, content, std::move(file)}, std::move(*set));
    }
}

void Catalog::load_if(Wanted wanted, Receiver receiver) {
    for (std::size_t begin = 0, end = 0; begin < entries_.size(); begin = end) {
        end = begin + 1;
        if (!entries_[begin].ordinal) {
            if (!entries_[begin].loaded && wanted(entries_[begin])) {
                load_file(entries_[begin], receiver);
            }
            continue;
        }
        while (end < entries_.size() && entries_[end].path == entries_[begin].path) {
            ++end;
        }
        load_members(std::span(entries_).subspan(begin, end - begin), wanted, receiver);
    }
}

void Catalog::load_file(Entry& entry, Receiver receiver) {
    entry.loaded = true;
    const auto file = io::InputFile::map(entry.path);
    if (!file) {
        reject(entry.path, describe(file.error()));
        return;
    }
    const Bytes content = (*file)->bytes();
    schema::MessageTable messages;
    if (entry.kind == FileKind::image) {
        (*file)->advise(io::InputFile::Access::random);
        messages = image_messages_->of_file(
            entry.path, content,
            [&](const std::string& name, const Error& error) { note(name, error); });
    }
    parse(entry, content, messages, receiver);
}

const Catalog::MuiMember* Catalog::best_mui(const Entry& member) const {
    const auto best = best_mui_.find(mui_key(member.path, member.member));
    return best == best_mui_.end() ? nullptr : &best->second;
}

// They may stand behind their executables: a pass of its own.
Catalog::MuiTables Catalog::read_mui_members(const io::InputFile& archive,
                                             std::span<Entry* const> members) {
    std::unordered_set<std::size_t> wanted;
    for (const Entry* member : members) {
        const MuiMember* mui = member->kind == FileKind::image ? best_mui(*member) : nullptr;
        if (mui != nullptr) {
            wanted.insert(mui->ordinal);
        }
    }
    MuiTables tables;
    if (wanted.empty()) {
        return tables;
    }
    std::size_t ordinal = 0;
    std::size_t members_seen = 0;
    const auto is_wanted = [&](std::string_view) {
        ordinal = members_seen++;
        return wanted.contains(ordinal);
    };
    const auto read = [&](std::string_view name, Bytes content) {
        wanted.erase(ordinal);
        auto texts = schema::read_messages(content, image_messages_->cultures());
        if (!texts || texts->damage) {
            note(archive.name() + ":" + std::string(name), texts ? *texts->damage : texts.error());
        }
        if (texts) {
            tables.emplace(ordinal, std::move(texts->table));
        }
        return !wanted.empty();
    };
    const auto shown =
        io::for_each_member(archive, schema::limits::manifest_file_bytes, is_wanted, read);
    if (!shown && !wanted.empty()) {
        note(archive.name(), shown.error());
    }
    return tables;
}

void Catalog::load_member(const Entry& member, Bytes content, const MuiTables& texts,
                          Receiver receiver) {
    schema::MessageTable messages;
    if (member.kind == FileKind::image) {
        std::optional<MuiTexts> mui;
        const MuiMember* file = best_mui(member);
        if (const auto table = file == nullptr ? texts.end() : texts.find(file->ordinal);
            table != texts.end()) {
            mui = MuiTexts{table->second, file->rank};
        }
        messages = image_messages_->of_member(
            member.path + ":" + member.member, content, mui ? &*mui : nullptr,
            [&](const std::string& name, const Error& error) { note(name, error); });
    }
    parse(member, content, messages, receiver);
}

void Catalog::load_members(std::span<Entry> members, Wanted wanted, Receiver receiver) {
    std::vector<Entry*> missing; // in the archive's order
    for (Entry& member : members) {
        if (!member.loaded && wanted(member)) {
            member.loaded = true;
            missing.push_back(&member);
        }
    }
    if (missing.empty()) {
        return;
    }
    const std::string& path = members.front().path;
    const auto archive = io::InputFile::map(path);
    if (!archive) {
        reject(path, describe(archive.error()));
        return;
    }
    const MuiTables texts = read_mui_members(**archive, missing);
    std::size_t ordinal = 0;
    std::size_t loaded = 0;
    auto next = missing.begin();
    const auto is_missing = [&](std::string_view) {
        while (next != missing.end() && (*next)->ordinal < ordinal) {
            ++next; // that one could not be unpacked
        }
        return next != missing.end() && (*next)->ordinal == ordinal++;
    };
    const auto shown = io::for_each_member(**archive, schema::limits::manifest_file_bytes,
                                           is_missing, [&](std::string_view, Bytes content) {
                                               load_member(**next, content, texts, receiver);
                                               ++loaded;
                                               return ++next != missing.end();
                                           });
    if (loaded != missing.size()) {
        reject(path, shown ? std::string("changed while in use") : describe(shown.error()));
    }
}

void Catalog::parse(const Entry& entry, Bytes content, const schema::MessageTable& messages,
                    Receiver receiver) {
    const std::string name = !entry.ordinal ? entry.path : entry.path + ":" + entry.member;
    const auto find = [&](std::uint32_t id) { return messages.find(id); };
    const auto parameters = [&](std::string_view file) {
        return image_messages_->of_parameter_file(
            file, [&](const std::string& image, const Error& error) { note(image, error); });
    };
    auto set = parse_schema_file(entry.kind, content, {culture_, find, parameters, code_names_});
    if (!set) {
        reject(name, set.error().reason, set.error().line, set.error().column);
        return;
    }
    for (schema::FileNote& note : set->notes) {
        remarks_.push_back({name, note.line, std::move(note.text), false, note.column});
    }
    if (entry.from) {
        auto& schemas = named_[*entry.from].schemas;
        schemas.insert(schemas.end(), set->events.begin(), set->events.end());
    }
    receiver({name, content,
              std::make_shared<schema::SchemaFile>(
                  std::string(file_name_of(entry.ordinal ? entry.member : entry.path)))},
             std::move(*set));
}

void Catalog::note(const std::string& file, const Error& error) {
    remarks_.push_back({file, 0, describe(error), false});
}

void Catalog::reject(std::string file, std::string why, std::size_t line, std::size_t column) {
    remarks_.push_back({std::move(file), line, std::move(why), true, column});
}

} // namespace etl::catalog
