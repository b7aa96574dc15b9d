#include "gather/store_symbols.hpp"

#include "gather/limits.hpp"
#include "io/find_files.hpp"
#include "symbols/demangle.hpp"
#include "symbols/pe_file.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <iterator>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace etl::gather {

namespace {

using symbols::Frame;
using symbols::Lookup;

/// What makes two images one: the database, else name and headers. Text is std::string or a view.
template <typename Text>
struct IdentityOf {
    Guid guid;
    std::uint32_t age = 0;
    std::uint32_t time_stamp = 0;
    std::uint64_t size = 0;
    Text name;

    template <typename Other>
    bool operator==(const IdentityOf<Other>& other) const noexcept {
        return guid == other.guid && age == other.age && time_stamp == other.time_stamp &&
               size == other.size && name == other.name;
    }
};

using ImageKey = IdentityOf<std::string>;
using ImageView = IdentityOf<std::string_view>;

struct HashOfImage {
    using is_transparent = void;

    template <typename Text>
    std::size_t operator()(const IdentityOf<Text>& image) const noexcept {
        return std::hash<Guid>{}(image.guid) ^ image.age ^
               std::hash<std::string_view>{}(image.name) ^ std::size_t{image.time_stamp} << 32U;
    }
};

ImageView identity_of(const facts::Image& image) noexcept {
    return image.pdb ? ImageView{.guid = image.pdb->guid, .age = image.pdb->age}
                     : ImageView{.time_stamp = image.time_date_stamp,
                                 .size = image.size,
                                 .name = image.name()};
}

std::string readable(const Frame& frame) {
    auto name = symbols::demangle(frame.function, symbols::name_style);
    return (frame.is_approximate ? "~" : "") + (name ? *name : std::string(frame.function));
}

/// The symbol file of one image, and the names already read from it.
class ImageFile {
public:
    ImageFile(symbols::Stores& stores, const facts::Image& image) { look_up(stores, image); }

    const ImageSymbols& result() const noexcept { return result_; }

    bool has_names() const noexcept { return resolver_.has_value(); }

    /// Returns true if addresses were looked up, and none was named.
    bool is_silent() const {
        const std::scoped_lock lock(mutex_);
        return has_been_asked_ && !has_named_;
    }

    std::optional<facts::Symbol> find(std::uint64_t rva, std::atomic<std::size_t>& name_bytes) {
        if (!resolver_ || rva > UINT32_MAX) {
            return std::nullopt;
        }
        const std::scoped_lock lock(mutex_);
        const auto frames =
            resolver_->resolve(static_cast<std::uint32_t>(rva), symbols::Detail::function);
        has_been_asked_ = true;
        if (frames.empty() || frames.back().function.empty()) {
            return std::nullopt;
        }
        has_named_ = true;
        const std::uint64_t start = rva - std::min<std::uint64_t>(rva, frames.back().offset);
        const auto [name, is_new] = names_.try_emplace(start);
        if (is_new && name_bytes < limits::symbol_name_bytes) {
            name->second = readable(frames.back());
            name_bytes += name->second.size() + sizeof(*name);
        }
        return name->second.empty() ? std::nullopt
                                    : std::optional(facts::Symbol{name->second, start});
    }

private:
    void look_up(symbols::Stores& stores, const facts::Image& image) {
        if (image.pdb) {
            take(stores.find_database(image.pdb->name, {image.pdb->guid, image.pdb->age}),
                 SymbolStatus::found);
        }
        if (!has_names() && image.time_date_stamp != 0) {
            look_up_executable(stores, image);
        }
        const bool has_identity = image.pdb || image.time_date_stamp != 0;
        if (result_.path.empty() && has_identity) {
            result_.status =
                result_.rejected.empty() ? SymbolStatus::missing : SymbolStatus::mismatch;
        }
    }

