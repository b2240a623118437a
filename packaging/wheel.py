"""Makes a wheel of an unpacked archive: a package for pip whose only content is the program.

Usage: wheel.py UNPACKED VERSION PLATFORM-TAGS DESCRIPTION DIRECTORY
"""

import base64
import hashlib
import os
import sys
import zipfile

unpacked, version, tags, description, into = sys.argv[1:]
name = f"hookrules-{version}"
info = f"{name}.dist-info"


def read(path):
    with open(os.path.join(unpacked, path), "rb") as file:
        return file.read()


metadata = f"""Metadata-Version: 2.4
Name: hookrules
Version: {version}
Summary: {description}
License-Expression: MIT OR Apache-2.0
License-File: LICENSE-MIT
License-File: LICENSE-APACHE
License-File: THIRD-PARTY.txt
Description-Content-Type: text/markdown

"""
wheel = "Wheel-Version: 1.0\nGenerator: packaging/wheel.py\nRoot-Is-Purelib: false\n"
wheel += "".join(f"Tag: py3-none-{tag}\n" for tag in tags.split("."))
program = "rules.exe" if tags.startswith("win") else "rules"
licences = {f"{info}/licenses/{file}": read(file) for file in ("LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY.txt")}
files = {
    f"{name}.data/scripts/{program}": read(program),
    f"{info}/METADATA": metadata.encode() + read("README.md"),
    f"{info}/WHEEL": wheel.encode(),
    **licences,
}
record = ""
for path, content in files.items():
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    record += f"{path},sha256={digest},{len(content)}\n"
files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()

wheel_path = os.path.join(into, f"{name}-py3-none-{tags}.whl")
with zipfile.ZipFile(wheel_path, "w", zipfile.ZIP_DEFLATED) as archive:
    for path, content in files.items():
        # The same archive makes the same wheel.
        entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (0o100755 if "/scripts/" in path else 0o100644) << 16
        archive.writestr(entry, content)
print(os.path.basename(wheel_path))
