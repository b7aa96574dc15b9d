// The tables that all threads of a profile of the Firefox Profiler share. Private to profiles.
#pragma once

#include "analysis/activity.hpp"
#include "profiles/json/columns.hpp"

#include <string>
#include <unordered_map>
#include <vector>

namespace etl::profiles {

class FirefoxTables {
public:
    /// Kinds of frames, as JSON.
    static constexpr std::string_view categories =
        R"([{"name":"Other","color":"grey","subcategories":["Other"]},)"
        R"({"name":"User","color":"yellow","subcategories":["Other"]},)"
        R"({"name":"Kernel","color":"orange","subcategories":["Other"]},)"
        R"({"name":"Generated code","color":"green","subcategories":["Other"]}])";

    FirefoxTables(Batches& to, Columns& json) : to_(&to), json_(&json) {}

    /// Returns the index of a text in the list of texts.
    std::uint32_t text(std::string_view text);

    /// Writes the list of images.
    void write_libs(const analysis::ActivityContext& context);

    /// Writes the object of tables: stacks, frames, functions, resources, and texts. No text may be
    /// added afterwards. The index of a stack is its number - StackTable::other.
    void write_shared(const analysis::Frames& frames, const analysis::StackTable& stacks);

private:
    void write_stacks(const analysis::StackTable& stacks);
    void write_frames(const analysis::Frames& frames);
    void write_functions(const analysis::Frames& frames);
    void write_resources(const analysis::Frames& frames);

    Batches* to_;
    Columns* json_;
    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::vector<const std::string*> texts_; // keys of numbers_
};

} // namespace etl::profiles
