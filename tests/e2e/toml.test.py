#!/usr/bin/env python3
"""Our TOML reader beside Python's on documents made from a seed, valid ones and damaged ones; prints TAP.

    toml.test.py DUMP [--seed N] [--count N] [--suite FOLDER]

DUMP is the program tests/oracle/toml_dump.c.  FOLDER is the folder tests/ of a copy of the public suite toml-test,
whose documents of TOML 1.0 are then tried as well.
"""
import argparse
import datetime
import json
import math
import os
import random
import re
import struct
import subprocess
import sys
import tomllib

# Documents ----------------------------------------------------------------------------------------------------------

WORDS = ("a", "b", "c", "key", "x-1", "_", "1979", "true", "inf", "0x1", "é")
CHARACTERS = "abz 019_-=.#[]{}'\"\\/,:+é漢😀\t"
DAMAGE = list("=.,#[]{}\"'\\\n\r\t 0_-+eEx:TZ\x00\x7f\x1f\x85") + [
    '"""', "'''", "[[", "]]", "\\u12", "\\U0011ffff", "\\ud800", "\r\n", "inf", "nan", "true", "0x", "1e", "1979-02-29",
    "24:00:00", "a.b", "a = 1\n", "[a]\n", "[a.b]\n", "[[a]]\n", "{a.b = 1}", "9223372036854775808"]


class Maker:
    def __init__(self, rng):
        self.rng = rng
        self.plain = rng.random() < 0.4  # few names and values: what may be defined twice, and what not

    def pick(self, *makers):
        return self.rng.choice(makers)()

    def chars(self, without):
        return "".join(c for c in self.rng.choices(CHARACTERS, k=self.rng.randrange(8)) if c not in without)

    def space(self):
        return self.rng.choice(("", "", "", " ", "\t", "  "))

    def end(self):
        comment = self.rng.choice(("", "", "", "# " + self.chars("")))
        return self.space() + comment + self.rng.choice(("\n", "\n", "\r\n"))

    def escape(self):
        return self.rng.choice(("\\n", "\\t", "\\\"", "\\\\", "\\b", "\\f", "\\r", "\\u00e9", "\\u0000", "\\U0001F600"))

    def basic(self):
        parts = [self.rng.choice((self.chars('"\\'), self.escape())) for _ in range(self.rng.randrange(3))]
        return '"%s"' % "".join(parts)

    def literal(self):
        return "'%s'" % self.chars("'")

    def lines(self):
        quote = self.rng.choice(('"""', "'''"))
        escapes = (self.escape(), "\\\n  ", "\\ \r\n\n\t") if quote[0] == '"' else ("\\",)
        parts = [self.rng.choice((self.chars("'\"\\"), "\n", "\r\n", quote[0], quote[:2], self.rng.choice(escapes)))
                 for _ in range(self.rng.randrange(5))]
        return quote + "".join(parts) + quote

    def digits(self, base):
        digits = "0123456789abcdef"[:base]
        text = "_".join("".join(self.rng.choices(digits, k=self.rng.randrange(1, 5)))
                        for _ in range(self.rng.randrange(1, 4)))
        return text if base != 10 else text.lstrip("0_") or "0"

    def integer(self):
        if self.rng.random() < 0.02:
            return self.rng.choice(("00", "01", "-01", "+0_1", "-0", "1__0"))
        return self.rng.choice((self.rng.choice(("", "+", "-")) + self.digits(10), "0x" + self.digits(16).upper(),
                                "0o" + self.digits(8), "0b" + self.digits(2), "-9223372036854775808",
                                "9_223_372_036_854_775_807"))

    def real(self):
        exponent = self.rng.choice(("", "e+01", "E-3", "e5", "e400", "e-400"))
        return self.rng.choice((self.rng.choice(("", "+", "-")) + self.digits(10) + "." + self.digits(10) + exponent,
                                self.digits(10) + (exponent or "e0"),
                                self.rng.choice(("inf", "+inf", "-inf", "nan", "-nan"))))

    def date(self):
        if self.rng.random() < 0.1:
            return self.rng.choice(("2000-02-29", "2024-02-29", "1900-02-29", "2023-02-29"))
        return "%04d-%02d-%02d" % (self.rng.choice((1, 1900, 1979, 2000, 2023, 2024, 9999)), self.rng.randrange(1, 13),
                                   self.rng.choice((1, 28, 28, 29, 30, 31)))

    def time(self):
        fraction = self.rng.choice(("", "", ".5", ".123456", ".1234567891"))
        return "%02d:%02d:%02d%s" % (self.rng.randrange(24), self.rng.randrange(60), self.rng.randrange(60), fraction)

    def moment(self):
        offset = self.rng.choice(("", "Z", "z", "+00:00", "-07:30", "+23:59"))
        return self.rng.choice((self.date(), self.time(), self.date() + self.rng.choice("Tt ") + self.time() + offset))

    def array(self, depth):
        gap = lambda: self.rng.choice(("", " ", "\n", " # c\n", "\r\n\t"))
        items = [gap() + self.value(depth + 1) + gap() for _ in range(self.rng.randrange(4))]
        return "[%s%s]" % (",".join(items), gap() + (("," + gap()) if items and self.rng.random() < 0.3 else ""))

    def inline(self, depth):
        return "{%s}" % ",".join(self.space() + self.assignment(depth + 1) + self.space()
                                 for _ in range(self.rng.randrange(4)))

    def value(self, depth=0):
        if self.plain:
            return self.rng.choice(("1", "1", "{}", "[]", "[{}]", "{a.b = 1}"))
        if depth < 3 and self.rng.random() < 0.25:
            return self.array(depth) if self.rng.random() < 0.5 else self.inline(depth)
        return self.pick(self.basic, self.literal, self.lines, self.integer, self.real, self.moment,
                         lambda: self.rng.choice(("true", "false")))

    def step(self):
        if self.plain:
            return self.rng.choice("ab")
        return self.rng.choice((self.rng.choice(WORDS[:10]),) * 8 + (self.basic(), self.literal()))

    def key(self, steps):
        return (self.space() + "." + self.space()).join(self.step() for _ in range(self.rng.randrange(1, steps + 1)))

    def assignment(self, depth=0):
        return self.key(3) + self.space() + "=" + self.space() + self.value(depth)

    def statement(self):
        kind = self.rng.random()
        if kind < (0.4 if self.plain else 0.2):
            return "[%s%s%s]" % (self.space(), self.key(3), self.space())
        if kind < (0.5 if self.plain else 0.35):
            return "[[%s]]" % self.key(2)
        return self.assignment() if kind < 0.9 else ""

    def document(self):
        return "".join(self.space() + self.statement() + self.end() for _ in range(self.rng.randrange(1, 9)))

    def damaged(self, text):
        for _ in range(self.rng.randrange(1, 3)):
            at, kind = self.rng.randrange(len(text) + 1), self.rng.randrange(4)
            if kind == 0:
                text = text[:at] + text[at + self.rng.randrange(1, 4):]
            elif kind == 1:
                text = text[:at] + self.rng.choice(DAMAGE) + text[at:]
            elif kind == 2:
                text = text[:at] + self.rng.choice(DAMAGE) + text[at + 1:]
            else:
                lines = text.splitlines(keepends=True)
                if lines:
                    lines.insert(self.rng.randrange(len(lines) + 1), self.rng.choice(lines))
                text = "".join(lines)
        return text


