// What classes of the public headers are made of: a pointer to their hidden state, and functions
// that they keep. In place of <memory> and <functional>, which take longer to compile than all
// public headers together.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace etl {

/// Owns a T that is complete only in the library, like std::unique_ptr<T>. May be empty.
template <typename T>
class Owned {
public:
    Owned() noexcept = default;

    explicit Owned(T* object) noexcept : object_(object) {}

    /// Takes over the object of a std::unique_ptr.
    template <typename Pointer>
        requires(!std::is_lvalue_reference_v<Pointer> &&
                 std::is_same_v<decltype(std::declval<Pointer>().release()), T*>)
    Owned(Pointer&& other) noexcept // NOLINT(google-explicit-constructor): meant to be implicit
        : object_(std::forward<Pointer>(other).release()) {}

    Owned(Owned&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}

    Owned& operator=(Owned&& other) noexcept {
        if (this != &other) {
            delete std::exchange(object_, std::exchange(other.object_, nullptr));
        }
        return *this;
    }

    ~Owned() {
        static_assert(requires { sizeof(T); }, "T must be complete where it is deleted");
        delete object_;
    }

    T& operator*() const noexcept { return *object_; }

    T* operator->() const noexcept { return object_; }

    T* get() const noexcept { return object_; }

    explicit operator bool() const noexcept { return object_ != nullptr; }

    bool operator==(std::nullptr_t) const noexcept { return object_ == nullptr; }

private:
    T* object_ = nullptr;
};

template <typename Signature>
class Callback;

/// A function that is kept, with what it has captured, like std::function. May be empty, as when
/// made of a null pointer or an empty std::function; must not be called then.
template <typename R, typename... Arguments>
class Callback<R(Arguments...)> {
public:
    Callback() noexcept = default;

    Callback(std::nullptr_t) noexcept {} // NOLINT(google-explicit-constructor): as std::function

    template <typename F>
        requires(!std::is_same_v<std::remove_cvref_t<F>, Callback> &&
                 !std::is_member_pointer_v<std::decay_t<F>> &&
                 std::is_copy_constructible_v<std::decay_t<F>> &&
                 std::is_invocable_r_v<R, std::decay_t<F>&, Arguments...>)
    Callback(F&& function) { // NOLINT(google-explicit-constructor): meant to be implicit
        if (!is_empty(function)) {
            function_ = Owned<Function>(new Of<std::decay_t<F>>(std::forward<F>(function)));
        }
    }

    Callback(const Callback& other)
        : function_(other.function_ ? other.function_->copy() : nullptr) {}

    Callback(Callback&&) noexcept = default;

    Callback& operator=(const Callback& other) { return *this = Callback(other); }

    Callback& operator=(Callback&&) noexcept = default;
    ~Callback() = default;

    R operator()(Arguments... arguments) const {
        return function_->call(std::forward<Arguments>(arguments)...);
    }

    explicit operator bool() const noexcept { return static_cast<bool>(function_); }

private:
    template <typename F>
    static bool is_empty(const F& function) noexcept {
        if constexpr (std::is_pointer_v<F>) {
            return function == nullptr;
        } else if constexpr (requires { function.operator bool(); }) {
            return !function.operator bool();
        } else {
            return false;
        }
    }

    class Function {
    public:
        Function() = default;
        Function(const Function&) = delete;
        Function& operator=(const Function&) = delete;
        virtual ~Function() = default;
        virtual R call(Arguments... arguments) = 0;
        virtual Function* copy() const = 0;
    };

    template <typename F>
    class Of final : public Function {
    public:
        explicit Of(F function) : f_(std::move(function)) {}

        R call(Arguments... arguments) override {
            if constexpr (std::is_void_v<R>) {
                f_(std::forward<Arguments>(arguments)...);
            } else {
                return f_(std::forward<Arguments>(arguments)...);
            }
        }

        Function* copy() const override { return new Of(f_); }

    private:
        F f_;
    };

    Owned<Function> function_;
};

} // namespace etl
