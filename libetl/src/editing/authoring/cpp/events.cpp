#include "authoring/cpp/events.hpp"

#include "authoring/cpp/values.hpp"
#include "format/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace etl::authoring {

namespace {

constexpr std::uint32_t no_scope = 0xFFFFFFFF;

// The fields of one event. Names of a scope are those of the parameters, or of the members of one
// structure.
class Writer {
public:
    Writer(const schema::EventSchema& event, CppTypes& types) : event_(&event), types_(&types) {}

    std::expected<CppFunction, CppRefusal> write() {
        const std::size_t count = event_->fields.size();
        owner_.assign(count, no_scope);
        mark_members(0, count, no_scope);
        if (!resolve() || least_bytes(0, count) > limits::payload_bytes) {
            return std::unexpected(
                refusal_.value_or(CppRefusal{{}, "its payload exceeds the maximum event size"}));
        }
        CppScope names;
        for (const char* name :
             {"memory", "payload", "element", "provider_guid", "provider_name"}) {
            names.reserve(name);
        }
        CppFunction function;
        const auto declare = [&](const std::string& type, const std::string& name,
                                 std::size_t index) {
            if (is_passed_by_reference(event_->fields[index])) {
                function.parameters.line("const {}& {},", type, name);
            } else {
                function.parameters.line("{} {},", type, name);
            }
        };
        if (!write_scope(0, count, names, declare, function.body)) {
            return std::unexpected(*refusal_);
        }
        return function;
    }

private:
    void mark_members(std::size_t begin, std::size_t end, std::uint32_t scope) {
        for (std::size_t i = begin; i < end; ++i) {
            owner_[i] = scope;
            const std::size_t inside = members_of(i, end);
            mark_members(i + 1, i + 1 + inside, static_cast<std::uint32_t>(i));
            i += inside;
        }
    }

    std::size_t members_of(std::size_t index, std::size_t end) const noexcept {
        return std::min<std::size_t>(event_->fields[index].members, end - index - 1);
    }

    bool refuse(std::size_t index, const char* what) {
        refusal_ = CppRefusal{event_->fields[index].name, what};
        return false;
    }

    bool resolve() {
        const auto& fields = event_->fields;
        is_told_.assign(fields.size(), false);
        for (std::size_t i = 0; i < fields.size(); ++i) {
            const schema::Field& field = fields[i];
            if (!resolve(i, field.count) || !resolve(i, field.length)) {
                return false;
            }
            const bool is_known = field.in_type == schema::InType::structure ||
                                  has_length(field.in_type) ||
                                  !cpp_form(field.in_type).type.empty();
            if (!is_known) {
                return refuse(i, "has a type without a C++ equivalent");
            }
            const bool to_the_end = field.in_type == schema::InType::binary &&
                                    field.length.kind == schema::Extent::Kind::natural;
            const bool is_last = i + 1 == fields.size() && owner_[i] == no_scope &&
                                 field.count.kind == schema::Extent::Kind::natural;
            if (to_the_end && !is_last) {
                return refuse(i, "has an unknown length");
            }
        }
        return true;
    }

    bool resolve(std::size_t index, const schema::Extent& extent) {
        switch (extent.kind) {
        case schema::Extent::Kind::natural:
        case schema::Extent::Kind::fixed:
            return true;
        case schema::Extent::Kind::field:
            break;
        case schema::Extent::Kind::prefixed:
        case schema::Extent::Kind::rest:
        case schema::Extent::Kind::unknown:
            return refuse(index, "has a length or count that cannot be written");
        }
        if (extent.value >= index || owner_[extent.value] != owner_[index]) {
            return refuse(index, "has a length or count field outside its structure");
        }
        const schema::Field& told = event_->fields[extent.value];
        if (told.count.kind != schema::Extent::Kind::natural || !is_cpp_integer(told.in_type)) {
            return refuse(index, "has a length or count field that is not a number");
        }
        is_told_[extent.value] = true;
        return true;
    }

    // Bytes that the fields take at least. Stops counting beyond what fits.
    std::uint64_t least_bytes(std::size_t begin, std::size_t end) const noexcept {
        constexpr std::uint64_t enough = limits::payload_bytes + 1;
        std::uint64_t sum = 0;
        for (std::size_t i = begin; i < end; ++i) {
            const schema::Field& field = event_->fields[i];
            const std::size_t inside = members_of(i, end);
            std::uint64_t one = field.in_type == schema::InType::structure
                                    ? least_bytes(i + 1, i + 1 + inside)
                                    : fixed_size(field.in_type, 8);
            if (field.length.kind == schema::Extent::Kind::fixed && has_length(field.in_type)) {
                one = field.length.value * bytes_per_unit(field.in_type);
            }
            const std::uint64_t count = field.count.kind == schema::Extent::Kind::natural ? 1
                                        : field.count.kind == schema::Extent::Kind::fixed
                                            ? field.count.value
                                            : 0;
            // Elements without bytes take their time all the same.
            sum += std::min(enough, std::max<std::uint64_t>(one, count > 1 ? 1 : 0)) *
                   std::min(enough, count);
            sum = std::min(sum, enough);
            i += inside;
        }
        return sum;
    }

    static bool is_passed_by_reference(const schema::Field& field) noexcept {
        if (field.count.kind != schema::Extent::Kind::natural) {
            return false;
        }
        return field.in_type == schema::InType::structure ||
               cpp_form(field.in_type).kind == CppForm::Kind::object;
    }

