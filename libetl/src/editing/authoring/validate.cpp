#include "authoring/validate.hpp"

#include <etl/guid.hpp>

#include "authoring/findings.hpp"
#include "authoring/validated_names.hpp"
#include "authoring/validated_templates.hpp"
#include "schema/manifest_reading.hpp"

#include <fmt/format.h>

#include <new>
#include <set>
#include <stdexcept>
#include <unordered_set>

namespace etl::authoring {

namespace {

class ProviderValidator {
public:
    ProviderValidator(const pugi::xml_node& node, ValidatedStrings& strings, Findings& findings)
        : node_(node), strings_(strings), findings_(findings), names_(node, strings, findings),
          templates_(node, names_, findings) {}

    void check() {
        for_each_child(node_, "events", [&](const pugi::xml_node& list) {
            for_each_child(list, "event", [&](const pugi::xml_node& event) { check_event(event); });
        });
        names_.check_unused();
        templates_.check_unused();
    }

private:
    void check_event(const pugi::xml_node& node) {
        findings_.require(node, {"value"});
        findings_.expect_only(node,
                              {"value", "version", "symbol", "channel", "level", "task", "opcode",
                               "keywords", "template", "message", "notLogged", "attributes"});
        check_identity(node);
        check_symbol(node, findings_);
        if (const std::string_view symbol = attribute(node, "symbol");
            !symbol.empty() && !symbols_.insert(symbol).second) {
            findings_.error(node, "symbol `{}` is used by two events", symbol);
        }
        check_names(node);
        check_channel(node);
        check_payload(node);
        strings_.check_reference(node, "message");
    }

    void check_identity(const pugi::xml_node& node) {
        const auto in_range = [&](const char* which, std::uint64_t max) {
            const auto value = schema::parse_number(attribute(node, which));
            if (node.attribute(which) && (!value || *value > max)) {
                findings_.error(node, "{} `{}` of an event is not a number up to {}", which,
                                attribute(node, which), max);
            }
            return value.value_or(0);
        };
        const std::uint64_t value = in_range("value", 0xFFFF);
        const std::uint64_t version = in_range("version", 0xFF);
        if (!identities_.emplace(value, version).second) {
            findings_.error(node, "event {} version {} is defined twice", value, version);
        }
    }

    void check_names(const pugi::xml_node& node) {
        const auto check = [&](const char* which, bool known) {
            if (node.attribute(which) && !known) {
                findings_.error(node, "{} `{}` of event {} is not declared", which,
                                attribute(node, which), attribute(node, "value"));
            }
        };
        const std::string_view task = attribute(node, "task");
        check("level", names_.has_level(attribute(node, "level")));
        check("task", names_.has_task(task));
        check("opcode", names_.has_opcode(attribute(node, "opcode"), task));
        std::string_view keywords = attribute(node, "keywords");
        while (!(keywords = trimmed(keywords)).empty()) {
            const std::string_view name = keywords.substr(0, keywords.find_first_of(" \t\r\n"));
            keywords.remove_prefix(name.size());
            if (!names_.has_keyword(name)) {
                findings_.error(node, "keyword `{}` of event {} is not declared", name,
                                attribute(node, "value"));
            }
        }
    }

    void check_channel(const pugi::xml_node& node) {
        if (!node.attribute("channel")) {
            return;
        }
        const std::string_view value = attribute(node, "value");
        const auto type = names_.channel(attribute(node, "channel"));
        if (!type) {
            findings_.error(node, "channel `{}` of event {} is not declared",
                            attribute(node, "channel"), value);
        } else if (*type == ChannelType::admin) {
            if (!node.attribute("message")) {
                findings_.error(node, "event {} of an Admin channel has no message", value);
            }
            const std::string_view level = local_name(attribute(node, "level"));
            if (level != "Critical" && level != "Error" && level != "Warning" &&
                level != "Informational") {
                findings_.error(node,
                                "event {} of an Admin channel is not of level Critical, Error, "
                                "Warning, or Informational",
                                value);
            }
        }
    }

    void check_payload(const pugi::xml_node& node) {
        std::size_t items = 0;
        if (node.attribute("template")) {
            const std::string_view id = attribute(node, "template");
            const auto known = templates_.use(id);
            if (!known) {
                findings_.error(node, "template `{}` of event {} is not declared", id,
                                attribute(node, "value"));
                return;
            }
            items = *known;
        }
        const std::size_t max = highest_insert(strings_.text(attribute(node, "message")));
        if (max > items) {
            findings_.warning(node,
                              "message of event {} has an insert %{}, but there "
                              "are {} fields",
                              attribute(node, "value"), max, items);
        }
    }

