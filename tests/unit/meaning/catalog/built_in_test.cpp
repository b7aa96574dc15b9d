// What is embedded are the files of schemas/kernel, schemas/classic, and schemas/providers, found
// by their providers.
#include "base/text.hpp"
#include "catalog/built_in.hpp"
#include "catalog/catalog.hpp"
#include "catalog/schema_file.hpp"
#include "format/kernel_group.hpp"
#include "schema/mof.hpp"
#include "schema/value_form.hpp"
#include "tests/support/folders.hpp"
#include "tests/unit/meaning/catalog/kernel_classes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace etl::catalog::built_in_test {

namespace {

namespace fs = std::filesystem;

using namespace etl::literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr Guid process_class = "3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c"_guid;
constexpr Guid kernel_process = "22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716"_guid;
constexpr Guid nobody = "11111111-2222-3333-4444-555555555555"_guid;

/// By name.
std::map<std::string, std::string> files_on_disk() {
    std::map<std::string, std::string> files;
    const fs::path schemas = fs::path(test::source_dir()) / "schemas";
    for (const auto& [folder, extension] :
         {std::pair("kernel", ".mof"), std::pair("classic", ".mof"),
          std::pair("providers", ".txt")}) {
        for (const auto& entry : fs::directory_iterator(schemas / folder)) {
            if (entry.path().extension() == extension) {
                std::ifstream file(entry.path(), std::ios::binary);
                files[entry.path().filename().string()] =
                    std::string(std::istreambuf_iterator<char>(file), {});
            }
        }
    }
    return files;
}

std::vector<std::string> taken(BuiltIn& built_in, const std::unordered_set<Guid>& providers) {
    std::vector<std::string> names;
    built_in.take(providers,
                  [&](std::string_view name, std::string_view) { names.emplace_back(name); });
    return names;
}

TEST(BuiltIn, AreTheFilesByteByByte) {
    std::map<std::string, std::string> embedded;
    BuiltIn().take_all([&](std::string_view name, std::string_view text) {
        EXPECT_TRUE(embedded.emplace(name, text).second) << name;
    });
    EXPECT_EQ(embedded, files_on_disk());
}

TEST(BuiltIn, HaveAnIndexOfAllTheyDefine) {
    std::map<std::string, std::vector<Guid>> index;
    for (const BuiltInProvider& provider : built_in_providers()) {
        index[std::string(built_in_files()[provider.file].name)].push_back(provider.guid);
    }
    for (const auto& [name, text] : files_on_disk()) {
        const auto found = recognise(std::as_bytes(std::span(text)));
        ASSERT_TRUE(found) << name;
        EXPECT_THAT(index[name], ::testing::UnorderedElementsAreArray(found->providers)) << name;
    }
}

TEST(BuiltIn, AreTakenOnce) {
    BuiltIn built_in;
    EXPECT_THAT(taken(built_in, {nobody}), IsEmpty());
    EXPECT_THAT(taken(built_in, {kernel_process, process_class}),
                ElementsAre("process.mof", "Microsoft-Windows-Kernel-Process.txt"));
    EXPECT_THAT(taken(built_in, {kernel_process}), IsEmpty());
    std::size_t rest = 0;
    built_in.take_all([&](std::string_view, std::string_view) { ++rest; });
    EXPECT_EQ(rest, files_on_disk().size() - 2);
}

TEST(BuiltIn, ServeACatalogWithoutPaths) {
    auto catalog = Catalog::open({.environment = false});
    ASSERT_TRUE(catalog);
    EXPECT_EQ(catalog->files(), 0U);
    schema::SchemaStore store;
    catalog->load({kernel_process}, store);
    store.freeze();
    const auto match = store.find({kernel_process, 1, 3});
    ASSERT_EQ(match.candidates.size(), 1U);
    EXPECT_EQ(match.candidates.front()->event_name, "ProcessStart/Start");
    const schema::SchemaFile* const file = store.file_of(*match.candidates.front());
    ASSERT_NE(file, nullptr);
    EXPECT_EQ(file->name, "Microsoft-Windows-Kernel-Process.txt");
    EXPECT_TRUE(file->built_in);
    EXPECT_TRUE(store.find({process_class, 1, 4}).candidates.empty()) << "nobody asked for it";
}

} // namespace

