#include "verbs/mcp/copies.hpp"

#include "io/private_file.hpp"
#include "rewrite/anonymizing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

namespace cli::mcp {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_copies = 64;
constexpr std::uint64_t max_bytes_of_copies = std::uint64_t{8} << 30U; // but those of one call

/// What tells one state of a file from another; nothing: it cannot be read.
std::optional<std::pair<std::uint64_t, std::int64_t>> state_of(const std::string& path) {
    std::error_code failed, failed_too;
    const auto size = fs::file_size(path, failed);
    const auto changed = fs::last_write_time(path, failed_too);
    return failed || failed_too
               ? std::nullopt
               : std::optional(std::pair(std::uint64_t{size},
                                         std::int64_t{changed.time_since_epoch().count()}));
}

/// That of the trace, if a trace can be written to a file of this name.
std::string name_of_copy(const std::string& trace) {
    const fs::path path(trace);
    return path.filename().string() + (path.extension() == ".etl" ? "" : ".etl");
}

std::uint64_t size_of(const std::string& file) {
    std::error_code failed;
    const auto size = fs::file_size(file, failed);
    return failed ? 0 : size;
}

/// Removes the beginning of a path with which a text ends, and the path and what follows it.
void cut_path_at_end(std::string& text, std::string_view path) {
    if (const std::size_t at = text.rfind(path); at != text.npos) {
        text.resize(at);
    }
    for (std::size_t size = std::min(path.size(), text.size()); size > 0; --size) {
        if (text.ends_with(path.substr(0, size))) {
            text.resize(text.size() - size);
            return;
        }
    }
}

} // namespace

etl::Result<Copies> Copies::create(std::optional<std::string> key) {
    auto folder = etl::io::TemporaryFolder::create();
    if (!folder) {
        return std::unexpected(folder.error());
    }
    if (!key) { // in a file: others can read command lines
        key = folder->path() + "/random.key";
        const auto random = etl::rewrite::random_key();
        const auto made = etl::io::create_private_file(*key, std::as_bytes(std::span(random)));
        if (!made) {
            return std::unexpected(made.error());
        }
    }
    return Copies(*std::move(folder), *std::move(key));
}

std::list<Copies::Copy>::iterator Copies::find(const std::string& trace) {
    return std::ranges::find(copies_, trace, &Copy::trace);
}

void Copies::remove(std::list<Copy>::iterator copy) {
    std::error_code ignored;
    fs::remove_all(copy->folder, ignored);
    copies_.erase(copy);
}

void Copies::forget(const std::string& trace) {
    if (const auto copy = find(trace); copy != copies_.end()) {
        remove(copy);
    }
}

std::vector<std::string> Copies::command_for(const std::string& trace, const CallOptions& options) {
    const auto state = state_of(trace);
    const auto known = find(trace);
    if (known != copies_.end() && state == std::pair(known->size, known->changed)) {
        copies_.splice(copies_.begin(), copies_, known);
        return {};
    }
    forget(trace);
    const std::string folder = fmt::format("{}/{}/", folder_.path(), ++made_);
    std::error_code failed;
    if (!state || !fs::create_directory(folder, failed)) {
        return {};
    }
    copies_.push_front({.trace = trace,
                        .size = state->first,
                        .changed = state->second,
                        .folder = folder,
                        .name = name_of_copy(trace)});
    std::vector<std::string> words{"relog", "--anonymize", "--clear-undecodable",
                                   "--anonymize-key=" + key_};
    for (const std::string& schema : options.schemas) {
        words.push_back("--schema=" + schema);
    }
    words.push_back("--output=" + folder + copies_.front().name);
    words.push_back(trace);
    return words;
}

std::vector<std::string> Copies::words_of(const Command& command) const {
    std::vector<std::string> words = command.words;
    for (std::size_t i = 0; i < command.files; ++i) {
        std::string& word = words[command.first_file + i];
        const auto copy = std::ranges::find(copies_, word, &Copy::trace);
        word = copy != copies_.end() ? copy->folder + copy->name : "";
    }
    return words;
}

std::string Copies::with_names(std::string text, std::size_t most) const {
    const bool is_cut = text.size() >= most;
    for (const Copy& copy : copies_) {
        const std::string folder = (fs::path(copy.trace).parent_path() / "").string();
        for (std::size_t at = text.find(copy.folder); at != text.npos;
             at = text.find(copy.folder, at + folder.size())) {
            text.replace(at, copy.folder.size(), folder);
        }
    }
    if (is_cut) {
        cut_path_at_end(text, folder_.path());
    }
    return text;
}

void Copies::trim() {
    std::uint64_t bytes = 0;
    std::size_t count = 0;
    for (auto copy = copies_.begin(); copy != copies_.end();) {
        bytes += size_of(copy->folder + copy->name);
        ++count;
        const bool is_too_much =
            count > max_files && (count > max_copies || bytes > max_bytes_of_copies);
        const auto next = std::next(copy);
        if (is_too_much) {
            remove(copy);
        }
        copy = next;
    }
}

} // namespace cli::mcp
