// The properties of a quantized type that the products with this type depend on. After inlining,
// they are constants.

typedef struct weight_form {
  int size;    // bytes of a block in the file
  int span;    // groups of 32 elements in a block
  int bits;    // bits of a weight; 8 means signed bytes
  int bias;    // the number to subtract from a weight's bits
  int halves;  // scales for 32 elements: 1 or 2
  int has_minimums;
} weight_form;

INLINE weight_form form_of(const ck_type type) {
  switch (type) {
    case CK_Q4_0: return (weight_form){18, 1, 4, 8, 1, 0};
    case CK_Q4_1: return (weight_form){20, 1, 4, 0, 1, 1};
    case CK_Q5_0: return (weight_form){22, 1, 5, 16, 1, 0};
    case CK_Q5_1: return (weight_form){24, 1, 5, 0, 1, 1};
    case CK_IQ4_NL: return (weight_form){18, 1, 8, 0, 1, 0};
    case CK_Q2_K: return (weight_form){84, 8, 2, 0, 2, 1};
    case CK_Q3_K: return (weight_form){110, 8, 3, 4, 2, 0};
    case CK_Q4_K: return (weight_form){144, 8, 4, 0, 1, 1};
    case CK_Q5_K: return (weight_form){176, 8, 5, 0, 1, 1};
    case CK_Q6_K: return (weight_form){210, 8, 6, 32, 2, 0};
    case CK_IQ4_XS: return (weight_form){136, 8, 8, 0, 1, 0};
    default: return (weight_form){34, 1, 8, 0, 1, 0};
  }
}

// If the weights in a sum of products still have their bias, the number to add to the sum is
// `offset >> bias_shift(form)`. `offset` is -128 times the sum of the activations.
INLINE int bias_shift(const weight_form form) {
  return form.bias == 4 ? 5 : form.bias == 8 ? 4 : form.bias == 16 ? 3 : 2;
}
