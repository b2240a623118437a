//! .NET types and their members: `[IO.File]::Delete('x')`, `'a'.Replace('b', 'c')`. The known ones are data; any other
//! call yields an unknown value, and is reported as unread if it is a statement.

use super::value::{Kind, Piece, Value, Wildcards, paths, with_slashes};
use crate::base64::{Alphabet, decode};

/// The effect of a static member.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Does {
    /// Equivalent to a command whose operands are this many first arguments, as paths.
    Command(&'static str, usize),
    /// Equivalent to a command that writes the second argument to the first.
    Writes(&'static str),
    /// Equivalent to a command with the first argument unchanged.
    Verbatim(&'static str),
    /// Only a computation.
    Computes,
    Code,
    Joins,
    Environment,
    Profile,
    FromBase64,
}

/// Static members, by their type without `System.` and their name, both in lower case.
const STATIC: &[(&str, &str, Does)] = &[
    ("io.file", "delete", Does::Command("Remove-Item", 1)),
    ("io.file", "readalltext", Does::Command("Get-Content", 1)),
    ("io.file", "readalllines", Does::Command("Get-Content", 1)),
    ("io.file", "readallbytes", Does::Command("Get-Content", 1)),
    ("io.file", "readlines", Does::Command("Get-Content", 1)),
    ("io.file", "openread", Does::Command("Get-Content", 1)),
    ("io.file", "opentext", Does::Command("Get-Content", 1)),
    ("io.file", "open", Does::Command("Add-Content", 1)),
    ("io.file", "openwrite", Does::Command("Set-Content", 1)),
    ("io.file", "create", Does::Command("Set-Content", 1)),
    ("io.file", "createtext", Does::Command("Set-Content", 1)),
    ("io.file", "writealltext", Does::Writes("Set-Content")),
    ("io.file", "writealllines", Does::Writes("Set-Content")),
    ("io.file", "writeallbytes", Does::Command("Set-Content", 1)),
    ("io.file", "appendalltext", Does::Writes("Add-Content")),
    ("io.file", "appendalllines", Does::Writes("Add-Content")),
    ("io.file", "appendtext", Does::Command("Add-Content", 1)),
    ("io.file", "copy", Does::Command("Copy-Item", 2)),
    ("io.file", "move", Does::Command("Move-Item", 2)),
    ("io.file", "replace", Does::Command("Move-Item", 2)),
    ("io.file", "exists", Does::Command("Test-Path", 1)),
    ("io.file", "setattributes", Does::Command("Set-ItemProperty", 1)),
    ("io.directory", "delete", Does::Command("Remove-Item -Recurse", 1)),
    ("io.directory", "move", Does::Command("Move-Item", 2)),
    ("io.directory", "createdirectory", Does::Command("New-Item -ItemType Directory", 1)),
    ("io.directory", "exists", Does::Command("Test-Path", 1)),
    ("io.directory", "getfiles", Does::Command("Get-ChildItem", 1)),
    ("io.directory", "getdirectories", Does::Command("Get-ChildItem", 1)),
    ("io.directory", "enumeratefiles", Does::Command("Get-ChildItem", 1)),
    ("io.directory", "getfilesystementries", Does::Command("Get-ChildItem", 1)),
    ("io.directory", "setcurrentdirectory", Does::Command("cd", 1)),
    ("io.path", "combine", Does::Joins),
    ("io.path", "join", Does::Joins),
    ("io.path", "getfullpath", Does::Joins),
    ("microsoft.visualbasic.fileio.filesystem", "deletefile", Does::Command("Remove-Item", 1)),
    ("microsoft.visualbasic.fileio.filesystem", "deletedirectory", Does::Command("Remove-Item -Recurse", 1)),
    ("diagnostics.process", "start", Does::Verbatim("Start-Process")),
    ("reflection.assembly", "load", Does::Verbatim("Invoke-Expression")),
    ("reflection.assembly", "loadfile", Does::Verbatim("Add-Type -Path")),
    ("reflection.assembly", "loadfrom", Does::Verbatim("Add-Type -Path")),
    ("scriptblock", "create", Does::Code),
    ("management.automation.scriptblock", "create", Does::Code),
    ("environment", "getenvironmentvariable", Does::Environment),
    ("environment", "getenvironmentvariables", Does::Verbatim("printenv")),
    ("environment", "expandenvironmentvariables", Does::Computes),
    ("environment", "getfolderpath", Does::Profile),
    ("convert", "frombase64string", Does::FromBase64),
];

/// Types whose members only compute.
const COMPUTING: &[&str] = &[
    "math",
    "string",
    "char",
    "int",
    "int32",
    "int64",
    "long",
    "double",
    "decimal",
    "bool",
    "datetime",
    "timespan",
    "guid",
    "io.path",
    "convert",
    "text.encoding",
    "regex",
    "text.regularexpressions.regex",
    "environment",
    "version",
    "uri",
    "console",
    "bitconverter",
    "array",
    "datetimeoffset",
    "random",
    "web.httputility",
    "text.stringbuilder",
    "globalization.cultureinfo",
    "byte",
    "enum",
    "consolecolor",
    "threading.thread",
    "collections.generic.list",
    "runtime.interopservices.runtimeinformation",
    "net.servicepointmanager",
    "net.securityprotocoltype",
    "pscustomobject",
    "io.searchoption",
    "io.filemode",
    "system.io.fileaccess",
    "nullstring",
    "hashtable",
    "stringcomparison",
    "net.dns",
    "net.networkinformation.ping",
    "security.cryptography.sha256",
    "diagnostics.stopwatch",
];

/// Members of objects that only compute or read.
const MEMBERS: &[&str] = &[
    "tostring",
    "trim",
    "trimstart",
    "trimend",
    "split",
    "replace",
    "substring",
    "tolower",
    "toupper",
    "contains",
    "startswith",
    "endswith",
    "indexof",
    "lastindexof",
    "padleft",
    "padright",
    "add",
    "addrange",
    "remove",
    "containskey",
    "gettype",
    "getenumerator",
    "toarray",
    "tochararray",
    "count",
    "where",
    "foreach",
    "insert",
    "equals",
    "compareto",
    "getstring",
    "getbytes",
    "adddays",
    "addhours",
    "addminutes",
    "addseconds",
    "totalseconds",
    "match",
    "matches",
    "ismatch",
    "computehash",
    "next",
    "append",
    "appendline",
    "clear",
    "sort",
    "reverse",
    "start",
    "stop",
    "elapsed",
    "new",
    "tolowerinvariant",
    "toupperinvariant",
    "hasflag",
    "getvalue",
    "readtoend",
    "close",
    "dispose",
    "flush",
    "getfullpath",
    "selectnodes",
    "selectsinglenode",
    "getattribute",
    "item",
    "isnullorempty",
];

/// The result of a call.
pub(super) enum Called {
    /// This value.
    Value(Value),
    /// Its effect is unknown.
    Unread,
}

/// Evaluates a call of a static member.
pub(super) fn static_call(type_name: &str, member: &str, arguments: &[Value]) -> Called {
    let type_name = type_name.to_lowercase();
    let type_name = type_name.strip_prefix("system.").unwrap_or(&type_name);
    let member = member.to_lowercase();
    let row = STATIC.iter().find(|(own, name, _)| *own == type_name && *name == member);
    let first = arguments.first();
    let does = match row {
        Some((.., does)) => *does,
        None if COMPUTING.contains(&type_name) || member == "new" || member == "parse" => Does::Computes,
        None => return Called::Unread,
    };
    Called::Value(match does {
        Does::Command(command, operands) => {
            let words = arguments.iter().take(operands);
            let words: Vec<String> = words.flat_map(|value| paths(&value.joined(" "), Wildcards::AreText)).collect();
            let rest: String = arguments.iter().skip(operands).map(Value::commands).collect();
            Value::output(format!("{rest}{command} {}", words.join(" ")))
        }
        Does::Writes(command) => {
            let file = first.map(|file| paths(&file.joined(" "), Wildcards::AreText).concat()).unwrap_or_default();
            let lines = arguments.get(1).map(Value::words).unwrap_or_default();
            let lines: Vec<String> = lines.into_iter().map(|line| format!("-Value {line}")).collect();
            let rest: String = arguments.iter().skip(2).map(Value::commands).collect();
            Value::output(format!("{rest}{command} {} {file}", lines.join(" ")))
        }
        Does::Verbatim(command) => {
            let words: Vec<String> = arguments.iter().map(Value::word).collect();
            Value::output(format!("{command} {}", words.join(" ")))
        }
        Does::Computes => Value::made_of(arguments),
        Does::Code => match first {
            Some(text) => Value { kind: Kind::Code, ..text.clone() },
            None => Value::unknown(),
        },
        Does::Joins => joined(arguments),
        Does::Environment => match first.and_then(Value::known) {
            Some(name) => super::strings::named(&format!("env:{name}")),
            None => Value::made_of(arguments),
        },
        Does::Profile => match first.and_then(Value::known) {
            Some(name) if name.eq_ignore_ascii_case("userprofile") => Value::variable("HOME"),
            _ => Value::made_of(arguments),
        },
        Does::FromBase64 => match first.and_then(Value::known).and_then(|text| decode(&text, Alphabet::Standard)) {
            // The bytes, one per character.
            Some(bytes) => Value::text(bytes.into_iter().map(char::from).collect::<String>()),
            None => Value::made_of(arguments),
        },
    })
}

/// Joins the parts of a path.
pub(super) fn joined(parts: &[Value]) -> Value {
    let mut item = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let part = part.joined(" ");
        let part = with_slashes(&part);
        if at > 0 {
            // An empty part adds nothing.
            if matches!(part.first(), Some(Piece::Text(text)) if text.is_empty()) {
                continue;
            }
            item.push(Piece::Text("/".to_owned()));
        }
        item.extend(part);
    }
    Value::one(item)
}

/// Evaluates a call of a member of a value.
pub(super) fn member_call(value: &Value, member: &str, arguments: &[Value]) -> Called {
    let member = member.to_lowercase();
    let known = value.known().filter(|_| value.kind == Kind::Plain);
    let all = || Value::made_of(std::iter::once(value).chain(arguments));
    let text = |at: usize| arguments.get(at).and_then(Value::known);
    let value = match (member.as_str(), known) {
        ("replace", Some(known)) => match (text(0), text(1)) {
            (Some(from), Some(to)) if !from.is_empty() => Value::text(known.replace(&from, &to)),
            _ => all(),
        },
        ("tolower" | "tolowerinvariant", Some(known)) => Value::text(known.to_lowercase()),
        ("toupper" | "toupperinvariant", Some(known)) => Value::text(known.to_uppercase()),
        ("trim", Some(known)) if arguments.is_empty() => Value::text(known.trim()),
        ("tostring", Some(known)) if arguments.is_empty() => Value::text(known),
        ("tostring", None) if arguments.is_empty() && value.kind == Kind::Plain => value.clone(),
        ("getstring", _) if matches!(value.kind, Kind::Utf8 | Kind::Utf16) => {
            let bytes =
                text(0).and_then(|text| text.chars().map(|c| u8::try_from(c).ok()).collect::<Option<Vec<u8>>>());
            let decoded = bytes.and_then(|bytes| match value.kind {
                Kind::Utf16 => super::fold::from_utf16(&bytes),
                _ => String::from_utf8(bytes).ok(),
            });
            decoded.map_or_else(all, Value::text)
        }
        ("invoke" | "invokereturnasis" | "invokescript", _) => {
            let code = arguments.first().filter(|_| member == "invokescript").unwrap_or(value);
            Value::output(format!("'Invoke-Expression' {}", code.word()))
        }
        ("delete", _) => Value::output(on_files("Remove-Item -Recurse", value)),
        ("moveto", _) => Value::output(moved("Move-Item", value, arguments)),
        ("copyto", _) => Value::output(moved("Copy-Item", value, arguments)),
        ("downloadstring" | "downloaddata" | "getstringasync" | "openread", _) => {
            Value::output(format!("{}Invoke-WebRequest {}", value.commands(), words(arguments)))
        }
        ("downloadfile", _) => {
            let url = arguments.first().map(Value::word).unwrap_or_default();
            let file = arguments.get(1).map(|file| paths(&file.joined(" "), Wildcards::AreText).join(" "));
            Value::output(format!("{}Invoke-WebRequest {url} -OutFile {}", value.commands(), file.unwrap_or_default()))
        }
        (member, _) if MEMBERS.contains(&member) => all(),
        _ => return Called::Unread,
    };
    Called::Value(value)
}

fn words(values: &[Value]) -> String {
    values.iter().map(Value::word).collect::<Vec<_>>().join(" ")
}

/// Returns a command on the files that a value names.
fn on_files(command: &str, value: &Value) -> String {
    let mut text = command.to_owned();
    for item in &value.items {
        let wildcards = if value.kind == Kind::Files { Wildcards::Count } else { Wildcards::AreText };
        for path in paths(item, wildcards) {
            text.push(' ');
            text.push_str(&path);
        }
    }
    text
}

fn moved(command: &str, value: &Value, arguments: &[Value]) -> String {
    let target = arguments.first().map(|target| paths(&target.joined(" "), Wildcards::AreText).join(" "));
    format!("{} {}", on_files(command, value), target.unwrap_or_default())
}
