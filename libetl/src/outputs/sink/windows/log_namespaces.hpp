// Namespaces that elements of an event of an event log declare. Private to sink.
// docs/format/evtx.md#as-a-trace
#pragma once

#include "decode/decoder.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace etl::sink {

struct LogNamespace {
    std::uint32_t element = 0; // 0: the element in UserData; otherwise 1 + the number of its field
    std::string name;          // `xmlns` or `xmlns:PREFIX`
    std::string uri;

    std::string_view prefix() const noexcept {
        constexpr std::size_t size = std::string_view("xmlns:").size();
        return name.size() < size ? std::string_view() : std::string_view(name).substr(size);
    }
};

/// The declarations of the event at hand, which an XML parser accepts.
class LogNamespaces {
public:
    /// Kept while the next events have the same ones.
    void use(const decode::LogOrigin& log) {
        if (log.xml_namespace != text_) {
            parse(log.xml_namespace);
        }
    }

    bool has(std::uint32_t element) const noexcept {
        for (const LogNamespace& one : all_) {
            if (one.element == element) {
                return true;
            }
        }
        return false;
    }

    /// Calls `use` with the declarations of an element, in document order.
    template <typename Use>
    void for_each(std::uint32_t element, Use&& use) const {
        for (const LogNamespace& one : all_) {
            if (one.element == element) {
                use(one);
            }
        }
    }

private:
    void parse(std::string_view lines);

    std::string text_;
    std::vector<LogNamespace> all_;
};

} // namespace etl::sink
