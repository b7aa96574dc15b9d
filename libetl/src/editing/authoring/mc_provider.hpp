// Names of headers in the form of the message compiler. Private to authoring.
#pragma once

#include "authoring/cpp_code.hpp"
#include "authoring/mc_header.hpp"
#include "authoring/provider_events.hpp"
#include "authoring/unique_names.hpp"
#include "authoring/written_notes.hpp"
#include "schema/event_schema.hpp"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl::authoring {

/// `text` with `_` for all but letters, digits, and `_` of ASCII, and for digits in front.
std::string mc_identifier(std::string_view text);

/// The global names of one header.
class McScope {
public:
    explicit McScope(WrittenNotes& notes) : notes_(&notes) {}

    /// Nothing that is taken later is called so.
    void reserve(std::string_view name) { names_.take(name); }

    /// `symbol`, or `derived` if that is empty, as an identifier that is free. A symbol that has to
    /// change is noted: sources do not find it.
    std::string take(std::string_view symbol, std::string_view derived);

private:
    UniqueNames names_;
    WrittenNotes* notes_;
};

// Functions that write the payload of an event: parameters and data descriptors by field, and the
// name that the message compiler gives them. docs/compat.md#generated-headers

/// One function. It depends on the types of the fields alone: events with the same `suffix` share
/// it.
struct McTemplate {
    std::string suffix;                    // a letter for each field, with its count and length
    std::vector<std::string> declarations; // of parameters: `_In_ const unsigned int _Arg0`
    std::vector<std::string> arguments;    // of macros: names of the fields
    CppCode body{1};                       // fills EventData from index 1
    std::size_t descriptors = 0;
    std::vector<std::string> blobs; // fields that the caller packs because their size is unknown
};

/// `taken`: names that the macros use themselves, which no argument may have.
McTemplate mc_template(const schema::EventSchema& event, std::span<const std::string> taken);

// One provider in a header in the form of the message compiler.

/// What all providers of a header share.
struct McSharing {
    const McHeaderOptions& options;
    WrittenNotes& notes;
    McScope names;                                 // global names of C
    UniqueNames providers{};                       // names that registration macros end with
    UniqueNames events{};                          // names that macros of events end with
    std::map<std::string, McTemplate> templates{}; // by suffix
};

class McProvider {
public:
    /// `code` may be empty: all names are derived then.
    McProvider(const ProviderEvents& provider, const schema::CodeNames& code, McSharing& sharing);

    bool has_traits() const noexcept;

    /// GUIDs, traits, constants, and descriptors.
    void add_constants(CppCode& to);
    /// Enumerations of maps, the context, and the macros.
    void add_macros(CppCode& to);
    void add_messages(CppCode& to);

private:
    struct Event {
        const schema::EventSchema* schema;
        std::string symbol;
        std::string macro; // what names of macros end with
        std::uint64_t keyword;
        std::size_t bit = 0; // in the enable bits
    };

    void name_events(const ProviderEvents& provider);
    void add_traits(CppCode& to);
    void add_list(CppCode& to, std::string_view title, std::string_view kind,
                  const std::vector<schema::CodeNames::Constant>& constants);
    void add_maps(CppCode& to);
    void add_context(CppCode& to);
    void add_registration(CppCode& to);
    void add_event(CppCode& to, const Event& event);
    void add_write_macros(CppCode& to, const Event& event, const McTemplate& function,
                          std::string_view arguments);

    const schema::ProviderNames* names_;
    const schema::CodeNames* code_;
    McSharing* sharing_;
    std::string symbol_;
    std::string name_;         // of the provider, as an identifier
    std::string registration_; // what registration macros end with
    std::string context_;
    std::string handle_;
    std::vector<Event> events_;
    std::vector<std::pair<std::uint64_t, std::uint8_t>> bits_; // keyword and level of each
};

} // namespace etl::authoring
