"""A page as a tree in which each text records which check covered it."""
import html.parser

import words

VOID = {"meta", "link", "input", "br", "img"}


class Text:
    """A piece of text, with the number of the unit that claimed it, and the kind of claim."""

    def __init__(self, value, parent):
        self.value, self.parent = value, parent
        self.unit = self.kind = None


class Node:
    def __init__(self, tag, attributes, parent):
        self.tag, self.attributes, self.parent = tag, attributes, parent
        self.children = []
        # The numbers that the check of the node computed, with all digits.
        self.computed = ()

    @property
    def classes(self):
        return self.attributes.get("class", "").split()

    def texts(self, drawings=True):
        for child in self.children:
            if isinstance(child, Text):
                yield child
            elif child.tag not in ("script", "style") and (drawings or child.tag != "svg"):
                yield from child.texts(drawings)

    def text(self, drawings=False):
        return words.flat("".join(t.value for t in self.texts(drawings)))

    def raw(self):
        return "".join(t.value for t in self.texts())

    def nodes(self):
        for child in self.children:
            if isinstance(child, Node):
                yield child
                yield from child.nodes()

    def all(self, tag=None, name=None):
        return [n for n in self.nodes()
                if (tag is None or n.tag == tag) and (name is None or name in n.classes)]

    def first(self, tag=None, name=None):
        return next(iter(self.all(tag, name)), None)

    def own(self):
        """The node's own text, without the text of its children."""
        return words.flat("".join(c.value for c in self.children if isinstance(c, Text)))

    def up(self, tag):
        node = self.parent
        while node is not None and node.tag != tag:
            node = node.parent
        return node

    def inside(self, tag):
        return self.up(tag) is not None


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.root = self.at = Node("page", {}, None)
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        node = Node(tag, {k: v or "" for k, v in attributes}, self.at)
        self.at.children.append(node)
        if tag not in VOID:
            self.at = node

    def handle_endtag(self, tag):
        node = self.at
        while node is not None and node.tag != tag:
            node = node.parent
        if node is not None:
            self.at = node.parent

    def handle_data(self, data):
        last = self.at.children[-1] if self.at.children else None
        if isinstance(last, Text):
            last.value += data
        else:
            self.at.children.append(Text(data, self.at))


class Table:
    """A table's cells by the names of its columns."""

    def __init__(self, node):
        self.node = node
        caption = node.first("caption")
        self.caption = caption.text() if caption else ""
        head = node.first("thead")
        self.head = []
        if head:
            cells = [c for c in head.all("tr")[-1].children if isinstance(c, Node)]
            self.head = [c.text().rstrip(" ▲▼") for c in cells]
        self.rows = []
        for tr in (tr for body in node.all("tbody") for tr in body.all("tr") if tr.up("table") is node):
            if "remark" not in tr.classes:
                self.rows.append(Row(self, tr))
                continue
            # A long note has a row of its own, but belongs to the name of the row before it.
            note, name = tr.first("span", "below"), self.rows[-1].cells[0]
            if note not in name.children:
                note.parent = name
                name.children.append(note)


class Row:
    def __init__(self, table, node):
        self.table, self.node = table, node
        self.cells = []
        for cell in (c for c in node.children if isinstance(c, Node) and c.tag in ("td", "th")):
            # The name of a part covers the empty cells after it.
            covered = int(cell.attributes.get("colspan", 1)) - 1 if "part" in node.classes else 0
            self.cells += [cell] + [Node("td", {}, node) for _ in range(covered)]

    def __contains__(self, name):
        return name in self.table.head

    def __getitem__(self, name):
        if isinstance(name, int):
            return self.cells[name]
        return self.cells[self.table.head.index(name)]
