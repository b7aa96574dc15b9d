// What a user of `etl generate` may ask for. docs/generate.md
#pragma once

#include "cli/console.hpp"
#include "cli/trace_output.hpp"
#include "verbs/generate/damage.hpp"
#include "verbs/generate/recipe.hpp"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace cli {

struct GenerateOptions {
    TraceOutputOptions output;
    generate::Recipe recipe;
    std::vector<generate::Damage> damages;
    std::string manifest;
    unsigned threads = 0; // 0: as many as the machine runs
    ProgressBar::Wish progress = ProgressBar::Wish::automatic;

    void add_to(CLI::App& verb);
};

} // namespace cli
