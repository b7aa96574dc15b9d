#include "dumper/column.hpp"

#include "base/text.hpp"
#include "decode/display_value.hpp"
#include "dumper/clean_text.hpp"
#include "format/thread_states.hpp"

#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace etl::dumper {

bool Values::read(const decode::DecodedEvent& event) {
    using decode::Step;
    values_.assign(event.kind->schema->fields.size(), decode::Value{});
    walker_.start(event.kind->plan, event.body);
    unsigned depth = 0;
    for (Step step = walker_.next(); step != Step::end; step = walker_.next()) {
        if (step == Step::array_begin || step == Step::struct_begin) {
            ++depth;
        } else if (step == Step::array_end || step == Step::struct_end) {
            --depth;
        } else if (depth == 0) {
            values_[walker_.field()] = walker_.value();
        }
    }
    return !walker_.failed() && !walker_.is_short() && event.problem == nullptr &&
           event.kind->problem.empty();
}

std::optional<std::uint64_t> Values::number(std::uint16_t field) const noexcept {
    const decode::Value* const value = find(field);
    if (value == nullptr) {
        return {};
    }
    if (schema::is_integer(value->form)) {
        return decode::bits_of(*value);
    }
    const bool is_time =
        value->form == decode::Form::ticks && value->bytes.size() == sizeof(std::uint64_t);
    return is_time ? std::optional(load_le<std::uint64_t>(value->bytes.data())) : std::nullopt;
}

std::uint64_t microseconds_of(std::uint64_t ticks, std::int64_t frequency) noexcept {
    constexpr std::uint64_t per_second = 1'000'000;
    const auto per = static_cast<std::uint64_t>(frequency > 0 ? frequency : 1);
    constexpr std::uint64_t max = std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t seconds = ticks / per;
    if (seconds > max / per_second / 2 || per > max / per_second) {
        return max;
    }
    return seconds * per_second + ticks % per * per_second / per;
}

