// Where values of columns come from. Private to dumper. docs/xperf.md#kinds
#pragma once

#include "dumper/cells/column.hpp"

namespace etl::dumper::show {

/// Whom the event is about: name and ID of the process, ID of the thread; the processor.
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

/// Of a context switch: state, reason, and mode (bit 0 of the field, or of `other`) of the old
/// thread; the time since the new thread ran, for which it was ready, for which the old one ran.
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

/// Of the header.
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
