"""The rows of `assay export`, and counts of these rows."""
import collections
import functools
import json
import re

import words


class Run:
    """A run with its attempts, as `assay export` writes them.

    `references` has the run with which each suite was compared."""

    def __init__(self, record, attempts, references=None):
        self.record, self.attempts, self.references = record, attempts, references or {}
        self.suites = {suite["id"]: suite for suite in self.record["suites"]}
        self.made = [a for a in self.attempts if a["outcome"] != "skipped"]
        self.slices = []
        backends = [b["id"] for b in self.record["backends"]]
        present = {self.key(a) for a in self.attempts}
        for suite in self.record["suites"]:
            for variant in suite["variants"]:
                for backend in backends:
                    if (suite["id"], variant["id"], backend) in present:
                        self.slices.append(Slice(self, suite, variant["id"], backend))

    @staticmethod
    def key(attempt):
        key = attempt["key"]
        return key["suite"], key["variant"], key["backend"]

    @property
    def number(self):
        return self.record["id"]

    def is_same(self, other):
        """Whether another run is this one; runs of two databases may share a number."""
        return (self.number, self.record["startedAt"]) == (other.number, other.record["startedAt"])

    @property
    def is_night(self):
        """Whether the history has the run: it leaves out comparisons of variants."""
        return not self.record.get("comparison")

    @property
    def is_part(self):
        """Whether the run made only some test cases, so that the history leaves it out."""
        details = self.record.get("details") or {}
        return bool(details.get("selection") or details.get("shard"))

    def slice(self, key):
        return next((s for s in self.slices if s.key == key), None)

    def like(self, slice):
        """The slice with the key of another run's slice; None if the run used another model."""
        own = self.slice(slice.key)
        return own if own and own.model == slice.model else None

    def name(self, slice):
        """The name of a slice, with the variant or backend if there are several."""
        name = slice.suite["id"]
        if len({s.key[1] for s in self.slices if s.key[0] == slice.key[0]}) > 1:
            name += ":" + slice.key[1]
        if len({s.key[2] for s in self.slices}) > 1:
            name += " on " + slice.key[2]
        return name

    def named(self, name):
        # Where other nights have other backends, a page names the backend of this run's slices too.
        # The history has no other variants than the judged one, so its tables name only the suite.
        return next((s for s in self.slices
                     if name in (self.name(s), f"{self.name(s)} on {s.key[2]}")
                     or name.endswith("…") and self.name(s).startswith(name[:-1])), None) \
            or next((s for s in self.judged if s.key[0] == name), None)

    @property
    def judged(self):
        """The slices that a gate judges: in each suite, those of the first variant that ran.

        If there is no gate, these are all slices."""
        gated = [
            s for s in self.slices if s.suite.get("gate") is not None
            and s.key[1] == next(o.key[1] for o in self.slices if o.key[0] == s.key[0])]
        return gated or self.slices

    @property
    def gated(self):
        """The judged slices with a gate; a gate for another model judges nothing."""
        models = self.record["details"].get("selectedModels") or {}
        return [s for s in self.judged if (gate := s.suite.get("gate")) and (
            s.key[2] not in models or gate.get("model") in (None, *models[s.key[2]]["names"]))]


class Slice:
    """The attempts at one variant of a suite on one backend."""

    def __init__(self, run, suite, variant, backend):
        self.run, self.suite = run, suite
        self.key = (suite["id"], variant, backend)
        self.variant = next(v for v in suite["variants"] if v["id"] == variant)

    @functools.cached_property
    def attempts(self):
        order = {case["id"]: n for n, case in enumerate(self.suite["cases"])}
        own = [a for a in self.run.made if Run.key(a) == self.key]
        return sorted(
            own, key=lambda a: (order.get(a["key"]["caseID"], 1e9), a["key"]["repeatIndex"]))

    @functools.cached_property
    def by_case(self):
        cases = collections.defaultdict(list)
        for attempt in self.attempts:
            cases[attempt["key"]["caseID"]].append(attempt)
        return cases

    @property
    def share(self):
        return passing(self.attempts)

    @property
    def model(self):
        """The model: its name and the digest of its file."""
        backend = next(b for b in self.run.record["backends"] if b["id"] == self.key[2])
        return backend["model"], backend.get("modelDigest")

    def is_greedy(self, case=None):
        """Whether the settings leave one token at each step, in a test case or in general."""
        details = self.suite.get("details", {})
        own = ((details.get("cases") or {}).get(case) or {}).get("options")
        options = own or {**self.suite["options"],
                          **(details.get("variantOptions") or {}).get(self.key[1], {})}
        return options["isGreedy"] or options.get("temperature", 1) <= 0 or options.get("topK") == 1 or (
            options.get("topP", 1) <= 1e-6) or options.get("minP", 0) >= 1

    def samples_nothing(self, case):
        """Whether a test case leaves nothing to chance: one token is left, or the stub's answer is fixed."""
        backend = next(b for b in self.run.record["backends"] if b["id"] == self.key[2])
        if not backend["engine"].startswith("stub"):
            return self.is_greedy(case)
        settings = self.suite["details"]["effectiveSettings"]
        varies = settings["variants"].get(self.key[1], {}).get("stubVaries")
        return case not in settings["casesWithVaryingStub"] if varies is None else not varies

    def case(self, identity):
        return next((c for c in self.suite["cases"] if c["id"] == identity), None)