// The kernel's classes as a whole: all of them parse, and they agree with the tables of names and
// of lengths.

namespace {

using namespace etl::literals;
using schema::EventSchema;
using schema::Extent;
using schema::InType;
using schema::OutType;
using ::testing::IsEmpty;

constexpr Guid process = "3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c"_guid;
constexpr Guid image = "2cb15d1d-5fc1-11d2-abe1-00a0c911f518"_guid;
constexpr Guid image_id = "b3e675d7-2554-4f18-830b-2762732560de"_guid;
constexpr Guid lost_event = "6a399ae0-4bc6-4de9-870b-3657f8947e7e"_guid;

const std::string schemas_folder = test::source_dir() + "/schemas/";

std::string text_of_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// What a lookup finds, as "CLASS CLASS", those of lower versions with a ? after them.
std::string found(const schema::SchemaStore& store, const Guid& guid, std::uint16_t type,
                  std::uint8_t version) {
    const schema::Match match = store.find({guid, type, version});
    std::string all;
    for (const EventSchema* candidate : match.candidates) {
        all += (all.empty() ? "" : " ") + candidate->symbol;
    }
    for (const EventSchema* candidate : match.lower) {
        all += (all.empty() ? "" : " ") + candidate->symbol + "?";
    }
    return all;
}

/// Those of the highest version that the key allows, or else those for any version.
std::vector<const EventSchema*> newest_of(const schema::SchemaStore& store,
                                          const schema::EventKey& key) {
    const schema::Match match = store.find(key);
    std::vector<const EventSchema*> newest;
    for (const EventSchema* candidate : match.lower) {
        if (candidate->version == match.lower.front()->version) {
            newest.push_back(candidate);
        }
    }
    return newest.empty() ? match.candidates : newest;
}

void expect_no_remarks(const std::string& folder, bool is_of_kernel) {
    for (const auto& file : std::filesystem::directory_iterator(schemas_folder + folder)) {
        const std::string text = text_of_file(file.path());
        const auto set = schema::parse_mof(std::as_bytes(std::span(text)));
        ASSERT_TRUE(set) << file.path() << ":" << set.error().line << ":" << set.error().column
                         << ": " << set.error().reason;
        for (const schema::FileNote& note : set->notes) {
            ADD_FAILURE() << file.path() << ":" << note.line << ": " << note.text;
        }
        for (const auto& event : set->events) {
            EXPECT_EQ(event->provider->name == "MSNT_SystemTrace", is_of_kernel) << event->symbol;
            EXPECT_EQ(event->origin, schema::Origin::mof);
        }
    }
}

TEST(KernelClasses, ParseWithoutARemark) {
    expect_no_remarks("kernel", true);
}

TEST(ClassicClasses, ParseWithoutARemark) {
    expect_no_remarks("classic", false);
}

TEST(ClassicClasses, HaveTheNamesOfTheTable) {
    const Classes classes = load_classes({"classic"});
    EXPECT_THAT(classes.remarks, IsEmpty());
    std::map<std::pair<std::string, unsigned>, std::string> names;
    for (const auto& row : read_csv(schemas_folder + "classic-events.csv")) {
        names[{row.at(0), static_cast<unsigned>(std::stoul(row.at(1)))}] =
            row.at(3) + ": " + row.at(2);
    }
    for (const auto& event : classes.store.schemas()) {
        const std::string guid = to_string(event->provider->guid);
        const auto name = names.find({guid, event->id});
        ASSERT_NE(name, names.end()) << event->symbol;
        EXPECT_EQ(name->second, event->provider->name + ": " + event->event_name);
        EXPECT_TRUE(event->any_version) << event->symbol;
    }
    EXPECT_GE(classes.store.size(), 148U);
}

TEST(ClassicClasses, HaveTextsOfBothWidths) {
    const Classes classes = load_classes({"classic"});
    constexpr Guid odbc = "f34765f7-a1be-4b9d-1400-b8a12921f704"_guid;
    const auto wide = classes.store.find({odbc, 18, 0}).candidates;
    ASSERT_EQ(wide.size(), 1U);
    EXPECT_EQ(wide[0]->event_name, "ODBC/TextW");
    ASSERT_EQ(wide[0]->fields.size(), 2U);
    EXPECT_EQ(wide[0]->fields[0].in_type, InType::uint32);
    EXPECT_EQ(wide[0]->fields[1].in_type, InType::unicode_string);
    EXPECT_EQ(classes.store.find({odbc, 17, 0}).candidates.at(0)->fields.at(1).in_type,
              InType::ansi_string);
}

TEST(KernelClasses, AreFoundByGuidWithoutAnyPath) {
    auto catalog = Catalog::open({.environment = false});
    ASSERT_TRUE(catalog);
    EXPECT_EQ(catalog->files(), 0U);
    schema::SchemaStore store;
    catalog->load({process}, store);
    store.freeze();
    EXPECT_EQ(found(store, process, 1, 4), "Process_V4_TypeGroup1");
    EXPECT_EQ(found(store, image, 10, 3), "");

    auto without = Catalog::open({.environment = false, .built_in = false});
    ASSERT_TRUE(without);
    schema::SchemaStore empty;
    without->load_all(empty);
    EXPECT_EQ(empty.size(), 0U);
}

TEST(KernelClasses, KeepTheirDistanceInVersions) {
    const Classes classes = load_kernel_classes();
    EXPECT_THAT(classes.remarks, IsEmpty());
    const schema::SchemaStore& store = classes.store;
    EXPECT_EQ(found(store, process, 1, 9),
              "Process_V4_TypeGroup1? Process_V3_TypeGroup1? Process_V2_TypeGroup1? "
              "Process_V1_TypeGroup1? Process_V0_TypeGroup1?");
    EXPECT_EQ(found(store, process, 39, 5), "Process_Defunct_TypeGroup1");
    for (const std::uint16_t type : std::initializer_list<std::uint16_t>{2, 3, 4, 10}) {
        EXPECT_EQ(found(store, image, type, 0), "Image_V0_Load");
        EXPECT_EQ(found(store, image, type, 1), "Image_V1_Load");
    }
    for (const std::uint8_t version : std::initializer_list<std::uint8_t>{0, 1, 2, 77}) {
        EXPECT_EQ(found(store, image_id, 36, version), "ImageId_DbgID_RSDS");
    }
    EXPECT_EQ(found(store, lost_event, 32, 0), "RT_LostEvent");
    EXPECT_EQ(found(store, lost_event, 32, 1), "RT_LostEvent_Unversioned RT_LostEvent?");
}

TEST(KernelClasses, LeaveTheChoiceToThePayloadWhereVersionsDoNotTell) {
    const Classes classes = load_kernel_classes();
    const schema::SchemaStore& store = classes.store;
    EXPECT_EQ(found(store, format::event_trace_guid, 80, 2),
              "Header_PartitionInfoExtensionGuids_TypeGroup "
              "Header_PartitionInfoExtensionV2_TypeGroup");
    constexpr Guid thread = "3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c"_guid;
    EXPECT_EQ(found(store, thread, 1, 3), "Thread_V3_TypeGroup1 Thread_V3_TypeGroup1_Named");
    EXPECT_EQ(found(store, thread, 36, 1), "CSwitch_V1 CSwitch_V1_Vista");
    EXPECT_EQ(found(store, thread, 2, 1), "Thread_V1_TypeGroup2");
    EXPECT_EQ(found(store, thread, 4, 1), "Thread_V1_TypeGroup2_Vista Thread_V1_TypeGroup1");
}

TEST(KernelClasses, HaveTheFieldsThatNewerHeapsAppend) {
    const Classes classes = load_kernel_classes();
    constexpr Guid heap = "222962ab-6180-4b88-a825-346b75f2a24a"_guid;
    EXPECT_EQ(found(classes.store, heap, 32, 0), "HeapCreate HeapCreate_Sizes");
    EXPECT_EQ(found(classes.store, heap, 37, 2), "HeapExpand HeapExpand_Allocated");
    EXPECT_EQ(found(classes.store, heap, 38, 0),
              "HeapSnapShot HeapSnapShot_Process HeapSnapShot_Lists");
}

TEST(KernelClasses, TellVersionsOfHeapsAndThreadPoolsApart) {
    const Classes classes = load_kernel_classes();
    constexpr Guid heap = "222962ab-6180-4b88-a825-346b75f2a24a"_guid;
    EXPECT_EQ(found(classes.store, heap, 32, 2), "HeapCreate_V2");
    EXPECT_EQ(found(classes.store, heap, 32, 3), "HeapCreate_V3");
    EXPECT_EQ(found(classes.store, heap, 33, 2), "HeapAlloc") << "the same in all versions";
    EXPECT_EQ(found(classes.store, heap, 37, 3), "HeapExpand_V3");
    EXPECT_EQ(found(classes.store, heap, 38, 2), "HeapSnapShot_V2 HeapSnapShot_V2_Vista");
    const auto create = classes.store.find({heap, 32, 3}).candidates;
    ASSERT_EQ(create.size(), 1U);
    EXPECT_EQ(create[0]->event_name, "Heap/Create");
    ASSERT_EQ(create[0]->fields.size(), 5U) << "inherited";
    EXPECT_EQ(create[0]->fields[4].name, "AllocatedSpace");
    EXPECT_EQ(create[0]->fields[4].in_type, InType::pointer_sized);
    constexpr Guid thread_pool = "c861d0e2-a2c1-4d36-9f9c-970bab943a12"_guid;
    EXPECT_EQ(found(classes.store, thread_pool, 33, 0), "TPCBDequeue TPCBStop");
    EXPECT_EQ(found(classes.store, thread_pool, 35, 2), "TPCBDequeue_V2");
    EXPECT_EQ(found(classes.store, thread_pool, 35, 3), "TPCBStop_V3");
    EXPECT_EQ(found(classes.store, thread_pool, 36, 3), "TPCBCancel_V3");
}

TEST(KernelClasses, HaveTheBranchesOfTheProcessorAsAnArray) {
    const Classes classes = load_kernel_classes();
    constexpr Guid branches = "99134383-5248-43fc-834b-529454e75df3"_guid;
    EXPECT_EQ(format::hook_of_class(branches, 32), 0x0C20);
    const auto forms = classes.store.find({branches, 32, 2}).candidates;
    ASSERT_EQ(forms.size(), 2U);
    for (const EventSchema* form : forms) {
        EXPECT_EQ(form->event_name, "LBR/LbrRecord");
        const schema::Field& entries = form->fields.at(form->fields.size() - 4);
        EXPECT_EQ(entries.name, "Entries");
        EXPECT_EQ(entries.count.kind, Extent::Kind::rest);
        EXPECT_EQ(entries.members, 3U);
    }
}

TEST(KernelClasses, AlignTheFieldsOfStructuresByPointerSize) {
    const Classes classes = load_kernel_classes();
    constexpr Guid thread = "3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c"_guid;
    EXPECT_EQ(found(classes.store, thread, 45, 2), "Thread_WaitSingle Thread_WaitSingle_32");
    const auto forms = classes.store.find({thread, 45, 2}).candidates;
    ASSERT_EQ(forms.size(), 2U);
    EXPECT_EQ(min_bytes(*forms[0], 8), 24U);
    EXPECT_EQ(min_bytes(*forms[1], 4), 12U);
    constexpr Guid memory = "3d6fa8d3-fe05-11d0-9dda-00c04fd7ba7c"_guid;
    const auto sets = classes.store.find({memory, 125, 2}).candidates;
    ASSERT_EQ(sets.size(), 1U);
    EXPECT_EQ(sets[0]->fields.back().name, "SharedCommitPages");
    EXPECT_EQ(min_bytes(sets[0]->fields, 2, 11, 8), 68U);
}

TEST(KernelClasses, ShowFramesAndNodesAsArrays) {
    const Classes classes = load_kernel_classes();
    constexpr Guid stack_walk = "def2fe46-7bd6-4b80-bd94-f57fe20d0ce3"_guid;
    const auto stack = classes.store.find({stack_walk, 32, 2}).candidates;
    ASSERT_EQ(stack.size(), 1U);
    EXPECT_EQ(stack[0]->fields.back().name, "Stack");
    EXPECT_EQ(stack[0]->fields.back().in_type, InType::pointer);
    EXPECT_EQ(stack[0]->fields.back().count.kind, Extent::Kind::rest);

    constexpr Guid config = "01853a65-418f-4f36-aefc-dc0f1d2fd235"_guid;
    const auto nodes = classes.store.find({config, 24, 2}).candidates;
    ASSERT_EQ(nodes.size(), 2U);
    ASSERT_EQ(nodes[0]->fields.size(), 5U);
    EXPECT_EQ(nodes[0]->fields[1].members, 3U);
    EXPECT_EQ(nodes[0]->fields[1].count.kind, Extent::Kind::field);
    EXPECT_EQ(min_bytes(nodes[0]->fields, 2, 5, 8), 16U);
    EXPECT_EQ(min_bytes(nodes[0]->fields, 2, 5, 4), 12U);
}

TEST(KernelClasses, HaveTheLengthsOfTheTable) {
    const Classes classes = load_kernel_classes();
    std::map<std::string, const EventSchema*> by_class;
    for (const auto& event : classes.store.schemas()) {
        by_class[event->symbol] = event.get();
    }
    const auto rows =
        read_csv(test::source_dir() + "/tests/unit/meaning/catalog/kernel_layouts.csv");
    EXPECT_GE(rows.size(), 290U);
    for (const auto& row : rows) {
        ASSERT_EQ(row.size(), 4U);
        const EventSchema* event = by_class[row[0]];
        ASSERT_NE(event, nullptr) << row[0];
        EXPECT_EQ(event->any_version, row[1].empty()) << row[0];
        EXPECT_EQ(std::to_string(event->version), row[1].empty() ? "0" : row[1]) << row[0];
        EXPECT_EQ(std::to_string(min_bytes(*event, 4)), row[2]) << row[0] << " at 4";
        EXPECT_EQ(std::to_string(min_bytes(*event, 8)), row[3]) << row[0] << " at 8";
    }
}

// The newest layout of each hook has the name that the table of hooks gives it. Older ones may
// differ: TCP and UDP events had no IPV4 in their names, KCBCreate was RunDown, the types 48, 49
// and 52 of threads were processor reservations in Windows Vista, and the profile intervals had
// shorter names.
TEST(KernelClasses, GoByTheNamesOfTheHooks) {
    const Classes classes = load_kernel_classes();
    std::size_t compared = 0;
    for (const auto& row : read_csv(schemas_folder + "kernel-hooks.csv")) {
        ASSERT_EQ(row.size(), 3U);
        if (row[2].empty()) {
            continue;
        }
        const auto hook = static_cast<std::uint16_t>(std::stoul(row[0], nullptr, 16));
        const schema::EventKey key{format::class_of_hook(hook),
                                   static_cast<std::uint16_t>(hook & 0xFFU), 0xFF};
        const auto newest = newest_of(classes.store, key);
        ASSERT_FALSE(newest.empty()) << row[0] << " " << row[2];
        for (const EventSchema* candidate : newest) {
            EXPECT_EQ(candidate->event_name, row[2]) << row[0];
        }
        ++compared;
    }
    EXPECT_GE(compared, 360U);
}

TEST(KernelClasses, GoByTheNamesOfClassicEvents) {
    const Classes classes = load_kernel_classes();
    std::size_t compared = 0;
    for (const auto& row : read_csv(schemas_folder + "classic-events.csv")) {
        ASSERT_EQ(row.size(), 4U);
        const auto type = static_cast<std::uint16_t>(std::stoul(row[1]));
        for (const EventSchema* candidate :
             newest_of(classes.store, {parse_guid(row[0]).value(), type, 0xFF})) {
            EXPECT_EQ(candidate->event_name, row[2]);
            ++compared;
        }
    }
    EXPECT_GE(compared, 23U);
}

// Whatever the qualifiers of a class say.
TEST(KernelClasses, ShowProcessAndThreadIdsAsNumbers) {
    const Classes classes = load_kernel_classes();
    std::size_t numbers = 0;
    for (const auto& event : classes.store.schemas()) {
        const schema::EventKey key{event->provider->guid, event->id, event->version};
        for (const EventSchema* found : classes.store.find(key).candidates) {
            for (const schema::Field& field : found->fields) {
                const bool is_identifier =
                    matches_glob("*processid", field.name) ||
                    matches_glob("*threadid", field.name) || matches_glob("pid", field.name) ||
                    matches_glob("ttid", field.name) ||
                    (matches_glob("parentid", field.name) && found->task_name == "Process");
                const auto form = schema::form_of(field.in_type, field.out_type, 8);
                EXPECT_FALSE(is_identifier && schema::is_hex(form))
                    << found->symbol << "." << field.name;
                numbers += is_identifier ? 1 : 0;
            }
        }
    }
    EXPECT_GT(numbers, 200U);
}

} // namespace

