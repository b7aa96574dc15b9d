#include "symbols/stores.hpp"

#include "base/file_name.hpp"
#include "base/text.hpp"
#include "io/find_files.hpp"
#include "symbols/image_identity.hpp"
#include "symbols/limits.hpp"
#include "symbols/store/listings.hpp"
#include "symbols/store/pointer_file.hpp"

#include <fmt/format.h>

#include <functional>
#include <optional>

namespace etl::symbols {

namespace {

using Kind = SearchPlace::Kind;
using InputFile = std::shared_ptr<const io::InputFile>;

/// Names come from traces: only a plain file name is looked for.
std::string plain_name_of(std::string_view path) {
    const std::string_view name = file_name_of(path, path_separators_and_drive);
    const bool is_plain = !name.empty() && name != "." && name != ".." &&
                          name.size() <= limits::symbol_file_name_bytes &&
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