def case_input(case):
    """The input of a test case as text: the value of its only variable, or each variable with its name."""
    members = case["variables"] or {}
    if len(members) == 1 and isinstance(next(iter(members.values())), str):
        return next(iter(members.values()))
    return "\n".join(
        f"{k}: {v if isinstance(v, str) else json.dumps(v, separators=(',', ':'), ensure_ascii=False)}"
        for k, v in members.items())


def mask_sentence(run, text):
    """Whether a sentence about what the mask removed fits the recorded removals of a slice."""
    match = re.search(
        r"(Before the answer|At (\S+)), the mask removed more than half of the model’s probability in (\d+) of (\d+) "
        r"test cases?: the model would rather have written something that begins with “(.*?)”(?: \(in (\d+) of them\))?",
        text)
    if not match:
        return False
    preface = match[2] is None
    for slice in run.slices:
        reached, removed = collections.Counter(), collections.defaultdict(list)
        for case, attempts in slice.by_case.items():
            all_, own = collections.Counter(), collections.defaultdict(list)
            for attempt in attempts:
                places = [(d["kind"], general(d["path"]), False) for d in attempt["decisions"]]
                places = {*places, *[(*place[:2], True) for place in places[:1]]}
                all_.update(places)
                for removal in attempt.get("details", {}).get("removals") or []:
                    own[removal["kind"], removal["path"], bool(removal.get("isPreface"))].append(removal["wanted"])
            reached.update(set(all_))
            for place, wanted in own.items():
                if len(wanted) * 2 > all_[place]:
                    removed[place].append(set(wanted))
        for place, found in removed.items():
            most = collections.Counter(t for texts in found for t in texts).most_common(1)[0][1]
            named = sum(any(words.flat(words.line(t)) == match[5] for t in texts) for texts in found)
            if place[2] == preface and (preface or words.line(place[1]) == match[2]) and [
                    len(found), reached[place], most] == [
                    int(match[3]), int(match[4]), named] and named == int(match[6] or match[3]):
                return True
    return False


def passed(attempts):
    return sum(a["outcome"] == "pass" for a in attempts)


class Share(tuple):
    """A pair of hits and count, with the same pair for each test case."""

    def __new__(cls, cases):
        self = super().__new__(cls, (sum(h for h, _ in cases.values()), sum(n for _, n in cases.values())))
        self.cases = cases
        return self

    @classmethod
    def of(cls, events):
        """The share of events, which are pairs of an attempt and the number of its hits and units."""
        cases = collections.defaultdict(lambda: (0, 0))
        for attempt, hits, count in events:
            key = attempt["key"]["suite"], attempt["key"]["caseID"]
            cases[key] = cases[key][0] + hits, cases[key][1] + count
        return cls(dict(cases))

    @classmethod
    def sum(cls, shares):
        cases = collections.Counter(), collections.Counter()
        for share in shares:
            for key, counts in share.cases.items():
                for total, count in zip(cases, counts):
                    total[key] += count
        return cls({key: (cases[0][key], cases[1][key]) for key in cases[1]})


def passing(attempts):
    return Share.of((a, a["outcome"] == "pass", 1) for a in attempts)


