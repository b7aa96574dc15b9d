// The kernel's classes as a whole: all of them parse, and they agree with the tables of names and
// of lengths.
#include "base/text.hpp"
#include "format/kernel_group.hpp"
#include "schema/mof.hpp"
#include "schema/value_form.hpp"
#include "tests/unit/meaning/catalog/kernel_classes.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <map>
#include <set>

namespace etl::catalog::kernel_classes_test {
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

const std::string schemas_folder = std::string(ETL_SOURCE_DIR) + "/schemas/";

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

TEST(KernelClasses, ParseWithoutARemark) {
    for (const auto& file : std::filesystem::directory_iterator(schemas_folder + "kernel")) {
        const std::string text = text_of_file(file.path());
        const auto set = schema::parse_mof(std::as_bytes(std::span(text)));
        ASSERT_TRUE(set) << file.path() << ":" << set.error().line << ":" << set.error().column
                         << ": " << set.error().reason;
        for (const schema::FileNote& note : set->notes) {
            ADD_FAILURE() << file.path() << ":" << note.line << ": " << note.text;
        }
        for (const auto& event : set->events) {
            EXPECT_EQ(event->provider->name, "MSNT_SystemTrace") << event->symbol;
            EXPECT_EQ(event->origin, schema::Origin::mof);
        }
    }
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
    const KernelClasses classes = load_kernel_classes();
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
    const KernelClasses classes = load_kernel_classes();
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
    const KernelClasses classes = load_kernel_classes();
    constexpr Guid heap = "222962ab-6180-4b88-a825-346b75f2a24a"_guid;
    EXPECT_EQ(found(classes.store, heap, 32, 2), "HeapCreate HeapCreate_Sizes");
    EXPECT_EQ(found(classes.store, heap, 38, 2), "HeapSnapShot HeapSnapShot_Process");
}

TEST(KernelClasses, AlignTheFieldsOfStructuresByPointerSize) {
    const KernelClasses classes = load_kernel_classes();
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
    const KernelClasses classes = load_kernel_classes();
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
    const KernelClasses classes = load_kernel_classes();
    std::map<std::string, const EventSchema*> by_class;
    for (const auto& event : classes.store.schemas()) {
        by_class[event->symbol] = event.get();
    }
    const auto rows =
        read_csv(std::string(ETL_SOURCE_DIR) + "/tests/unit/meaning/catalog/kernel_layouts.csv");
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
    const KernelClasses classes = load_kernel_classes();
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
    const KernelClasses classes = load_kernel_classes();
    std::size_t compared = 0;
    for (const auto& row : read_csv(schemas_folder + "classic-events.csv")) {
        ASSERT_EQ(row.size(), 3U);
        const auto type = static_cast<std::uint16_t>(std::stoul(row[1]));
        for (const EventSchema* candidate :
             newest_of(classes.store, {parse_guid(row[0]).value(), type, 0xFF})) {
            EXPECT_EQ(candidate->event_name, row[2]);
            ++compared;
        }
    }
    EXPECT_GE(compared, 17U);
}

// Whatever the qualifiers of a class say.
TEST(KernelClasses, ShowProcessAndThreadIdsAsNumbers) {
    const KernelClasses classes = load_kernel_classes();
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
} // namespace etl::catalog::kernel_classes_test
