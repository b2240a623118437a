//! .NET types and their members: `[IO.File]::Delete('x')`, `'a'.Replace('b', 'c')`. The known ones are in tables; any
//! other call has an unknown value and is recorded as unread.

use super::value::{PowerShellValue, PowerShellValueKind, ValuePiece, WildcardMode, paths, with_slashes};
use crate::base64::{Base64Alphabet, decode};

/// The effect of a static member, as a command in the translation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum MemberEffect {
    /// It is equivalent to this command, whose operands are this number of the first arguments, as paths.
    Command(&'static str, usize),
    /// It is equivalent to this command, which writes the second argument into the file of the first.
    Writes(&'static str),
    /// It is equivalent to this command, with the arguments unchanged.
    Verbatim(&'static str),
    /// It opens the file of its first argument, if that is a path, and this is the command for reading it; the other
    /// arguments say how.
    Opens(&'static str),
    /// It only computes a value.
    Computes,
    /// It makes a block of code from its argument.
    Code,
    /// It joins its arguments to a path.
    Joins,
    /// It returns the environment variable that its argument names.
    Environment,
    /// It returns the path of a directory of the user.
    Profile,
    /// It decodes base64.
    FromBase64,
}

/// The static members with a known effect, by the type without `System.` and by the name, both in lower case.
const STATIC: &[(&str, &str, MemberEffect)] = &[
    ("io.file", "delete", MemberEffect::Command("Remove-Item", 1)),
    ("io.file", "readalltext", MemberEffect::Command("Get-Content", 1)),
    ("io.file", "readalllines", MemberEffect::Command("Get-Content", 1)),
    ("io.file", "readallbytes", MemberEffect::Command("Get-Content", 1)),
    ("io.file", "readlines", MemberEffect::Command("Get-Content", 1)),
    ("io.file", "openread", MemberEffect::Command("Get-Content", 1)),
    ("io.file", "opentext", MemberEffect::Command("Get-Content", 1)),
    ("io.file", "open", MemberEffect::Opens("Add-Content")),
    ("io.filestream", "new", MemberEffect::Opens("Add-Content")),
    ("io.streamreader", "new", MemberEffect::Opens("Get-Content")),
    ("io.streamwriter", "new", MemberEffect::Opens("Set-Content")),
    ("io.file", "openwrite", MemberEffect::Command("Set-Content", 1)),
    ("io.file", "create", MemberEffect::Command("Set-Content", 1)),
    ("io.file", "createtext", MemberEffect::Command("Set-Content", 1)),
    ("io.file", "writealltext", MemberEffect::Writes("Set-Content")),
    ("io.file", "writealllines", MemberEffect::Writes("Set-Content")),
    ("io.file", "writeallbytes", MemberEffect::Command("Set-Content", 1)),
    ("io.file", "appendalltext", MemberEffect::Writes("Add-Content")),
    ("io.file", "appendalllines", MemberEffect::Writes("Add-Content")),
    ("io.file", "appendtext", MemberEffect::Command("Add-Content", 1)),
    ("io.file", "copy", MemberEffect::Command("Copy-Item", 2)),
    ("io.file", "move", MemberEffect::Command("Move-Item", 2)),
    ("io.file", "replace", MemberEffect::Command("Move-Item", 2)),
    ("io.file", "exists", MemberEffect::Command("Test-Path", 1)),
    ("io.file", "setattributes", MemberEffect::Command("Set-ItemProperty", 1)),
    ("io.directory", "delete", MemberEffect::Command("Remove-Item -Recurse", 1)),
    ("io.directory", "move", MemberEffect::Command("Move-Item", 2)),
    ("io.directory", "createdirectory", MemberEffect::Command("New-Item -ItemType Directory", 1)),
    ("io.directory", "exists", MemberEffect::Command("Test-Path", 1)),
    ("io.directory", "getfiles", MemberEffect::Command("Get-ChildItem", 1)),
    ("io.directory", "getdirectories", MemberEffect::Command("Get-ChildItem", 1)),
    ("io.directory", "enumeratefiles", MemberEffect::Command("Get-ChildItem", 1)),
    ("io.directory", "getfilesystementries", MemberEffect::Command("Get-ChildItem", 1)),
    ("io.directory", "setcurrentdirectory", MemberEffect::Command("cd", 1)),
    ("io.path", "combine", MemberEffect::Joins),
    ("io.path", "join", MemberEffect::Joins),
    ("io.path", "getfullpath", MemberEffect::Joins),
    ("microsoft.visualbasic.fileio.filesystem", "deletefile", MemberEffect::Command("Remove-Item", 1)),
    ("microsoft.visualbasic.fileio.filesystem", "deletedirectory", MemberEffect::Command("Remove-Item -Recurse", 1)),
    ("diagnostics.process", "start", MemberEffect::Verbatim("Start-Process")),
    ("reflection.assembly", "load", MemberEffect::Verbatim("Invoke-Expression")),
    ("reflection.assembly", "loadfile", MemberEffect::Verbatim("Add-Type -Path")),
    ("reflection.assembly", "loadfrom", MemberEffect::Verbatim("Add-Type -Path")),
    ("scriptblock", "create", MemberEffect::Code),
    ("management.automation.scriptblock", "create", MemberEffect::Code),
    ("environment", "getenvironmentvariable", MemberEffect::Environment),
    ("environment", "getenvironmentvariables", MemberEffect::Verbatim("printenv")),
    ("environment", "expandenvironmentvariables", MemberEffect::Computes),
    ("environment", "getfolderpath", MemberEffect::Profile),
    ("convert", "frombase64string", MemberEffect::FromBase64),
];

/// Types whose members only compute, unless they are in the table above.
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

/// Members of objects that only compute or read, in lower case.
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

/// The result of evaluating a call.
pub(super) enum CallResult {
    /// The value of the call, which may contain commands.
    Value(PowerShellValue),
    /// The effect of the call is unknown.
    Unread,
}

/// Evaluates a call of a static member of a type.
pub(super) fn static_call(type_name: &str, member: &str, arguments: &[PowerShellValue]) -> CallResult {
    let type_name = type_name.to_lowercase();
    let type_name = type_name.strip_prefix("system.").unwrap_or(&type_name);
    let member = member.to_lowercase();
    let row = STATIC.iter().find(|(owner, name, _)| *owner == type_name && *name == member);
    let first = arguments.first();
    let effect = match row {
        Some((.., effect)) => *effect,
        None if COMPUTING.contains(&type_name) || member == "new" || member == "parse" => MemberEffect::Computes,
        None => return CallResult::Unread,
    };
    CallResult::Value(match effect {
        MemberEffect::Command(command, operands) => {
            let words = arguments.iter().take(operands);
            let words: Vec<String> =
                words.flat_map(|value| paths(&value.join_items(" "), WildcardMode::Literal)).collect();
            let rest: String = arguments.iter().skip(operands).map(PowerShellValue::commands).collect();
            PowerShellValue::output(format!("{rest}{command} {}", words.join(" ")))
        }
        MemberEffect::Writes(command) => write_command(command, arguments),
        MemberEffect::Opens(command) => open_file(command, arguments),
        MemberEffect::Verbatim(command) => {
            let words: Vec<String> = arguments.iter().map(PowerShellValue::word).collect();
            PowerShellValue::output(format!("{command} {}", words.join(" ")))
        }
        MemberEffect::Computes => PowerShellValue::unknown_from(arguments),
        MemberEffect::Code => match first {
            Some(text) => code_of(text),
            None => PowerShellValue::unknown(),
        },
        MemberEffect::Joins => join_path(arguments),
        MemberEffect::Environment => match first.and_then(PowerShellValue::known_text) {
            Some(name) => super::strings::variable_value(&format!("env:{name}")),
            None => PowerShellValue::unknown_from(arguments),
        },
        MemberEffect::Profile => match first.and_then(PowerShellValue::known_text) {
            Some(name) if name.eq_ignore_ascii_case("userprofile") => PowerShellValue::variable("HOME"),
            _ => PowerShellValue::unknown_from(arguments),
        },
        MemberEffect::FromBase64 => {
            match first.and_then(PowerShellValue::known_text).and_then(|text| decode(&text, Base64Alphabet::Standard)) {
                // The bytes are represented as characters of the same number.
                Some(bytes) => PowerShellValue::text(bytes.into_iter().map(char::from).collect::<String>()),
                None => PowerShellValue::unknown_from(arguments),
            }
        }
    })
}

/// Returns the value of a call that writes lines to a file: its first argument is the file, its second the lines.
fn write_command(command: &str, arguments: &[PowerShellValue]) -> PowerShellValue {
    let file = arguments.first().map(|file| paths(&file.join_items(" "), WildcardMode::Literal).concat());
    let lines = arguments.get(1).map(PowerShellValue::words).unwrap_or_default();
    let lines: Vec<String> = lines.into_iter().map(|line| format!("-Value {line}")).collect();
    let rest: String = arguments.iter().skip(2).map(PowerShellValue::commands).collect();
    PowerShellValue::output(format!("{rest}{command} {} {}", lines.join(" "), file.unwrap_or_default()))
}

/// Returns the value of a call that opens a file by its path. A reader or a writer of another stream opens none.
fn open_file(command: &str, arguments: &[PowerShellValue]) -> PowerShellValue {
    let Some(path) = arguments.first().filter(|path| is_path(path)) else {
        return PowerShellValue::unknown_from(arguments);
    };
    let how: Vec<String> = arguments.iter().skip(1).filter_map(PowerShellValue::known_text).collect();
    let is = |word: &str| how.iter().any(|own| own.eq_ignore_ascii_case(word));
    let reads = is("Open") && is("Read");
    let words = paths(&path.join_items(" "), WildcardMode::Literal);
    let rest: String = arguments.iter().skip(1).map(PowerShellValue::commands).collect();
    let command = if reads { "Get-Content" } else { command };
    PowerShellValue::output(format!("{rest}{command} {}", words.join(" ")))
}

/// Whether a value is a path, at least a part of which is known, and not a stream.
fn is_path(value: &PowerShellValue) -> bool {
    value.kind == PowerShellValueKind::Files
        || value.items.iter().flatten().any(|piece| matches!(piece, ValuePiece::Text(text) if !text.is_empty()))
}

/// Returns the value of `New-Object`, given the name of the type and the arguments of its constructor.
pub(super) fn new_object(type_name: &str, arguments: &[PowerShellValue]) -> PowerShellValue {
    let items = arguments.iter().flat_map(|value| &value.items);
    let arguments: Vec<PowerShellValue> = items.map(|item| PowerShellValue::single(item.clone())).collect();
    match static_call(type_name, "new", &arguments) {
        CallResult::Value(value) => value,
        CallResult::Unread => PowerShellValue::unknown_from(&arguments),
    }
}

/// Returns a text as a block of code.
pub(super) fn code_of(value: &PowerShellValue) -> PowerShellValue {
    let value = match value.known_text().filter(|text| !text.trim_start().starts_with('{')) {
        Some(text) => PowerShellValue::text(format!("{{\n{text}\n}}")),
        None => value.clone(),
    };
    PowerShellValue { kind: PowerShellValueKind::Code, ..value }
}

/// Joins the parts of a path with slashes.
pub(super) fn join_path(parts: &[PowerShellValue]) -> PowerShellValue {
    let mut item = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let part = part.join_items(" ");
        let part = with_slashes(&part);
        if at > 0 {
            // An empty part adds no slash.
            if matches!(part.first(), Some(ValuePiece::Text(text)) if text.is_empty()) {
                continue;
            }
            item.push(ValuePiece::Text("/".to_owned()));
        }
        item.extend(part);
    }
    PowerShellValue::single(item)
}

/// Evaluates a call of a member of a value. A member that only computes has an unknown value, unless the value and
/// the arguments are known.
pub(super) fn member_call(value: &PowerShellValue, member: &str, arguments: &[PowerShellValue]) -> CallResult {
    let member = member.to_lowercase();
    let known = value.known_text().filter(|_| value.kind == PowerShellValueKind::Plain);
    let unknown_result = || PowerShellValue::unknown_from(std::iter::once(value).chain(arguments));
    let text = |at: usize| arguments.get(at).and_then(PowerShellValue::known_text);
    let value = match (member.as_str(), known) {
        ("replace", Some(known)) => match (text(0), text(1)) {
            (Some(from), Some(to)) if !from.is_empty() => PowerShellValue::text(known.replace(&from, &to)),
            _ => unknown_result(),
        },
        ("tolower" | "tolowerinvariant", Some(known)) => PowerShellValue::text(known.to_lowercase()),
        ("toupper" | "toupperinvariant", Some(known)) => PowerShellValue::text(known.to_uppercase()),
        ("trim", Some(known)) if arguments.is_empty() => PowerShellValue::text(known.trim()),
        ("tostring", Some(known)) if arguments.is_empty() => PowerShellValue::text(known),
        ("tostring", None) if arguments.is_empty() && value.kind == PowerShellValueKind::Plain => value.clone(),
        ("getstring", _)
            if matches!(value.kind, PowerShellValueKind::Utf8Encoding | PowerShellValueKind::Utf16Encoding) =>
        {
            let bytes =
                text(0).and_then(|text| text.chars().map(|c| u8::try_from(c).ok()).collect::<Option<Vec<u8>>>());
            let decoded = bytes.and_then(|bytes| match value.kind {
                PowerShellValueKind::Utf16Encoding => super::fold::from_utf16(&bytes),
                _ => String::from_utf8(bytes).ok(),
            });
            decoded.map_or_else(unknown_result, PowerShellValue::text)
        }
        ("invoke" | "invokereturnasis" | "invokescript", _) => {
            let code = arguments.first().filter(|_| member == "invokescript").unwrap_or(value);
            PowerShellValue::output(format!("'Invoke-Expression' {}", code.word()))
        }
        ("delete", _) => PowerShellValue::output(file_command("Remove-Item -Recurse", value)),
        ("moveto", _) => PowerShellValue::output(move_command("Move-Item", value, arguments)),
        ("copyto", _) => PowerShellValue::output(move_command("Copy-Item", value, arguments)),
        ("downloadstring" | "downloaddata" | "getstringasync" | "openread", _) => {
            PowerShellValue::output(format!("{}Invoke-WebRequest {}", value.commands(), words(arguments)))
        }
        ("downloadfile", _) => {
            let url = arguments.first().map(PowerShellValue::word).unwrap_or_default();
            let file = arguments.get(1).map(|file| paths(&file.join_items(" "), WildcardMode::Literal).join(" "));
            PowerShellValue::output(format!(
                "{}Invoke-WebRequest {url} -OutFile {}",
                value.commands(),
                file.unwrap_or_default()
            ))
        }
        (member, _) if MEMBERS.contains(&member) => unknown_result(),
        _ => return CallResult::Unread,
    };
    CallResult::Value(value)
}

/// Returns values as words of bash.
fn words(values: &[PowerShellValue]) -> String {
    values.iter().map(PowerShellValue::word).collect::<Vec<_>>().join(" ")
}

/// Returns a command in bash on the files that a value names.
pub(super) fn file_command(command: &str, value: &PowerShellValue) -> String {
    let mut text = command.to_owned();
    for item in &value.items {
        let wildcards =
            if value.kind == PowerShellValueKind::Files { WildcardMode::Expanded } else { WildcardMode::Literal };
        for path in paths(item, wildcards) {
            text.push(' ');
            text.push_str(&path);
        }
    }
    text
}

/// Returns a command in bash that moves or copies the files of a value to the first argument.
fn move_command(command: &str, value: &PowerShellValue, arguments: &[PowerShellValue]) -> String {
    let target = arguments.first().map(|target| paths(&target.join_items(" "), WildcardMode::Literal).join(" "));
    format!("{} {}", file_command(command, value), target.unwrap_or_default())
}
