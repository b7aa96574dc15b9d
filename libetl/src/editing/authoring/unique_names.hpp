// Names that must differ from each other. One thread. Private to authoring.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

namespace etl::authoring {

class UniqueNames {
public:
    /// Takes a name as it is; false: it was taken before.
    bool take(std::string_view name) { return taken_.try_emplace(std::string(name), 1).second; }

    /// `stem`, or the first of `stem.2`, `stem.3` ... that is free; takes it.
    std::string take_like(std::string_view stem) { return numbered(stem, "."); }

    /// `stem`, or the first of `stem_2`, `stem_3` ... that is free; takes it.
    std::string take_identifier(std::string_view stem) { return numbered(stem, "_"); }

    /// The first of `stem1`, `stem2` ... that is free; takes it.
    std::string take_numbered(std::string_view stem) {
        taken_.try_emplace(std::string(stem), 0);
        return numbered(stem, "");
    }

private:
    std::string numbered(std::string_view stem, std::string_view joint) {
        unsigned number = 0;
        {
            const auto [known, is_new] = taken_.try_emplace(std::string(stem), 1);
            if (is_new) {
                return std::string(stem);
            }
            number = known->second;
        }
        std::string name;
        do {
            name = std::string(stem) + std::string(joint) + std::to_string(++number);
        } while (!taken_.try_emplace(name, 1).second);
        taken_[std::string(stem)] = number;
        return name;
    }

    std::unordered_map<std::string, unsigned> taken_; // and the last number tried behind it
};

/// True for what can stand as a name in XML without a prefix and is not too long to be repeated.
bool is_plain_name(std::string_view name) noexcept;

/// `text` with `_` for all that names cannot hold; never empty.
std::string plain_name(std::string_view text);

} // namespace etl::authoring
