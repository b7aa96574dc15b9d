// The templates and maps of one provider in a written manifest. One thread. Private to authoring.
#pragma once

#include "authoring/unique_names.hpp"
#include "authoring/written_names.hpp"
#include "authoring/written_notes.hpp"
#include "authoring/xml_text.hpp"
#include "schema/event_schema.hpp"

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace etl::authoring {

class WrittenMaps {
public:
    WrittenMaps(WrittenStrings& strings, WrittenNotes& notes)
        : strings_(&strings), notes_(&notes) {}

    /// What a map is called; equal maps have one name.
    const std::string& name(const std::shared_ptr<const schema::ValueMap>& map);

    void write(XmlText& xml) const;

private:
    std::string new_name(const schema::ValueMap& map);
    std::string body_of(const schema::ValueMap& map);

    WrittenStrings* strings_;
    WrittenNotes* notes_;
    UniqueNames taken_;
    std::unordered_map<std::shared_ptr<const schema::ValueMap>, std::string> names_;
    std::unordered_map<std::string, std::string> by_content_; // -> name

    struct Body {
        schema::ValueMap::Kind kind;
        std::string name;
        std::string xml;
    };

    std::vector<Body> bodies_; // in order of first use
};

class WrittenTemplates {
public:
    WrittenTemplates(std::string provider, WrittenStrings& strings, WrittenNotes& notes)
        : provider_(std::move(provider)), maps_(strings, notes), notes_(&notes) {}

    /// The id of the template that says what an event's payload holds; empty: it holds nothing.
    std::string id(const schema::EventSchema& event);

    /// The lists `maps` and `templates`.
    void write(XmlText& xml) const;

private:
    std::string provider_; // for notes
    WrittenMaps maps_;
    WrittenNotes* notes_;
    UniqueNames taken_;
    std::unordered_map<std::string, std::string> ids_;           // by body
    std::vector<std::pair<std::string, std::string_view>> list_; // id and body, in order
};

} // namespace etl::authoring