    pugi::xml_node node_;
    ValidatedStrings& strings_;
    Findings& findings_;
    ValidatedNames names_;
    ValidatedTemplates templates_;
    std::set<std::pair<std::uint64_t, std::uint64_t>> identities_;
    std::unordered_set<std::string_view> symbols_;
};

class DocumentValidator {
public:
    DocumentValidator(const pugi::xml_document& document, Findings& findings)
        : document_(document), findings_(findings), strings_(document, findings) {}

    void check() {
        check_root();
        bool has_provider = false;
        for (const pugi::xml_node& instrumentation :
             schema::descendants(document_, "instrumentation")) {
            for_each_child(instrumentation, "events", [&](const pugi::xml_node& events) {
                for_each_child(events, "provider", [&](const pugi::xml_node& provider) {
                    has_provider = true;
                    check_provider(provider);
                });
            });
            check_stray_text(instrumentation);
        }
        if (!has_provider) {
            findings_.error_at(0, "no provider");
        }
    }

private:
    void check_root() {
        const pugi::xml_node root = document_.document_element();
        if (local_name(root) != "instrumentationManifest" && local_name(root) != "assembly") {
            findings_.error(root, "root element `{}` is not instrumentationManifest or assembly",
                            local_name(root));
        }
    }

    void check_provider(const pugi::xml_node& node) {
        findings_.require(node, {"name", "guid", "symbol"});
        findings_.expect_only(node, {"name", "guid", "symbol", "resourceFileName",
                                     "messageFileName", "parameterFileName", "helpLink", "message",
                                     "controlGuid", "groupGuid", "traits",
                                     "warnOnApplicationCompatibilityError", "source"});
        check_symbol(node, findings_);
        strings_.check_reference(node, "message");
        const std::string_view name = attribute(node, "name");
        const std::string_view text = trimmed(attribute(node, "guid"));
        const auto guid = parse_guid(text);
        if (node.attribute("guid") && !guid) {
            findings_.error(node, "guid `{}` of provider `{}` is not a GUID", text, name);
        }
        if (guid && !guids_.insert(*guid).second) {
            findings_.error(node, "guid `{}` is used by two providers", text);
        }
        if (!names_.insert(name).second) {
            findings_.error(node, "provider `{}` is defined twice", name);
        }
        for (const char* const file : {"resourceFileName", "messageFileName"}) {
            if (!node.attribute(file)) {
                findings_.warning(node,
                                  "provider `{}` has no {}: it cannot be "
                                  "registered",
                                  name, file);
            }
        }
        ProviderValidator(node, strings_, findings_).check();
    }

    // Where only elements may stand. UserData is free to hold text.
    void check_stray_text(const pugi::xml_node& root) {
        pugi::xml_node at = root;
        while (at) {
            if (at.type() == pugi::node_pcdata && !trimmed(at.value()).empty()) {
                findings_.warning(at.parent(), "text in {}: `{}`", local_name(at.parent()),
                                  trimmed(at.value()).substr(0, 60));
            }
            const bool is_free = local_name(at) == "UserData";
            if (at.first_child() && !is_free) {
                at = at.first_child();
                continue;
            }
            while (at && at != root && !at.next_sibling()) {
                at = at.parent();
            }
            at = at == root ? pugi::xml_node() : at.next_sibling();
        }
    }

    const pugi::xml_document& document_;
    Findings& findings_;
    ValidatedStrings strings_;
    std::set<Guid> guids_;
    std::unordered_set<std::string_view> names_;
};

Validation single(std::size_t line, std::string text) {
    return {{{ManifestFinding::Severity::error, line, 0, std::move(text)}}, 1, 0};
}

Validation validate(Bytes file) {
    const auto readable = schema::manifest_text(file);
    if (!readable) {
        return single(0, readable.error().reason);
    }
    const std::string& text = readable->text;
    Findings findings(text);
    if (readable->assumed_ansi) {
        findings.error_at(0, "not UTF-8; decoded as Windows-1252");
    }
    for (const std::size_t offset : readable->repaired) {
        findings.error_at(offset, "not well-formed: unescaped quotes or brackets in a value");
    }
    pugi::xml_document document;
    const auto outcome =
        document.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
    if (!outcome) {
        findings.error_at(static_cast<std::size_t>(std::max<std::ptrdiff_t>(outcome.offset, 0)),
                          fmt::format("not well-formed: {}", outcome.description()));
    } else {
        DocumentValidator(document, findings).check();
    }
    return findings.take();
}

} // namespace

Validation validate_manifest(Bytes text) {
    try {
        return validate(text);
    } catch (const std::bad_alloc&) {
        return single(0, "not enough memory");
    } catch (const std::length_error&) {
        return single(0, "not enough memory");
    }
}

} // namespace etl::authoring
