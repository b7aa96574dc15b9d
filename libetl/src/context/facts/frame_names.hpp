// Names of code addresses: methods of runtimes and images, as recorded in the trace, and symbols
// from elsewhere. docs/enrich.md#frames
#pragma once

#include "facts/facts.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace etl::facts {

/// A function of an image.
struct Symbol {
    std::string_view name;   // UTF-8; valid until the next call
    std::uint64_t start = 0; // RVA of its first byte
};

/// Functions of images from outside the trace, such as PDB files.
class SymbolSource {
public:
    SymbolSource() = default;
    virtual ~SymbolSource() = default;
    SymbolSource(const SymbolSource&) = delete;
    SymbolSource& operator=(const SymbolSource&) = delete;

    /// Returns the function that contains an address, which is relative to the base of the image;
    /// none if unknown. Thread-safe if FrameNames of several threads share the source.
    virtual std::optional<Symbol> find(const Image& image, std::uint64_t rva) = 0;
};

/// An address of code.
struct CodeAddress {
    std::uint32_t process = flow::no_id;
    std::uint64_t address = 0;
    std::int64_t time = 0; // raw timestamp
    /// Whether a call returns there. The call is in front of it, so the byte before it decides,
    /// unless the address is the first byte of a function.
    bool is_return_address = false;
};

/// Appends `module!Type.Method(arguments)`; the module of a script is the last component of its
/// URL, and its line follows the name: `page.js!boil:12`. Without the module and `!` if it is
/// unknown.
void append_method_name(std::string& to, const Method& method);

/// The parts of a name.
struct FrameName {
    std::string module;   // file name of the image, or of the IL image of a method; can be empty
    std::string function; // `Type.Method(arguments)`, or a symbol; empty: only the image is known
    std::uint64_t offset = 0; // of the address in the function, or in the image
};

/// Names addresses. Copies share the source of symbols.
class FrameNames {
public:
    /// `symbols` may be null: only names in the trace.
    explicit FrameNames(std::shared_ptr<SymbolSource> symbols = nullptr)
        : symbols_(std::move(symbols)) {}

    /// Appends the first of these that is known: `method+0x12`, `image!symbol+0x12`,
    /// `image!0x1234`. The offset is that of the address itself, and is omitted if it is 0. Returns
    /// false and appends nothing if neither a method nor an image contained the address.
    bool append(std::string& to, const Facts& facts, const CodeAddress& code) const;

    /// Returns the same in parts; nothing if neither a method nor an image contained the address.
    std::optional<FrameName> find(const Facts& facts, const CodeAddress& code) const;

private:
    struct Found;

    Found look_up(const Facts& facts, const CodeAddress& code) const;
    void find_symbol(Found& found, std::uint64_t before, bool is_return_address) const;

    std::shared_ptr<SymbolSource> symbols_;
};

} // namespace etl::facts
