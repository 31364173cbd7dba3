"""The README's suite as a trial for scripts: a suite in which a regression can be planted.

The planted regression leaves the gate passed, so that only a comparison with the accepted baseline
can notice it. It changes the guide, for the toy model, and the stub's answers, for the stub.
"""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOOD, BAD = "{ tips: [a, b, c] }", "{ tips: [] }"


def write(evals):
    """Writes the suite to the folder `tips` in the folder `evals`."""
    text = (ROOT / "README.md").read_text()
    blocks = re.findall(r"```yaml\n# evals/(\S+)\n(.*?)```", text, re.S) + re.findall(
        r"<!-- file: evals/(\S+) -->\n```\w+\n(.*?)```", text, re.S)
    for path, content in blocks:
        file = evals / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    suite = evals / "tips/suite.yaml"
    content = suite.read_text()
    assert "passRate: 0.8" in content
    suite.write_text(content.replace("passRate: 0.8", "passRate: 0.3") + _stub(3 * [GOOD]))


def plant(evals):
    """Makes the guide ask for other lengths, and spoils two of five answers of the stub."""
    schema, suite = evals / "tips/tips.json", evals / "tips/suite.yaml"
    edited = re.sub(r'"Between 3 and 6[^"]*"', '"Between 5 and 7 tips, no two alike."', schema.read_text())
    assert edited != schema.read_text()
    schema.write_text(edited)
    suite.write_text(suite.read_text().replace(_stub(3 * [GOOD]), _stub([GOOD, BAD, GOOD, BAD, GOOD])))
    assert BAD in suite.read_text()


def _stub(answers):
    return f"stub: {{ sequence: [ {', '.join('{ content: ' + answer + ' }' for answer in answers)} ] }}\n"


def expected(night):
    """Returns the exit status of a night: the regression is there on the fourth night only."""
    return 1 if night == 4 else 0


NIGHTS = range(1, 6)
