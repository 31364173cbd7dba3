/// The parts of a type declaration that an expansion needs.
struct TypeOutline: Equatable {
  enum Kind: String {
    case `struct`
    case `enum`
    case `actor`
  }

  var kind: Kind
  var name: String
  /// The access level to write before generated members: `public `, `package ` or an empty string.
  var access: String
  var inherited: [String] = []
  var isIndirect = false
  var properties: [Property] = []
  var cases: [Case] = []
  /// The names of nested types and members that the app declares.
  var ownNames: Set<String> = []
  /// Whether the app declares `init(_ content: GeneratedContent)`.
  var hasContentInitializer = false
}

extension TypeOutline {
  /// A stored property to generate.
  struct Property: Equatable {
    /// The name as it is written in Swift.
    var name: String
    /// The type as it is written.
    var type: String
    var access: String
    var guide = Guide()
  }

  /// A case of an enum.
  struct Case: Equatable {
    var name: String
    var payload: [Payload] = []
    /// The source of the raw value.
    var rawValue: String?
    var guide = Guide()
  }

  /// An associated value.
  struct Payload: Equatable {
    var label: String?
    var type: String
  }

  /// The content of `@Guide`.
  struct Guide: Equatable {
    /// The descriptions of all attributes that have one, as source text.
    var descriptions: [String] = []
    /// The source of each guide.
    var guides: [String] = []
    /// The number of attributes that are combined here.
    var attributeCount = 0

    /// The source of the description, which joins several descriptions with spaces.
    var description: String? {
      if descriptions.count < 2 { return descriptions.first }
      let texts = descriptions.joined(separator: ", ")
      return "([\(texts)] as [Swift.String?]).compactMap { $0 }.joined(separator: \" \")"
    }
  }
}

/// An attribute, as source text.
struct AttributeOutline: Equatable {
  struct Argument: Equatable {
    var label: String?
    var source: String
  }

  /// The last part of the name: `Guide` for `FoundationModels.Guide`.
  var name: String
  var arguments: [Argument] = []
  var offset: Int
}