namespace {

/// Names of flags and numbers in fields of kernel events.
struct FlagName {
    std::uint32_t flag;
    std::string_view name;
};

/// IRP_*, FILE_ATTRIBUTE_*, FILE_SHARE_*.
extern const std::span<const FlagName> irp_flag_names, file_attribute_names, share_access_names;

/// Appends `name | name | 17`: flags without a name by the number of their bit.
void append_flags(std::string& to, std::uint64_t flags, std::span<const FlagName> names);

/// Appends the disposition, in the high byte of CreateOptions, and the options.
void append_create_options(std::string& to, std::uint64_t options);

/// Appends ` COMMIT RESERVE`: the MEM_* flags of VirtualAlloc and VirtualFree.
void append_allocation_flags(std::string& to, std::uint64_t flags);

/// Returns IO_PRIORITY_HINT + 1 of the flags of an IRP; 0: not set.
constexpr std::uint64_t io_priority_of(std::uint64_t irp_flags) noexcept {
    constexpr unsigned shift = 17;
    return irp_flags >> shift & 7U;
}

/// Returns "NotSet" for 0, "VeryLow", "Low", "Normal", "High", "Critical".
std::string_view name_of_io_priority(std::uint64_t priority) noexcept;

/// Returns the name of a page fault by its type, such as "DemandZero" for 11.
std::string_view fault_name(std::uint8_t type) noexcept;

constexpr FlagName irp_names[] = {{0x1, "nocache"},
                                  {0x2, "paging_io"},
                                  {0x4, "synchronous_api"},
                                  {0x8, "associated_irp"},
                                  {0x10, "buffered_io"},
                                  {0x20, "deallocate_buffer"},
                                  {0x40, "synchronous_paging_io"},
                                  {0x80, "create_operation"},
                                  {0x100, "read_operation"},
                                  {0x200, "write_operation"},
                                  {0x400, "close_operation"},
                                  {0x800, "defer_io_completion"},
                                  {0x1000, "ob_query_name"},
                                  {0x2000, "hold_device_queue"}};

constexpr FlagName attribute_names[] = {{0x1, "readonly"},
                                        {0x2, "hidden"},
                                        {0x4, "system"},
                                        {0x10, "directory"},
                                        {0x20, "archive"},
                                        {0x40, "device"},
                                        {0x80, "normal"},
                                        {0x100, "temporary"},
                                        {0x200, "sparse_file"},
                                        {0x400, "reparse_point"},
                                        {0x800, "compressed"},
                                        {0x1000, "offline"},
                                        {0x2000, "not_content_indexed"},
                                        {0x4000, "encrypted"}};

constexpr FlagName share_names[] = {{0x1, "read"}, {0x2, "write"}, {0x4, "delete"}};

constexpr FlagName option_names[] = {{0x1, "directory_file"},
                                     {0x2, "write_through"},
                                     {0x4, "sequential_only"},
                                     {0x8, "no_intermediate_buffering"},
                                     {0x10, "synchronous_io_alert"},
                                     {0x20, "synchronous_io_nonalert"},
                                     {0x40, "non_directory_file"},
                                     {0x80, "create_tree_connection"},
                                     {0x100, "complete_if_oplocked"},
                                     {0x200, "no_ea_knowledge"},
                                     {0x400, "open_remote_instance"},
                                     {0x800, "random_access"},
                                     {0x1000, "delete_on_close"},
                                     {0x2000, "open_by_file_id"},
                                     {0x4000, "open_for_backup_intent"},
                                     {0x8000, "no_compression"},
                                     {0x10000, "open_requiring_oplock"},
                                     {0x20000, "disallow_exclusive"},
                                     {0x100000, "reserve_opfilter"},
                                     {0x200000, "open_reparse_point"},
                                     {0x400000, "open_no_recall"},
                                     {0x800000, "open_for_free_space_query"}};

constexpr FlagName allocation_names[] = {
    {0x1000, "COMMIT"},        {0x2000, "RESERVE"},    {0x4000, "DECOMMIT"},
    {0x8000, "RELEASE"},       {0x80000, "RESET"},     {0x100000, "TOP_DOWN"},
    {0x200000, "WRITE_WATCH"}, {0x400000, "PHYSICAL"}, {0x20000000, "LARGE_PAGES"}};

// FILE_SUPERSEDE, ...
constexpr std::string_view dispositions[] = {"supersede", "open",      "create",
                                             "open_if",   "overwrite", "overwrite_if"};

constexpr std::string_view priorities[] = {"NotSet", "VeryLow", "Low",
                                           "Normal", "High",    "Critical"};

constexpr std::uint8_t first_fault = 10;
constexpr std::string_view faults[] = {"Transition", "DemandZero", "CopyOnWrite",
                                       "GuardPage",  "Hard",       "AccessViol"};

void append_separated(std::string& to, std::size_t begin, std::string_view name) {
    to.append(to.size() > begin ? " | " : "").append(name);
}

constinit const std::span<const FlagName> irp_flag_names = irp_names;
constinit const std::span<const FlagName> file_attribute_names = attribute_names;
constinit const std::span<const FlagName> share_access_names = share_names;

void append_flags(std::string& to, std::uint64_t flags, std::span<const FlagName> names) {
    const std::size_t begin = to.size();
    for (const FlagName& name : names) {
        if ((flags & name.flag) != 0) {
            append_separated(to, begin, name.name);
            flags &= ~std::uint64_t{name.flag};
        }
    }
    for (unsigned bit = 0; flags != 0; ++bit, flags >>= 1U) {
        if ((flags & 1U) != 0) {
            append_separated(to, begin, "");
            append_decimal(to, bit);
        }
    }
}

void append_create_options(std::string& to, std::uint64_t options) {
    constexpr unsigned shift = 24;
    constexpr std::uint64_t option_bits = 0xFFFFFF;
    const std::uint64_t disposition = options >> shift;
    std::string rest;
    append_flags(rest, options & option_bits, option_names);
    if (disposition < std::size(dispositions)) {
        to.append(dispositions[disposition]);
    } else {
        append_decimal(to, disposition);
    }
    to.append(rest.empty() ? "" : " | ").append(rest);
}

void append_allocation_flags(std::string& to, std::uint64_t flags) {
    for (const FlagName& name : allocation_names) {
        if ((flags & name.flag) != 0) {
            to.append(" ").append(name.name);
            flags &= ~std::uint64_t{name.flag};
        }
    }
    if (flags != 0) {
        to.push_back(' ');
        append_hex(to, flags);
    }
}

std::string_view name_of_io_priority(std::uint64_t priority) noexcept {
    return priority < std::size(priorities) ? priorities[priority] : std::string_view("Unknown");
}

std::string_view fault_name(std::uint8_t type) noexcept {
    return type >= first_fault && std::size_t{type} - first_fault < std::size(faults)
               ? faults[type - first_fault]
               : std::string_view();
}

} // namespace

} // namespace etl::dumper

