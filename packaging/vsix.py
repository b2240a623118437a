"""Packs an extension for VS Code: what `files` of its package.json names, with the two lists that the format asks for.

Usage: vsix.py DIRECTORY VSIX
"""

import json
import os
import sys
import zipfile
from xml.sax.saxutils import escape, quoteattr

directory, into = sys.argv[1:]
with open(os.path.join(directory, "package.json"), encoding="utf-8") as file:
    package = json.load(file)

# The names that the gallery gives to these two; it shows them.
names = {"README.md": "readme.md", "LICENSE": "LICENSE.txt"}
types = {".json": "application/json", ".md": "text/markdown", ".txt": "text/plain", ".vsixmanifest": "text/xml"}


def listed():
    """The files below what package.json names: each must be there, and have a known type."""
    for name in ["package.json", *sorted(package["files"])]:
        path = os.path.join(directory, name)
        found = [path]
        if os.path.isdir(path):
            found = sorted(os.path.join(place, file) for place, _, files in os.walk(path) for file in files)
        for file in found:
            inside = os.path.relpath(file, directory).replace(os.sep, "/")
            inside = names.get(inside, inside)
            if os.path.splitext(inside)[1] not in types:
                sys.exit(f"vsix.py: {inside} has no type that is known here")
            with open(file, "rb") as content:
                yield f"extension/{inside}", content.read()


files = dict(listed())
for needed in ("extension/readme.md", "extension/LICENSE.txt"):
    if needed not in files:
        sys.exit(f"vsix.py: package.json does not list {needed}")
contributes = package["contributes"]
for part in contributes["languages"] + contributes["grammars"]:
    for key in ("configuration", "path"):
        if key in part and f"extension/{os.path.normpath(part[key])}" not in files:
            sys.exit(f"vsix.py: package.json does not list {part[key]}")

# An extension without code runs in every kind of host of extensions, which the gallery must be told.
if "main" in package or "browser" in package:
    sys.exit("vsix.py: this packs extensions without code only")
tags = package["keywords"] + [name for language in contributes["languages"] for name in (language["id"], *language["aliases"])]
properties = {
    "Microsoft.VisualStudio.Code.Engine": package["engines"]["vscode"],
    "Microsoft.VisualStudio.Code.ExtensionKind": "ui,workspace,web",
    "Microsoft.VisualStudio.Services.GitHubFlavoredMarkdown": "true",
    "Microsoft.VisualStudio.Services.Content.Pricing": "Free",
}
if "repository" in package:
    source = package["repository"]["url"]
    page = source.removesuffix(".git")
    links = {"Source": source, "Getstarted": source, "GitHub": source, "Support": f"{page}/issues", "Learn": f"{page}#readme"}
    properties |= {f"Microsoft.VisualStudio.Services.Links.{name}": address for name, address in links.items()}
assets = {
    "Microsoft.VisualStudio.Code.Manifest": "extension/package.json",
    "Microsoft.VisualStudio.Services.Content.Details": "extension/readme.md",
    "Microsoft.VisualStudio.Services.Content.License": "extension/LICENSE.txt",
}
manifest = f"""<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id={quoteattr(package["name"])} Version={quoteattr(package["version"])} Publisher={quoteattr(package["publisher"])}/>
    <DisplayName>{escape(package["displayName"])}</DisplayName>
    <Description xml:space="preserve">{escape(package["description"])}</Description>
    <Tags>{escape(",".join(dict.fromkeys([*tags, "__web_extension"])))}</Tags>
    <Categories>{escape(",".join(package["categories"]))}</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <Properties>
{"".join(f"      <Property Id={quoteattr(key)} Value={quoteattr(value)}/>{chr(10)}" for key, value in properties.items())}    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
{"".join(f'    <Asset Type={quoteattr(key)} Path={quoteattr(path)} Addressable="true"/>{chr(10)}' for key, path in assets.items())}  </Assets>
</PackageManifest>
"""
content_types = '<?xml version="1.0" encoding="utf-8"?>\n<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
content_types += "".join(f'<Default Extension="{end}" ContentType="{kind}"/>' for end, kind in types.items()) + "</Types>\n"

with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as archive:
    lists = {"extension.vsixmanifest": manifest.encode(), "[Content_Types].xml": content_types.encode()}
    for path, content in {**lists, **files}.items():
        # The same extension makes the same package.
        entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = 0o100644 << 16
        archive.writestr(entry, content)
print(f"{into}: {len(files)} files")
