// Symbol files: from the relative address of code (RVA) to functions, files, and lines. Program
// databases (MSF and MSFZ), portable ones (standalone, or embedded in an executable), executables,
// and the text maps of precompiled .NET code are recognized by content. docs/format/pdb.md
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>
#include <etl/guid.hpp>

#include "io/input_file.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace etl::symbols {

class Source;
struct Scratch;

/// What an executable and its program database have in common.
struct Identity {
    Guid guid;
    std::uint32_t age = 0; // portable databases: 0xFFFFFFFF

    bool operator==(const Identity&) const = default;

    /// Returns the directory name in a symbol store: the GUID's numbers as 32 uppercase hexadecimal
    /// digits, followed by those of the age (portable: `FFFFFFFF`).
    std::string key() const;
};

enum class FileKind : std::uint8_t {
    program_database,
    portable_database, // managed lines only
    executable,        // exported symbols, and the lines of an embedded portable database
    native_map,        // .ni.r2rmap
};

/// One function at an address. The texts are valid until the next call of the same Resolver.
struct Frame {
    std::string_view function;     // without parameters, as the compiler names it; can be empty
    std::string_view linkage_name; // decorated; empty: none, or an inlined function
    std::string_view file;         // as stored; empty: unknown
    std::uint32_t line = 0;        // 0: unknown
    std::uint32_t others = 0;      // further functions with the same code at this address
    std::uint32_t offset = 0;      // bytes from the start of the function; 0 for inlined functions
    bool is_inlined = false;
    bool is_approximate = false; // the nearest public or exported symbol, not a known function
};

struct SourceLine {
    std::string_view file; // valid as long as the SymbolFile
    std::uint32_t line = 0;
};

/// One opened file. Immutable; thread-safe.
class SymbolFile {
public:
    /// Opens a file, or the first symbol file in a compressed file such as a cabinet (`app.pd_`).
    /// Reads tables of contents only. Errors: unsupported (another kind of file); malformed,
    /// truncated; limit; those of io::unpack.
    static Result<std::shared_ptr<const SymbolFile>>
    open(std::shared_ptr<const io::InputFile> file);

    FileKind kind() const noexcept { return kind_; }

    /// Returns the identity, which must match that of the image in a trace. For an executable, that
    /// of its program database; zero if it names none. For a native map, the bytes of its signature
    /// and its version.
    const Identity& identity() const noexcept { return identity_; }

    /// Returns the content of the file, decompressed. Valid as long as the SymbolFile.
    Bytes bytes() const noexcept { return file_->bytes(); }

    /// Returns the line of an offset in the intermediate language of a managed method. Needs a
    /// program database of managed code, portable or not. Nothing if the method is unknown, or the
    /// code is hidden or has no line.
    std::optional<SourceLine> managed_line(std::uint32_t method_token,
                                           std::uint32_t il_offset) const;

    /// Returns true if the file names functions at addresses of an image. False for databases of
    /// managed code, which have lines only, executables without exports, and stripped databases.
    bool names_functions() const;

    SymbolFile(const SymbolFile&) = delete;
    SymbolFile& operator=(const SymbolFile&) = delete;
    ~SymbolFile();

private:
    friend class Resolver;
    SymbolFile(FileKind kind, std::shared_ptr<const io::InputFile> file,
               std::unique_ptr<const Source> source);
    static Result<std::shared_ptr<const SymbolFile>>
    open_plain(std::shared_ptr<const io::InputFile> file);

    FileKind kind_;
    Identity identity_;
    std::shared_ptr<const io::InputFile> file_;
    std::unique_ptr<const Source> source_;
};

/// What to find at an address besides the name of the function. Less is faster.
enum class Detail : std::uint8_t {
    function, // Frame::function, offset, is_approximate of one frame
    linkage,  // and linkage_name, others
    lines,    // and inlined functions, file, line
};

/// Resolves addresses of one file. Not thread-safe; use one per thread. Parsed parts of the file
/// are shared between all resolvers.
class Resolver {
public:
    explicit Resolver(std::shared_ptr<const SymbolFile> file);
    Resolver(Resolver&& other) noexcept;
    Resolver& operator=(Resolver&& other) noexcept;
    Resolver(const Resolver&) = delete;
    Resolver& operator=(const Resolver&) = delete;
    ~Resolver();

    /// Returns the functions at an address relative to the image base: inlined ones, innermost
    /// first, then the one that contains them. Each has its line at that address: for those that
    /// contain another, the line of the call. Empty if nothing is known. Look up the address before
    /// a return address, which can belong to the next line. Valid until the next call. Does not
    /// allocate once the code around the address was resolved.
    std::span<const Frame> resolve(std::uint32_t rva, Detail detail = Detail::lines);

private:
    std::shared_ptr<const SymbolFile> file_;
    std::unique_ptr<Scratch> scratch_;
};

} // namespace etl::symbols
