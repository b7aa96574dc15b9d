#include "dumper/cells/flag_names.hpp"

#include "base/text.hpp"

#include <iterator>

namespace etl::dumper {

namespace {

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

} // namespace

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

} // namespace etl::dumper
