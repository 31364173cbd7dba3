import EvalSuites
import Foundation
import Testing

@testable import EvalSessions

@Suite("Model options in the project file")
struct ModelOptionTests {
  @Test("the project file allows exactly the chat formats that local models support")
  func chatFormats() {
    #expect(ProjectFormat.chatFormats == BackendFactory.chatFormats)
  }

  @Test(
    "the memory limit comes from the command, or else from the model, or else from the project",
    arguments: [
      (8, 7, 6, 8), (nil, 7, 6, 7), (nil, nil, 6, 6), (nil, nil, nil, nil), (8, nil, 6, 8),
    ] as [(Int?, Int?, Int?, Int?)])
  func checkMemory(command: Int?, model: Int?, project: Int?, expected: Int?) {
    var choice = BackendChoice()
    choice.memory = command
    choice.projectMemory = project
    #expect(choice.memory(forModelWith: model) == expected)
  }
}
