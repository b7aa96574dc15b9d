#include "cli/verb.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>

namespace cli {

// Options.

Option* Option::type_name(const std::string& name) {
    option_->type_name(name);
    return this;
}

Option* Option::description(const std::string& text) {
    option_->description(text);
    return this;
}

Option* Option::group(const std::string& name) {
    option_->group(name);
    return this;
}

Option* Option::required(bool is_required) {
    option_->required(is_required);
    return this;
}

Option* Option::expected(int count) {
    option_->expected(count);
    return this;
}

Option* Option::expected(int min, int max) {
    option_->expected(min, max);
    return this;
}

Option* Option::allow_extra_args(bool are_allowed) {
    option_->allow_extra_args(are_allowed);
    return this;
}

Option* Option::delimiter(char delimiter) {
    option_->delimiter(delimiter);
    return this;
}

Option* Option::take_all() {
    option_->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    return this;
}

Option* Option::excludes(Option* other) {
    option_->excludes(other->option_);
    return this;
}

Option* Option::excludes(const std::string& other) {
    option_->excludes(other);
    return this;
}

Option* Option::check(const Check& check, const std::string& name) {
    option_->check(CLI::Validator(check, name));
    return this;
}

Option* Option::as_size() {
    option_->transform(CLI::AsSizeValue(false));
    return this;
}

Option* Option::trigger_on_parse() {
    option_->trigger_on_parse();
    return this;
}

// Older parsers always call back in this order.
Option* Option::before_requirements() {
#if CLI11_VERSION_MAJOR > 2 || (CLI11_VERSION_MAJOR == 2 && CLI11_VERSION_MINOR >= 6)
    option_->callback_priority(CLI::CallbackPriority::PreRequirementsCheck);
#endif
    return this;
}

std::size_t Option::count() const {
    return option_->count();
}

std::vector<std::string> Option::results() const {
    return option_->results();
}

bool Option::is_positional() const {
    return option_->get_positional();
}

bool Option::is_required() const {
    return option_->get_required();
}

bool Option::is_flag() const {
    return option_->get_type_size() == 0;
}

int Option::min_values() const {
    return option_->get_expected_min();
}

int Option::max_values() const {
    return option_->get_expected_max();
}

int Option::max_items() const {
    return option_->get_items_expected_max();
}

std::string Option::get_description() const {
    return option_->get_description();
}

std::string Option::get_group() const {
    return option_->get_group();
}

std::string Option::get_type_name() const {
    return option_->get_type_name();
}

std::string Option::get_single_name() const {
    return option_->get_single_name();
}

std::string Option::get_name(bool as_positional, bool all) const {
    return option_->get_name(as_positional, all);
}

std::vector<std::string> Option::long_names() const {
    return option_->get_lnames();
}

// Verbs.

Verb::Verb(const std::string& description, const std::string& name)
    : owned_(std::make_unique<CLI::App>(description, name)), app_(owned_.get()) {
    app_->set_help_flag();
}

Verb::Verb(Verb& parent, CLI::App& app)
    : app_(&app), parent_(&parent), has_one_dash_(parent.has_one_dash_) {}

Verb::~Verb() = default;

Option* Verb::option_of(CLI::Option* option) const {
    if (option == nullptr) {
        return nullptr;
    }
    const auto found = std::ranges::find_if(
        options_, [&](const auto& known) { return &known->parsed() == option; });
    if (found != options_.end()) {
        return found->get();
    }
    options_.push_back(std::make_unique<Option>(*option));
    return options_.back().get();
}

Verb* Verb::add_subcommand(const std::string& name, const std::string& description) {
    verbs_.push_back(
        std::unique_ptr<Verb>(new Verb(*this, *app_->add_subcommand(name, description))));
    return verbs_.back().get();
}

template <typename T>
    requires(!std::is_array_v<T>)
Option* Verb::add_option(const std::string& name, T& to, const std::string& help) {
    return option_of(app_->add_option(name, to, help));
}

Option* Verb::add_option(const std::string& name, const char* help) {
    return option_of(app_->add_option(name)->description(help));
}

template <typename T>
Option* Verb::add_option_function(const std::string& name,
                                  const std::function<void(const T&)>& read,
                                  const std::string& help) {
    return option_of(app_->add_option_function<T>(name, read, help));
}

template <typename T>
Option* Verb::add_flag(const std::string& name, T& to, const std::string& help) {
    return option_of(app_->add_flag(name, to, help));
}

Option* Verb::add_flag(const std::string& name) {
    return option_of(app_->add_flag(name));
}

Option* Verb::add_flag_callback(const std::string& name, const std::function<void()>& run,
                                const std::string& help) {
    return option_of(app_->add_flag_callback(name, run, help));
}

void Verb::remove_option(Option* option) {
    CLI::Option* const parsed = &option->parsed();
    std::erase_if(options_, [&](const auto& known) { return known.get() == option; });
    app_->remove_option(parsed);
}

Verb* Verb::group(const std::string& name) {
    app_->group(name);
    return this;
}

Verb* Verb::alias(const std::string& name) {
    app_->alias(name);
    return this;
}

Verb* Verb::footer(const std::string& text) {
    app_->footer(text);
    return this;
}

Verb* Verb::callback(const std::function<void()>& run) {
    app_->callback(run);
    return this;
}

Verb* Verb::parse_complete_callback(const std::function<void()>& run) {
    app_->parse_complete_callback(run);
    return this;
}

Verb* Verb::require_subcommand(int count) {
    app_->require_subcommand(count);
    return this;
}

Verb* Verb::require_subcommand(int min, int max) {
    app_->require_subcommand(static_cast<std::size_t>(min), static_cast<std::size_t>(max));
    return this;
}

Verb* Verb::prefix_command() {
    app_->prefix_command();
    return this;
}

Verb* Verb::allow_extras() {
    app_->allow_extras();
    return this;
}

Verb* Verb::fallthrough() {
    app_->fallthrough();
    return this;
}

Verb* Verb::positionals_at_end() {
    app_->positionals_at_end();
    return this;
}

Verb* Verb::set_help_flag(const std::string& name, const std::string& help) {
    app_->set_help_flag(name, help);
    return this;
}

Verb* Verb::set_version_flag(const std::string& name, const std::string& version,
                             const std::string& help) {
    app_->set_version_flag(name, version, help);
    return this;
}

Verb* Verb::subcommand_label(const std::string& label) {
    label_ = label;
    return this;
}

Verb* Verb::one_dash() {
    has_one_dash_ = true;
    return this;
}

const std::string& Verb::get_name() const {
    return app_->get_name();
}

std::string Verb::get_description() const {
    return app_->get_description();
}

std::string Verb::get_group() const {
    return app_->get_group();
}

std::string Verb::get_footer() const {
    return app_->get_footer();
}

bool Verb::falls_through() const {
    return app_->get_fallthrough();
}

int Verb::min_subcommands() const {
    return static_cast<int>(app_->get_require_subcommand_min());
}

bool Verb::check_name(const std::string& name) const {
    return app_->check_name(name);
}

std::vector<Verb*> Verb::verbs() const {
    std::vector<Verb*> all;
    for (const auto& verb : verbs_) {
        all.push_back(verb.get());
    }
    return all;
}

std::vector<std::string> Verb::option_groups() const {
    return app_->get_groups();
}

std::vector<Option*> Verb::get_options() const {
    std::vector<Option*> all;
    for (CLI::Option* const option : app_->get_options(std::function<bool(CLI::Option*)>())) {
        all.push_back(option_of(option));
    }
    return all;
}

const Option* Verb::help_option() const {
    return option_of(app_->get_help_ptr() == nullptr
                         ? nullptr
                         : app_->get_option(app_->get_help_ptr()->get_name()));
}

Option* Verb::get_option(const std::string& name) const {
    Option* const option = get_option_no_throw(name);
    if (option == nullptr) {
        throw std::out_of_range("no option " + name);
    }
    return option;
}

Option* Verb::get_option_no_throw(const std::string& name) const {
    return option_of(app_->get_option_no_throw(name));
}

std::optional<ParseEnd> Verb::parse(const std::vector<std::string>& words) {
    using enum ParseEnd::Why;
    try {
        app_->parse(std::vector(words.rbegin(), words.rend())); // it takes them from the end
        return std::nullopt;
    } catch (const CLI::CallForHelp&) {
        return ParseEnd{help};
    } catch (const CLI::Success& asked) {
        return ParseEnd{version, asked.what()};
    } catch (const CLI::ExtrasError& error) {
        return ParseEnd{unknown, error.what()};
    } catch (const CLI::RequiredError& error) {
        return ParseEnd{required, error.what()};
    } catch (const CLI::ParseError& error) {
        return ParseEnd{other, error.what()};
    } catch (const RequiredError& error) {
        return ParseEnd{required, error.what()};
    } catch (const UsageError& error) {
        return ParseEnd{other, error.what()};
    }
}

std::size_t Verb::count() const {
    return app_->count();
}

std::size_t Verb::count(const std::string& option) const {
    return app_->count(option);
}

std::vector<Verb*> Verb::get_subcommands() const {
    std::vector<Verb*> named;
    for (CLI::App* const app : app_->get_subcommands()) {
        named.push_back(std::ranges::find_if(verbs_, [&](const auto& verb) {
                            return verb->app_ == app;
                        })->get());
    }
    return named;
}

const Verb& Verb::last_verb() const {
    const std::vector<Verb*> named = get_subcommands();
    return named.empty() ? *this : named.back()->last_verb();
}

std::vector<std::string> Verb::remaining(bool with_verbs) const {
    return app_->remaining(with_verbs);
}

// What options are made of: a type that is missing here is a symbol that is missing at the end.

std::vector<std::string> split_list(const std::string& list, char delimiter) {
    return CLI::detail::split(list, delimiter);
}

template <typename T>
bool read_number(const std::string& word, T& to) {
    return CLI::detail::lexical_cast(word, to);
}

template bool read_number(const std::string&, int&);
template bool read_number(const std::string&, unsigned&);
template bool read_number(const std::string&, unsigned long&);
template bool read_number(const std::string&, double&);

template Option* Verb::add_option(const std::string&, std::string&, const std::string&);
template Option* Verb::add_option(const std::string&, std::vector<std::string>&,
                                  const std::string&);
template Option* Verb::add_option(const std::string&, int&, const std::string&);
template Option* Verb::add_option(const std::string&, unsigned&, const std::string&);
template Option* Verb::add_option(const std::string&, std::uint16_t&, const std::string&);
template Option* Verb::add_option(const std::string&, unsigned long&, const std::string&);
template Option* Verb::add_option(const std::string&, double&, const std::string&);
template Option* Verb::add_option(const std::string&, std::optional<int>&, const std::string&);
template Option* Verb::add_option(const std::string&, std::optional<unsigned>&, const std::string&);
template Option* Verb::add_option(const std::string&, std::optional<unsigned long>&,
                                  const std::string&);
template Option* Verb::add_option(const std::string&, std::optional<double>&, const std::string&);
template Option* Verb::add_option(const std::string&, std::optional<std::string>&,
                                  const std::string&);

template Option* Verb::add_option_function<std::string>(
    const std::string&, const std::function<void(const std::string&)>&, const std::string&);
template Option* Verb::add_option_function<std::vector<std::string>>(
    const std::string&, const std::function<void(const std::vector<std::string>&)>&,
    const std::string&);

template Option* Verb::add_flag(const std::string&, bool&, const std::string&);

} // namespace cli
