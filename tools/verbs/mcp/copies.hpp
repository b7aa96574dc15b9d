// Anonymized copies of the traces that calls name, which verbs read instead. docs/mcp.md#anonymize
#pragma once

#include <etl/error.hpp>

#include "io/temporary_file.hpp"
#include "verbs/mcp/call.hpp"

#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <vector>

namespace cli::mcp {

/// The files are in a directory of their own, which ends with this object. One thread.
class Copies {
public:
    /// `key`: the argument of --anonymize-key; none: a random key. Errors: io_failure.
    static etl::Result<Copies> create(std::optional<std::string> key);

    /// Returns the command line, without the program, that makes the copy of a trace that has none;
    /// empty: it has one, or it cannot be read. The copy counts from then on.
    std::vector<std::string> command_for(const std::string& trace, const CallOptions& options);

    /// Forgets a copy that was not made.
    void forget(const std::string& trace);

    /// Returns the words of a command, with copies instead of its files.
    std::vector<std::string> words_of(const Command& command) const;

    /// Returns a text that a verb wrote, with the directories of the traces instead of those of
    /// their copies. What is left of a path at the end of a text of `most` bytes is cut.
    std::string with_names(std::string text, std::size_t most) const;

    /// Removes the copies that were not used for the longest time, if there are too many.
    void trim();

private:
    struct Copy {
        std::string trace; // its real path
        std::uint64_t size = 0;
        std::int64_t changed = 0;
        std::string folder; // of the copy, with a separator at its end
        std::string name;
    };

    Copies(etl::io::TemporaryFolder folder, std::string key)
        : folder_(std::move(folder)), key_(std::move(key)) {}

    std::list<Copy>::iterator find(const std::string& trace);
    void remove(std::list<Copy>::iterator copy);

    etl::io::TemporaryFolder folder_;
    std::string key_;        // as an argument of --anonymize-key
    std::list<Copy> copies_; // the one that was used last is the first
    std::uint64_t made_ = 0; // so far
};

} // namespace cli::mcp