def make(seed, count):
    for number in range(count):
        maker = Maker(random.Random(seed * 1000003 + number))
        text = maker.document()
        data = (maker.damaged(text) if number % 2 else text).encode("utf-8", "surrogatepass")
        if number % 50 == 49:  # not UTF-8 any more
            at = maker.rng.randrange(len(data) + 1)
            data = data[:at] + bytes([maker.rng.randrange(0x80, 0x100)]) + data[at:]
        yield data


# Two readers --------------------------------------------------------------------------------------------------------

class OutOfRange(ValueError):
    pass


def moment(value):
    text = value.isoformat(timespec="microseconds") if not isinstance(value, datetime.date) or \
        isinstance(value, datetime.datetime) else value.isoformat()
    if isinstance(value, datetime.datetime) and value.tzinfo:
        minutes = value.utcoffset() // datetime.timedelta(minutes=1)
        return "datetime", value.replace(tzinfo=None).isoformat(timespec="microseconds") + "%+d" % minutes
    if isinstance(value, datetime.datetime):
        return "datetime-local", text
    return ("date-local", text) if isinstance(value, datetime.date) else ("time-local", text)


def tagged(value):
    """What Python read, in a form that can be compared."""
    if isinstance(value, dict):
        return {key: tagged(item) for key, item in value.items()}
    if isinstance(value, list):
        return [tagged(item) for item in value]
    if isinstance(value, bool):
        return "bool", "true" if value else "false"
    if isinstance(value, int):
        if not -2**63 <= value < 2**63:
            raise OutOfRange(value)
        return "integer", str(value)
    if isinstance(value, float):
        return "float", bits(value)
    return ("string", value) if isinstance(value, str) else moment(value)


def bits(value):
    return "nan" if math.isnan(value) else struct.pack("<d", value).hex()


