import CKernels

/// The instruction set that the kernels use.
///
/// All instruction sets give the same results to the last bit.
public enum InstructionSet: String, Sendable, Hashable, CaseIterable {
  /// AVX-512 with VNNI.
  case avx512
  /// AVX2 with FMA and F16C.
  case avx2
  /// Arm's NEON.
  case neon
  /// Only the vector instructions that the compiler chooses.
  case scalar

  /// Whether this machine supports the instruction set.
  public var isSupported: Bool { ck_is_supported(kernel) != 0 }

  /// The fastest instruction set that this machine supports.
  public static var best: InstructionSet { allCases.first(where: \.isSupported) ?? .scalar }

  var kernel: ck_instruction_set {
    switch self {
    case .avx512: CK_AVX512
    case .avx2: CK_AVX2
    case .neon: CK_NEON
    case .scalar: CK_SCALAR
    }
  }
}
