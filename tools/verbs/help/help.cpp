#include "cli/help.hpp"

#include "analysis/tables.hpp"
#include "base/json_object.hpp"
#include "cli/man_page.hpp"
#include "cli/print.hpp"
#include "cli/refusal.hpp"
#include "cli/verbs.hpp"
#include "verbs/help/completion.hpp"

#include <memory>

namespace cli {

namespace {

/// Writes the man page of a verb and those of its verbs: DIR/etl-schema-list.1.
ExitCode write_man_pages(const Verb& verb, const std::string& directory) {
    ExitCode exit = write_file(directory + "/" + man_page_name(verb) + ".1", man_page(verb));
    for (const Verb* inner : shown_verbs(verb)) {
        if (exit == ExitCode::well) {
            exit = write_man_pages(*inner, directory);
        }
    }
    return exit;
}

std::string_view adding_name(etl::analysis::Adding adding) noexcept {
    using enum etl::analysis::Adding;
    switch (adding) {
    case key:
        return "key";
    case sum:
        return "sum";
    case maximum:
        return "maximum";
    case minimum:
        return "minimum";
    case ratio:
        return "ratio";
    case none:
        break;
    }
    return "none";
}

/// A line for each form of a table, with its columns. docs/analysis.md#list
ExitCode print_tables() {
    std::string text;
    for (const etl::analysis::TableForm* const form : etl::analysis::table_forms()) {
        const etl::analysis::Table table = empty_table(*form);
        etl::JsonList columns, further_counts;
        for (const etl::analysis::Remainder& count : table.coverage.remainders) {
            further_counts.text(count.name);
        }
        for (const etl::analysis::Column& column : table.columns) {
            columns.raw(etl::JsonObject()
                            .text("name", column.name)
                            .text("unit", unit_name(column.unit))
                            .text("adding", adding_name(column.adding))
                            .take());
        }
        const etl::analysis::TableKind& kind = *form->kind;
        text += etl::JsonObject()
                    .text("table", kind.name)
                    .text("by", form->by)
                    .boolean("is_verb", !kind.summary.empty())
                    .text("question", kind.question)
                    .boolean("has_parts", form->parts != etl::analysis::PartsOf::none)
                    .boolean("is_compared", kind.is_compared)
                    .raw("columns", columns.take())
                    .raw("further_counts", further_counts.take())
                    .take() +
                '\n';
    }
    return print(text);
}

/// `etl complete WORD...`: what can stand for the last word.
void add_complete(Verb& etl, ExitCode& exit) {
    Verb& verb = *etl.add_subcommand("complete", "Print what can stand for the last word");
    verb.group("")->prefix_command();
    verb.set_help_flag();
    verb.callback([&etl, &verb, &exit] {
        std::string text;
        for (const std::string& line : completions_of(etl, verb.remaining())) {
            text += line + '\n';
        }
        exit = print(text);
    });
}

void add_help_verb(Verb& etl, ExitCode& exit) {
    struct HelpOptions {
        std::vector<std::string> words;
        std::string man_pages;
        bool tables = false;
    };

    Verb& verb = *etl.add_subcommand("help", "Print the help of a verb, or this help");
    const auto options = std::make_shared<HelpOptions>();
    verb.add_option("VERB", options->words, "verb, such as `relog` or `schema list`");
    verb.add_option("--man-pages", options->man_pages,
                    "write the man pages of all verbs to a directory instead")
        ->type_name("DIR");
    verb.add_flag("--tables", options->tables,
                  "list the tables with their columns instead, as JSON lines");
    verb.callback([&etl, &exit, options] {
        exit = options->tables              ? print_tables()
               : options->man_pages.empty() ? static_cast<ExitCode>(print_help(etl, options->words))
                                            : write_man_pages(etl, options->man_pages);
    });
}

} // namespace

int print_help(const Verb& etl, const std::vector<std::string>& words) {
    const Verb* verb = &etl;
    for (const std::string& word : words) {
        const Verb* const found = verb_named(*verb, word);
        if (found == nullptr) {
            return refuse_verb(word, *verb);
        }
        verb = found;
    }
    return static_cast<int>(print(help_of(*verb)));
}

void add_help(Verb& etl, ExitCode& exit) {
    add_help_verb(etl, exit);
    add_complete(etl, exit);
}

} // namespace cli
