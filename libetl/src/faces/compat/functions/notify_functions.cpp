// Notifications of sessions: EtwNotificationRegister. docs/compat.md#notifications
#include "compat/c_values.hpp"
#include "compat/environment.hpp"

namespace compat = etl::compat;

namespace {

ULONG add(const GUID* guid, ULONG type, PETW_NOTIFICATION_CALLBACK callback, PVOID context,
          REGHANDLE* handle) {
    if (guid == nullptr || handle == nullptr || type == 0 || type >= EtwNotificationTypeMax) {
        return ERROR_INVALID_PARAMETER;
    }
    *handle = 0;
    if (type != EtwNotificationTypeSession || !IsEqualGUID(*guid, compat::session_notifications) ||
        callback == nullptr) {
        return ERROR_NOT_SUPPORTED;
    }
    const auto added = compat::environment().notifications.add(callback, context);
    if (!added) {
        return compat::to_c(added.error().status);
    }
    *handle = *added;
    return ERROR_SUCCESS;
}

ULONG remove(REGHANDLE handle, PVOID* context) {
    const auto removed = compat::environment().notifications.remove(handle);
    if (!removed) {
        return ERROR_INVALID_HANDLE;
    }
    if (context != nullptr) {
        *context = *removed;
    }
    return ERROR_SUCCESS;
}

} // namespace

extern "C" {

ULONG EtwNotificationRegister(LPCGUID guid, ULONG type, PETW_NOTIFICATION_CALLBACK callback,
                              PVOID context, REGHANDLE* handle) {
    return compat::reported([&] { return add(guid, type, callback, context, handle); });
}

ULONG EtwNotificationUnregister(REGHANDLE handle, PVOID* context) {
    return compat::reported([&] { return remove(handle, context); });
}

} // extern "C"
