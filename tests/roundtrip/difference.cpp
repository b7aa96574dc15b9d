#include "tests/roundtrip/difference.hpp"

#include "base/layout.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <cmath>

namespace etl::test {

namespace {

using decode::FieldWalker;
using decode::Form;
using decode::Shape;
using decode::Step;

/// A walk, and how many bytes the last step took: those of its value, and what bounds it.
struct Walk {
    FieldWalker walker;
    const std::byte* at = nullptr;
    Bytes taken;

    void start(const decode::Plan& plan, Bytes payload) {
        walker.start(plan, payload);
        at = payload.data();
    }

    Step next() {
        const Step step = walker.next();
        const std::byte* const now = walker.trailing().data();
        taken = {at, static_cast<std::size_t>(now - at)};
        at = now;
        return step;
    }
};

bool is_nan(Bytes bytes) {
    if (bytes.size() == 4) {
        return std::isnan(load_le<float>(bytes.data()));
    }
    return bytes.size() == 8 && std::isnan(load_le<double>(bytes.data()));
}

bool is_replaced(Bytes units) {
    std::string text;
    append_utf16le(text, units);
    return text.find("\xEF\xBF\xBD") != std::string::npos;
}

std::string reason(const Walk& original, const Walk& encoded) {
    const decode::PlannedField& field = original.walker.planned();
    const Bytes a = original.walker.bytes();
    const Bytes b = encoded.walker.bytes();
    const bool same_value = std::ranges::equal(a, b);
    if (same_value && field.shape == Shape::wbem_sid) {
        return "words before a SID";
    }
    if (same_value && field.shape == Shape::terminated) {
        return "text without terminator";
    }
    if (same_value && field.shape == Shape::sized) {
        return "text behind its NUL";
    }
    const Form form = field.form;
    if (form == Form::boolean) {
        return "booleans other than 1";
    }
    if (form == Form::systemtime) {
        return "day of the week";
    }
    if (form == Form::socket_address) {
        return "rest of a socket address";
    }
    if ((form == Form::text16 || form == Form::char16) && is_replaced(a)) {
        return "text that is no Unicode";
    }
    if ((form == Form::text8 || form == Form::utf8) && !is_valid_utf8(as_text(a))) {
        return "8-bit text that is no UTF-8";
    }
    if ((form == Form::float32 || form == Form::float64) && is_nan(a)) {
        return "bits of NaN";
    }
    if (field.error_space != decode::ErrorSpace::none && a.size() == 8) {
        return "error codes of 64 bits";
    }
    return "?form " + std::to_string(static_cast<int>(form));
}

} // namespace

std::vector<std::string> differences(const decode::Plan& plan, Bytes original, Bytes encoded) {
    std::vector<std::string> reasons;
    Walk a;
    Walk b;
    a.start(plan, original);
    b.start(plan, encoded);
    while (true) {
        const Step step = a.next();
        if (b.next() != step) {
            reasons.emplace_back("?other steps");
            break;
        }
        if (step == Step::end) {
            break;
        }
        if (!std::ranges::equal(a.taken, b.taken)) {
            reasons.push_back(step == Step::value ? reason(a, b) : "?array");
        }
    }
    if (reasons.empty()) {
        reasons.emplace_back("?no field differs");
    }
    return reasons;
}

} // namespace etl::test
