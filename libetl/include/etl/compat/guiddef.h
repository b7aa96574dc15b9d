/* GUID and DEFINE_GUID, which defines the object if INITGUID is defined (or initguid.h included)
 * before this header, and otherwise declares it. docs/compat.md */
#ifndef ETL_COMPAT_GUIDDEF_H
#define ETL_COMPAT_GUIDDEF_H

#include <string.h>

typedef struct _GUID {
    unsigned int Data1;
    unsigned short Data2;
    unsigned short Data3;
    unsigned char Data4[8];
} GUID;

typedef GUID* LPGUID;
typedef const GUID* LPCGUID;
typedef GUID IID;
typedef GUID CLSID;

#ifdef __cplusplus
typedef const GUID& REFGUID;
typedef const GUID& REFIID;
typedef const GUID& REFCLSID;

inline int IsEqualGUID(const GUID& one, const GUID& other) {
    return !memcmp(&one, &other, sizeof(GUID));
}

inline int InlineIsEqualGUID(const GUID& one, const GUID& other) {
    return IsEqualGUID(one, other);
}

inline bool operator==(const GUID& one, const GUID& other) {
    return IsEqualGUID(one, other) != 0;
}

/* In C++20, operator!= is generated from operator==. */
#if __cplusplus < 202002L
inline bool operator!=(const GUID& one, const GUID& other) {
    return !(one == other);
}
#endif
#else
typedef const GUID* REFGUID;
typedef const GUID* REFIID;
typedef const GUID* REFCLSID;

#define IsEqualGUID(one, other) (!memcmp((one), (other), sizeof(GUID)))
#define InlineIsEqualGUID(one, other) IsEqualGUID(one, other)
#endif
#define IsEqualIID(one, other) IsEqualGUID(one, other)
#define IsEqualCLSID(one, other) IsEqualGUID(one, other)

#endif /* ETL_COMPAT_GUIDDEF_H */

#undef DEFINE_GUID
#ifdef __cplusplus
#define ETL_COMPAT_DECLARE_GUID(name) extern "C" const GUID name
#else
#define ETL_COMPAT_DECLARE_GUID(name) extern const GUID name
#endif
#ifdef INITGUID
#define DEFINE_GUID(name, d1, d2, d3, b0, b1, b2, b3, b4, b5, b6, b7)                              \
    ETL_COMPAT_DECLARE_GUID(name) __attribute__((weak));                                           \
    const GUID name = {d1, d2, d3, {b0, b1, b2, b3, b4, b5, b6, b7}}
#else
#define DEFINE_GUID(name, d1, d2, d3, b0, b1, b2, b3, b4, b5, b6, b7) ETL_COMPAT_DECLARE_GUID(name)
#endif
