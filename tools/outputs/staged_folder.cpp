#include "outputs/staged_folder.hpp"

#include "base/file_name.hpp"
#include "base/text.hpp"
#include "io/find_files.hpp"
#include "io/writable_file.hpp"

#include <fmt/format.h>

#include <set>
#include <system_error>

namespace cli {

namespace {

namespace fs = std::filesystem;

etl::Result<void> failure(const std::error_code& code) {
    return std::unexpected(etl::Error{.code = etl::ErrorCode::io_failure,
                                      .what = "cannot write the tables",
                                      .os_code = code.value()});
}

etl::Result<void> append_to_file(const std::string& path, std::string_view text) {
    using Open = etl::io::FileFactory::Open;
    const bool is_there = etl::io::is_regular_file(path);
    auto file = etl::io::disk().open(path, is_there ? Open::existing : Open::replace);
    const auto size = file ? (*file)->size() : std::unexpected(file.error());
    auto done = size ? (*file)->write_at({*size}, std::as_bytes(std::span(text)))
                     : std::unexpected(size.error());
    return done ? (*file)->close() : done;
}

} // namespace

StagedFolder::StagedFolder(fs::path folder, fs::path stage, bool is_new)
    : folder_(std::move(folder)), stage_(std::move(stage)), is_new_folder_(is_new) {}

etl::Result<std::unique_ptr<StagedFolder>> StagedFolder::create(const std::string& folder) {
    std::error_code code;
    const bool is_new = fs::create_directories(folder, code);
    if (code) {
        return std::unexpected(failure(code).error());
    }
    fs::path stage;
    unsigned number = 0;
    do { // another run may use the same directory
        stage = fs::path(folder) / fmt::format(".etl-tables-{}.tmp", number++);
    } while (!fs::create_directory(stage, code) && !code);
    if (code) {
        return std::unexpected(failure(code).error());
    }
    return std::unique_ptr<StagedFolder>(new StagedFolder(folder, std::move(stage), is_new));
}

StagedFolder::~StagedFolder() {
    std::error_code ignored;
    fs::remove_all(stage_, ignored);
    if (is_new_folder_) {
        fs::remove(folder_, ignored); // if it is empty: nothing was committed
    }
}

etl::Result<void> StagedFolder::append(const std::string& name, std::string_view bytes) {
    return append_to_file((stage_ / name).string(), bytes);
}

etl::Result<void> StagedFolder::commit(std::span<const std::string> names) {
    for (const std::string& name : names) { // all or none, as far as can be known
        std::error_code ignored;
        if (fs::is_directory(folder_ / name, ignored)) {
            return failure(std::make_error_code(std::errc::is_a_directory));
        }
    }
    for (const std::string& name : names) {
        std::error_code code;
        fs::rename(stage_ / name, folder_ / name, code);
        if (code) {
            return failure(code);
        }
    }
    return {};
}

etl::Result<void> StagedFolder::remove_outdated(std::span<const std::string> outdated,
                                                std::span<const std::string> names) {
    const std::set<std::string_view> current(names.begin(), names.end());
    for (const std::string& name : outdated) {
        std::error_code code;
        if (!current.contains(name) && fs::is_regular_file(folder_ / name, code)) {
            fs::remove(folder_ / name, code);
        }
        if (code && code != std::errc::no_such_file_or_directory) {
            return failure(code);
        }
    }
    return {};
}

namespace {

constexpr std::size_t max_part = 64; // of a name: two make a file name that all systems accept

bool is_alphanumeric(char c) noexcept {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/// A part of a file name without characters that are special to a shell or another system.
std::string name_part(std::string_view text) {
    constexpr std::string_view plain = "-_+().";
    std::string part;
    for (const char c : text.substr(0, max_part)) {
        const auto byte = static_cast<unsigned char>(c);
        const bool is_kept =
            is_alphanumeric(c) || byte >= 0x80 || plain.find(c) != std::string_view::npos;
        part.push_back(is_kept ? c : c == '/' ? '-' : '_');
    }
    while (text.size() > max_part && !part.empty() &&
           (static_cast<unsigned char>(part.back()) & 0x80U) != 0) {
        part.pop_back(); // perhaps half a character
    }
    return part;
}

std::string name_of_table(const etl::sink::EventKind& kind) {
    std::string name = name_part(kind.provider);
    if (!kind.event.empty()) {
        name += "." + name_part(kind.event);
    }
    if (kind.id != 0 || kind.event.empty()) {
        name += fmt::format(".{}", kind.id);
    }
    return name + fmt::format(".v{}", kind.version);
}

} // namespace

std::string KindFileNames::name_of(const etl::sink::EventKind& kind) {
    return name_of(name_of_table(kind));
}

std::string KindFileNames::name_of(const std::string& text) {
    const std::string base = etl::safe_file_name(text);
    std::string name = base;
    for (unsigned i = 2; !taken_.insert(etl::to_lower_ascii(name)).second; ++i) {
        name = fmt::format("{}.{}", base, i);
    }
    return name.append(ending_);
}

} // namespace cli