    // One scope: declares what is given, writes what tells lengths, then the values.
    template <typename Declare>
    bool write_scope(std::size_t begin, std::size_t end, CppScope& names, const Declare& declare,
                     CppCode& body) {
        std::vector<std::string> identifiers(end - begin);
        for (std::size_t i = begin; i < end; ++i) {
            const std::string& name = event_->fields[i].name;
            identifiers[i - begin] = names.take(snake_name(name), fmt::format("field_{}", i + 1));
            i += members_of(i, end);
        }
        const auto identifier = [&](std::size_t index) -> const std::string& {
            return identifiers[index - begin];
        };
        write_told(begin, end, identifier, body);
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t inside = members_of(i, end);
            const schema::Field& field = event_->fields[i];
            const bool is_nothing =
                field.count.kind == schema::Extent::Kind::fixed && field.count.value == 0;
            if (is_told_[i]) {
                body.line("payload.value_as<{}>({});", cpp_form(field.in_type).type, identifier(i));
            } else if (!is_nothing && !write_field(i, inside, identifier, declare, body)) {
                return false;
            }
            i += inside;
        }
        return true;
    }

    // const std::size_t count = told<std::uint16_t>({rows.size()});
    template <typename Identifier>
    void write_told(std::size_t begin, std::size_t end, const Identifier& identifier,
                    CppCode& body) {
        std::map<std::size_t, std::string> sizes;
        const auto add = [&](const schema::Extent& extent, const std::string& size) {
            if (extent.kind == schema::Extent::Kind::field) {
                std::string& list = sizes[extent.value];
                list += (list.empty() ? "" : ", ") + size;
            }
        };
        for (std::size_t i = begin; i < end; ++i) {
            const schema::Field& field = event_->fields[i];
            const bool is_array = field.count.kind != schema::Extent::Kind::natural;
            const bool is_nothing =
                field.count.kind == schema::Extent::Kind::fixed && field.count.value == 0;
            add(field.count, identifier(i) + ".size()");
            if (has_length(field.in_type)) {
                add(field.length, is_nothing ? "0"
                                  : is_array
                                      ? fmt::format("etl::provider::max_size({})", identifier(i))
                                      : identifier(i) + ".size()");
            }
            i += members_of(i, end);
        }
        for (std::size_t i = begin; i < end; ++i) {
            if (is_told_[i]) {
                const auto found = sizes.find(i);
                body.line("const std::size_t {} = etl::provider::length_for<{}>({{{}}});",
                          identifier(i), cpp_form(event_->fields[i].in_type).type,
                          found == sizes.end() ? "std::size_t{0}" : found->second);
            }
            i += members_of(i, end);
        }
    }

    template <typename Identifier, typename Declare>
    bool write_field(std::size_t index, std::size_t inside, const Identifier& identifier,
                     const Declare& declare, CppCode& body) {
        const schema::Field& field = event_->fields[index];
        const bool is_structure = field.in_type == schema::InType::structure;
        const bool is_array = field.count.kind != schema::Extent::Kind::natural;
        const bool is_parameter = owner_[index] == no_scope;
        CppValue value;
        if (is_structure) {
            if (!structure(index, inside, value.type)) {
                return false;
            }
        } else {
            const auto place = !is_array && is_parameter ? CppPlace::parameter : CppPlace::inside;
            const bool is_told = field.length.kind == schema::Extent::Kind::field;
            value = cpp_value(*event_, field, is_told ? identifier(field.length.value) : "", place,
                              *types_);
        }
        const auto write = [&](const std::string& what) {
            return is_structure ? what + ".write(payload)" : value.write.call(what);
        };
        const std::string& name = identifier(index);
        if (!is_array) {
            declare(value.type, name, index);
            body.line("{};", write(name));
            return true;
        }
        const bool is_fixed = field.count.kind == schema::Extent::Kind::fixed;
        const std::string count =
            is_fixed ? std::to_string(field.count.value) : identifier(field.count.value);
        declare(is_fixed && is_parameter ? fmt::format("std::span<const {}, {}>", value.type, count)
                                         : fmt::format("std::span<const {}>", value.type),
                name, index);
        body.line("payload.each({}, {}, [&](const {}& element) {{ {}; }});", name, count,
                  value.type, write("element"));
        return true;
    }

    bool structure(std::size_t index, std::size_t inside, std::string& type) {
        CppScope names;
        for (const char* name : {"write", "payload", "element"}) {
            names.reserve(name);
        }
        CppCode code(1);
        CppCode body(2);
        const auto declare = [&](const std::string& member_type, const std::string& name,
                                 std::size_t) { code.line("{} {}{{}};", member_type, name); };
        if (!write_scope(index + 1, index + 1 + inside, names, declare, body)) {
            return false;
        }
        if (!code.empty()) {
            code.blank();
        }
        code.open("void write(etl::provider::PayloadWriter&{}) const",
                  body.empty() ? "" : " payload");
        code.add(body).close();
        type = types_->structure(event_->fields[index].name, code);
        return true;
    }

    const schema::EventSchema* event_;
    CppTypes* types_;
    std::vector<std::uint32_t> owner_; // the structure around a field
    std::vector<bool> is_told_;        // by field: its value follows from those that name it
    std::optional<CppRefusal> refusal_;
};

} // namespace

std::expected<CppFunction, CppRefusal> cpp_function(const schema::EventSchema& event,
                                                    CppTypes& types) {
    return Writer(event, types).write();
}

} // namespace etl::authoring
