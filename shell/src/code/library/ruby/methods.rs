//! Methods of Ruby's values: texts, lists, paths, files.

use super::super::returned::DecodedText::{Packed, Unpacked};
use super::super::returned::FoundFiles::{Below, Matches};
use super::super::returned::ReturnedDictionary::{Items, ValueOfKey, Values};
use super::super::returned::ReturnedList::{ChangedReceiver, Filtered, Listed, Mapped, One, Popped, Shifted};
use super::super::returned::ReturnedPath::{Expanded, Joined, Last, ParentPath};
use super::super::returned::ReturnedStream::{Contents, File, Lines, PathOf};
use super::super::returned::ReturnedText::{Filled, JoinedBy, Replaced, ShellWords, Split, Stripped};
use super::super::returned::{TextEnds, TextReplacement, TextSplit};
use super::super::{ArgumentRef, CallEffect, EquivalentWord, LibraryRow, ReturnValue, argument};
use super::{BLOCK, FIRST, SECOND, row};
use ArgumentRef::Receiver;
use CallEffect::{Append, LikeCommand, Open, Write};
use EquivalentWord::{Argument, Literal};
use ReturnValue::{
    ArgumentList, ArgumentText, AsText, Data, Decoded, Dictionary, Found, NetworkData, Nothing, PathObject,
    SameArgument, Stream,
};

const THIS_READ: &[CallEffect] = &[LikeCommand(&[Literal("cat"), Literal("--"), Argument(Receiver)])];
const THIS_REMOVE: &[CallEffect] = &[LikeCommand(&[Literal("rm"), Literal("-f"), Literal("--"), Argument(Receiver)])];
const THIS_REMOVE_ALL: &[CallEffect] =
    &[LikeCommand(&[Literal("rm"), Literal("-rf"), Literal("--"), Argument(Receiver)])];
const THIS_TOUCH: &[CallEffect] = &[LikeCommand(&[Literal("touch"), Literal("--"), Argument(Receiver)])];
const THIS_LIST: &[CallEffect] = &[LikeCommand(&[Literal("ls"), Literal("--"), Argument(Receiver)])];