def ours(value):
    """The same of a value of our program's answer."""
    if isinstance(value, list):
        return [ours(item) for item in value]
    if not isinstance(value.get("type"), str):
        return {key: ours(item) for key, item in value.items()}
    kind, text = value["type"], value["value"]
    if kind == "float":
        text = bits(float(text))
    if kind in ("datetime", "datetime-local", "time-local"):  # Python keeps microseconds, we nanoseconds
        text = re.sub(r"(\.\d{6})\d{3}", r"\1", text)
    if kind == "time-local":
        text = text.removeprefix("T")
    return kind, text


def read_by_python(data):
    """The document, or None where it is not TOML (to us: Python's integers have no end)."""
    try:
        return tagged(tomllib.loads(data.decode("utf-8")))
    except (ValueError, OverflowError):
        return None


def read_by_us(dump, documents):
    request = b"".join(b"%d\n%s" % (len(data), data) for data in documents)
    run = subprocess.run([dump], input=request, stdout=subprocess.PIPE, check=True)
    lines = run.stdout.decode("utf-8", "replace").split("\n")[:-1]
    assert len(lines) == len(documents), "%d answers to %d documents" % (len(lines), len(documents))
    return [ours(json.loads(line[3:])) if line.startswith("ok ") else line.removeprefix("error ") for line in lines]


# Tests --------------------------------------------------------------------------------------------------------------

tests_done = tests_failed = 0


def report(name, problems):
    global tests_done, tests_failed
    tests_done += 1
    tests_failed += bool(problems)
    print("%s %d - %s" % ("not ok" if problems else "ok", tests_done, name))
    for problem in problems[:10]:
        print("# " + problem.replace("\n", "\n# "))


def is_disputed(data):
    """Python has no year 0 and takes no mark of byte order; the standard has both."""
    return re.search(rb"\b0000-", data) or data.startswith(b"\xef\xbb\xbf")


def compare_generated(dump, seed, count):
    documents = [data for data in make(seed, count) if not is_disputed(data)]
    problems, vague, taken = [], [], 0
    for data, answer in zip(documents, read_by_us(dump, documents)):
        expected = read_by_python(data)
        refused = isinstance(answer, str)
        taken += not refused
        if refused != (expected is None) or (not refused and answer != expected):
            problems.append("%r\n  ours %r\n  Python %r" % (data, answer, expected))
        if refused and not re.search(r"line \d+, column \d+: ", answer):
            vague.append("%r: %s" % (data, answer))
    report("%d documents of seed %d are read as Python reads them (%d valid)" % (len(documents), seed, taken), problems)
    report("every refusal names line and column", vague)
    report("valid and invalid documents are both well represented",
           [] if len(documents) / 5 < taken < len(documents) * 4 / 5 else ["%d of %d valid" % (taken, len(documents))])


def suite_value(value):
    """A value of the suite's JSON."""
    if isinstance(value, list):
        return [suite_value(item) for item in value]
    if not isinstance(value.get("type"), str):
        return {key: suite_value(item) for key, item in value.items()}
    kind, text = value["type"], value["value"]
    if kind == "float":
        return kind, bits(float(text))
    if kind in ("string", "integer", "bool", "date-local"):
        return kind, text
    parse = datetime.time.fromisoformat if kind == "time-local" else datetime.datetime.fromisoformat
    return moment(parse(text))


def compare_suite(dump, folder):
    def read(name):
        with open(os.path.join(folder, name), "rb") as f:
            return f.read()

    with open(os.path.join(folder, "files-toml-1.0.0"), encoding="utf-8") as f:
        names = [line.strip() for line in f if line.strip().endswith(".toml")]
    problems = {"valid": [], "invalid": []}
    for name, answer in zip(names, read_by_us(dump, [read(name) for name in names])):
        kind = name.split("/")[0]
        refused = isinstance(answer, str)
        if kind == "valid" and answer != suite_value(json.loads(read(name[:-5] + ".json"))):
            problems[kind].append("%s: %r" % (name, answer))
        if kind == "invalid" and not refused:
            problems[kind].append("%s was taken: %r" % (name, answer))
    for kind in problems:
        report("toml-test: %d %s documents" % (sum(n.startswith(kind + "/") for n in names), kind), problems[kind])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dump")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=6000)
    parser.add_argument("--suite")
    arguments = parser.parse_args()
    print("TAP version 13")
    compare_generated(arguments.dump, arguments.seed, arguments.count)
    if arguments.suite:
        compare_suite(arguments.dump, arguments.suite)
    print("1..%d" % tests_done)
    return 1 if tests_failed else 0


if __name__ == "__main__":
    sys.exit(main())
