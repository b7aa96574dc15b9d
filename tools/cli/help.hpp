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

protected:
    /// The names of an option as shown: `-o,--output`; of a positional: `FILE`.
    virtual std::string spelling(const CLI::Option& option, bool is_positional) const;

private:
    std::string name_of(const CLI::Option& option, bool is_positional) const;
    std::string make_row(const std::string& name, const std::string& description) const;

    std::size_t width_;
};

/// Returns the width of the terminal at standard output, at most 120; 100 without a terminal.
std::size_t help_width();

} // namespace cli
