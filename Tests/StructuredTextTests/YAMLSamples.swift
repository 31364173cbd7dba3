/// Texts in the YAML subset that Assay reads, each with its value as JSON.
///
/// The values were computed with PyYAML 6.0.3, whose resolvers were replaced by those of YAML 1.2's
/// core schema. The comments name the examples of the YAML 1.2.2 specification that have the same
/// structure.
enum YAMLSamples {
  static let all: [(title: String, text: String, json: String)] = [
    // Examples 2.1 to 2.6, 8.14 to 8.20.
    (
      "a sequence of scalars",
      "- red\n- green\n- deep blue\n",
      #"["red","green","deep blue"]"#
    ),
    (
      "a mapping of scalars",
      "pulse:  65\navg: 0.278\nname: Ada\n",
      #"{"pulse":65,"avg":0.278,"name":"Ada"}"#
    ),
    (
      "a mapping of sequences, one of them at its key's column",
      "one:\n- a\n- b\ntwo:\n  - c\n",
      #"{"one":["a","b"],"two":["c"]}"#
    ),
    (
      "a sequence of mappings with dashes on separate lines",
      "-\n  name: x\n  pulse: 1\n-\n  name: y\n  pulse: 2\n",
      #"[{"name":"x","pulse":1},{"name":"y","pulse":2}]"#
    ),
    (
      "compact mappings and sequences",
      "- a: 1\n  b: 2\n- - x\n  - - y\n- c: 3\n",
      #"[{"a":1,"b":2},["x",["y"]],{"c":3}]"#
    ),
    (
      "a sequence of flow sequences",
      "- [name, pulse]\n- [x , 65]\n",
      #"[["name","pulse"],["x",65]]"#
    ),
    (
      "a mapping of flow mappings",
      "x: {pulse: 65, ratio: 0.278}\ny: {\n    pulse: 63,\n    ratio: 0.288,\n  }\n",
      #"{"x":{"pulse":65,"ratio":0.278},"y":{"pulse":63,"ratio":0.288}}"#
    ),
    (
      "an item without a value",
      "-\n- x\n-   # none\n- y\n",
      #"[null,"x",null,"y"]"#
    ),
    (
      "keys without a value at two levels",
      "a:\nb:\n  c:\nd: 1\n",
      #"{"a":null,"b":{"c":null},"d":1}"#
    ),
    (
      "a sequence in a mapping in a sequence",
      "- k:\n  - 1\n  - 2\n  l: 3\n- 4\n",
      #"[{"k":[1,2],"l":3},4]"#
    ),
    (
      "keys with spaces, quotes and colons",
      "a b: 1\n'c: d': 2\n\"e\\n\": 3\nf::g: 4\n",
      #"{"a b":1,"c: d":2,"e\n":3,"f::g":4}"#
    ),
    (
      "comments everywhere",
      "# top\na: 1 # one\n# between\nb: # none yet\n  # deeper\n  c: x#y # z\n#end",
      #"{"a":1,"b":{"c":"x#y"}}"#
    ),
    (
      "a document marker",
      "---\na: 1\n",
      #"{"a":1}"#
    ),
    (
      "a scalar after a marker",
      "--- text\n",
      #""text""#
    ),
    (
      "a literal after a marker",
      "--- |\n  a\n  b\n",
      #""a\nb\n""#
    ),
    (
      "a document end",
      "---\na: 1\n...\n# after\n",
      #"{"a":1}"#
    ),
    (
      "an empty text",
      "",
      #"null"#
    ),
    (
      "only comments",
      "# a\n\n  # b\n",
      #"null"#
    ),
    (
      "Windows line ends",
      "a: 1\r\nb: |\r\n  x\r\n  y\r\nc: \"p\r\n  q\"\r\n",
      #"{"a":1,"b":"x\ny\n","c":"p q"}"#
    ),
    // Examples 2.18, 2.19, 2.20, 7.10, 7.12.
    (
      "plain scalars with inner indicators",
      "- ::v\n- \": - ()\"\n- On, on!\n- -123\n- http://e.org/f#b\n- a:b\n- -x\n- ?y\n- x - y\n- [\": - ()\", \"On\", -1, http://e.org/f#b]\n",
      #"["::v",": - ()","On, on!",-123,"http://e.org/f#b","a:b","-x","?y","x - y",[": - ()","On",-1,"http://e.org/f#b"]]"#
    ),
    (
      "a plain scalar over several lines",
      "text: first\n\n  second \n    3rd\n\n\n  4th\nend: x\n",
      #"{"text":"first\nsecond 3rd\n\n4th","end":"x"}"#
    ),
    (
      "a plain scalar over several lines at the top",
      "a\nb\n\n  - c\n",
      #""a b\n- c""#
    ),
    (
      "words that are strings",
      "- no\n- yes\n- off\n- y\n- nUll\n- tRue\n- 0b1\n- 1_000\n- 12:30\n- 2001-12-14\n- 1e\n- .\n- +\n- '-'\n- 0o8\n- 0xg\n- +0x1\n- e3\n- 1.2.3\n- .e1\n",
      #"["no","yes","off","y","nUll","tRue","0b1","1_000","12:30","2001-12-14","1e",".","+","-","0o8","0xg","+0x1","e3","1.2.3",".e1"]"#
    ),
    (
      "nulls and Booleans",
      "- null\n- Null\n- NULL\n- ~\n-\n- true\n- True\n- TRUE\n- false\n- False\n- FALSE\n",
      #"[null,null,null,null,null,true,true,true,false,false,false]"#
    ),
    (
      "integers",
      "- 0\n- 010\n- -010\n- +7\n- 0o14\n- 0xC\n- 0xfF\n- 00\n- 12345678901234567890123\n",
      #"[0,10,-10,7,12,12,255,0,12345678901234567890123]"#
    ),
    (
      "floating-point numbers",
      "- 1.5\n- .5\n- 1.\n- 1e3\n- 12.3015e+02\n- -.25\n- 01.50\n- 1E-2\n- +.5e1\n",
      #"[1.5,0.5,1.0,1000.0,1230.15,-0.25,1.5,0.01,5.0]"#
    ),
    // Examples 5.13, 7.4 to 7.9.
    (
      "single quotes",
      "- 'it''s \"quotes\"'\n- ''''\n- ''\n- '#not a comment'\n- 'a: b'\n",
      "[\"it's \\\"quotes\\\"\",\"'\",\"\",\"#not a comment\",\"a: b\"]"
    ),
    (
      "a single-quoted text over several lines",
      "- ' first\n\n   second \n  \tthird '\n",
      #"[" first\nsecond third "]"#
    ),
    (
      "escapes",
      "- \"\\0\\a\\b\\t\\n\\v\\f\\r\\e\\ \\\"\\/\\\\\\N\\_\\L\\P\"\n- \"\\x41\\u00e9\\U0001F600\"\n",
      #"["\u0000\u0007\b\t\n\u000b\f\r\u001b \"/\\\u0085\u00a0\u2028\u2029","A\u00e9\ud83d\ude00"]"#
    ),
    (
      "a double-quoted text over several lines",
      "- \"one \n  space,\n\n  one break, or \\\n  \\ more\"\n- \" 1st\n\n   2nd \n  3rd \"\n",
      #"["one space,\none break, or  more"," 1st\n2nd 3rd "]"#
    ),
    (
      "escaped line ends and spaces",
      "- \"a\\\n  b\"\n- \"a \\\n\n  b\"\n- \"a\\  \n   b\"\n- \"a\\t \n   b\"\n",
      #"["ab","a \nb","a  b","a\t b"]"#
    ),
    // Examples 2.13 to 2.16, 8.1 to 8.13.
    (
      "a literal",
      "a: |\n  /\\ |# :\n  -- x: ||\n",
      #"{"a":"/\\ |# :\n-- x: ||\n"}"#
    ),
    (
      "a literal with deeper lines",
      "a: |\n  x\n    y\n\n  z\n",
      #"{"a":"x\n  y\n\nz\n"}"#
    ),
    (
      "a folded text",
      "a: >\n  x\n  y\n\n  z\n",
      #"{"a":"x y\nz\n"}"#
    ),
    (
      "a folded text with deeper lines",
      "a: >\n\n  x\n  y\n\n    * b\n    * c\n\n    * d\n\n  e\n  f\n\n\n  g\n\n",
      #"{"a":"\nx y\n\n  * b\n  * c\n\n  * d\n\ne f\n\ng\n"}"#
    ),
    (
      "a folded text with tabs at line starts",
      "a: >\n  x\n  \ty\n  z\n",
      #"{"a":"x\n\ty\nz\n"}"#
    ),
    (
      "the chomping modes strip, clip and keep",
      "strip: |-\n  text\n\nclip: |\n  text\n\nkeep: |+\n  text\n\nend: 1\n",
      #"{"strip":"text","clip":"text\n","keep":"text\n\n","end":1}"#
    ),
    (
      "chomping of empty texts",
      "strip: >-\n\nclip: >\n\nkeep: |+\n\n",
      #"{"strip":"","clip":"","keep":"\n"}"#
    ),
    (
      "chomping at the end of the text",
      "- |\n  a\n- |+\n  b\n\n\n",
      #"["a\n","b\n\n\n"]"#
    ),
    (
      "a literal without a last line break",
      "a: |\n  text",
      #"{"a":"text"}"#
    ),
    (
      "a kept literal of blank lines after text",
      "a: |+\n  t\n   \n\nb: 1\n",
      #"{"a":"t\n \n\n","b":1}"#
    ),
    (
      "indentation indicators",
      "- |1\n stated\n- >2\n   x\n  y\n- |2-\n    deeper\n  z\n- |+1\n x\n",
      #"["stated\n"," x\ny\n","  deeper\nz","x\n"]"#
    ),
    (
      "comments after the indicators of blocks",
      "a: | # c\n  x\nb: >- # d\n  y\n",
      #"{"a":"x\n","b":"y"}"#
    ),
    (
      "leading empty lines",
      "a: |\n\n  \n  x\n",
      #"{"a":"\n\nx\n"}"#
    ),
    (
      "lines of a literal that look like comments",
      "a: |\n  # no comment\n  x # neither\n # a comment\nb: 1\n",
      "{\"a\":\"# no comment\\nx # neither\\n\",\"b\":1}"
    ),
    (
      "literals in a sequence in a mapping",
      "a:\n- |\n x\n- >-\n   y\n   z\nb: |\n  k: v\n",
      #"{"a":["x\n","y z"],"b":"k: v\n"}"#
    ),
    // Examples 7.13 to 7.21.
    (
      "flow sequences",
      "- [a, b, ]\n- [c ,d]\n- []\n- [ ]\n- [[1], [2, [3]]]\n",
      #"[["a","b"],["c","d"],[],[],[[1],[2,[3]]]]"#
    ),
    (
      "flow mappings",
      "- { k : l , m: n , }\n- {v: w,x : y}\n- {}\n- {a, b: , c: {d: 1}}\n",
      #"[{"k":"l","m":"n"},{"v":"w","x":"y"},{},{"a":null,"b":null,"c":{"d":1}}]"#
    ),
    (
      "JSON in YAML",
      "{\"a\":[1,2.5,\"x\",null,true],\"b\":{\"c\":\"\\u00e9\"},'d':1}\n",
      #"{"a":[1,2.5,"x",null,true],"b":{"c":"\u00e9"},"d":1}"#
    ),
    (
      "single pairs in flow sequences",
      "[a: 1, \"b\":2, {c: 3}, d : , [e: 4]]\n",
      #"[{"a":1},{"b":2},{"c":3},{"d":null},[{"e":4}]]"#
    ),
    (
      "flow scalars over several lines",
      "[\"double\n quoted\", 'single\n   quoted', plain\n text]\n",
      #"["double quoted","single quoted","plain text"]"#
    ),
    (
      "adjacent colons",
      "{\"a\":1, b:c, http://x: y, ':': ':'}\n",
      #"{"a":1,"b:c":null,"http://x":"y",":":":"}"#
    ),
    // Examples 2.10, 7.1.
    (
      "anchors and aliases",
      "- &a x\n- *a\n- &b [1, *a]\n- k: *b\n- &c\n  m: 1\n- *c\n- [&d y, *d]\n- {p: &e , q: *e}\n",
      #"["x","x",[1,"x"],{"k":[1,"x"]},{"m":1},{"m":1},["y","y"],{"p":null,"q":null}]"#
    ),
    (
      "an anchor on a key's value and on a block",
      "base: &base\n  x: 1\n  y: [2]\nagain: *base\ntext: &t |\n  z\nlast: *t\n",
      #"{"base":{"x":1,"y":[2]},"again":{"x":1,"y":[2]},"text":"z\n","last":"z\n"}"#
    ),
    (
      "an anchor on a key",
      "&k key: 1\nother: *k\n",
      #"{"key":1,"other":"key"}"#
    ),
    (
      "an anchor on an empty node",
      "- &n\n- *n\n",
      #"[null,null]"#
    ),
  ]
}
