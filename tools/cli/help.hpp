// The layout of --help: one column of names, one of descriptions that are wrapped.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace cli {

class HelpFormatter : public CLI::Formatter {
public:
    /// `width` is that of a line, in columns.
    explicit HelpFormatter(std::size_t width) : width_(width) { label("SUBCOMMAND", "VERB"); }

    std::string make_help(const CLI::App* app, std::string name,
                          CLI::AppFormatMode mode) const override;
    std::string make_option(const CLI::Option* option, bool is_positional) const override;
    std::string make_subcommand(const CLI::App* verb) const override;
    std::string make_footer(const CLI::App* app) const override;

    /// The names of an option as shown: `-o,--output`; of a positional: `FILE`.
    virtual std::string spelling(const CLI::Option& option, bool is_positional) const;
    /// `FILE...`, `-o,--output FILE`, without the names of checks.
    std::string name_of(const CLI::Option& option, bool is_positional) const;

private:
    std::string usage_of(const CLI::App& verb, const std::string& name) const;
    std::string make_row(const std::string& name, const std::string& description) const;

    std::size_t width_;
};

/// The heading of a group of options or verbs.
std::string heading_of(const std::string& group);

/// The formatter of a verb, which is a HelpFormatter in all programs here.
const HelpFormatter& formatter_of(const CLI::App& verb);

/// Returns the words that select a verb: `etl schema list`.
std::string path_of(const CLI::App& verb);

/// Returns the verbs of a verb that help shows.
std::vector<const CLI::App*> shown_verbs(const CLI::App& parent);

/// Returns the verb of this name, which may be a hidden one; null: there is none.
const CLI::App* verb_named(const CLI::App& parent, const std::string& word);

/// Returns the footer of a verb; empty if it is that of the program, which verbs inherit.
std::string footer_of(const CLI::App& verb);

/// Returns the width of the terminal at standard output, at most 120; 100 without a terminal.
std::size_t help_width();

} // namespace cli
