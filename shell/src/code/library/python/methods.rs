//! Methods of Python's values: texts, lists, paths, files.

use super::super::returned::FoundFiles::{Below, Matches, MatchesBelow, Walk};
use super::super::returned::ReturnedDictionary::{Items, ValueOfKey, Values};
use super::super::returned::ReturnedList::ChangedReceiver;
use super::super::returned::ReturnedPath::{Absolute, Expanded, Joined, New, WithName, WithSuffix};
use super::super::returned::ReturnedStream::{Contents, File};
use super::super::returned::ReturnedText::{Formatted, JoinedBy, Replaced, Split, Stripped};
use super::super::returned::{TextEnds, TextReplacement, TextSplit};
use super::super::{ArgumentRef, CallEffect, EquivalentWord, LibraryRow, ReturnValue, argument};
use super::row;
use ArgumentRef::Receiver;
use CallEffect::{Append, Fetch, LikeCommand, Open, RemoteShell, Write};
use EquivalentWord::{Argument, Literal};
use ReturnValue::{
    ArgumentList, ArgumentText, AsText, Data, Dictionary, Found, NetworkData, Nothing, PathObject, SameArgument, Stream,
};

const FETCH: &[CallEffect] = &[Fetch(argument(0, "url"))];
const FETCH_SECOND: &[CallEffect] = &[Fetch(argument(1, "url"))];
const EXTRACT: &[CallEffect] = &[LikeCommand(&[
    Literal("tar"),
    Literal("-x"),
    Literal("-f"),
    Literal("-"),
    Literal("-C"),
    Argument(argument(0, "path")),
])];

const THIS_REMOVE: &[CallEffect] = &[LikeCommand(&[Literal("rm"), Literal("-f"), Literal("--"), Argument(Receiver)])];
const THIS_TOUCH: &[CallEffect] = &[LikeCommand(&[Literal("touch"), Literal("--"), Argument(Receiver)])];
const THIS_READ: &[CallEffect] = &[LikeCommand(&[Literal("cat"), Literal("--"), Argument(Receiver)])];
const THIS_LIST: &[CallEffect] = &[LikeCommand(&[Literal("ls"), Literal("--"), Argument(Receiver)])];
const THIS_LIST_ALL: &[CallEffect] = &[LikeCommand(&[Literal("ls"), Literal("-R"), Literal("--"), Argument(Receiver)])];
const THIS_RENAME: &[CallEffect] =
    &[LikeCommand(&[Literal("mv"), Literal("-T"), Literal("--"), Argument(Receiver), Argument(argument(0, "target"))])];