/// The rows of methods. Their names begin with the kind of the receiver: `text`, `path`, `file`, `list`. The first are
/// methods that open the file of an argument.
pub(in super::super::super) static METHODS: &[LibraryRow] = &[
    row(&["STDOUT.reopen", "STDERR.reopen", "$stdout.reopen", "$stderr.reopen"], &[Open(FIRST, SECOND)], Nothing),
    row(&["CSV.foreach", "CSV.open"], &[Open(FIRST, SECOND)], Stream(File(FIRST))),
    row(&["function.same"], &[], SameArgument(Receiver)),
    row(&["path.delete", "path.unlink", "file.delete"], THIS_REMOVE, Nothing),
    row(&["path.rmtree"], THIS_REMOVE_ALL, Nothing),
    row(&["path.rmdir"], &[LikeCommand(&[Literal("rmdir"), Literal("--"), Argument(Receiver)])], Nothing),
    row(
        &["path.rename"],
        &[LikeCommand(&[Literal("mv"), Literal("-T"), Literal("--"), Argument(Receiver), Argument(FIRST)])],
        Nothing,
    ),
    row(&["path.write", "path.binwrite"], &[Write(Receiver, FIRST)], Nothing),
    row(&["path.read", "path.binread"], THIS_READ, Stream(Contents(Receiver))),
    row(&["path.readlines", "path.each_line"], THIS_READ, Stream(Lines)),
    row(&["path.open"], &[Open(Receiver, argument(0, "mode"))], Stream(File(Receiver))),
    row(
        &["path.mkdir", "path.mkpath"],
        &[LikeCommand(&[Literal("mkdir"), Literal("-p"), Literal("--"), Argument(Receiver)])],
        Nothing,
    ),
    row(&["path.chmod", "path.truncate", "path.utime", "path.chown"], THIS_TOUCH, Nothing),
    row(
        &["path.make_symlink"],
        &[LikeCommand(&[Literal("ln"), Literal("-s"), Literal("--"), Argument(FIRST), Argument(Receiver)])],
        Nothing,
    ),
    row(
        &["path.make_link"],
        &[LikeCommand(&[Literal("ln"), Literal("--"), Argument(FIRST), Argument(Receiver)])],
        Nothing,
    ),
    row(&["path.children", "path.each_child", "path.find", "path.each_entry"], THIS_LIST, Found(Below(Receiver))),
    row(&["path.glob"], THIS_LIST, Found(Matches(Receiver, FIRST))),
    row(&["path.join", "path.+", "path./"], &[], PathObject(Joined)),
    row(&["path.dirname", "path.parent"], &[], PathObject(ParentPath)),
    row(&["path.basename"], &[], PathObject(Last(Receiver))),
    row(&["path.expand_path"], &[], PathObject(Expanded(Receiver))),
    row(&["path.realpath", "path.cleanpath"], &[], SameArgument(Receiver)),
    row(&["path.to_s", "path.to_path", "path.to_str"], &[], AsText(Receiver)),
    row(&["path.exist?", "path.file?", "path.directory?", "path.extname", "path.stat"], &[], Data),
    row(
        &["file.read", "file.readline", "file.gets", "file.readlines", "file.each_line"],
        &[],
        Stream(Contents(Receiver)),
    ),
    row(
        &["file.write", "file.puts", "file.print", "file.<<", "file.printf", "file.syswrite", "file.putc"],
        &[Append(Receiver, FIRST)],
        SameArgument(Receiver),
    ),
    row(&["file.path", "file.to_path"], &[], Stream(PathOf(Receiver))),
    row(&["file.truncate", "file.chmod"], THIS_TOUCH, Nothing),
    row(&["text.%"], &[], ArgumentText(Filled(Receiver))),
    row(&["text.gsub"], &[], ArgumentText(Replaced(TextReplacement::AllByTemplate))),
    row(&["text.sub"], &[], ArgumentText(Replaced(TextReplacement::FirstByTemplate))),
    row(&["text.strip"], &[], ArgumentText(Stripped(TextEnds::Both))),
    row(&["text.lstrip"], &[], ArgumentText(Stripped(TextEnds::Start))),
    row(&["text.rstrip"], &[], ArgumentText(Stripped(TextEnds::End))),
    row(&["text.chomp"], &[], ArgumentText(Stripped(TextEnds::LastNewline))),
    row(&["text.split"], &[], ArgumentText(Split(TextSplit::AtBlanksOrSpace))),
    row(&["text.lines", "text.each_line"], &[], ArgumentText(Split(TextSplit::LinesWithEnds))),
    row(&["text.unpack1"], &[], Decoded(Unpacked(Receiver, FIRST))),
    row(&["text.shellsplit", "text.shellwords"], &[], ArgumentText(ShellWords(Receiver))),
    row(
        &[
            "text.to_s",
            "text.to_str",
            "text.to_sym",
            "text.freeze",
            "text.dup",
            "text.clone",
            "text.itself",
            "text.force_encoding",
            "text.encode",
            "text.b",
            "text.scrub",
            "text.+@",
            "text.string",
            "text.read",
        ],
        &[],
        SameArgument(Receiver),
    ),
    row(
        &[
            "list.each",
            "list.map",
            "list.collect",
            "list.flat_map",
            "list.each_with_index",
            "list.each_entry",
            "list.filter_map",
            "list.find",
            "list.detect",
            "list.any?",
            "list.all?",
            "list.each_with_object",
            "list.reverse_each",
            "list.inject",
            "list.reduce",
            "list.each_slice",
            "list.sort_by",
            "list.group_by",
            "list.partition",
            "list.min_by",
            "list.max_by",
            "list.sum",
            "list.count",
            "list.cycle",
            "keys.each",
            "keys.each_pair",
            "keys.map",
            "keys.flat_map",
            "keys.each_value",
            "keys.each_key",
            "keys.sort_by",
            "keys.filter_map",
        ],
        &[],
        ArgumentList(Mapped(BLOCK, Receiver)),
    ),
    row(&["list.select", "list.filter"], &[], ArgumentList(Filtered(BLOCK, Receiver))),
    row(
        &[
            "list.reject",
            "list.sort",
            "list.uniq",
            "list.compact",
            "list.flatten",
            "list.reverse",
            "list.to_a",
            "list.take",
            "list.drop",
            "list.dup",
            "list.freeze",
            "list.lazy",
            "list.shuffle",
            "list.rotate",
            "list.grep",
            "list.grep_v",
            "list.entries",
            "list.+",
            "list.|",
            "list.-",
            "list.&",
            "list.values_at",
        ],
        &[],
        ArgumentList(Listed(Receiver)),
    ),
    row(&["list.join"], &[], ArgumentText(JoinedBy(FIRST, Receiver))),
    row(
        &[
            "list.first",
            "list.last",
            "list.sample",
            "list.min",
            "list.max",
            "list.[]",
            "list.fetch",
            "list.at",
            "list.dig",
        ],
        &[],
        ArgumentList(One(Receiver)),
    ),
    row(
        &[
            "list.push",
            "list.append",
            "list.<<",
            "list.concat",
            "list.unshift",
            "list.prepend",
            "list.insert",
            "list.clear",
            "list.delete",
            "list.delete_at",
            "list.fill",
            "keys.store",
            "keys.update",
            "keys.merge!",
            "keys.clear",
            "keys.delete",
        ],
        &[],
        ArgumentList(ChangedReceiver),
    ),
    row(&["list.shift"], &[], ArgumentList(Shifted(Receiver))),
    row(&["list.pop"], &[], ArgumentList(Popped(Receiver))),
    row(&["list.pack"], &[], Decoded(Packed(Receiver, FIRST))),
    row(&["keys.fetch", "keys.dig", "keys.[]"], &[], Dictionary(ValueOfKey)),
    row(&["keys.values"], &[], Dictionary(Values)),
    row(&["keys.to_a"], &[], Dictionary(Items)),
    row(&["keys.dup", "keys.freeze", "keys.to_h"], &[], SameArgument(Receiver)),
    row(
        &["network.get", "network.post", "network.put", "network.delete", "network.head", "network.request"],
        &[],
        NetworkData,
    ),
];
