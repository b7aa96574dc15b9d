// A chunk under construction: names, templates, and tokens of binary XML at offsets in it. Private
// to evtx. docs/format/evtx.md#writing
#pragma once

#include <etl/byte_writer.hpp>

#include "evtx/event.hpp"
#include "evtx/layout.hpp"
#include "evtx/tokens.hpp"

#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace etl::evtx {

class ChunkWriter {
public:
    ChunkWriter();

    /// Empties the chunk.
    void clear();

    ByteWriter& bytes() noexcept { return bytes_; }

    std::uint32_t position() const noexcept { return static_cast<std::uint32_t>(bytes_.size()); }

    std::size_t records() const noexcept { return records_; }

    bool is_empty() const noexcept { return records_ == 0; }

    /// Begins a record; end_record() or undo_record() follows.
    void begin_record(std::uint64_t id, std::int64_t written);

    /// Completes a record. Returns by how many bytes it exceeds the chunk: not 0: call
    /// undo_record().
    std::size_t end_record();

    /// Removes the record, and the names and templates that it added.
    void undo_record();

    /// Completes the chunk of the records `first_number` (in the file) and following; chunk_size
    /// bytes.
    Bytes finish(std::uint64_t first_number);

    /// Where a template is defined.
    struct Definition {
        std::uint32_t id = 0; // the first bytes of its GUID
        std::uint32_t offset = 0;
    };

    struct Instance {
        Definition definition;
        bool is_new = false;
    };

    /// Changes whenever definitions become invalid; never 0.
    std::uint64_t generation() const noexcept { return generation_; }

    /// Writes the head of a template instance. If the template is new in the chunk, the caller
    /// writes its content, then end_template(). Equal keys are equal templates.
    Instance begin_instance(std::string_view key);

    /// Writes the head of an instance of a template that begin_instance() has returned in this
    /// generation.
    void known_instance(const Definition& definition);

    void end_template();

    void fragment_header();
    void token(Token token, bool more = false);
    /// Opens an element: returns the position for close().
    std::size_t open(std::string_view name, bool has_attributes,
                     std::uint16_t dependency = no_dependency);
    /// Writes the end token.
    void close(std::size_t element, Token end = Token::end_element);
    /// Writes the size of an attribute list later: returns the position for end_attributes().
    std::size_t begin_attributes();
    void end_attributes(std::size_t position);
    void attribute(std::string_view name, bool more);
    void text(std::string_view utf8);
    /// UTF-16LE units.
    void text(Bytes units);
    void substitution(Token token, std::uint16_t index, std::uint8_t type);

private:
    void name(std::string_view utf8);
    std::uint32_t find_name(std::u16string_view units, std::uint32_t hash) const;

    struct Tables {
        std::array<std::uint32_t, name_buckets> names{};
        std::array<std::uint32_t, template_buckets> templates{};
    };

    struct KeyHash {
        using is_transparent = void;

        std::size_t operator()(std::string_view key) const noexcept {
            return std::hash<std::string_view>()(key);
        }
    };

    ByteWriter bytes_;
    Tables tables_;
    Tables before_; // the record
    std::unordered_map<std::string, Definition, KeyHash, std::equal_to<>> templates_;
    std::vector<std::string> added_; // keys of templates of the record
    std::size_t template_size_ = 0;  // position of the size of the open definition
    std::uint32_t record_ = 0;       // offset of the last record
    std::uint32_t previous_ = 0;     // offset of the record before it
    std::uint64_t first_id_ = 0, last_id_ = 0;
    std::uint64_t previous_id_ = 0; // of the record before the last one
    std::size_t records_ = 0;
    std::uint64_t generation_ = 0;
    std::u16string units_; // of a name
};

/// The definitions of an event's templates in the chunk of a generation.
struct KnownTemplates {
    std::uint64_t generation = 0; // 0: none
    ChunkWriter::Definition system, payload;
};

// The two templates of a record as Windows writes them: System, and the payload.
// docs/format/evtx.md#templates

/// Writes the binary XML of an event: the instances of its templates with their values, and the
/// definitions that the chunk does not contain yet. Fields have at most 65,535 bytes each.
/// `known` is kept for events that differ in nothing but their properties, their user, and the
/// data of their values; `key` is memory that calls share.
void write_event(ChunkWriter& chunk, const Event& event, std::uint64_t record_id,
                 KnownTemplates& known, std::string& key);

} // namespace etl::evtx