    // The executable names its database, which the trace may not.
    void look_up_executable(symbols::Stores& stores, const facts::Image& image) {
        Lookup executable = stores.find_image(image.name(), image.time_date_stamp,
                                              static_cast<std::uint32_t>(image.size));
        const auto identity = executable.file
                                  ? symbols::read_image_identity(executable.file->bytes())
                                  : Result<symbols::ImageIdentity>(symbols::ImageIdentity{});
        if (identity && identity->database) {
            take(stores.find_database(identity->database->path, identity->database->identity),
                 SymbolStatus::found);
        }
        if (!has_names()) {
            take(std::move(executable), SymbolStatus::exports);
        }
    }

    // A file without names is kept as the result until one with names is found.
    void take(Lookup found, SymbolStatus status) {
        std::ranges::move(found.rejected, std::back_inserter(result_.rejected));
        if (!found.file) {
            return;
        }
        if (found.file->names_functions()) {
            resolver_.emplace(std::move(found.file));
            result_.status = status;
            result_.path = std::move(found.path);
        } else if (result_.path.empty()) {
            result_.status = SymbolStatus::no_names;
            result_.path = std::move(found.path);
        }
    }

    ImageSymbols result_;
    mutable std::mutex mutex_;
    std::optional<symbols::Resolver> resolver_;            // of a file with names
    std::unordered_map<std::uint64_t, std::string> names_; // by start
    bool has_been_asked_ = false;
    bool has_named_ = false;
};

} // namespace

struct StoreSymbols::State {
    explicit State(std::vector<symbols::SearchPlace> places) : stores(std::move(places)) {}

    ImageFile& file_of(const facts::Image& image) {
        const ImageView identity = identity_of(image);
        {
            const std::shared_lock lock(mutex);
            if (const auto known = files.find(identity); known != files.end()) {
                return *known->second;
            }
        }
        const std::scoped_lock lock(mutex);
        auto& file = files[{identity.guid, identity.age, identity.time_stamp, identity.size,
                            std::string(identity.name)}];
        if (!file) {
            file = std::make_unique<ImageFile>(stores, image);
        }
        return *file;
    }

    std::shared_mutex mutex;
    symbols::Stores stores;
    std::unordered_map<ImageKey, std::unique_ptr<ImageFile>, HashOfImage, std::equal_to<>> files;
    std::atomic<std::size_t> name_bytes = 0;
};

StoreSymbols::StoreSymbols(std::vector<symbols::SearchPlace> places)
    : state_(std::make_unique<State>(std::move(places))) {}

StoreSymbols::~StoreSymbols() = default;

std::optional<facts::Symbol> StoreSymbols::find(const facts::Image& image, std::uint64_t rva) {
    return state_->file_of(image).find(rva, state_->name_bytes);
}

const ImageSymbols& StoreSymbols::symbols_of(const facts::Image& image) {
    return state_->file_of(image).result();
}

std::vector<symbols::SearchPlace> symbol_places(const std::vector<std::string>& paths) {
    std::vector<symbols::SearchPlace> all;
    for (const std::string& path : paths) {
        std::ranges::move(symbols::parse_symbol_path(path), std::back_inserter(all));
    }
    std::ranges::move(symbols::parse_symbol_path(io::environment("_NT_SYMBOL_PATH")),
                      std::back_inserter(all));
    return all;
}

StoreSymbols::Counts StoreSymbols::counts() const {
    const std::shared_lock lock(state_->mutex);
    Counts counts{.images = state_->files.size()};
    for (const auto& [identity, file] : state_->files) {
        counts.unnamed += file->has_names() ? 0U : 1U;
        counts.silent += file->is_silent() ? 1U : 0U;
    }
    return counts;
}

std::string_view name(SymbolStatus status) noexcept {
    switch (status) {
    case SymbolStatus::found:
        return "found";
    case SymbolStatus::exports:
        return "exports";
    case SymbolStatus::no_names:
        return "no names";
    case SymbolStatus::missing:
        return "missing";
    case SymbolStatus::mismatch:
        return "mismatch";
    case SymbolStatus::no_identity:
        break;
    }
    return "no identity";
}

} // namespace etl::gather
