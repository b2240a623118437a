//! Methods of Python's values: texts, lists, paths, files.

use super::super::returned::FoundFiles::{Below, Matches, MatchesBelow, Walk};
use super::super::returned::ReturnedDictionary::{Got, Items, Values};
use super::super::returned::ReturnedList::Pushed;
use super::super::returned::ReturnedPath::{Absolute, Expanded, Joined, New, WithName, WithSuffix};
use super::super::returned::ReturnedStream::{Contents, File};
use super::super::returned::ReturnedText::{Formatted, JoinedBy, Replaced, Split, Stripped};
use super::super::{At, Does, Gives, Part, Row, a};
use super::row;
use At::This;
use Does::{Append, As, Fetch, Open, Write};
use Gives::{AsText, Data, Dictionary, Found, List, Network, Nothing, Path, Same, Stream, Text};
use Part::{Is, Of};

const FETCH: &[Does] = &[Fetch(a(0, "url"))];
const FETCH_SECOND: &[Does] = &[Fetch(a(1, "url"))];
const EXTRACT: &[Does] = &[As(&[Is("tar"), Is("-x"), Is("-f"), Is("-"), Is("-C"), Of(a(0, "path"))])];

const THIS_REMOVE: &[Does] = &[As(&[Is("rm"), Is("-f"), Is("--"), Of(This)])];
const THIS_TOUCH: &[Does] = &[As(&[Is("touch"), Is("--"), Of(This)])];
const THIS_READ: &[Does] = &[As(&[Is("cat"), Is("--"), Of(This)])];
const THIS_LIST: &[Does] = &[As(&[Is("ls"), Is("--"), Of(This)])];
const THIS_LIST_ALL: &[Does] = &[As(&[Is("ls"), Is("-R"), Is("--"), Of(This)])];
const THIS_RENAME: &[Does] = &[As(&[Is("mv"), Is("-T"), Is("--"), Of(This), Of(a(0, "target"))])];

pub(in super::super::super) static METHODS: &[Row] = &[
    row(&["path.unlink", "data.unlink"], THIS_REMOVE, Nothing),
    row(&["path.rmdir", "data.rmdir"], &[As(&[Is("rmdir"), Is("--"), Of(This)])], Nothing),
    row(&["path.rename", "path.replace", "data.rename"], THIS_RENAME, Path(New)),
    row(&["path.move", "path.move_into"], THIS_RENAME, Path(New)),
    row(
        &["path.copy", "path.copy_into"],
        &[As(&[Is("cp"), Is("-r"), Is("--"), Of(This), Of(a(0, "target"))])],
        Path(New),
    ),
    row(
        &["path.write_text", "path.write_bytes", "data.write_text", "data.write_bytes"],
        &[Write(This, a(0, "data"))],
        Nothing,
    ),
    row(&["path.touch", "data.touch", "path.chmod", "data.chmod", "path.lchmod"], THIS_TOUCH, Nothing),
    row(&["path.mkdir", "data.mkdir"], &[As(&[Is("mkdir"), Is("-p"), Is("--"), Of(This)])], Nothing),
    row(
        &["path.symlink_to", "data.symlink_to"],
        &[As(&[Is("ln"), Is("-s"), Is("--"), Of(a(0, "target")), Of(This)])],
        Nothing,
    ),
    row(&["path.hardlink_to", "data.hardlink_to"], &[As(&[Is("ln"), Is("--"), Of(a(0, "target")), Of(This)])], Nothing),
    row(&["path.read_text", "path.read_bytes", "data.read_text", "data.read_bytes"], THIS_READ, Stream(Contents(This))),
    row(&["path.open"], &[Open(This, a(0, "mode"))], Stream(File(This))),
    row(&["path.iterdir"], THIS_LIST, Found(Below(This))),
    row(&["path.glob"], THIS_LIST, Found(Matches(This, a(0, "pattern")))),
    row(&["path.rglob"], THIS_LIST_ALL, Found(MatchesBelow(This, a(0, "pattern")))),
    row(&["path.walk"], THIS_LIST_ALL, Found(Walk(This))),
    row(&["path.expanduser"], &[], Path(Expanded(This))),
    row(&["path.resolve", "path.absolute"], &[], Path(Absolute(This))),
    row(&["path.joinpath"], &[], Path(Joined)),
    row(&["path.with_name"], &[], Path(WithName)),
    row(&["path.with_suffix"], &[], Path(WithSuffix)),
    row(&["path.as_posix", "path.__str__", "path.__fspath__"], &[], AsText(This)),
    row(
        &["path.__enter__", "file.__enter__", "text.__enter__", "data.__enter__", "data.rstrip", "file.readlines"],
        &[],
        Same(This),
    ),
    row(
        &[
            "path.exists",
            "path.is_file",
            "path.is_dir",
            "path.stat",
            "path.is_symlink",
            "path.relative_to",
            "path.match",
            "path.is_absolute",
        ],
        &[],
        Data,
    ),
    row(&["file.read", "file.readline"], &[], Stream(Contents(This))),
    row(&["file.write", "file.writelines"], &[Append(This, a(0, "s"))], Nothing),
    row(
        &["archive.write", "archive.add", "archive.writepy"],
        &[As(&[Is("grep"), Is("-r"), Is("-e"), Is(""), Is("--"), Of(a(0, "filename"))])],
        Nothing,
    ),
    row(&["archive.__enter__"], &[], Same(This)),
    row(&["file.extractall", "file.extract", "archive.extractall", "archive.extract"], EXTRACT, Nothing),
    row(&["file.truncate"], THIS_TOUCH, Nothing),
    row(&["text.format"], &[], Text(Formatted)),
    row(&["text.join"], &[], Text(JoinedBy(This, a(0, "iterable")))),
    row(&["text.replace"], &[], Text(Replaced)),
    row(&["text.strip", "text.rstrip", "text.lstrip"], &[], Text(Stripped)),
    row(&["text.split", "text.splitlines", "text.rsplit"], &[], Text(Split)),
    row(&["text.encode", "text.decode", "text.read", "text.getvalue", "text.expandtabs"], &[], Same(This)),
    row(
        &[
            "list.append",
            "list.extend",
            "list.insert",
            "list.add",
            "list.remove",
            "list.pop",
            "list.clear",
            "list.sort",
            "list.reverse",
            "keys.update",
            "keys.setdefault",
            "keys.pop",
            "keys.clear",
            "keys.popitem",
        ],
        &[],
        List(Pushed),
    ),
    row(&["list.copy", "keys.copy"], &[], Same(This)),
    row(&["keys.get"], &[], Dictionary(Got)),
    row(&["keys.values"], &[], Dictionary(Values)),
    row(&["keys.items"], &[], Dictionary(Items)),
    row(&["keys.keys"], &[], Data),
    row(&["network.get", "network.post", "network.put", "network.delete", "network.head"], FETCH, Network),
    row(&["network.request"], FETCH_SECOND, Network),
    row(&["network.connect", "network.connect_ex"], &[Does::Connect(a(0, "hostname"), a(1, "port"))], Data),
    row(&["network.sendto"], &[Does::Connect(a(1, "address"), a(9, ""))], Data),
    row(&["data.save", "data.to_csv", "data.to_json", "data.dump"], &[], Data),
];
