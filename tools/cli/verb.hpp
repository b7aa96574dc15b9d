// Verbs and their options. The parser of the command line is CLI11, which verb.cpp alone includes:
// its templates take longer to compile than the verbs. One thread.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace cli {

/// The command line is wrong. Thrown by what reads options, and by verbs; printed with the usage.
class UsageError : public std::runtime_error {
public:
    explicit UsageError(const std::string& what) : std::runtime_error(what) {}

    /// `--option: why`.
    UsageError(const std::string& name, const std::string& why) : UsageError(name + ": " + why) {}
};

/// An option or argument is missing.
class RequiredError : public UsageError {
public:
    explicit RequiredError(const std::string& name) : UsageError(name + " is required") {}
};

/// Returns what is wrong with a word, empty if nothing; may change the word.
using Check = std::function<std::string(std::string& word)>;

/// Reads a number, which must be the entire word. Defined for the types of options.
template <typename T>
bool read_number(const std::string& word, T& to);

/// Returns the parts of a list between delimiters.
std::vector<std::string> split_list(const std::string& list, char delimiter);

/// An option or positional argument of a verb. Belongs to the verb.
class Option {
public:
    explicit Option(CLI::Option& option) noexcept : option_(&option) {}

    // Each returns this option.

    Option* type_name(const std::string& name); // of the value, in help: FILE
    Option* description(const std::string& text);
    Option* group(const std::string& name); // heading in help; empty: hidden
    Option* required(bool is_required = true);
    Option* expected(int count);        // number of values; -1: any number
    Option* expected(int min, int max); // -1: any number
    Option* allow_extra_args(bool are_allowed = true);
    Option* delimiter(char delimiter); // between values in a word
    Option* take_all();                // if given several times
    Option* excludes(Option* other);
    Option* excludes(const std::string& other);
    /// `name` is shown after the type.
    Option* check(const Check& check, const std::string& name = {});
    /// Takes `64K` and `2MB`, in units of 1024.
    Option* as_size();
    /// Its callback runs at each mention, in the order of the command line.
    Option* trigger_on_parse();
    /// Its callback runs before required options are checked, because it refuses the command line,
    /// or replaces what is required.
    Option* before_requirements();

    /// Number of mentions.
    std::size_t count() const;

    bool empty() const { return count() == 0; }

    std::vector<std::string> results() const;
    bool is_positional() const;
    bool is_required() const;
    bool is_flag() const; // takes no value
    /// Bounds of the number of values.
    int min_values() const;
    int max_values() const;
    /// The same, of the values of one mention.
    int max_items() const;
    std::string get_description() const;
    std::string get_group() const;
    std::string get_type_name() const;
    std::string get_single_name() const; // without dashes: `output`
    /// `-o,--output`; of a positional argument `FILE`.
    std::string get_name(bool as_positional = false, bool all = false) const;
    std::vector<std::string> long_names() const; // without dashes

    CLI::Option& parsed() const noexcept { return *option_; }

private:
    CLI::Option* option_;
};

/// Why a command line ends without a verb that has run.
struct ParseEnd {
    enum class Why {
        help,     // --help
        version,  // `text` is what to print
        unknown,  // words that nothing takes
        required, // an option, argument, or verb is missing
        other,
    };

    Why why = Why::other;
    std::string text{}; // for people
};

/// A verb, which may have verbs. What it refers to must outlive it.
class Verb {
public:
    /// The program itself.
    Verb(const std::string& description, const std::string& name);
    Verb(const Verb&) = delete;
    Verb& operator=(const Verb&) = delete;
    ~Verb();

    // Declaring.

    Verb* add_subcommand(const std::string& name, const std::string& description);
    /// Declares an option, or a positional argument if `name` has no dashes, that sets `to`.
    /// Defined for the types of options: numbers, texts, std::optional, and std::vector of texts.
    template <typename T>
        requires(!std::is_array_v<T>)
    Option* add_option(const std::string& name, T& to, const std::string& help = {});
    /// An option whose values set nothing.
    Option* add_option(const std::string& name, const char* help);
    /// The same, with a function that takes the value: a text, or std::vector of texts.
    template <typename T>
    Option* add_option_function(const std::string& name, const std::function<void(const T&)>& read,
                                const std::string& help = {});
    template <typename T>
    Option* add_flag(const std::string& name, T& to, const std::string& help = {});
    /// A flag without an effect of its own.
    Option* add_flag(const std::string& name);
    Option* add_flag_callback(const std::string& name, const std::function<void()>& run,
                              const std::string& help = {});
    void remove_option(Option* option);

    Verb* group(const std::string& name); // heading in help; empty: hidden
    Verb* alias(const std::string& name);
    Verb* footer(const std::string& text);
    Verb* callback(const std::function<void()>& run);
    /// Runs when the words of the verb are read, before callback().
    Verb* parse_complete_callback(const std::function<void()>& run);
    Verb* require_subcommand(int count);
    Verb* require_subcommand(int min, int max);
    Verb* prefix_command();     // takes all further words
    Verb* allow_extras();       // and unknown ones
    Verb* fallthrough();        // its parent takes what it does not know
    Verb* positionals_at_end(); // options come before arguments
    Verb* set_help_flag(const std::string& name = {}, const std::string& help = {});
    Verb* set_version_flag(const std::string& name, const std::string& version,
                           const std::string& help);
    /// In help, for verbs that follow: `VERB`.
    Verb* subcommand_label(const std::string& label);
    /// In help, long options have one dash, also those of its verbs that are added later.
    Verb* one_dash();

    // What was declared.

    const std::string& get_name() const;
    std::string get_description() const;
    std::string get_group() const;
    std::string get_footer() const; // of the verb, or of the one that it belongs to

    const std::string& get_subcommand_label() const noexcept { return label_; }

    bool has_one_dash() const noexcept { return has_one_dash_; }

    bool falls_through() const;
    int min_subcommands() const;
    bool check_name(const std::string& name) const; // also an alias

    const Verb* get_parent() const noexcept { return parent_; }

    std::vector<Verb*> verbs() const;
    std::vector<std::string> option_groups() const;
    std::vector<Option*> get_options() const;
    const Option* help_option() const;
    /// `--limit`. Throws std::out_of_range: there is none.
    Option* get_option(const std::string& name) const;
    /// Null: there is none.
    Option* get_option_no_throw(const std::string& name) const;

    // The command line.

    /// Reads the words, and runs callbacks. Nothing: all is read and done.
    std::optional<ParseEnd> parse(const std::vector<std::string>& words);
    /// Number of mentions of the verb, or of an option.
    std::size_t count() const;
    std::size_t count(const std::string& option) const;
    /// Verbs on the command line.
    std::vector<Verb*> get_subcommands() const;
    /// The last verb of the last verb ... on the command line; else this one.
    const Verb& last_verb() const;
    std::vector<std::string> remaining(bool with_verbs = false) const;

private:
    Verb(Verb& parent, CLI::App& app);
    Option* option_of(CLI::Option* option) const;

    std::unique_ptr<CLI::App> owned_; // of the program
    CLI::App* app_;
    Verb* parent_ = nullptr;
    std::string label_ = "VERB";
    bool has_one_dash_ = false;
    std::vector<std::unique_ptr<Verb>> verbs_;
    mutable std::vector<std::unique_ptr<Option>> options_;
};

} // namespace cli