def measured(attempt, field):
    """A number of an attempt, or None if nobody measured it: a record stores 0 for that."""
    unknown = attempt[field] == 0 and (
        field != "duration" or attempt["key"]["backend"] == "recorded")
    return None if unknown else attempt[field]


def known(attempts, field):
    """The numbers of those attempts for which they are known."""
    return [v for a in attempts if (v := measured(a, field)) is not None]


def has_value(attempt):
    return "failure" not in attempt and attempt["stopReason"] == "complete"


@functools.lru_cache(maxsize=None)
def decoded(text):
    return json.loads(text)


def step(name):
    return "." + name if re.fullmatch(r"[^\W\d]\w*", name) else f"['{name}']"


def general(path):
    return re.sub(r"\[\d+\]", "[*]", path)


def arrays(value, path="$"):
    if isinstance(value, list):
        yield path, len(value)
        for element in value:
            yield from arrays(element, path + "[*]")
    elif isinstance(value, dict):
        for name, member in value.items():
            yield from arrays(member, path + step(name))


def lengths(attempts, path):
    found = []
    for attempt in filter(has_value, attempts):
        found += [n for p, n in arrays(decoded(attempt["output"])) if p == path]
    return found


def branch(value, path):
    for names in re.findall(r"\.([^.\[]+)|\['([^']+)'\]", path):
        value = value.get(names[0] or names[1]) if isinstance(value, dict) else None
    if isinstance(value, dict):
        value = value.get("type")
    return value if isinstance(value, str) else None


def expectations(suite, path):
    return {
        case["id"]: entry["branch"] for case in suite["cases"]
        for entry in case["expectedBranches"] if entry["path"] == path}


def confusion(slice, path, attempts=None):
    """The number of attempts by (expected, chosen) branch; chosen can be None."""
    expected = expectations(slice.suite, path)
    counts = collections.Counter()
    for attempt in slice.attempts if attempts is None else attempts:
        wanted = expected.get(attempt["key"]["caseID"])
        if wanted is not None and not is_backend_error(attempt):
            value = decoded(attempt["output"]) if has_value(attempt) else None
            counts[wanted, branch(value, path)] += 1
    return counts


def first_failure(attempt):
    weights = attempt.get("details", {}).get("weights") or {}
    return next(
        (v for v in attempt["verdicts"]
         if v["verdict"] == "fail" and weights.get(v["assertion"]) != 0), None)


ENUMERABLE = {"count", "branch", "oneOf", "equals", "present", "absent", "isNull", "nonEmpty", "not"}


def is_cut_off(attempt):
    """Whether an answer was cut off before its value was complete."""
    if "failure" in attempt:
        return attempt["failure"].get("kind") in ("truncated", "contextSizeExceeded")
    return attempt.get("stopReason") in ("tokenLimit", "contextFull")


def is_backend_error(attempt):
    """Whether an attempt failed because of its backend, so that it says nothing about the model."""
    return attempt["outcome"] == "error" and attempt.get("failure", {}).get("kind", "backend") in (
        "timeout", "unsupportedGenerationGuide", "rateLimited", "backend")


def is_valid(attempt):
    """Whether an attempt gave a complete answer that conforms to its schema."""
    return attempt["outcome"] != "error" and "failure" not in attempt


TOKEN = re.compile(r'"((?:\\.|[^"\\])*)("?)|([\[\]{}:,])|[^\s\[\]{}:,"]+', re.DOTALL)


def cut_path(text):
    """Returns the path of the innermost value that an incomplete JSON text has begun."""
    # For each open array or object: its bracket, and the step to the value that is being written.
    levels, key = [], None
    for token in TOKEN.finditer(text):
        string, end, mark = token.groups()
        if mark == ":" or not levels and mark not in ("[", "{"):
            continue
        if mark in ("]", "}", ","):
            if mark != ",":
                levels.pop()
            if levels:
                levels[-1][1] = ""
        elif levels and levels[-1][0] == "{" and key is None:
            key = string
        else:
            if levels:
                is_complete = mark is None and (end or string is None and token.end() < len(text))
                levels[-1][1] = "" if is_complete else "[*]" if levels[-1][0] == "[" else step(key)
            key = None
            if mark:
                levels.append([mark, ""])
    return "$" + "".join(name for _, name in levels)


