#!/usr/bin/env python3
"""Writes the files of proto/ as protoc describes them, for the reflection service.

    gen_descriptors.py PROTOC PROTO_FOLDER OUT.c [OUT.bin]

OUT.c defines what src/service/net_descriptors.h declares; OUT.bin is the FileDescriptorSet itself, for tests.
"""
import os
import subprocess
import sys
import tempfile


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    """(number, value) of each field: an integer, or bytes for what has a length."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        elif tag & 7 == 2:
            length, at = varint(data, at)
            value = data[at:at + length]
            at += length
        else:
            raise SystemExit("a descriptor has wire type %d" % (tag & 7))
        yield tag >> 3, value


def all_of(data, number):
    return [value for n, value in fields(data) if n == number]


def text_of(data, number):
    values = all_of(data, number)
    return values[-1].decode() if values else ""


# descriptor.proto: FileDescriptorProto name 1, package 2, dependency 3, message 4, enum 5, service 6; DescriptorProto name 1,
# field 2, nested 3, enum 4; ServiceDescriptorProto name 1, method 2.
def message_symbols(data, scope):
    name = scope + text_of(data, 1)
    yield name
    for field in all_of(data, 2):
        yield name + "." + text_of(field, 1)
    for nested in all_of(data, 3):
        yield from message_symbols(nested, name + ".")
    for enum in all_of(data, 4):
        yield name + "." + text_of(enum, 1)


def file_symbols(data):
    package = text_of(data, 2)
    scope = package + "." if package else ""
    for message in all_of(data, 4):
        yield from message_symbols(message, scope)
    for enum in all_of(data, 5):
        yield scope + text_of(enum, 1)
    for service in all_of(data, 6):
        name = scope + text_of(service, 1)
        yield name
        for method in all_of(service, 2):
            yield name + "." + text_of(method, 1)


def imports(files, name, seen):
    """Indexes of what a file needs, each after what it needs itself, the file last."""
    names = [text_of(f, 1) for f in files]
    for dependency in all_of(files[names.index(name)], 3):
        if dependency.decode() not in seen:
            imports(files, dependency.decode(), seen)
    seen[name] = names.index(name)
    return list(seen.values())


def write(out, files):
    out.write('/* Made by tools/gen_descriptors.py from proto/; do not edit. */\n#include "service/net_descriptors.h"\n\n')
    for i, data in enumerate(files):
        out.write("static const uint8_t data_%d[] = {\n" % i)
        for at in range(0, len(data), 24):
            out.write("    %s,\n" % ", ".join(map(str, data[at:at + 24])))
        out.write("};\nstatic const char *const symbols_%d[] = {\n" % i)
        for symbol in file_symbols(data):
            out.write('    "%s",\n' % symbol)
        out.write("    NULL,\n};\n")
        out.write("static const size_t imports_%d[] = { %s };\n\n" % (
            i, ", ".join(map(str, imports(files, text_of(data, 1), {})))))
    out.write("const struct descriptor_file net_descriptors[] = {\n")
    for i, data in enumerate(files):
        out.write('    { "%s", symbols_%d, imports_%d, sizeof imports_%d / sizeof imports_%d[0], data_%d, sizeof data_%d },\n'
                  % (text_of(data, 1), i, i, i, i, i, i))
    out.write("};\nconst size_t net_descriptors_count = %d;\n" % len(files))


def main():
    protoc, folder, out_c = sys.argv[1:4]
    protos = sorted(os.path.relpath(os.path.join(at, name), folder)
                    for at, _, names in os.walk(folder) for name in names if name.endswith(".proto"))
    with tempfile.TemporaryDirectory() as scratch:
        path = sys.argv[4] if len(sys.argv) > 4 else os.path.join(scratch, "set.bin")
        subprocess.run([protoc, "-I", folder, "--descriptor_set_out=" + path] + protos, check=True)
        with open(path, "rb") as f:
            files = all_of(f.read(), 1)
    with open(out_c, "w", encoding="utf-8") as out:
        write(out, files)


if __name__ == "__main__":
    main()
