import Testing

@testable import EvalSuites

@Suite("Markup in a text that should be plain")
struct MarkupTests {
  @Test(
    "the first markup in a text is found",
    arguments: [
      ("# Title", "a heading"), ("Title\n=====\nx", "a heading"), ("Title\r\n-----", "a heading"),
      ("a\n- b", "a list item"), ("1. one", "a list item"), ("> q", "a quote"),
      ("a\n\n---\n\nb", "a rule"), ("a\n***\nb", "a rule"), ("_ _ _", "a rule"),
      ("~~~\ncode\n~~~", "a code fence"), ("```js\nx\n```", "a code fence"),
      ("| a | b |\n|---|:-:|\n| 1 | 2 |", "a table"), ("a | b\r\n-- | --:\r\n1 | 2", "a table"),
      ("so **bold**", "bold `**`"), ("a**b**c", "bold `**`"), ("__init__", "bold `__`"),
      ("***wow***", "bold `**`"), ("so *nice* day", "italics `*`"),
      ("so _nice_, yes", "italics `_`"),
      ("*(aside)* x", "italics `*`"), ("un*frigging* good", "italics `*`"),
      ("~~old~~ new", "struck-out text `~~`"), ("a `b`", "a backtick"),
      ("a ``b`c`` d", "a backtick"), ("f`x`", "a backtick"), ("f`x`y", "a backtick"),
      ("it`s `x`", "a backtick"),
      ("see [x](y)", "a link"), ("![x](y.png)", "a link"), ("see [x][1]", "a link"),
      ("see [x][]", "a link"), ("x\n[1]: http://y.org", "the target of a link"),
      ("<b>x</b>", "an HTML tag"), ("<http://y.org>", "an HTML tag"),
      ("a <!-- c -->", "an HTML tag"),
      ("<!doctype html>", "an HTML tag"), ("a &nbsp; b", "the entity `&nbsp;`"),
      ("Q &amp; A", "the entity `&amp;`"), ("caf&eacute;", "the entity `&eacute;`"),
      ("it&#8217;s", "the entity `&#8217;`"), ("it&#x27;s", "the entity `&#x27;`"),
    ])
  func checkMarkup(text: String, sign: String) {
    #expect(Markup.first(in: text) == sign)
  }

  @Test(
    "plain text has no markup",
    arguments: [
      "plain text, 3 < 5 > 2", "", "\n\n", "#hashtag", "#1", "C# and F#", "f*** you",
      "f*** and s***",
      "s**t and f**k", "it`s", "it`s\n\nthat`s", "it`s and that`s", "***** five stars", "5 * 3",
      "2 * 3 = 6 * 1",
      "5*3*2", "2 ** 3 ** 2", "Price* and tax* apply", "*.txt and *.md", "snake_case_name", "_id",
      "Name: ____ Age: ____", "x <3 y", "a < b and c > d", "A&B; C", "AT&T; R&D;", "a &b; c",
      "~~", "about ~5 or ~6", "a | b", "a | b\nc | d", "a --- b", "-> go", "-5 degrees", "10 - 11",
      "[sic] (see)", "a[0][1]", "sources [1][2]", "[Bob]: Hi there", "\\*not\\*", "$5 and $6",
      "-- \nBo", "a == b", "1999 was", "5 > 3", "    code", "• one\n• two", "¯\\_(ツ)_/¯",
    ])
  func checkPlain(text: String) {
    #expect(Markup.first(in: text) == nil)
  }
}
