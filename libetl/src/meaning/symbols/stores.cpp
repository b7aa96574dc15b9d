#include "symbols/stores.hpp"

#include "base/file_name.hpp"
#include "base/text.hpp"
#include "io/find_files.hpp"
#include "io/input_file.hpp"
#include "symbols/limits.hpp"
#include "symbols/pe_file.hpp"

#include <fmt/format.h>

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace etl::symbols {

namespace {

using Kind = SearchPlace::Kind;

bool is_url(std::string_view text) noexcept {
    return text.find("://") != std::string_view::npos;
}

/// Cuts off and returns the part before the next separator.
std::string_view next_part(std::string_view& rest, char separator) noexcept {
    const std::size_t end = rest.find(separator);
    const std::string_view part = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    return trimmed(part, " \t");
}

void add(std::vector<SearchPlace>& places, Kind kind, std::string_view path) {
    if (!path.empty() && places.size() < limits::search_places) {
        places.push_back({is_url(path) ? Kind::server : kind, std::string(path)});
    }
}

void add_element(std::vector<SearchPlace>& places, std::string_view element) {
    std::string_view rest = element;
    const std::string word = to_lower_ascii(next_part(rest, '*'));
    if (element.find('*') == std::string_view::npos) {
        add(places, Kind::directory, element);
        return;
    }
    if (word == "symsrv") {
        next_part(rest, '*'); // the library that reads stores
    } else if (word != "srv" && word != "cache") {
        add(places, Kind::directory, element);
        return;
    }
    while (!rest.empty()) {
        add(places, Kind::store, next_part(rest, '*'));
    }
}

} // namespace

std::vector<SearchPlace> parse_symbol_path(std::string_view text) {
    std::vector<SearchPlace> places;
    while (!text.empty()) {
        if (const std::string_view element = next_part(text, ';'); !element.empty()) {
            add_element(places, element);
        }
    }
    return places;
}

/// Names in directories, found ignoring case: stores made on Windows mix cases.
class Listings {
public:
    /// Returns the path of an entry below a directory: at each level the exact name if it exists,
    /// otherwise one that differs in case only. Empty names are not found.
    std::optional<std::string> find(const std::string& directory,
                                    std::initializer_list<std::string_view> names);

private:
    using Names = std::unordered_map<std::string, std::string>; // lowercase -> as stored

    std::optional<std::string> find_one(const std::string& directory, std::string_view name);
    const Names& names_in(const std::string& directory);

    std::unordered_map<std::string, Names> known_; // by directory
};

std::optional<std::string> Listings::find(const std::string& directory,
                                          std::initializer_list<std::string_view> names) {
    std::optional<std::string> path = directory;
    for (const std::string_view name : names) {
        path = find_one(*path, name);
        if (!path) {
            return std::nullopt;
        }
    }
    return path;
}

std::optional<std::string> Listings::find_one(const std::string& directory, std::string_view name) {
    if (name.empty()) {
        return std::nullopt;
    }
    std::string path = directory + "/" + std::string(name);
    if (io::is_regular_file(path) || io::is_directory(path)) {
        return path;
    }
    const Names& names = names_in(directory);
    const auto found = names.find(to_lower_ascii(name));
    return found == names.end() ? std::nullopt : std::optional(directory + "/" + found->second);
}

const Listings::Names& Listings::names_in(const std::string& directory) {
    const auto [known, is_new] = known_.try_emplace(directory);
    if (is_new) {
        for (std::string& name : io::names_in(directory)) {
            known->second.try_emplace(to_lower_ascii(name), name);
        }
    }
    return known->second;
}

namespace {

/// `file.ptr` of a symbol store: where the file lies instead.
struct PointerFile {
    std::optional<std::string> target;
    std::string problem; // if there is no target
};

PointerFile read_pointer_file(const std::string& path);

PointerFile refuse(std::string problem) {
    return {std::nullopt, std::move(problem)};
}

PointerFile read_pointer_file(const std::string& path) {
    const auto file = io::InputFile::map(path);
    if (!file) {
        return refuse(describe(file.error()));
    }
    if ((*file)->bytes().size() > limits::pointer_file_bytes) {
        return refuse("too long for a path");
    }
    std::string_view text = as_text((*file)->bytes());
    text = text.substr(0, text.find_first_of(std::string_view("\r\n\0", 3)));
    if (to_lower_ascii(text.substr(0, 4)) == "msg:") {
        return refuse("the store refuses the file: " + std::string(text.substr(4)));
    }
    if (to_lower_ascii(text.substr(0, 5)) == "path:") {
        text.remove_prefix(5);
    }
    return text.empty() ? refuse("contains no path") : PointerFile{std::string(text), {}};
}

using Kind = SearchPlace::Kind;
using InputFile = std::shared_ptr<const io::InputFile>;

/// Names come from traces: only a plain file name is looked for.
std::string plain_name_of(std::string_view path) {
    const std::string_view name = file_name_of(path, path_separators_and_drive);
    const bool is_plain = !name.empty() && name != "." && name != ".." &&
                          name.size() <= limits::file_name_bytes &&
                          name.find('\0') == std::string_view::npos;
    return is_plain ? std::string(name) : std::string();
}

/// The file in a store of the same name, compressed: `app.pd_`.
std::string compressed_name(std::string_view name) {
    return std::string(name.substr(0, name.size() - 1)) + "_";
}

std::string extension_of(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    return dot == std::string_view::npos ? std::string() : to_lower_ascii(name.substr(dot + 1));
}

/// Decides about an opened file: why it is not the one looked for, or nothing.
using Check = std::function<std::optional<std::string>(const SymbolFile&)>;

class Search {
public:
    Search(Listings& listings, std::string name, std::string key, Check check)
        : listings_(&listings), name_(std::move(name)), key_(std::move(key)),
          check_(std::move(check)) {}

    Lookup run(const std::vector<SearchPlace>& places) {
        for (const SearchPlace& place : places) {
            const bool is_found = place.kind == Kind::directory
                                      ? try_directory(place.path) || try_store(place.path)
                                  : place.kind == Kind::store ? try_store(place.path)
                                                              : false;
            if (is_found) {
                break;
            }
        }
        return std::move(result_);
    }

private:
    bool try_directory(const std::string& directory) {
        const std::string extension = extension_of(name_);
        return try_file(directory, {name_}) || try_file(directory, {extension, name_}) ||
               try_file(directory, {"symbols", extension, name_});
    }

    // `app.pdb/KEY/app.pdb`; with two tiers below a directory of the first two letters.
    bool try_store(const std::string& root) {
        const std::string tier = name_.substr(0, 2);
        return try_entry(listings_->find(root, {name_, key_})) ||
               try_entry(listings_->find(root, {tier, name_, key_}));
    }

    bool try_entry(const std::optional<std::string>& entry) {
        return entry && (try_file(*entry, {name_}) || try_file(*entry, {compressed_name(name_)}) ||
                         try_file(*entry, {"msfz0", name_}) || try_pointer(*entry));
    }

    bool try_pointer(const std::string& entry) {
        const auto path = listings_->find(entry, {"file.ptr"});
        if (!path) {
            return false;
        }
        const PointerFile pointer = read_pointer_file(*path);
        if (!pointer.target) {
            result_.rejected.push_back({*path, pointer.problem});
            return false;
        }
        return open(*pointer.target);
    }

    bool try_file(const std::string& directory, std::initializer_list<std::string_view> names) {
        const auto path = listings_->find(directory, names);
        return path && io::is_regular_file(*path) && open(*path);
    }

    bool open(const std::string& path) {
        auto input = io::InputFile::map(path);
        auto file = input ? SymbolFile::open(*input) : std::unexpected(input.error());
        if (!file) {
            return reject(path, describe(file.error()));
        }
        if (auto problem = check_(**file)) {
            return reject(path, *std::move(problem));
        }
        result_.file = *std::move(file);
        result_.path = path;
        return true;
    }

    bool reject(const std::string& path, std::string reason) {
        result_.rejected.push_back({path, std::move(reason)});
        return false;
    }

    Listings* listings_;
    std::string name_;
    std::string key_;
    Check check_;
    Lookup result_;
};

} // namespace

Stores::Stores(std::vector<SearchPlace> places)
    : places_(std::move(places)), listings_(std::make_unique<Listings>()) {}

Stores::~Stores() = default;
Stores::Stores(Stores&&) noexcept = default;
Stores& Stores::operator=(Stores&&) noexcept = default;

Lookup Stores::find_database(std::string_view name, const Identity& identity) {
    std::string file = plain_name_of(name);
    if (file.empty()) {
        return {};
    }
    const auto check = [&](const SymbolFile& found) -> std::optional<std::string> {
        if (found.kind() == FileKind::executable || found.kind() == FileKind::native_map) {
            return "not a program database";
        }
        if (found.identity() != identity) {
            return fmt::format("another identity: {}, not {}", found.identity().key(),
                               identity.key());
        }
        return std::nullopt;
    };
    return Search(*listings_, std::move(file), identity.key(), check).run(places_);
}

Lookup Stores::find_image(std::string_view name, std::uint32_t time_stamp,
                          std::uint32_t image_size) {
    std::string file = plain_name_of(name);
    if (file.empty()) {
        return {};
    }
    const std::string key = ImageIdentity{time_stamp, image_size, {}}.key();
    const auto check = [&](const SymbolFile& found) -> std::optional<std::string> {
        const auto identity = read_image_identity(found.bytes());
        if (found.kind() != FileKind::executable || !identity) {
            return "not an executable";
        }
        return identity->key() == key
                   ? std::nullopt
                   : std::optional(fmt::format("another image: {}, not {}", identity->key(), key));
    };
    return Search(*listings_, std::move(file), key, check).run(places_);
}

} // namespace etl::symbols
