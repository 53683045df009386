# Rows of TunableOp by problem: types of A, B and C of a scaled product, leading dimensions that are not packed, a bias,
# a batch, tf32; the last one names one type where there must be three, and stays as it stands.
cat >tunableop.csv <<'EOF'
Validator,PT_VERSION,2.8.0
GemmTunableOp_BFloat16_TN,tn_64_12288_2048,Gemm_Hipblaslt_TN_1,0.1
GemmTunableOp_BFloat16_TN,tn_64_12288_2048_ld_2048_2048_64,Gemm_Hipblaslt_TN_2,0.09
GemmTunableOp_BFloat16_TN,tn_64_12288_2048_ld_4096_2048_64,Gemm_Hipblaslt_TN_1,0.2
GemmAndBiasTunableOp_BFloat16_TN,tn_64_12288_2048_ld_2048_2048_64,Gemm_Hipblaslt_TN_1,0.3
GemmStridedBatchedTunableOp_tf32_NN,nn_8_8_4_B_3_ld_8_4_8,Default,0.3
ScaledGemmTunableOp_Float8_e4m3fn_Float8_e5m2_BFloat16_TN,tn_64_12288_2048_ld_2048_2048_64_rw_1_bias_None,Gemm_Hipblaslt_TN_1,0.5
ScaledGemmTunableOp_Float8_e4m3fnuz_Float8_e4m3fnuz_BFloat16_TN,tn_64_12288_2048_ld_2048_2048_64_rw_0_bias_Half,Gemm_Hipblaslt_TN_1,0.5
ScaledGemmTunableOp_Float8_e4m3fnuz_NN,nn_5120_4149_17408_ld_5120_17408_5120_rw_0_bias_None,x,0.5
EOF
libperf best -f csv --columns problem,us,candidates tunableop.csv
