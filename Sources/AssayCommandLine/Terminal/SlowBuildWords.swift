/// The warning about a model that runs in a debug build.
enum SlowBuildWords {
  static let warning =
    "this is a debug build, which runs models 20 to 60 times as slowly as a release build; build "
    + "the program with -c release, for example `swift run -c release`"
}
