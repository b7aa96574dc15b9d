// Search of directories and symbol stores for the symbol files of images. docs/symbols.md#paths
#pragma once

#include "symbols/search_path.hpp"
#include "symbols/symbol_file.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace etl::symbols {

class Listings; // private to the module

/// A file that was found but not used.
struct RejectedFile {
    std::string path;
    std::string reason;
};

struct Lookup {
    std::shared_ptr<const SymbolFile> file; // null: not found
    std::string path;                       // of `file`
    std::vector<RejectedFile> rejected;     // files of that name with another identity, or damaged
};

/// Places to look in, first to last. A file is used only if its identity is the one looked for,
/// wherever it lies. Names are matched exactly, then ignoring case. Not thread-safe.
class Stores {
public:
    explicit Stores(std::vector<SearchPlace> places);
    ~Stores();
    Stores(Stores&&) noexcept;
    Stores& operator=(Stores&&) noexcept;

    /// Looks for a program database. `name` is as an image stores it; directories in it are
    /// ignored.
    Lookup find_database(std::string_view name, const Identity& identity);

    /// Looks for an executable by the time stamp and size in its headers.
    Lookup find_image(std::string_view name, std::uint32_t time_stamp, std::uint32_t image_size);

    const std::vector<SearchPlace>& places() const noexcept { return places_; }

private:
    std::vector<SearchPlace> places_;
    std::unique_ptr<Listings> listings_;
};

} // namespace etl::symbols
