// The layout of --help: one column of names, one of descriptions that are wrapped.
#pragma once

#include "cli/verb.hpp"

#include <string>
#include <vector>

namespace cli {

/// Returns the help of a verb, as --help prints it.
std::string help_of(const Verb& verb);

/// Returns the lines of an option or positional argument in it.
std::string help_of(const Verb& verb, const Option& option);

/// Returns the names of an option as shown: `-o,--output`; of a positional argument: `FILE`.
std::string spelling_of(const Verb& verb, const Option& option);

/// Returns `FILE...`, `-o,--output FILE`, without the names of checks.
std::string name_of(const Verb& verb, const Option& option);

/// What help shows under one heading.
struct OptionGroup {
    std::string heading;
    std::vector<const Option*> options;
};

struct VerbGroup {
    std::string heading;
    std::vector<const Verb*> verbs;
};

/// Returns the options of a verb that are not hidden, positional arguments first, under
/// `positionals`.
std::vector<OptionGroup> option_groups(const Verb& verb, const std::string& positionals);

/// Returns the verbs of a verb that are not hidden, groups in the order of their first verbs.
std::vector<VerbGroup> verb_groups(const Verb& parent);

/// Returns the words that select a verb: `etl schema list`.
std::string path_of(const Verb& verb);

/// Returns the verbs of a verb that help shows.
std::vector<const Verb*> shown_verbs(const Verb& parent);

/// Returns the verb of this name, which may be a hidden one; null: there is none.
const Verb* verb_named(const Verb& parent, const std::string& word);

/// Returns the footer of a verb; empty if it is that of the program, which verbs inherit.
std::string footer_of(const Verb& verb);

// Man pages, from the same tables and texts as --help.

/// Returns the name of the man page of a verb: `etl-schema-list`.
std::string man_page_name(const Verb& verb);

/// Returns the man page of a verb, for man(7).
std::string man_page(const Verb& verb);

} // namespace cli
