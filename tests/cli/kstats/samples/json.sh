# The JSON of rocprofv3 has the place of each sample: the same text twice is two rows.  -1 is code that was not decoded, as is
# code object 0.  A record without a dispatch is counted as lost.
cat >r.json <<'X'
{"rocprofiler-sdk-tool":[{"metadata":{"pid":7},"agents":[],"strings":{"buffer_records":[{"kind":"KERNEL_DISPATCH","operations":["NONE"]}],
"pc_sample_instructions":["s_waitcnt vmcnt(0)","v_add_f32 v1, v2, v3","s_waitcnt vmcnt(0)"],"pc_sample_comments":["a.cpp:1","","a.cpp:9"]},
"kernel_symbols":[{"kernel_id":3,"formatted_kernel_name":"k(float*)"}],
"buffer_records":{"kernel_dispatch":[{"start_timestamp":10,"end_timestamp":20,"dispatch_info":{"dispatch_id":1,"kernel_id":3}}],
"pc_sample_host_trap":[],
"pc_sample_stochastic":[
{"record":{"flags":{"valid":1},"hw_id":{"chiplet":1},"pc":{"code_object_id":2,"code_object_offset":64},"exec_mask":18446744073709551615,"timestamp":11,"dispatch_id":1,"corr_id":{"internal":1,"external":0},"wrkgrp_id":{"x":1,"y":0,"z":0},"wave_in_grp":1,"wave_issued":0,"inst_type":"ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_NO_INST","wave_cnt":4,"snapshot":{"stall_reason":"ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_WAITCNT","dual_issue_valu":0}},"inst_index":0},
{"record":{"pc":{"code_object_id":2,"code_object_offset":64},"exec_mask":1,"timestamp":12,"dispatch_id":1,"corr_id":{"internal":1,"external":0},"wave_issued":1,"inst_type":"ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_OTHER","wave_cnt":4,"snapshot":{"stall_reason":"ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_NONE"}},"inst_index":0},
{"record":{"pc":{"code_object_id":2,"code_object_offset":128},"exec_mask":3,"timestamp":13,"dispatch_id":1,"corr_id":{"internal":1,"external":0},"wave_issued":0,"inst_type":"X","wave_cnt":4,"snapshot":{"stall_reason":"NEW_REASON"}},"inst_index":2},
{"record":{"pc":{"code_object_id":2,"code_object_offset":72},"exec_mask":3,"timestamp":14,"dispatch_id":2,"corr_id":{"internal":2,"external":0},"wave_issued":1,"inst_type":"X"},"inst_index":1},
{"record":{"pc":{"code_object_id":0,"code_object_offset":99},"exec_mask":3,"timestamp":15,"dispatch_id":1,"wave_issued":1},"inst_index":1},
{"record":{"pc":{"code_object_id":5,"code_object_offset":98},"exec_mask":3,"timestamp":16,"dispatch_id":1,"wave_issued":1},"inst_index":-1},
{"record":{"pc":{"code_object_id":5,"code_object_offset":98},"timestamp":17},"inst_index":1}]}}]}
X
kstats samples -f csv r.json || exit
kstats samples -q -f csv r.json >raw
tracemerge -q -o run.db r.json && kstats samples -q -f csv run.db | cmp - raw || exit
tracecat -q --kind kernel --columns name,start_ns r.json