FAILURES = {
    "truncated": "cut off", "refusal": "refused", "malformedOutput": "no JSON",
    "schemaMismatch": "doesn't match the schema", "noAnswer": "no answer", "timeout": "timed out",
    "contextSizeExceeded": "context full", "promptTooLong": "prompt too long", "unsupportedGenerationGuide": "schema not supported",
    "rateLimited": "rate limit", "backend": "backend failed",
}


def kept(function):
    """Stores a function's results for attempts and slices, which don't change during a check."""
    known = {}

    def ask(of):
        if id(of) not in known:
            # As long as `of` exists, no other object gets its id.
            known[id(of)] = of, function(of)
        return known[id(of)][1]
    return ask


@kept
def reason(attempt):
    """The key that groups failed attempts: (type, path, expected, actual)."""
    if is_cut_off(attempt):
        return "truncated", cut_path(attempt["output"]), "", ""
    if attempt["outcome"] == "error" or "failure" in attempt:
        failure = attempt.get("failure", {})
        kind = failure.get("kind", "error")
        message = "" if kind == "malformedOutput" else general(failure.get("message", ""))
        return kind, "$", "", message
    verdict = first_failure(attempt)
    if verdict is None:
        return "vacuous", "$", "", ""
    expected, actual = verdict["expected"], verdict["actual"]
    if verdict["type"] == "branch":
        expected, actual = expected.strip("`"), actual.strip("`")
    elif verdict["type"] not in ENUMERABLE or len(actual.encode()) > 60:
        actual = ""
    return verdict["type"], general(verdict["path"]), expected, actual


def cause(attempt):
    """The cause of a failure, in the words of the report's heading."""
    kind, path, _, actual = reason(attempt)
    if is_cut_off(attempt):
        return "Cut off at the token limit"
    if attempt["outcome"] == "error" or "failure" in attempt:
        if kind == "refusal":
            return "Refused"
        if kind in ("malformedOutput", "schemaMismatch", "noAnswer"):
            return "Invalid output"
        return f"Backend error: {FAILURES[kind]}" if kind in FAILURES else "Backend error"
    if kind == "vacuous":
        return "Nothing to check"
    if kind == "count":
        return "Empty array" if re.match("0 ", actual) else f"Wrong number of elements at {path}"
    if kind == "branch":
        return "Wrong branch"
    if kind == "range":
        return f"Value out of bounds at {path}"
    if kind in ("words", "sentences", "characters"):
        return f"Wrong number of {kind} at {path}"
    return f"“{first_failure(attempt)['assertion']}” failed"


@kept
def causes_in(slice):
    found = collections.defaultdict(list)
    for attempt in slice.attempts:
        if attempt["outcome"] in ("fail", "error"):
            found[cause(attempt)].append(attempt)
    return found


def causes(slices):
    """The attempts that did not pass, by cause and slice."""
    found = collections.defaultdict(dict)
    for slice in slices:
        for name, attempts in causes_in(slice).items():
            found[name][slice.key] = attempts
    return found


def title(attempt, many):
    """The title of a group of failures, on one line."""
    kind, path, expected, actual = reason(attempt)
    if is_cut_off(attempt):
        return "cut off" if path == "$" else f"cut off in {path}"
    if attempt["outcome"] == "error" or "failure" in attempt:
        name = FAILURES.get(kind, kind)
        return max(actual, name) if not actual or actual.startswith(name) else f"{name}: {actual}"
    if kind == "vacuous":
        return "there was nothing to check: every assertion was vacuous"
    verdict = first_failure(attempt)
    if kind == "branch":
        return ("" if path == "$" else path + ": ") + f"{actual} instead of {expected}"
    subject = verdict["assertion"] if path == "$" else path
    if actual:
        return f"{subject}: {actual}, expected {expected}"
    example = verdict["actual"]
    shown = f"; {'for example ' if many else ''}{example}" if example else ""
    return f"{subject}: expected {expected}{shown}"


def group_key(attempt):
    """The reason of a failure, and the assertion that decided it, or an empty text if none did."""
    judged = not is_cut_off(attempt) and attempt["outcome"] == "fail" and "failure" not in attempt
    return reason(attempt) + ((first_failure(attempt) or {}).get("assertion", "") if judged else "",)


@kept
def groups(slice):
    found = collections.defaultdict(list)
    for attempt in slice.attempts:
        if attempt["outcome"] != "pass":
            found[group_key(attempt)].append(attempt)
    return found
