@main
struct GuidedGenerationMacros {
  static func main() {}
}
