// The options of `etl generate`. docs/generate.md
#pragma once

#include "cli/console.hpp"
#include "cli/verb.hpp"
#include "outputs/trace_output.hpp"
#include "verbs/generate/damage.hpp"
#include "verbs/generate/recipe.hpp"

#include <string>
#include <vector>

namespace cli {

struct GenerateOptions {
    TraceOutputOptions output;
    generate::Recipe recipe;
    std::vector<generate::Damage> damages;
    std::string manifest;
    bool workload = false; // instead of the kinds
    bool capture = false;  // the same
    std::string truth;     // file; empty: none
    unsigned threads = 0;  // 0: logical processors
    ProgressBar::Mode progress = ProgressBar::Mode::automatic;

    void add_to(Verb& verb);
};

} // namespace cli