/// The rows of methods. Their names begin with the kind of the receiver: `text`, `path`, `file`, `list`.
pub(in super::super::super) static METHODS: &[LibraryRow] = &[
    row(
        &["network.exec_command", "data.exec_command", "network.run", "network.sudo"],
        &[RemoteShell(argument(0, "command"))],
        NetworkData,
    ),
    row(&["path.unlink", "data.unlink"], THIS_REMOVE, Nothing),
    row(&["path.rmdir", "data.rmdir"], &[LikeCommand(&[Literal("rmdir"), Literal("--"), Argument(Receiver)])], Nothing),
    row(&["path.rename", "path.replace", "data.rename"], THIS_RENAME, PathObject(New)),
    row(&["path.move", "path.move_into"], THIS_RENAME, PathObject(New)),
    row(
        &["path.copy", "path.copy_into"],
        &[LikeCommand(&[
            Literal("cp"),
            Literal("-r"),
            Literal("--"),
            Argument(Receiver),
            Argument(argument(0, "target")),
        ])],
        PathObject(New),
    ),
    row(
        &["path.write_text", "path.write_bytes", "data.write_text", "data.write_bytes"],
        &[Write(Receiver, argument(0, "data"))],
        Nothing,
    ),
    row(&["path.touch", "data.touch", "path.chmod", "data.chmod", "path.lchmod"], THIS_TOUCH, Nothing),
    row(
        &["path.mkdir", "data.mkdir"],
        &[LikeCommand(&[Literal("mkdir"), Literal("-p"), Literal("--"), Argument(Receiver)])],
        Nothing,
    ),
    row(
        &["path.symlink_to", "data.symlink_to"],
        &[LikeCommand(&[
            Literal("ln"),
            Literal("-s"),
            Literal("--"),
            Argument(argument(0, "target")),
            Argument(Receiver),
        ])],
        Nothing,
    ),
    row(
        &["path.hardlink_to", "data.hardlink_to"],
        &[LikeCommand(&[Literal("ln"), Literal("--"), Argument(argument(0, "target")), Argument(Receiver)])],
        Nothing,
    ),
    row(
        &["path.read_text", "path.read_bytes", "data.read_text", "data.read_bytes"],
        THIS_READ,
        Stream(Contents(Receiver)),
    ),
    row(&["path.open"], &[Open(Receiver, argument(0, "mode"))], Stream(File(Receiver))),
    row(&["path.iterdir"], THIS_LIST, Found(Below(Receiver))),
    row(&["path.glob"], THIS_LIST, Found(Matches(Receiver, argument(0, "pattern")))),
    row(&["path.rglob"], THIS_LIST_ALL, Found(MatchesBelow(Receiver, argument(0, "pattern")))),
    row(&["path.walk"], THIS_LIST_ALL, Found(Walk(Receiver))),
    row(&["path.expanduser"], &[], PathObject(Expanded(Receiver))),
    row(&["path.resolve", "path.absolute"], &[], PathObject(Absolute(Receiver))),
    row(&["path.joinpath"], &[], PathObject(Joined)),
    row(&["path.with_name"], &[], PathObject(WithName)),
    row(&["path.with_suffix"], &[], PathObject(WithSuffix)),
    row(&["path.as_posix", "path.__str__", "path.__fspath__"], &[], AsText(Receiver)),
    row(
        &["path.__enter__", "file.__enter__", "text.__enter__", "data.__enter__", "data.rstrip", "file.readlines"],
        &[],
        SameArgument(Receiver),
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
    row(&["file.read", "file.readline"], &[], Stream(Contents(Receiver))),
    row(&["file.write", "file.writelines"], &[Append(Receiver, argument(0, "s"))], Nothing),
    row(
        &["archive.write", "archive.add", "archive.writepy"],
        &[LikeCommand(&[
            Literal("grep"),
            Literal("-r"),
            Literal("-e"),
            Literal(""),
            Literal("--"),
            Argument(argument(0, "filename")),
        ])],
        Nothing,
    ),
    row(&["archive.__enter__"], &[], SameArgument(Receiver)),
    row(&["file.extractall", "file.extract", "archive.extractall", "archive.extract"], EXTRACT, Nothing),
    row(&["file.truncate"], THIS_TOUCH, Nothing),
    row(&["text.format"], &[], ArgumentText(Formatted)),
    row(&["text.join"], &[], ArgumentText(JoinedBy(Receiver, argument(0, "iterable")))),
    row(&["text.replace"], &[], ArgumentText(Replaced(TextReplacement::AllByText))),
    row(&["text.strip"], &[], ArgumentText(Stripped(TextEnds::Both))),
    row(&["text.lstrip"], &[], ArgumentText(Stripped(TextEnds::Start))),
    row(&["text.rstrip"], &[], ArgumentText(Stripped(TextEnds::End))),
    row(&["text.split", "text.rsplit"], &[], ArgumentText(Split(TextSplit::AtBlanks))),
    row(&["text.splitlines"], &[], ArgumentText(Split(TextSplit::Lines))),
    row(&["text.encode", "text.decode", "text.read", "text.getvalue", "text.expandtabs"], &[], SameArgument(Receiver)),
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
        ArgumentList(ChangedReceiver),
    ),
    row(&["list.copy", "keys.copy"], &[], SameArgument(Receiver)),
    row(&["keys.get"], &[], Dictionary(ValueOfKey)),
    row(&["keys.values"], &[], Dictionary(Values)),
    row(&["keys.items"], &[], Dictionary(Items)),
    row(&["keys.keys"], &[], Data),
    row(&["network.get", "network.post", "network.put", "network.delete", "network.head"], FETCH, NetworkData),
    row(&["network.request"], FETCH_SECOND, NetworkData),
    row(
        &["network.connect", "network.connect_ex"],
        &[CallEffect::Connect(argument(0, "hostname"), argument(1, "port"))],
        Data,
    ),
    row(&["network.sendto"], &[CallEffect::Connect(argument(1, "address"), argument(9, ""))], Data),
    // The object may be a file, or one that writes the file of this name.
    row(
        &[
            "data.save",
            "data.to_csv",
            "data.to_json",
            "data.dump",
            "data.write",
            "data.savefig",
            "data.to_excel",
            "data.tofile",
        ],
        &[CallEffect::RunNamed],
        Data,
    ),
];
