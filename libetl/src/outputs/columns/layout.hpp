// The columns that hold the events of several kinds, found before the first row. Not thread-safe.
#pragma once

#include "columns/batch.hpp"
#include "decode/decoder.hpp"

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace etl::columns {

/// The origin of each event precedes its fields; the names are keys of docs/output.md.
enum class Origin : std::uint8_t {
    time,
    pid,
    tid,
    cpu,
    provider,
    event,
    // Details.
    file,
    provider_guid,
    id,
    version,
    channel,
    level,
    opcode,
    task,
    keyword,
    activity_id,
    related_activity_id,
    source,
    decode_error,
    decode_note,
    payload, // of an event without a schema, or that contradicts it
};

inline constexpr std::size_t origin_columns = 6;
inline constexpr std::size_t detailed_origin_columns = 21;

struct LayoutOptions {
    /// All origin columns, not only the first ones, and names that are distinct even if case is
    /// ignored, as databases do.
    bool details = false;
    /// Enumerations and bit maps become labels: names instead of numbers.
    bool enumerations = false;
    /// Addresses, SIDs, and references to parameter texts (`%%n`) as in JSON, not as Windows
    /// displays them.
    bool json_texts = false;
    /// A column of one value in all rows of a batch has it once (Array::repeats).
    bool repeats = false;
    /// A column `message` after the other origin columns.
    bool messages = false;
    /// Members of an array of structures are columns that belong together
    /// (BatchColumn::structures), named as in the structure; an element that lacks a member has
    /// null there.
    bool structures = false;
};

/// Returns the type of a single value of a form.
Type type_of(decode::Form form) noexcept;

/// Returns the narrowest type that holds the values of both; text, if there is no other.
Type common_type(Type a, Type b) noexcept;

/// One field of a schema that becomes a column.
struct Leaf {
    std::uint32_t field = 0;
    std::uint32_t end = 0; // after its members: only a folded field has any
    BatchColumn column;    // `structures` is the path of the array
    /// Arrays in arrays: the field with its members becomes one text, such as `[{a=1}, {a=2}]`.
    bool is_folded = false;
};

/// Returns the leaves of the fields of a kind, in their order; none without a schema. Structures
/// are flattened: the member From of Block is `Block.From`; members of an array of structures are
/// lists.
std::vector<Leaf> leaves_of(const decode::EventKind& kind, const LayoutOptions& options = {});

/// Joins the leaves of several kinds by name. Fields of one name and different types get a common
/// type; a list and a single value of one name are two columns.
class Layout {
public:
    /// Starts with the origin columns.
    explicit Layout(const LayoutOptions& options = {});

    const LayoutOptions& options() const noexcept { return options_; }

    /// Adds the fields of a kind. Fields beyond limits::columns are ignored and counted.
    void add(const decode::EventKind& kind);

    /// Names are unique: a field named as an origin column is `data.time`, a second column of one
    /// name is `Ports#2`.
    const std::vector<BatchColumn>& columns() const noexcept { return columns_; }

    /// Returns the index of the column of a leaf.
    const std::uint32_t* find(const Leaf& leaf) const;

    /// Returns the number of columns before those of fields.
    std::size_t own_columns() const noexcept { return own_; }

    /// Returns the indices of the columns of an array of structures: of its path, as in leaves.
    std::span<const std::uint32_t> columns_of(std::string_view structures) const;

    /// Returns the number of fields that have no column.
    std::size_t omitted() const noexcept { return omitted_; }

private:
    struct Structures {
        std::string name; // of their column
        std::vector<std::uint32_t> columns{};
    };

    /// Whether one of the first columns has this name.
    bool is_taken(std::string_view name, std::size_t columns) const noexcept;
    std::string unique(std::string name) const;

    LayoutOptions options_;
    std::size_t own_ = 0;
    std::vector<BatchColumn> columns_;
    /// Keyed by array of structures, name, and whether it is a list.
    std::map<std::tuple<std::string, std::string, bool>, std::uint32_t> by_leaf_;
    std::map<std::string, Structures, std::less<>> structures_; // by path
    std::size_t omitted_ = 0;
};

} // namespace etl::columns