// The kernel's classes against a table of facts about them, where it is at hand: every field of
// every class, its type, size and place. The table is not part of the project.

namespace {

using schema::EventSchema;
using schema::Extent;
using schema::Field;
using schema::InType;
using schema::OutType;

const std::filesystem::path facts =
    std::filesystem::path(test::shared_corpus()).parent_path() / "reference" / "kernel-events.csv";

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
    const bool is_nameless = fact.field == "Unnamed1"; // a tool lost the name
    if (field.name != (is_nameless ? "Flags" : fact.field)) {
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
    const Classes classes = load_kernel_classes();
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
        if (!fact.name.empty()) { // Windows 11 26200 names all types
            EXPECT_EQ(event->opcode_name, fact.name) << where;
        }
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

// The table of docs/format/kernel-classes.md: every hook ID, as the classes and the names have it.

namespace {

/// A row without its blanks and backquotes.
struct HookRow {
    std::string type, event, versions, source, certainty, symbol;
};

std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells = split(line, '|');
    for (std::string& cell : cells) {
        std::erase(cell, '`');
        cell.erase(0, cell.find_first_not_of(' '));
        cell.erase(cell.find_last_not_of(' ') + 1);
    }
    return cells;
}

/// By hook ID.
std::map<std::uint16_t, HookRow> documented_hooks() {
    std::map<std::uint16_t, HookRow> rows;
    std::ifstream page(test::source_dir() + "/docs/format/kernel-classes.md");
    for (std::string line; std::getline(page, line);) {
        if (!line.starts_with("| `0x")) {
            continue;
        }
        const auto cells = cells_of(line);
        EXPECT_EQ(cells.size(), 9U) << line;
        const auto hook = static_cast<std::uint16_t>(std::stoul(cells.at(1), nullptr, 16));
        const HookRow row{cells.at(2), cells.at(3), cells.at(4),
                          cells.at(5), cells.at(6), cells.at(7)};
        EXPECT_TRUE(rows.emplace(hook, row).second) << line;
    }
    return rows;
}

/// `0 to 2, 4, any`, as the page writes them.
std::string text_of(const std::set<unsigned>& versions, bool any) {
    std::string text;
    const auto add = [&text](const std::string& part) {
        text += (text.empty() ? "" : ", ") + part;
    };
    for (auto first = versions.begin(); first != versions.end();) {
        auto last = first;
        for (auto next = std::next(first); next != versions.end() && *next == *last + 1; ++next) {
            last = next;
        }
        const bool is_span = *last > *first + 1;
        add(std::to_string(*first));
        if (is_span) {
            text += " to " + std::to_string(*last);
        } else if (last != first) {
            add(std::to_string(*last));
        }
        first = std::next(last);
    }
    if (any) {
        add("any");
    }
    return text;
}

/// The versions that classes describe, by hook ID.
std::map<std::uint16_t, std::string> versions_of_classes() {
    const Classes classes = load_kernel_classes();
    std::map<std::uint16_t, std::set<unsigned>> versions;
    std::set<std::uint16_t> any;
    for (const auto& event : classes.store.schemas()) {
        const auto hook =
            format::hook_of_class(event->provider->guid, static_cast<std::uint8_t>(event->id));
        if (hook && event->any_version) {
            any.insert(*hook);
            versions[*hook];
        } else if (hook) {
            versions[*hook].insert(event->version);
        }
    }
    std::map<std::uint16_t, std::string> texts;
    for (const auto& [hook, numbers] : versions) {
        texts[hook] = text_of(numbers, any.contains(hook));
    }
    // The type 10 of the group of processes and of the group of images are the same event.
    texts[0x140A] = texts.at(0x030A);
    return texts;
}

TEST(KernelTable, HasTheVersionsOfTheClasses) {
    const auto rows = documented_hooks();
    auto versions = versions_of_classes();
    EXPECT_GE(rows.size(), 595U);
    std::size_t decodable = 0;
    for (const auto& [hook, row] : rows) {
        const auto known = versions.extract(hook);
        EXPECT_EQ(row.versions, known ? known.mapped() : "layout not public") << hook;
        EXPECT_EQ(row.type, std::to_string(hook & 0xFFU));
        EXPECT_EQ(row.certainty.empty(), known.empty()) << hook;
        EXPECT_EQ(row.source.empty(), known.empty()) << hook;
        decodable += known.empty() ? 0U : 1U;
    }
    EXPECT_TRUE(versions.empty()) << versions.begin()->first << " is not in the table";
    EXPECT_GE(decodable, 460U);
}

TEST(KernelTable, HasTheNamesOfTheHooks) {
    const auto rows = documented_hooks();
    std::size_t compared = 0;
    for (const auto& hook : read_csv(test::source_dir() + "/schemas/kernel-hooks.csv")) {
        const auto row = rows.find(static_cast<std::uint16_t>(std::stoul(hook.at(0), nullptr, 16)));
        ASSERT_NE(row, rows.end()) << hook.at(0);
        EXPECT_EQ(row->second.symbol, hook.at(1)) << hook.at(0);
        EXPECT_EQ(row->second.event, hook.at(2)) << hook.at(0);
        ++compared;
    }
    EXPECT_GE(compared, 595U);
}

TEST(KernelTable, StatesTheCertaintyOfEachSource) {
    std::set<std::string> sources;
    for (const auto& [hook, row] : documented_hooks()) {
        const bool is_guess = row.source == "header";
        EXPECT_EQ(row.certainty == "inferred", is_guess) << hook;
        EXPECT_EQ(row.certainty == "observed", row.source == "traces") << hook;
        sources.insert(row.source);
    }
    EXPECT_EQ(sources, (std::set<std::string>{"", "classes", "classes, header", "header", "parsers",
                                              "traces"}));
}

} // namespace

} // namespace etl::catalog::built_in_test
