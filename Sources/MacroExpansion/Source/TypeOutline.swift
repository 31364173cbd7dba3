/// What an expansion needs to know of a type.
struct TypeOutline: Equatable {
  enum Kind: String {
    case `struct`
    case `enum`
    case `actor`
  }

  var kind: Kind
  var name: String
  /// `public `, `package ` or nothing: what stands before generated members.
  var access: String
  var inherited: [String] = []
  var isIndirect = false
  var properties: [Property] = []
  var cases: [Case] = []
  /// The names of nested types and members that are written by hand.
  var ownNames: Set<String> = []
  /// Whether `init(_ content: GeneratedContent)` is written by hand.
  var hasContentInitializer = false
}

extension TypeOutline {
  /// A stored property that is generated.
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

  /// What `@Guide` says.
  struct Guide: Equatable {
    /// The sources of the descriptions, one from each attribute that has one.
    var descriptions: [String] = []
    /// The sources of the guides.
    var guides: [String] = []
    /// How many attributes it comes from.
    var attributeCount = 0

    /// The source of the description: of several, their texts with spaces between them.
    var description: String? {
      if descriptions.count < 2 { return descriptions.first }
      let texts = descriptions.joined(separator: ", ")
      return "([\(texts)] as [Swift.String?]).compactMap { $0 }.joined(separator: \" \")"
    }
  }
}

/// An attribute as it is written.
struct AttributeOutline: Equatable {
  struct Argument: Equatable {
    var label: String?
    var source: String
  }

  /// The last part of the name: `Guide` of `FoundationModels.Guide`.
  var name: String
  var arguments: [Argument] = []
  var offset: Int
}
