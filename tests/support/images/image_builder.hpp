// Executables with resources, said in words: providers as the message compiler would put them into
// a DLL, message tables, and the PE file around them. Layout: docs/format/images.md.
//     const Wevt built = wevt({{.guid = provider, .name = u"Example"}});
//     auto dll = pe_image({template_resource(built.crim),
//                          message_resource(message_table(built.messages))});
#pragma once

#include <etl/byte_writer.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace etl::test {

/// How often, or how long: not said, a number, or the value of an earlier field.
struct ImageExtent {
    std::uint16_t number = 0;
    std::u16string field{};
};

struct ImageField {
    std::u16string name{};
    std::uint8_t in = 0, out = 0; // TDH_INTYPE_*, TDH_OUTTYPE_*
    ImageExtent count{}, length{};
    std::u16string map{};
    std::vector<ImageField> members{}; // a structure: no types of its own
};

/// An element of UserData: attributes, then either elements or a text. `%1` in texts and in values
/// of attributes is where the first field belongs.
struct ImageXml {
    std::u16string name{};
    std::vector<std::pair<std::u16string, std::u16string>> attributes{};
    std::u16string text{};
    std::vector<ImageXml> children{};
};

struct ImageTemplate {
    std::u16string name{}; // what events call it
    std::vector<ImageField> fields{};
    std::vector<ImageXml> user_data{}; // none, or the one element inside of UserData
};

/// A level, task, opcode, keyword or channel. An empty message: it has none.
struct ImageName {
    std::uint64_t number = 0; // mask of a keyword
    std::u16string name{};
    std::u16string message{};
    std::uint16_t task = 0; // opcodes: the task that it belongs to
    bool imported = false;  // channels
};

struct ImageMap {
    std::u16string name{};
    bool of_bits = false;
    std::vector<std::pair<std::uint32_t, std::u16string>> entries{};
};

struct ImageEvent {
    std::uint16_t id = 0;
    std::uint8_t version = 0, channel = 0, level = 0, opcode = 0;
    std::uint16_t task = 0;
    std::uint64_t keyword = 0;
    std::u16string payload{}; // name of the template; empty: no fields
    std::u16string message{};
};

struct ImageProvider {
    Guid guid{};
    std::u16string name{};         // version 5 only
    std::u16string display_name{}; // a message
    std::vector<ImageName> channels{}, levels{}, tasks{}, opcodes{}, keywords{};
    std::vector<ImageMap> maps{};
    std::vector<ImageTemplate> templates{};
    std::vector<ImageEvent> events{};
};

enum class CrimVersion : std::uint8_t {
    three, // 3.1: as in Windows' own files up to 10
    five,  // 5.1: knows the provider's name
};

enum class MapHead : std::uint8_t { with_flags, without_flags };

enum class UserDataRoot : std::uint8_t {
    inner, // the one element inside of UserData: as mc writes it
    outer, // UserData itself
};

struct WevtStyle {
    CrimVersion version = CrimVersion::five;
    MapHead map_head = MapHead::with_flags;
    UserDataRoot user_data = UserDataRoot::inner;
};

using Messages = std::map<std::uint32_t, std::u16string>;

/// A resource and the messages that it refers to.
struct Wevt {
    std::vector<std::byte> crim;
    Messages messages;
};

Wevt wevt(const std::vector<ImageProvider>& providers, const WevtStyle& style = {});

enum class MessageText : std::uint16_t { ansi = 0, utf16 = 1, utf8 = 2 };

/// RT_MESSAGETABLE; neighbouring ids share a block. Text for MessageText::ansi must be ASCII.
std::vector<std::byte> message_table(const Messages& messages,
                                     MessageText text = MessageText::utf16);

struct ImageResource {
    std::u16string type_name{}; // empty: a number
    std::uint16_t type = 0;
    std::uint16_t name = 1;
    std::uint16_t language = 0x0409;
    std::vector<std::byte> bytes{};
};

ImageResource template_resource(std::vector<std::byte> crim, std::uint16_t language = 0x0409);
ImageResource message_resource(std::vector<std::byte> table, std::uint16_t language = 0x0409);

/// What a version resource says.
struct ImageVersion {
    std::array<std::uint16_t, 4> file{}, product{};
    std::vector<std::pair<std::u16string, std::u16string>> texts{}; // CompanyName, ...
};

/// VS_VERSIONINFO, with one table of texts.
std::vector<std::byte> version_info(const ImageVersion& version);
ImageResource version_resource(const ImageVersion& version, std::uint16_t language = 0x0409);

/// That of a file of a build of Windows.
ImageVersion windows_version(std::uint16_t build);

enum class PeWidth : std::uint8_t { pe32, pe32_plus };

/// A file with one section for code (`padding` zeros) and one for resources; without any resource
/// only the former.
std::vector<std::byte> pe_image(const std::vector<ImageResource>& resources,
                                PeWidth width = PeWidth::pe32_plus, std::size_t padding = 0);

/// A provider that has every kind of element.
ImageProvider sample_provider();

/// The same texts in another language: `de: ` in front of each.
Messages translated(const Messages& messages);

} // namespace etl::test
