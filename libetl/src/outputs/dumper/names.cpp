#include "dumper/names.hpp"

#include "base/text.hpp"
#include "dumper/clean_text.hpp"

namespace etl::dumper {

namespace {

constexpr std::size_t name_places = 16;

void append_id(std::string& to, std::uint32_t id) {
    std::string digits;
    if (id == flow::no_id) {
        digits = "-1";
    } else {
        append_decimal(digits, id);
    }
    constexpr std::size_t columns = 4;
    to.append(" (");
    append_padded(to, digits, columns);
    to.push_back(')');
}

} // namespace

void Names::use(const flow::Event& event) {
    const std::pair place(event.trace().file, event.buffer->merged_input);
    if (place == place_) {
        return;
    }
    place_ = place;
    const facts::Facts* const found = facts_->find(event);
    here_ = found != nullptr ? found : &none_;
    is_64_bit_ = event.trace().header_pointer_size == 8;
    forget_processes();
    forget_code();
    paths_.clear();
}

void Names::append_process(std::string& to, std::uint32_t process, std::int64_t time) {
    if (processes_.size() >= limits::names) {
        processes_.clear();
    }
    const auto [found, is_new] = processes_.try_emplace(process);
    if (is_new) {
        std::string name;
        const auto known = here_->process(process, time);
        if (known && !known->name.empty()) {
            append_cell_text(name, known->name);
        } else {
            name = process == 0 ? "Idle" : "Unknown";
        }
        append_padded(found->second, name, name_places);
        append_id(found->second, process);
    }
    to.append(found->second);
}

void Names::append_function(std::string& to, const facts::CodeAddress& code) {
    if (functions_.size() >= limits::names) {
        functions_.clear();
    }
    constexpr unsigned shift = 1;
    const Key key{std::uint64_t{code.process} << shift | (code.is_return_address ? 1U : 0U),
                  code.address};
    const auto [found, is_new] = functions_.try_emplace(key);
    if (is_new) {
        found->second = function_text(code);
    }
    to.append(found->second);
}

std::string Names::function_text(const facts::CodeAddress& code) const {
    std::string text, module = "Unknown";
    const auto name = frames_.find(*here_, code);
    if (name && !name->module.empty()) {
        module.clear();
        append_cell_text(module, name->module);
    }
    append_padded(text, module, name_places);
    text.push_back('!');
    if (has_symbols_ && name && !name->function.empty()) {
        append_cell_text(text, name->function);
    } else {
        append_address(text, code.address);
    }
    return text;
}

void Names::append_file(std::string& to, std::uint64_t key, std::uint64_t object,
                        std::int64_t time) {
    std::string_view path = key != 0 ? here_->file(key, time) : std::string_view();
    if (path.empty() && object != 0) {
        path = here_->file(object, time);
    }
    if (path.empty()) {
        to.append("\"Unknown (");
        append_address(to, object != 0 ? object : key);
        to.append(")\"");
        return;
    }
    if (paths_.size() >= limits::names) {
        paths_.clear();
    }
    const auto [found, is_new] = paths_.try_emplace(path); // texts of facts outlive this object
    if (is_new) {
        append_path(found->second, path);
    }
    to.append(found->second);
}

void Names::append_path(std::string& to, std::string_view path) {
    append_quoted(to, here_->dos_path(path));
}

void Names::append_address(std::string& to, std::uint64_t address) const {
    append_hex_digits(to, address, is_64_bit_ ? 16 : 8);
}

} // namespace etl::dumper
