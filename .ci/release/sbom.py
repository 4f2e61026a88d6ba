#!/usr/bin/env python3
"""Prints what a release consists of, as CycloneDX 1.6 in JSON, checked against its schema.

    sbom.py VERSION LICENCES COPYRIGHTS <PARTS

PARTS are lines of parts.sh. LICENCES has the licence of each source package that simos is linked with or that its guest
consists of; a package that is only in the bundle has the licences that its file in the folder COPYRIGHTS names.
SOURCE_DATE_EPOCH is the time that the list says.
"""

import datetime
import os
import re
import sys
import uuid
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import Property
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.dependency import Dependency
from cyclonedx.model.license import DisjunctiveLicense
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

HOW = {
    "shared": "library beside the program in the wheel",
    "static": "library in the program",
    "guest": "part of the guest",
    "bundle": "package in the bundle",
    "site": "scripts and styles of the pages",
}


def read_table(path):
    """Source package -> licence."""
    lines = Path(path).read_text("utf-8").splitlines()
    return dict(line.split("\t") for line in lines if line and not line.startswith("#"))


def named_licences(path):
    """The names of licences in a copyright file of Debian's form, in their order; what it is otherwise called."""
    text = path.read_text("utf-8", "replace")
    names = re.findall(r"^License:[ \t]*(\S.*?)[ \t]*$", text, re.MULTILINE)
    return list(dict.fromkeys(names)) or ["in usr/share/doc/" + path.name + "/copyright of the package"]


def component(line, table, copyrights):
    how, name, version, source, source_version = line.split("\t")
    if how == "bundle" and (copyrights / name).is_file():
        licences = [DisjunctiveLicense(name=text) for text in named_licences(copyrights / name)]
    elif source in table:
        licences = [LicenseFactory().make_from_string(table[source])]
    else:
        sys.exit(f"sbom.py: {sys.argv[2]} has no licence of {source} ({name}, {HOW[how]})")
    types = {"linux": ComponentType.OPERATING_SYSTEM, "busybox": ComponentType.APPLICATION}
    kind = PackageURL("pypi", None, name, version) if how == "site" else PackageURL("deb", "debian", name, version)
    return Component(
        name=name,
        version=version,
        bom_ref=f"{how}/{name}",
        type=types.get(source, ComponentType.LIBRARY),
        licenses=licences,
        purl=kind,
        properties=[Property(name="simos:use", value=HOW[how]), Property(name="simos:source", value=f"{source} {source_version}")],
    )


def main():
    version, table, copyrights = sys.argv[1], read_table(sys.argv[2]), Path(sys.argv[3])
    parts = [component(line.rstrip("\n"), table, copyrights) for line in sys.stdin]
    simos = Component(
        name="simos",
        version=version,
        bom_ref="simos",
        type=ComponentType.APPLICATION,
        description="complete-machine simulator for MIPS",
        licenses=[LicenseFactory().make_from_string("BSD-2-Clause")],
    )
    # The same parts have the same number.
    number = uuid.uuid5(uuid.NAMESPACE_URL, "simos " + version + "".join(sorted(str(part.purl) for part in parts)))
    bom = Bom(components=parts, serial_number=number)
    bom.metadata.component = simos
    bom.metadata.timestamp = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.UTC)
    bom.dependencies.add(Dependency(simos.bom_ref, dependencies=[Dependency(part.bom_ref) for part in parts]))
    text = JsonV1Dot6(bom).output_as_string(indent=1)
    fault = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if fault:
        sys.exit(f"sbom.py: {fault}")
    print(text)


main()
