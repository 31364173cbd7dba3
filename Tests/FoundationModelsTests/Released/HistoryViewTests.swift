import FoundationModels
import Testing

private func entry(_ text: String) -> Transcript.Entry {
  .response(.init(segments: [.text(.init(content: text))]))
}

@Suite("The view of a conversation's history")
struct HistoryViewTests {
  private func transcript(_ texts: String...) -> Transcript {
    let instructions = Transcript.Entry.instructions(.init(segments: [], toolDefinitions: []))
    return Transcript(entries: [instructions] + texts.map(entry))
  }

  private func texts(_ history: some Sequence<Transcript.Entry>) -> [String] {
    history.map { String($0.description.dropFirst("(Response) ".count)) }
  }

  @Test("it is a collection that an app can read, cut and change, and instructions stay")
  func view() {
    var transcript = transcript("a", "b", "c")
    let history: Transcript.HistoryView = transcript.history
    #expect(texts(history) == ["a", "b", "c"])
    #expect(texts(history.suffix(2)) == ["b", "c"])
    #expect(texts(history.dropFirst()) == ["b", "c"])
    #expect(texts(history.reversed()) == ["c", "b", "a"])
    let second = history.index(after: history.startIndex)
    #expect(texts([history[second]]) == ["b"])
    #expect(history.distance(from: history.startIndex, to: history.endIndex) == 3)

    transcript.history.append(entry("d"))
    transcript.history.removeFirst()
    transcript.history.append(contentsOf: [entry("e")])
    #expect(texts(transcript.history) == ["b", "c", "d", "e"])
    let start = transcript.history.startIndex
    transcript.history[start] = entry("B")
    let rest = transcript.history.index(after: start)..<transcript.history.endIndex
    transcript.history.removeSubrange(rest)
    #expect(texts(transcript.history) == ["B"])
    transcript.history = []
    #expect(transcript.history.isEmpty)
    #expect(transcript.count == 1)
    transcript.history = [entry("x"), entry("y")]
    let ends = transcript.history.indices
    transcript.history.swapAt(ends.first ?? start, ends.last ?? start)
    #expect(texts(transcript.history) == ["y", "x"])
  }

  @Test("a session's history can begin another session")
  func session() {
    let session = LanguageModelSession(transcript: transcript("a", "b"))
    let kept = Transcript(entries: session.history.suffix(1))
    #expect(texts(kept) == ["b"])
    #expect(session.history.count == 2)
  }
}
