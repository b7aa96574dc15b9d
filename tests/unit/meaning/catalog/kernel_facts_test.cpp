// The kernel's classes against a table of facts about them, where it is at hand: every field of
// every class, its type, size and place. The table is not part of the project.
#include "tests/unit/meaning/catalog/kernel_classes.hpp"

#include <filesystem>
#include <map>

namespace etl::catalog::kernel_facts_test {
namespace {

using schema::EventSchema;
using schema::Extent;
using schema::Field;
using schema::InType;
using schema::OutType;

const std::filesystem::path facts =
    std::filesystem::path(ETL_SHARED_CORPUS).parent_path() / "reference" / "kernel-events.csv";

struct Fact {
    std::string guid, type, name, version, field, in_type, size, notes, count, mof_class;
};

bool is_digits(const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

/// One per row and event type.
std::vector<Fact> read_facts() {
    std::vector<Fact> all;
    for (const auto& row : read_csv(facts.string())) {
        const auto types = split(row.at(3), ';');
        const auto names = split(row.at(4), ';');
        for (std::size_t i = 0; i < types.size(); ++i) {
            all.push_back({row.at(2), types[i], names.at(i), row.at(5), row.at(6), row.at(7),
                           row.at(8), row.at(9), row.at(11), row.at(12)});
        }
    }
    return all;
}

/// The in types that a type of the table may have become.
bool is_type(const Field& field, const Fact& fact) {
    static const std::map<std::string, InType> types{{"win:UInt8", InType::uint8},
                                                     {"win:Int8", InType::int8},
                                                     {"win:UInt16", InType::uint16},
                                                     {"win:Int16", InType::int16},
                                                     {"win:UInt32", InType::uint32},
                                                     {"win:Int32", InType::int32},
                                                     {"win:UInt64", InType::uint64},
                                                     {"win:Int64", InType::int64},
                                                     {"win:Pointer", InType::pointer},
                                                     {"tdh:SizeT", InType::pointer_sized},
                                                     {"win:GUID", InType::guid},
                                                     {"win:FILETIME", InType::filetime},
                                                     {"tdh:WbemSid", InType::wbem_sid},
                                                     {"win:UnicodeString", InType::unicode_string},
                                                     {"win:AnsiString", InType::ansi_string},
                                                     {"win:Binary", InType::binary},
                                                     {"tdh:Boolean8", InType::uint8}};
    if (fact.in_type == "struct") {
        return field.in_type == InType::structure || field.in_type == InType::binary;
    }
    if (fact.in_type == "tdh:UnicodeChar") {
        return field.in_type == InType::unicode_string || field.in_type == InType::unicode_char;
    }
    const auto known = types.find(fact.in_type);
    return known != types.end() && field.in_type == known->second;
}

OutType shown_as(const Fact& fact) {
    if (fact.in_type == "tdh:Boolean8") {
        return OutType::boolean;
    }
    static const std::map<std::string, OutType> notes{
        {"outType win:Port (network byte order)", OutType::port},
        {"outType win:IPv4", OutType::ipv4},
        {"outType win:IPv6", OutType::ipv6},
        {"timestamp in the session clock", OutType::etw_time},
        {"not printed", OutType::no_print},
        {"UTF-8", OutType::utf8}};
    const auto known = notes.find(fact.notes);
    return known == notes.end() ? OutType::none : known->second;
}

/// How many values, or characters, a row of the table stands for.
std::string count_of(const EventSchema& event, const Field& field) {
    const bool is_text = field.length.kind != Extent::Kind::natural;
    const Extent& extent = is_text ? field.length : field.count;
    switch (extent.kind) {
    case Extent::Kind::natural:
        return "";
    case Extent::Kind::fixed:
        return std::to_string(extent.value);
    case Extent::Kind::field:
        return event.fields.at(extent.value).name;
    case Extent::Kind::rest:
        return "rest";
    case Extent::Kind::prefixed:
    case Extent::Kind::unknown:
        break;
    }
    return "?";
}

/// Why a field is not what the table says; empty: it is.
std::string difference(const EventSchema& event, const Field& field, const Fact& fact) {
    if (field.name != fact.field) {
        return "named " + field.name;
    }
    if (!is_type(field, fact)) {
        return "of another type";
    }
    const OutType out = shown_as(fact);
    if (out != OutType::none && field.out_type != out) {
        return "shown in another way";
    }
    if (fact.notes == "hex" && field.in_type != InType::pointer &&
        (field.out_type < OutType::hex_int8 || field.out_type > OutType::hex_int64)) {
        return "not hexadecimal";
    }
    const bool is_variable = fact.size == "var" || field.name == "StackFrame";
    if (!is_variable && count_of(event, field) != fact.count) {
        return "counted by " + count_of(event, field);
    }
    if (is_digits(fact.size) && (fact.count.empty() || is_digits(fact.count)) &&
        min_bytes({field}, 0, 1, 8) != std::stoul(fact.size)) {
        return "of another size";
    }
    return {};
}

/// The schema for a class of the table: by identity, then by the name of the MOF class, for several
/// may share the identity.
const EventSchema* schema_for(const schema::SchemaStore& store, const Fact& fact) {
    const bool any = !is_digits(fact.version);
    for (const auto& event : store.schemas()) {
        // Ours has two names where the table has one class twice.
        const bool is_named =
            event->symbol == fact.mof_class || event->symbol == fact.mof_class + "_Unversioned" ||
            (fact.field == "ThreadName" && event->symbol == fact.mof_class + "_Named");
        if (is_named && event->any_version == any &&
            to_string(event->provider->guid) == fact.guid &&
            std::to_string(event->id) == fact.type &&
            (any || std::to_string(event->version) == fact.version) &&
            (fact.field != "ThreadName" || event->fields.back().name == "ThreadName")) {
            return event.get();
        }
    }
    return nullptr;
}

TEST(KernelFacts, AreAllInTheClasses) {
    if (!std::filesystem::exists(facts)) {
        GTEST_SKIP() << "no " << facts;
    }
    const KernelClasses classes = load_kernel_classes();
    const std::vector<Fact> all = read_facts();
    EXPECT_GE(all.size(), 1639U);
    std::map<const EventSchema*, std::size_t> next; // field of each, in order
    const auto is_frame = [](const Fact& fact) {
        return fact.mof_class == "StackWalk_Event" && fact.field.starts_with("Stack") &&
               is_digits(fact.field.substr(5));
    };
    // Described field by field, or as the text that it is, where the table has bytes.
    const std::set<std::string> better_known{"ImageId_Unknown41",
                                             "SystemConfigEx_NetworkInterface"};
    std::size_t passed_over = 0;
    for (const Fact& fact : all) {
        if (better_known.contains(fact.mof_class)) {
            ++passed_over;
            continue;
        }
        const std::string where = fact.mof_class + " type " + fact.type + " " + fact.field;
        const EventSchema* event = schema_for(classes.store, fact);
        ASSERT_NE(event, nullptr) << where;
        EXPECT_EQ(event->opcode_name, fact.name) << where;
        if (fact.field.empty()) {
            EXPECT_TRUE(event->fields.empty()) << where;
            continue;
        }
        if (is_frame(fact)) { // Stack1 to Stack32 are one array
            EXPECT_EQ(event->fields.back().name, "Stack");
            next[event] = event->fields.size();
            continue;
        }
        std::size_t& at = next[event];
        if (fact.field == "ThreadName") {
            at = event->fields.size() - 1;
        }
        ASSERT_LT(at, event->fields.size()) << where;
        const Field& field = event->fields[at];
        EXPECT_EQ(difference(*event, field, fact), "") << where;
        at += 1U + field.members;
    }
    for (const auto& [event, fields] : next) {
        EXPECT_EQ(fields, event->fields.size()) << event->symbol << " has more fields";
    }
    EXPECT_EQ(passed_over, better_known.size()) << "one row each";
}

} // namespace
} // namespace etl::catalog::kernel_facts_test
