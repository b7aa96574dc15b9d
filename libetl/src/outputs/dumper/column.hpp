// A column: its heading, and where its values come from. Private to dumper.
#pragma once

#include "decode/decoder.hpp"
#include "dumper/names.hpp"
#include "dumper/requests.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etl::dumper {

// The values of the fields of one event.

inline constexpr std::uint16_t no_field = 0xFFFF;

/// The values that belong to no structure or array.
class Values {
public:
    /// Reads a payload; false: it contradicts its schema.
    bool read(const decode::DecodedEvent& event);

    /// Null: the event does not have the field.
    const decode::Value* find(std::uint16_t field) const noexcept {
        return field < values_.size() && values_[field].form != decode::Form::null ? &values_[field]
                                                                                   : nullptr;
    }

    /// The number in a field; nothing: the event does not have it.
    std::optional<std::uint64_t> number(std::uint16_t field) const noexcept;

private:
    std::vector<decode::Value> values_; // by field
    decode::FieldWalker walker_;
};

/// Microseconds, rounded down; saturated.
std::uint64_t microseconds_of(std::uint64_t ticks, std::int64_t frequency) noexcept;

struct DumpColumn;

/// The event of a line, for one column.
struct CellSource {
    const decode::DecodedEvent* event = nullptr;
    const Values* values = nullptr;
    const Subject* subject = nullptr;
    Names* names = nullptr;
    const DumpColumn* column = nullptr;
    std::uint16_t field = no_field, other = no_field; // those of the column, in the schema

    std::int64_t time() const noexcept { return event->event->raw_time; }

    std::optional<std::uint64_t> number() const noexcept { return values->number(field); }

    std::optional<std::uint64_t> other_number() const noexcept { return values->number(other); }
};

/// Appends a value; nothing if it is not known.
using Show = void (*)(std::string& to, const CellSource& from);

struct DumpColumn {
    std::string_view heading;
    std::uint8_t width = 0; // of values, and of the heading if that is shorter; 0: as long as it is
    Show show = nullptr;
    std::string_view field{}; // by name in the schema
    std::string_view other{};
    std::uint8_t digits = 0;  // least, of hexadecimal numbers
    std::uint8_t since = 0;   // class version that added the column
    bool is_optional = false; // shown if an event of the trace has a text in it
};

/// Which columns of a kind the lines of a trace have.
struct ShownColumns {
    std::uint8_t version = 0;  // the highest class version of its events
    bool has_optional = false; // an event has a text in an optional column

    constexpr bool has(const DumpColumn& column) const noexcept {
        return column.since <= version && (has_optional || !column.is_optional);
    }
};

/// Stands for the width of pointers: 18 columns in a 64-bit trace, 10 in a 32-bit one.
inline constexpr std::uint8_t pointer_width = 0xFF;

namespace show {
void pointer(std::string& to, const CellSource& from);
} // namespace show

/// Returns the width of a column.
constexpr std::size_t width_of(const DumpColumn& column, bool is_64_bit) noexcept {
    constexpr std::size_t wide = 18, narrow = 10;
    if (!is_64_bit && (column.width == pointer_width || column.show == &show::pointer)) {
        return narrow;
    }
    return column.width == pointer_width ? wide : column.width;
}

} // namespace etl::dumper

namespace etl::dumper::show {

// Where values of columns come from. docs/xperf.md#kinds

/// The subject of the event: name and ID of the process, ID of the thread; the processor.
void process(std::string& to, const CellSource& from);
void thread(std::string& to, const CellSource& from);
void cpu(std::string& to, const CellSource& from);

/// Name and ID of the process of the thread in the field.
void process_of_thread(std::string& to, const CellSource& from);

/// The number in the field: decimal; hexadecimal; as an address; that plus `other`.
void decimal(std::string& to, const CellSource& from);
void hex(std::string& to, const CellSource& from);
void pointer(std::string& to, const CellSource& from);
void end_address(std::string& to, const CellSource& from);

/// The field as Windows shows it; `<none>` if empty; in quotes; as a path with a drive letter.
void text(std::string& to, const CellSource& from);
void text_or_none(std::string& to, const CellSource& from);
void quoted(std::string& to, const CellSource& from);
void path(std::string& to, const CellSource& from);

/// The code at the address in the field, and that at which the thread was started.
void function(std::string& to, const CellSource& from);
void start_function(std::string& to, const CellSource& from);

/// The file whose key is the field, or whose object is `other`.
void file(std::string& to, const CellSource& from);

/// Microseconds: the ticks in the field; from them to the event; without the time in the queue.
void elapsed(std::string& to, const CellSource& from);
void elapsed_since(std::string& to, const CellSource& from);
void service_time(std::string& to, const CellSource& from);

/// The flags of an IRP in the field: its priority, the name of that, all flags.
void io_priority(std::string& to, const CellSource& from);
void io_priority_name(std::string& to, const CellSource& from);
void irp_flags(std::string& to, const CellSource& from);

/// Other flags, by name.
void create_options(std::string& to, const CellSource& from);
void file_attributes(std::string& to, const CellSource& from);
void share_access(std::string& to, const CellSource& from);
void allocation_flags(std::string& to, const CellSource& from);

/// The kind of a page fault, by the type of the event.
void fault_kind(std::string& to, const CellSource& from);

/// Cells of a context switch: state, reason, and mode (bit 0 of the field, or of `other`) of the
/// old thread; the time since the new thread ran, for which it was ready, for which the old one
/// ran.
void thread_state(std::string& to, const CellSource& from);
void wait_reason(std::string& to, const CellSource& from);
void wait_mode(std::string& to, const CellSource& from);
void since_switched_out(std::string& to, const CellSource& from);
void ready_time(std::string& to, const CellSource& from);
void switched_in_time(std::string& to, const CellSource& from);

/// The levels in the flags of a context switch, as numbers.
void old_qos(std::string& to, const CellSource& from);
void new_qos(std::string& to, const CellSource& from);

/// The field, or -1.
void quantum(std::string& to, const CellSource& from);

/// What xperf prints for every such event: `Unbatched`, `Original`.
void sample_type(std::string& to, const CellSource& from);
void volume_snapshot(std::string& to, const CellSource& from);

/// The file request that the event ends.
void request_file(std::string& to, const CellSource& from);
void request_object(std::string& to, const CellSource& from);
void request_kind(std::string& to, const CellSource& from);
void request_time(std::string& to, const CellSource& from);

/// Writes the GUID of the header.
void guid(std::string& to, const CellSource& from);
void id(std::string& to, const CellSource& from);
void task(std::string& to, const CellSource& from);
void opcode(std::string& to, const CellSource& from);
void version(std::string& to, const CellSource& from);
void class_version(std::string& to, const CellSource& from);
void level(std::string& to, const CellSource& from);
void channel(std::string& to, const CellSource& from);
void keyword(std::string& to, const CellSource& from);
void payload_size(std::string& to, const CellSource& from);

} // namespace etl::dumper::show
