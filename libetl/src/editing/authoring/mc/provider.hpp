// One provider in a header in the form of the message compiler. Private to authoring.
#pragma once

#include "authoring/cpp/code.hpp"
#include "authoring/mc/names.hpp"
#include "authoring/mc/templates.hpp"
#include "authoring/mc_header.hpp"
#include "authoring/provider_events.hpp"
#include "authoring/written_notes.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace etl::authoring {

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
