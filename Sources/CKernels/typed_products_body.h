// Products with each quantized type, for the instruction sets that read rows in place. This file is
// compiled after FN(matmul_type).

// Defines a function for a type, in which everything about the type is constant.
#define DEFINE_MATMUL(NAME, TYPE)                                                                \
  static void FN(NAME)(const uint8_t *w, int32_t rows, const ck_columns *x, float *y,            \
                       size_t y_stride) {                                                        \
    FN(matmul_type)(TYPE, w, rows, x, y, y_stride);                                              \
  }
DEFINE_MATMUL(matmul_q4_0, CK_Q4_0)
DEFINE_MATMUL(matmul_q4_1, CK_Q4_1)
DEFINE_MATMUL(matmul_q5_0, CK_Q5_0)
DEFINE_MATMUL(matmul_q5_1, CK_Q5_1)
DEFINE_MATMUL(matmul_q8_0, CK_Q8_0)
DEFINE_MATMUL(matmul_q2_k, CK_Q2_K)
DEFINE_MATMUL(matmul_q3_k, CK_Q3_K)
DEFINE_MATMUL(matmul_q4_k, CK_Q4_K)
DEFINE_MATMUL(matmul_q5_k, CK_Q5_K)
DEFINE_MATMUL(matmul_q6_k, CK_Q6_K)
DEFINE_MATMUL(matmul_iq4_nl, CK_IQ4_NL)
DEFINE_MATMUL(matmul_iq4_xs, CK_IQ4_XS)
#undef DEFINE_MATMUL

static void FN(matmul_unpacked)(ck_type type, const uint8_t *w, int32_t rows, const ck_columns *x,
                                float *y, size_t y_stride) {
  switch (type) {
    case CK_Q4_1: FN(matmul_q4_1)(w, rows, x, y, y_stride); break;
    case CK_Q5_0: FN(matmul_q5_0)(w, rows, x, y, y_stride); break;
    case CK_Q5_1: FN(matmul_q5_1)(w, rows, x, y, y_stride); break;
    case CK_Q2_K: FN(matmul_q2_k)(w, rows, x, y, y_stride); break;
    case CK_Q3_K: FN(matmul_q3_k)(w, rows, x, y, y_stride); break;
    case CK_Q4_K: FN(matmul_q4_k)(w, rows, x, y, y_stride); break;
    case CK_Q5_K: FN(matmul_q5_k)(w, rows, x, y, y_stride); break;
    case CK_Q6_K: FN(matmul_q6_k)(w, rows, x, y, y_stride); break;
    case CK_IQ4_NL: FN(matmul_iq4_nl)(w, rows, x, y, y_stride); break;
    default: FN(matmul_iq4_xs)(w, rows, x, y, y_stride); break;
  }
}
