// Types of MOF properties. Pure; any thread. docs/format/decoding.md#mof-properties
#pragma once

#include "schema/field_scopes.hpp"
#include "schema/mof_syntax.hpp"

#include <string>
#include <unordered_map>
#include <vector>

namespace etl::schema {

/// What a property's type and qualifiers say about one value of it.
struct MofType {
    InType in = InType::null;
    OutType out = OutType::none;
    bool is_one_value = false; // an array is one value: a text, which a NUL may end, or an address
    bool is_known = true;      // false: a type of no known name
    std::string_view remark;   // what could not be understood; empty: nothing
};

MofType type_of(const MofProperty& property) noexcept;

// Properties of MOF classes to fields: what the type and the qualifiers of a property say about its
// bytes. One thread. docs/format/decoding.md#mof-properties

/// The classes of a file by name.
class MofClasses {
public:
    /// `classes` must outlive this. Of several with one name the last one counts.
    MofClasses(const std::vector<MofClass>& classes, MofReading& reading);

    /// Case is ignored; null: not in this file.
    const MofClass* find(std::string_view name) const;

    /// The class and those it derives from, as far as they are in this file; itself first.
    std::vector<const MofClass*> ancestry(const MofClass& made) const;

private:
    std::unordered_map<std::string, const MofClass*> by_name_;
};

/// The fields of one class: the properties that have a WmiDataId, in that order, inherited ones
/// included.
class MofFields {
public:
    MofFields(const MofClasses& classes, MofReading& reading)
        : classes_(classes), reading_(reading) {}

    /// Fills `fields` and `maps` of the event.
    void read(const std::vector<const MofClass*>& ancestry, EventSchema& event);

private:
    void add_properties(const std::vector<const MofClass*>& ancestry, std::uint32_t depth);
    void add_property(const MofProperty& property, std::uint32_t depth);
    void add_members(const MofClass& made, std::uint32_t depth);
    Extent count_of(const MofProperty& property);
    Extent size_from(std::string_view name, std::size_t offset);
    void note(const MofProperty& property, std::string_view text);

    const MofClasses& classes_;
    MofReading& reading_;
    EventSchema* event_ = nullptr;
    FieldScopes scopes_;
};

/// The values of a property that have names; null: none have.
std::shared_ptr<const ValueMap> map_of(const MofProperty& property);

} // namespace etl::schema
