#include "facts/machine.hpp"

#include "base/cursor.hpp"
#include "base/text.hpp"
#include "format/kernel_group.hpp"
#include "format/known_guids.hpp"

namespace etl::facts {

namespace {

constexpr std::uint16_t header_build_hook = 0x0042; // of group 0, class EventTrace
constexpr std::uint8_t header_build = 66;
constexpr std::uint8_t configuration_type = 10;
constexpr std::uint8_t product_type = 32;
constexpr std::size_t computer_name_bytes = 512;
constexpr std::size_t domain_name_bytes = 264; // at least

std::string text_of(Bytes units) {
    Cursor in(units);
    const Bytes text = in.zero_terminated16("text");
    std::string result;
    append_utf16le(result, in ? text : units);
    return result;
}

Machine read_configuration(Bytes payload) {
    Cursor in(payload);
    Machine machine;
    machine.mhz = in.u32("MHz");
    machine.processors = in.u32("processors");
    machine.memory_mb = in.u32("memory");
    in.u32("page size");
    in.u32("allocation granularity");
    machine.computer_name = text_of(in.bytes("computer", computer_name_bytes));
    machine.domain_name = text_of(in.bytes("domain", domain_name_bytes));
    return in ? machine : Machine{};
}

std::string product_build(Cursor& in) {
    std::string build;
    in.u64("install date");
    append_utf16le(build, in.zero_terminated16("build"));
    return build;
}

Machine read_product(Bytes payload) {
    Cursor in(payload);
    Machine machine;
    machine.build_lab = product_build(in);
    append_utf16le(machine.product_name, in.zero_terminated16("product"));
    return in ? machine : Machine{};
}

Machine read_build(Bytes payload) {
    Cursor in(payload);
    Machine machine;
    append_utf8(machine.build_lab, in.zero_terminated8("build"));
    return machine;
}

bool is_of_class_kind(format::RecordKind kind) noexcept {
    return (format::has_hook(kind) && kind.family != format::RecordFamily::compact) ||
           format::is_full(kind);
}

/// Whether an event of such a kind can be one of those below, by its hook.
bool may_be_of_machine(const flow::Event& event) noexcept {
    constexpr unsigned trace_group = header_build_hook >> 8U, configuration_group = 0x0B;
    if (!format::has_hook(event.kind)) {
        return true;
    }
    const unsigned group = flow::stored<format::system_record::hook_id>(event) >> 8U;
    return group == trace_group || group == configuration_group;
}

} // namespace

bool is_build_info(const flow::Event& event) noexcept {
    if (format::has_hook(event.kind)) {
        return flow::stored<format::system_record::hook_id>(event) == header_build_hook;
    }
    return format::is_full(event.kind) &&
           flow::stored<format::full_record::guid>(event) == format::system_config_ex_guid &&
           flow::stored<format::full_record::type>(event) == product_type;
}

std::string build_lab_of(const flow::EventHeader& header) {
    if (header.provider != format::system_config_ex_guid) {
        return read_build(header.payload).build_lab;
    }
    // Needed even where the name of the product is cut.
    Cursor in(header.payload);
    const std::string build = product_build(in);
    return in ? build : std::string();
}

void MachineCollector::take(Found& to, const Found& found) {
    if (found.is_set && (!to.is_set || found.time < to.time)) {
        to = found;
    }
}

void MachineCollector::add(const flow::Event& event) {
    if (!is_of_class_kind(event.kind) || !may_be_of_machine(event)) {
        return;
    }
    const flow::EventHeader header = flow::read_header(event);
    const auto found = [&](Machine what) { return Found{true, event.raw_time, std::move(what)}; };
    if (header.provider == format::system_config_guid && header.opcode == configuration_type) {
        take(configuration_, found(read_configuration(header.payload)));
    } else if (header.provider == format::system_config_ex_guid && header.opcode == product_type) {
        take(product_, found(read_product(header.payload)));
    } else if (header.opcode == header_build &&
               header.provider == format::class_of_hook(header_build_hook)) {
        take(build_, found(read_build(header.payload)));
    }
}

void MachineCollector::combine(const MachineCollector& other) {
    take(configuration_, other.configuration_);
    take(product_, other.product_);
    take(build_, other.build_);
}

Machine MachineCollector::get() const {
    Machine machine = configuration_.what;
    machine.product_name = product_.what.product_name;
    machine.build_lab =
        product_.what.build_lab.empty() ? build_.what.build_lab : product_.what.build_lab;
    return machine;
}

} // namespace etl::facts