namespace etl::dumper::show {

namespace {

void append_id(std::string& to, std::uint32_t id) {
    if (id == flow::no_id) {
        to.append("-1");
    } else {
        append_decimal(to, id);
    }
}

void append_microseconds(std::string& to, const CellSource& from, std::uint64_t ticks) {
    append_decimal(to, microseconds_of(ticks, from.event->event->trace().clock.frequency()));
}

/// From `begin` to the event.
void append_since(std::string& to, const CellSource& from, std::int64_t begin) {
    if (begin <= from.time()) {
        append_microseconds(
            to, from, static_cast<std::uint64_t>(from.time()) - static_cast<std::uint64_t>(begin));
    }
}

/// Three bits of the flags of a context switch: _WMI_CONTEXTSWAP in the symbols of the kernel.
void append_qos(std::string& to, const CellSource& from, unsigned shift) {
    if (const auto flags = from.number()) {
        append_decimal(to, *flags >> shift & 7U);
    }
}

void append_times(std::string& to, const CellSource& from, std::optional<std::uint64_t> ticks) {
    append_microseconds(to, from, ticks.value_or(0)); // 0: unknown, as xperf prints
}

} // namespace

void process(std::string& to, const CellSource& from) {
    from.names->append_process(to, from.subject->process, from.time());
}

void thread(std::string& to, const CellSource& from) {
    append_id(to, from.subject->thread);
}

void cpu(std::string& to, const CellSource& from) {
    append_decimal(to, from.event->event->buffer->processor);
}

void process_of_thread(std::string& to, const CellSource& from) {
    if (const auto thread = from.number()) {
        const std::uint32_t process =
            from.names->process_of(static_cast<std::uint32_t>(*thread), from.time());
        from.names->append_process(to, process, from.time());
    }
}

void decimal(std::string& to, const CellSource& from) {
    if (const auto number = from.number()) {
        if (schema::is_signed(from.values->find(from.field)->form)) {
            append_decimal(to, decode::signed_of(*from.values->find(from.field)));
        } else {
            append_decimal(to, *number);
        }
    }
}

void hex(std::string& to, const CellSource& from) {
    if (const auto number = from.number()) {
        append_hex_digits(to, *number, from.column->digits);
    }
}

void pointer(std::string& to, const CellSource& from) {
    if (const auto address = from.number()) {
        from.names->append_address(to, *address);
    }
}

void end_address(std::string& to, const CellSource& from) {
    const auto begin = from.number(), size = from.other_number();
    if (begin && size) {
        from.names->append_address(to, *begin + *size);
    }
}

void function(std::string& to, const CellSource& from) {
    if (const auto address = from.number()) {
        from.names->append_function(
            to, {.process = from.subject->process, .address = *address, .time = from.time()});
    }
}

void start_function(std::string& to, const CellSource& from) {
    if (from.subject->thread_start) {
        from.names->append_function(to, {.process = from.subject->process,
                                         .address = *from.subject->thread_start,
                                         .time = from.time()});
    }
}

void elapsed(std::string& to, const CellSource& from) {
    if (const auto ticks = from.number()) {
        append_microseconds(to, from, *ticks);
    }
}

void elapsed_since(std::string& to, const CellSource& from) {
    if (const auto begin = from.number()) {
        append_since(to, from, static_cast<std::int64_t>(*begin));
    }
}

void service_time(std::string& to, const CellSource& from) {
    if (from.subject->service) {
        append_microseconds(to, from, *from.subject->service);
    }
}

void since_switched_out(std::string& to, const CellSource& from) {
    append_times(to, from, from.subject->times.since_switched_out);
}

void ready_time(std::string& to, const CellSource& from) {
    append_times(to, from, from.subject->times.ready);
}

void switched_in_time(std::string& to, const CellSource& from) {
    append_times(to, from, from.subject->times.switched_in);
}

void old_qos(std::string& to, const CellSource& from) {
    append_qos(to, from, 1); // after OldThreadWaitMode
}

void new_qos(std::string& to, const CellSource& from) {
    append_qos(to, from, 4);
}

void quantum(std::string& to, const CellSource& from) {
    if (from.number()) {
        decimal(to, from);
    } else {
        to.append("-1");
    }
}

void request_object(std::string& to, const CellSource& from) {
    if (from.subject->request) {
        from.names->append_address(to, from.subject->request->object);
    }
}

void request_time(std::string& to, const CellSource& from) {
    if (from.subject->request) {
        append_since(to, from, from.subject->request->time);
    }
}

void id(std::string& to, const CellSource& from) {
    append_hex_digits(to, from.event->header.id, 4);
}

void task(std::string& to, const CellSource& from) {
    append_hex_digits(to, from.event->header.task, 4);
}

void opcode(std::string& to, const CellSource& from) {
    append_hex_digits(to, from.event->header.opcode, 2);
}

void version(std::string& to, const CellSource& from) {
    append_hex_digits(to, from.event->header.version, 2);
}

void class_version(std::string& to, const CellSource& from) {
    append_hex_digits(to, from.event->header.version, 4);
}

void level(std::string& to, const CellSource& from) {
    append_hex_digits(to, from.event->header.level, 2);
}

void channel(std::string& to, const CellSource& from) {
    append_hex_digits(to, from.event->header.channel, 2);
}

void keyword(std::string& to, const CellSource& from) {
    append_hex_digits(to, from.event->header.keyword, 16);
}

void payload_size(std::string& to, const CellSource& from) {
    append_decimal(to, from.event->header.payload.size());
}

namespace {

/// The field as Windows shows it; nothing: the event does not have it.
std::optional<std::string> displayed(const CellSource& from) {
    const decode::Value* const value = from.values->find(from.field);
    if (value == nullptr) {
        return {};
    }
    std::string shown;
    decode::append_display(shown, *value);
    return shown;
}

void append_name_or_number(std::string& to, std::string_view name, std::uint64_t number) {
    to.append(name);
    if (name.empty()) {
        append_decimal(to, number);
    }
}

void append_named_flags(std::string& to, const CellSource& from, std::span<const FlagName> names) {
    if (const auto flags = from.number()) {
        append_flags(to, *flags, names);
    }
}

} // namespace

void text(std::string& to, const CellSource& from) {
    append_line_text(to, displayed(from).value_or(""));
}

void text_or_none(std::string& to, const CellSource& from) {
    if (const auto shown = displayed(from)) {
        append_line_text(to, shown->empty() ? "<none>" : *shown);
    }
}

void quoted(std::string& to, const CellSource& from) {
    if (const auto shown = displayed(from)) {
        append_quoted(to, *shown);
    }
}

void path(std::string& to, const CellSource& from) {
    if (const auto shown = displayed(from)) {
        from.names->append_path(to, *shown);
    }
}

void file(std::string& to, const CellSource& from) {
    const auto key = from.number(), object = from.other_number();
    if (key || object) {
        from.names->append_file(to, key.value_or(0), object.value_or(0), from.time());
    }
}

void io_priority(std::string& to, const CellSource& from) {
    if (const auto flags = from.number()) {
        append_decimal(to, io_priority_of(*flags));
    }
}

void io_priority_name(std::string& to, const CellSource& from) {
    if (const auto flags = from.number()) {
        to.append(name_of_io_priority(io_priority_of(*flags)));
    }
}

void irp_flags(std::string& to, const CellSource& from) {
    append_named_flags(to, from, irp_flag_names);
}

void create_options(std::string& to, const CellSource& from) {
    if (const auto options = from.number()) {
        append_create_options(to, *options);
    }
}

void file_attributes(std::string& to, const CellSource& from) {
    append_named_flags(to, from, file_attribute_names);
}

void share_access(std::string& to, const CellSource& from) {
    append_named_flags(to, from, share_access_names);
}

void allocation_flags(std::string& to, const CellSource& from) {
    if (const auto flags = from.number()) {
        append_allocation_flags(to, *flags);
    }
}

void fault_kind(std::string& to, const CellSource& from) {
    to.append(fault_name(from.event->header.opcode));
}

void thread_state(std::string& to, const CellSource& from) {
    if (const auto state = from.number()) {
        append_name_or_number(to, format::thread_state_name(*state), *state);
    }
}

void wait_reason(std::string& to, const CellSource& from) {
    if (const auto reason = from.number()) {
        append_name_or_number(to, format::wait_reason_name(*reason), *reason);
    }
}

void wait_mode(std::string& to, const CellSource& from) {
    const auto mode = from.number() ? from.number() : from.other_number();
    if (mode) {
        to.append((*mode & 1U) != 0 ? "Swapable" : "NonSwap");
    }
}

void sample_type(std::string& to, const CellSource& /*from*/) {
    to.append("Unbatched");
}

void volume_snapshot(std::string& to, const CellSource& /*from*/) {
    to.append("Original");
}

void request_file(std::string& to, const CellSource& from) {
    if (const auto& request = from.subject->request) {
        from.names->append_file(to, request->key, request->object, from.time());
    }
}

void request_kind(std::string& to, const CellSource& from) {
    if (from.subject->request) {
        to.append(from.subject->request->kind);
    }
}

void guid(std::string& to, const CellSource& from) {
    append_braced(to, from.event->header.provider);
}

} // namespace etl::dumper::show
