/// Texts that try to become markup, to hide, or to reorder the text around them.
enum HostileTexts {
  static let all: [String] = [
    "<script>alert(1)</script>", "</script><script>alert(1)</script>", "<!-- ", "-->", "]]>",
    "<![CDATA[x]]>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)",
    "javascript:alert(1)", "&lt;b&gt;", "&#x3c;script&#x3e;", "</textarea></title></style><b>",
    "<svg/onload=alert(1)>", "{{constructor.constructor('x')()}}", "\u{0}\u{1}\u{8}\u{B}\u{1F}",
    "\u{1B}[31mred\u{1B}[0m", "\r\nsplit\r", "\t\ttab", "\u{202E}drowssap\u{202C}",
    "\u{2066}isolate\u{2069}", "zero\u{200B}width\u{FEFF}", "\u{2028}line\u{2029}",
    "\u{FFFE}\u{FFFF}\u{1FFFE}", "\u{7F}\u{85}\u{9F}", "\u{E0041}\u{E0042}",
    "e\u{301}\u{301}\u{301}",
    "@everyone #123 GH-1 https://example.invalid", "```\n| a | b |\n```", "|pipe|`tick`",
    "~~~~\n", "~~strike~~ **bold** _em_ [a](javascript:b) ![i](x)", "<details><summary>x",
    "=1+1", "%0A::error::x", "::error title=x::y", "\\u003cscript\\u003e", "a/../../etc",
    "😀👩‍👩‍👧‍👦🇩🇪", "مرحبا", "日本語", "𝕳𝖔𝖘𝖙𝖎𝖑𝖊", "", " ", "\n",
  ]
}
