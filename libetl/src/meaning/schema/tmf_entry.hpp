// The grammar of TMF text: GUID lines and entries, as views of the text. Private to schema.
// docs/format/wpp.md#tmf
#pragma once

#include "schema/event_schema.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etl::schema {

/// `GUID component // SRC=file MJ= MN=`
struct TmfGuidLine {
    Guid guid;
    std::string_view component;
    std::string_view source;
};

/// `expression, ItemType(list) -- index`
struct TmfArgument {
    std::string_view expression;
    std::string_view type; // with its list
    unsigned index = 0;
};

/// `#typev tag number "format" // trailer`, then the arguments in braces.
struct TmfEntry {
    const char* where = nullptr; // in the text
    std::string_view tag;
    std::uint16_t number = 0;
    std::string_view format;
    std::string_view trailer;
    std::vector<TmfArgument> arguments; // in order of their indices
};

/// A name as far as it is kept, cut between characters: limits::wpp_name_bytes.
std::string_view cut_name(std::string_view name) noexcept;

/// Finds one after the other. One pass; each line is looked at once.
class TmfReader {
public:
    enum class Found : std::uint8_t { guid_line, entry, broken, end };

    /// Views `text`.
    explicit TmfReader(std::string_view text) noexcept : text_(text) {}

    Found next();

    const TmfGuidLine& guid_line() const noexcept { return guid_line_; }

    const TmfEntry& entry() const noexcept { return entry_; }

    /// Where a broken entry begins, and what is wrong with it.
    const char* where() const noexcept { return entry_.where; }

    const char* problem() const noexcept { return problem_; }

private:
    bool take_line(std::string_view& line) noexcept;
    Found read_entry(std::string_view first);
    bool read_head(std::string_view head);
    bool read_arguments();
    bool read_argument(std::string_view text, unsigned index);
    Found broken(const char* why) noexcept;

    std::string_view text_;
    std::size_t at_ = 0;
    TmfGuidLine guid_line_;
    TmfEntry entry_;
    const char* problem_ = "";
};

/// The format string with its arguments numbered from 10 on, whatever their indices are.
std::string with_arguments_counted(const TmfEntry& entry);

/// For each argument the letter that the format string shows it with.
std::vector<char> conversions_of(const TmfEntry& entry);

std::shared_ptr<const TraceSite> site_of(const TmfEntry& entry, const TmfGuidLine& line);

} // namespace etl::schema
