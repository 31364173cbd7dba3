import AssayCommandLine

@main
struct Assay {
  static func main() async {
    await AssayProgram().main()
  }
}
