import StructuredText
import Testing

@testable import EvalSuites

@Suite("Counts in texts, nearest names, and dates")
struct TextCountsTests {
  @Test(
    "a word contains at least one letter or digit",
    arguments: [
      ("", 0), ("  \n ", 0), ("one", 1), ("well-known fact", 2), ("rum, lime – ice", 3),
      ("3.5 %", 1), ("l'été arrive", 2), ("日本語", 1), ("a\u{a0}b", 2), ("- - -", 0),
    ])
  func words(text: String, count: Int) {
    #expect(TextCounts.words(in: text) == count)
  }

  @Test(
    "a sentence ends at `.`, `!`, `?` or a line break, but not at the dot of `3.50`, `Mt.` or `J.`",
    arguments: [
      ("", 0), ("...", 0), ("One.", 1), ("No full stop", 1), ("One. Two.", 2),
      ("Really?! Yes.", 2), ("It costs 3.50 euros.", 1), ("Mt. Fuji is high.", 1),
      ("J. Smith came. He left.", 2), ("So did I. Then we left.", 2), ("Hm… well, yes.", 1),
      ("He said \"Go.\" Then he left.", 2), ("\"Go!\" he said.", 1), ("Line one\nLine two", 2),
      ("今日は。明日は。", 2), ("Use e.g. lime. Or not.", 2), ("Bees, birds etc. are here.", 1),
      ("Open example.com now.", 1), ("One.  ", 1), ("One. )", 1),
    ])
  func sentences(text: String, count: Int) {
    #expect(TextCounts.sentences(in: text) == count)
  }

  @Test(
    "a character is what a reader perceives as one character",
    arguments: [("", 0), ("e\u{301}", 1), ("🇩🇪", 1), ("👨‍👩‍👧", 1), ("ab\r\n", 3)])
  func characters(text: String, count: Int) {
    #expect(TextCounts.characters(in: text) == count)
  }

  @Test(
    "the nearest name takes at most one edit for every three characters, or a single edit",
    arguments: [
      ("instrutions", "instructions"), ("repaets", "repeats"), ("Count", "count"), ("zebra", nil),
      ("cout", "count"), ("x", nil),
    ])
  func nearestName(name: String, nearest: String?) {
    let names = ["count", "instructions", "repeats", "tags"]
    #expect(NearestName.nearest(to: name, among: names) == nearest)
  }

  @Test(
    "the edit distance counts a swap of neighbors as one edit",
    arguments: [
      ("", "", 0), ("abc", "", 3), ("abc", "acb", 1), ("kitten", "sitting", 3), ("a", "a", 0),
    ])
  func distance(left: String, right: String, distance: Int) {
    #expect(NearestName.distance(left, right) == distance)
    #expect(NearestName.distance(right, left) == distance)
  }

  @Test(
    "a valid date is written as YYYY-MM-DD and exists in the calendar",
    arguments: [
      ("2026-03-12", true), ("2024-02-29", true), ("2023-02-29", false), ("2000-02-29", true),
      ("1900-02-29", false), ("2026-13-01", false), ("2026-00-10", false), ("2026-1-1", false),
      ("12.03.2026", false), ("2026-04-31", false), ("２026-03-12", false), ("", false),
    ])
  func dates(text: String, isValid: Bool) {
    #expect(CalendarDate.isValid(text, form: .date) == isValid)
  }

  @Test(
    "a valid date-time has a time zone",
    arguments: [
      ("2026-03-12T09:30:00Z", true), ("2026-03-12T09:30Z", true),
      ("2026-03-12T09:30:00.125+01:00", true), ("2026-03-12T09:30:00", false),
      ("2026-03-12 09:30:00Z", false), ("2026-03-12T24:00:00Z", false), ("2026-03-12", false),
      ("2026-03-12T09:30:00.Z", false), ("2026-03-12TZ", false),
    ])
  func dateTimes(text: String, isValid: Bool) {
    #expect(CalendarDate.isValid(text, form: .dateTime) == isValid)
  }
}
