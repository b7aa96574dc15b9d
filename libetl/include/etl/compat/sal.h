/* Parameter annotations, defined as empty. The old forms without a trailing underscore are used
 * by the C++ library, so only C has them. docs/compat.md */
#ifndef ETL_COMPAT_SAL_H
#define ETL_COMPAT_SAL_H

#define _In_
#define _In_opt_
#define _In_z_
#define _In_opt_z_
#define _In_reads_(n)
#define _In_reads_opt_(n)
#define _In_reads_bytes_(n)
#define _In_reads_bytes_opt_(n)
#define _In_reads_z_(n)
#define _In_range_(low, high)
#define _In_bytecount_(n)
#define _In_opt_bytecount_(n)
#define _In_count_(n)
#define _In_opt_count_(n)
#define _Out_
#define _Out_opt_
#define _Out_writes_(n)
#define _Out_writes_opt_(n)
#define _Out_writes_z_(n)
#define _Out_writes_all_(n)
#define _Out_writes_bytes_(n)
#define _Out_writes_bytes_opt_(n)
#define _Out_writes_bytes_to_(n, used)
#define _Out_writes_bytes_to_opt_(n, used)
#define _Out_writes_to_(n, used)
#define _Out_writes_to_opt_(n, used)
#define _Outptr_
#define _Outptr_opt_
#define _Outptr_result_maybenull_
#define _Outptr_result_buffer_(n)
#define _Outptr_result_bytebuffer_(n)
#define _Inout_
#define _Inout_opt_
#define _Inout_z_
#define _Inout_updates_(n)
#define _Inout_updates_opt_(n)
#define _Inout_updates_bytes_(n)
#define _Inout_updates_bytes_opt_(n)
#define _Inout_updates_z_(n)
#define _Ret_
#define _Ret_maybenull_
#define _Ret_notnull_
#define _Ret_z_
#define _Reserved_
#define _Null_terminated_
#define _NullNull_terminated_
#define _Notnull_
#define _Maybenull_
#define _Pre_
#define _Pre_cap_(n)
#define _Pre_bytecap_(n)
#define _Pre_valid_
#define _Pre_maybenull_
#define _Pre_opt_cap_(n)
#define _Post_
#define _Pre_satisfies_(what)
#define _Post_satisfies_(what)
#define _Pre_notnull_
#define _Post_invalid_
#define _Post_ptr_invalid_
#define _Post_equals_last_error_
#define _Success_(what)
#define _Check_return_
#define _Must_inspect_result_
#define _When_(condition, what)
#define _At_(place, what)
#define _Field_size_(n)
#define _Field_size_opt_(n)
#define _Field_size_bytes_(n)
#define _Field_size_bytes_opt_(n)
#define _Field_z_
#define _Field_range_(low, high)
#define _Struct_size_bytes_(n)
#define _Printf_format_string_
#define _Use_decl_annotations_
#define _Function_class_(name)
#define _IRQL_requires_(level)
#define _IRQL_requires_max_(level)
#define _IRQL_requires_same_
#define _Analysis_assume_(what)
#define _Frees_ptr_
#define _Frees_ptr_opt_
#define __analysis_assume(what)
#define __drv_aliasesMem
#define __drv_freesMem(kind)
#define __callback
#ifndef __cplusplus
#define __in
#define __in_opt
#define __out
#define __out_opt
#define __inout
#define __inout_opt
#define __reserved
#define __in_bcount(n)
#define __in_ecount(n)
#define __in_ecount_opt(n)
#define __out_bcount(n)
#define __out_ecount(n)
#define __inout_bcount(n)
#endif

#endif
