/// The compiler plugin: one request and one reply at a time until the compiler closes the pipe.
@main
enum Plugin {
  static func main() {
    guard let channel = FrameChannel.standard() else { return }
    while let request = channel.read() {
      let reply = PluginServer.reply(to: request)
      guard channel.write(reply) else { return }
    }
  }
}
