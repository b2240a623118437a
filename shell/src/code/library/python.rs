//! Python's standard library, and other packages that are often used for files, commands and the network.

mod methods;
mod network;
mod plain;

use super::returned::DecodedText::{Base64, Hex, Percent};
use super::returned::FoundFiles::{Below, Glob, Names, Walk};
use super::returned::ReturnedCode::{Anything, MemberOf, Module, Partial, Receiver};
use super::returned::ReturnedList::{Filtered, Listed, Mapped, Range};
use super::returned::ReturnedPath::{
    Absolute, Directory, DirectoryPath, Expanded, HomePath, Joined, Last, New, Parent, Temporary, TemporaryFile,
};
use super::returned::ReturnedStream::{File, Input, Line, Lines};
use super::returned::ReturnedText::{Dedented, ShellWords};
use super::{ArgumentRef, CallEffect, EquivalentWord, Library, LibraryRow, ReturnValue, argument, row};
use CallEffect::{
    Append, ChangeDirectory, Evaluate, Fetch, LikeCommand, Open, ReplaceProcess, Run, RunUnseen, SetVariable, Shell,
};
use EquivalentWord::{Argument, Literal};
use ReturnValue::{
    Archive, ArgumentList, ArgumentText, AsText, Data, Decoded, EnvironmentVariable, Found, Nothing, Object,
    PathObject, Stream,
};

/// The table of Python's library.
pub(super) static LIBRARY: Library = Library {
    tables: &[ROWS, network::ROWS, methods::METHODS],
    plain_modules: plain::PLAIN_MODULES,
    effective: &[
        "logging.config.",
        "site.add",
        "site.main",
        "site.execsitecustomize",
        "sys.meta_path",
        "sys.path_hooks",
        "gc.",
        "inspect.currentframe",
        "sys._getframe",
    ],
    plain: plain::PLAIN,
    plain_beginnings: &[],
    aliases: &[
        ("posix.", "os."),
        ("nt.", "os."),
        ("posixpath.", "os.path."),
        ("ntpath.", "os.path."),
        ("builtins.", ""),
        ("__builtins__.", ""),
        ("__builtin__.", ""),
        ("os.environ.", "environment."),
        ("io.open", "open"),
        ("codecs.open", "open"),
        ("sys.modules.", ""),
    ],
    constants: &[
        ("os.sep", "/"),
        ("os.path.sep", "/"),
        ("os.curdir", "."),
        ("os.pardir", ".."),
        ("os.devnull", "/dev/null"),
        ("os.linesep", "\n"),
        ("os.name", "posix"),
        ("sys.executable", "python3"),
        ("__name__", "__main__"),
    ],
};

/// Modules that other modules import under their own names, or with a `_` before them: `random._os` is `os`.
const OFTEN_IMPORTED: &[&str] = &["os", "sys", "shutil", "subprocess", "builtins", "posix", "importlib"];

/// Returns the name of an item without the module that imports it: `os.system` for `random._os.system`. `None` if the
/// name contains no such module.
pub(super) fn imported_module(name: &str) -> Option<String> {
    let parts: Vec<&str> = name.split('.').collect();
    let is_imported = |part: &&str| OFTEN_IMPORTED.contains(&part.trim_start_matches('_'));
    let index = parts.iter().skip(1).rposition(is_imported)? + 1;
    let (module, rest) = parts.get(index..)?.split_first()?;
    Some(std::iter::once(module.trim_start_matches('_')).chain(rest.iter().copied()).collect::<Vec<_>>().join("."))
}

const FIRST: ArgumentRef = argument(0, "path");
const REMOVE: &[CallEffect] = &[LikeCommand(&[Literal("rm"), Literal("-f"), Literal("--"), Argument(FIRST)])];
const REMOVE_ALL: &[CallEffect] = &[LikeCommand(&[Literal("rm"), Literal("-rf"), Literal("--"), Argument(FIRST)])];
const TOUCH: &[CallEffect] = &[LikeCommand(&[Literal("touch"), Literal("--"), Argument(FIRST)])];
const READ: &[CallEffect] = &[LikeCommand(&[Literal("cat"), Literal("--"), Argument(FIRST)])];
const READ_OR_FETCH: &[CallEffect] =
    &[network::FILE_OR_URL, LikeCommand(&[Literal("cat"), Literal("--"), Argument(FIRST)])];
const READ_ALL: &[CallEffect] = &[LikeCommand(&[Literal("ls"), Literal("-R"), Literal("--"), Argument(FIRST)])];
const FETCH: &[CallEffect] = &[Fetch(argument(0, "url"))];
const FETCH_SECOND: &[CallEffect] = &[Fetch(argument(1, "url"))];
const RUN: &[CallEffect] = &[Run(argument(0, "args"))];
const SHELL: &[CallEffect] = &[Shell(argument(0, "command"))];
const RENAME: &[CallEffect] = &[LikeCommand(&[
    Literal("mv"),
    Literal("-T"),
    Literal("--"),
    Argument(argument(0, "src")),
    Argument(argument(1, "dst")),
])];
const COPY: &[CallEffect] =
    &[LikeCommand(&[Literal("cp"), Literal("--"), Argument(argument(0, "src")), Argument(argument(1, "dst"))])];

/// The rows of functions and classes, except for those of `network`.
static ROWS: &[LibraryRow] = &[
    row(
        &["open", "os.fdopen", "io.FileIO"],
        &[Open(argument(0, "file"), argument(1, "mode"))],
        Stream(File(argument(0, "file"))),
    ),
    row(
        &[
            "logging.FileHandler",
            "logging.handlers.WatchedFileHandler",
            "logging.handlers.RotatingFileHandler",
            "logging.handlers.TimedRotatingFileHandler",
        ],
        &[LikeCommand(&[Literal("tee"), Literal("--"), Argument(argument(0, "filename"))])],
        Data,
    ),
    row(
        &["logging.basicConfig"],
        &[LikeCommand(&[Literal("tee"), Literal("--"), Argument(argument(9, "filename"))])],
        Nothing,
    ),
    row(&["os.open"], &[Open(argument(0, "path"), argument(1, "flags"))], Stream(File(argument(0, "path")))),
    row(&["os.write"], &[Append(argument(0, "fd"), argument(1, "data"))], Data),
    row(&["os.read"], &[], Data),
    row(
        &["gzip.open", "bz2.open", "lzma.open", "gzip.GzipFile", "bz2.BZ2File", "lzma.LZMAFile"],
        &[Open(argument(0, "filename"), argument(1, "mode"))],
        Stream(File(argument(0, "filename"))),
    ),
    row(
        &["zipfile.ZipFile", "zipfile.PyZipFile", "tarfile.open", "tarfile.TarFile"],
        &[Open(argument(0, "file"), argument(1, "mode"))],
        Archive,
    ),
    row(&["os.remove", "os.unlink", "send2trash.send2trash", "os.removedirs"], REMOVE, Nothing),
    row(&["os.rmdir"], &[LikeCommand(&[Literal("rmdir"), Literal("--"), Argument(FIRST)])], Nothing),
    row(&["shutil.rmtree"], REMOVE_ALL, Nothing),
    row(&["os.rename", "os.renames", "os.replace"], RENAME, Nothing),
    row(
        &["shutil.move"],
        &[LikeCommand(&[Literal("mv"), Literal("--"), Argument(argument(0, "src")), Argument(argument(1, "dst"))])],
        AsText(argument(1, "dst")),
    ),
    row(
        &["shutil.copy", "shutil.copy2", "shutil.copyfile", "shutil.copymode", "shutil.copystat"],
        COPY,
        AsText(argument(1, "dst")),
    ),
    row(
        &["shutil.copytree"],
        &[LikeCommand(&[
            Literal("cp"),
            Literal("-rT"),
            Literal("--"),
            Argument(argument(0, "src")),
            Argument(argument(1, "dst")),
        ])],
        AsText(argument(1, "dst")),
    ),
    row(
        &["shutil.make_archive"],
        &[
            LikeCommand(&[
                Literal("grep"),
                Literal("-r"),
                Literal("-e"),
                Literal(""),
                Literal("--"),
                Argument(argument(2, "root_dir")),
            ]),
            LikeCommand(&[Literal("touch"), Literal("--"), Argument(argument(0, "base_name"))]),
        ],
        Data,
    ),
    row(
        &["shutil.unpack_archive"],
        &[LikeCommand(&[
            Literal("tar"),
            Literal("-x"),
            Literal("-f"),
            Argument(argument(0, "filename")),
            Literal("-C"),
            Argument(argument(1, "extract_dir")),
        ])],
        Nothing,
    ),
    row(
        &["os.mkdir", "os.makedirs"],
        &[LikeCommand(&[Literal("mkdir"), Literal("-p"), Literal("--"), Argument(argument(0, "name"))])],
        Nothing,
    ),
    row(
        &[
            "os.chmod",
            "os.lchmod",
            "os.chown",
            "os.lchown",
            "os.utime",
            "os.truncate",
            "os.mkfifo",
            "os.mknod",
            "os.setxattr",
            "shutil.chown",
        ],
        TOUCH,
        Nothing,
    ),
    row(
        &["os.link"],
        &[LikeCommand(&[Literal("ln"), Literal("--"), Argument(argument(0, "src")), Argument(argument(1, "dst"))])],
        Nothing,
    ),
    row(
        &["os.symlink"],
        &[LikeCommand(&[
            Literal("ln"),
            Literal("-s"),
            Literal("--"),
            Argument(argument(0, "src")),
            Argument(argument(1, "dst")),
        ])],
        Nothing,
    ),
    row(&["os.listdir"], &[LikeCommand(&[Literal("ls"), Literal("--"), Argument(FIRST)])], Found(Names)),
    row(&["os.scandir"], &[LikeCommand(&[Literal("ls"), Literal("--"), Argument(FIRST)])], Found(Below(FIRST))),
    row(&["os.walk", "os.fwalk"], READ_ALL, Found(Walk(argument(0, "top")))),
    row(&["textwrap.dedent"], &[], ArgumentText(Dedented(argument(0, "text")))),
    row(&["glob.glob", "glob.iglob"], &[], Found(Glob(argument(0, "pathname")))),
    row(&["os.chdir", "os.fchdir"], &[ChangeDirectory(FIRST)], Nothing),
    row(&["os.getcwd", "os.getcwdb"], &[], PathObject(Directory)),
    row(&["os.path.join"], &[], PathObject(Joined)),
    row(&["os.path.expanduser"], &[], PathObject(Expanded(FIRST))),
    row(&["os.path.expandvars"], &[], Data),
    row(&["os.path.abspath", "os.path.realpath"], &[], PathObject(Absolute(FIRST))),
    row(&["os.path.normpath", "os.path.normcase", "os.fspath", "os.fsencode", "os.fsdecode"], &[], AsText(FIRST)),
    row(&["os.path.dirname"], &[], PathObject(Parent(FIRST))),
    row(&["os.path.basename"], &[], PathObject(Last(FIRST))),
    row(
        &["pathlib.Path", "pathlib.PosixPath", "pathlib.PurePath", "pathlib.PurePosixPath", "pathlib.WindowsPath"],
        &[],
        PathObject(New),
    ),
    row(&["pathlib.Path.home"], &[], PathObject(HomePath)),
    row(&["pathlib.Path.cwd"], &[], PathObject(DirectoryPath)),
    row(&["os.getenv"], &[], EnvironmentVariable(argument(0, "key"), argument(1, "default"))),
    row(
        &["environment.get", "environment.pop", "environment.setdefault", "os.environb.get"],
        &[],
        EnvironmentVariable(argument(0, "key"), argument(1, "default")),
    ),
    row(&["os.putenv"], &[SetVariable(argument(0, "name"), argument(1, "value"))], Nothing),
    row(&["environment.update", "environment.copy"], &[], Data),
    row(
        &[
            "os.system",
            "os.popen",
            "os.popen2",
            "os.popen3",
            "commands.getoutput",
            "commands.getstatusoutput",
            "subprocess.getoutput",
            "subprocess.getstatusoutput",
            "asyncio.create_subprocess_shell",
            "pty.os.system",
        ],
        SHELL,
        Data,
    ),
    row(
        &[
            "subprocess.run",
            "subprocess.call",
            "subprocess.check_call",
            "subprocess.check_output",
            "subprocess.Popen",
            "pty.spawn",
        ],
        RUN,
        Data,
    ),
    row(&["asyncio.create_subprocess_exec", "plumbum.local"], &[ReplaceProcess(argument(0, "program"), 1)], Data),
    row(
        &["os.execl", "os.execlp", "os.execle", "os.execlpe", "os.execv", "os.execvp", "os.execve", "os.execvpe"],
        &[ReplaceProcess(argument(0, "file"), 2)],
        Nothing,
    ),
    row(
        &[
            "os.spawnl",
            "os.spawnlp",
            "os.spawnle",
            "os.spawnlpe",
            "os.spawnv",
            "os.spawnvp",
            "os.spawnve",
            "os.spawnvpe",
        ],
        &[ReplaceProcess(argument(1, "file"), 3)],
        Data,
    ),
    row(&["os.posix_spawn", "os.posix_spawnp"], &[ReplaceProcess(argument(0, "path"), 2)], Data),
    row(&["os.startfile", "webbrowser.open"], &[], Nothing),
    row(&["exec", "eval", "execfile"], &[Evaluate(argument(0, "source"))], ReturnValue::Code(Anything)),
    row(&["compile"], &[], AsText(argument(0, "source"))),
    row(
        &[
            "code.interact",
            "code.InteractiveConsole",
            "code.InteractiveInterpreter",
            "timeit.timeit",
            "timeit.repeat",
            "cProfile.run",
            "profile.run",
            "trace.Trace",
            "doctest.testmod",
            "unittest.main",
            "ctypes.CDLL",
            "ctypes.cdll.LoadLibrary",
            "ctypes.PyDLL",
        ],
        &[RunUnseen],
        Data,
    ),
    row(&["runpy.run_path"], &[CallEffect::Fork(argument(0, "path_name"))], Data),
    row(&["operator.methodcaller", "operator.attrgetter"], &[], ReturnValue::Code(Anything)),
    row(&["contextlib.chdir"], &[ChangeDirectory(FIRST)], Nothing),
    row(
        &["fileinput.input", "fileinput.FileInput"],
        &[Open(argument(0, "files"), argument(1, "inplace"))],
        Stream(Lines),
    ),
    row(&["runpy.run_module"], &[RunUnseen], Data),
    row(
        &["__import__", "importlib.import_module", "importlib.__import__"],
        &[],
        ReturnValue::Code(Module(argument(0, "name"))),
    ),
    row(&["getattr"], &[], ReturnValue::Code(MemberOf(argument(0, "object"), argument(1, "name")))),
    row(&["globals", "locals", "vars"], &[], ReturnValue::Code(Anything)),
    row(
        &[
            "pickle.load",
            "pickle.loads",
            "cPickle.loads",
            "marshal.loads",
            "dill.loads",
            "yaml.unsafe_load",
            "joblib.load",
            "cloudpickle.loads",
        ],
        &[RunUnseen],
        ReturnValue::Code(Anything),
    ),
    row(&["sys.stdin.read", "sys.stdin.readlines", "sys.stdin.buffer.read"], &[], Stream(Input)),
    row(&["input", "raw_input", "sys.stdin.readline"], &[], Stream(Line)),
    row(
        &[
            "tempfile.mkdtemp",
            "tempfile.mkstemp",
            "tempfile.mktemp",
            "tempfile.gettempdir",
            "tempfile.TemporaryDirectory",
        ],
        &[],
        PathObject(Temporary),
    ),
    row(
        &["tempfile.NamedTemporaryFile", "tempfile.TemporaryFile", "tempfile.SpooledTemporaryFile"],
        &[],
        PathObject(TemporaryFile),
    ),
    row(
        &["json.load", "toml.load", "tomllib.load", "yaml.safe_load", "csv.reader", "csv.DictReader"],
        &[],
        AsText(argument(0, "fp")),
    ),
    row(
        &[
            "base64.b64decode",
            "base64.standard_b64decode",
            "base64.urlsafe_b64decode",
            "base64.decodebytes",
            "binascii.a2b_base64",
        ],
        &[],
        Decoded(Base64(argument(0, "s"))),
    ),
    row(
        &["bytes.fromhex", "bytearray.fromhex", "binascii.unhexlify", "binascii.a2b_hex"],
        &[],
        Decoded(Hex(argument(0, "s"))),
    ),
    row(&["str", "bytes", "bytearray", "io.StringIO", "io.BytesIO", "repr.str"], &[], AsText(argument(0, "object"))),
    row(&["urllib.parse.unquote"], &[], Decoded(Percent(argument(0, "string")))),
    row(
        &["list", "tuple", "set", "frozenset", "sorted", "reversed", "iter", "itertools.chain"],
        &[],
        ArgumentList(Listed(argument(0, "iterable"))),
    ),
    row(&["map"], &[], ArgumentList(Mapped(argument(0, "func"), argument(1, "iterable")))),
    row(&["filter"], &[], ArgumentList(Filtered(argument(0, "func"), argument(1, "iterable")))),
    row(&["functools.partial"], &[], ReturnValue::Code(Partial)),
    row(&["range"], &[], ArgumentList(Range)),
    row(&["shlex.split"], &[], ArgumentText(ShellWords(argument(0, "s")))),
    row(&["shlex.quote", "pipes.quote"], &[], Data),
    row(&["os.getlogin"], &[], Data),
    row(&["super"], &[], ReturnValue::Code(Receiver)),
    row(
        &["sqlite3.connect", "shelve.open", "dbm.open"],
        &[
            LikeCommand(&[Literal("tee"), Literal("--"), Argument(argument(0, "database"))]),
            LikeCommand(&[Literal("cat"), Literal("--"), Argument(argument(0, "database"))]),
        ],
        Data,
    ),
    row(
        &[
            "pandas.read_csv",
            "pandas.read_json",
            "pandas.read_excel",
            "pandas.read_html",
            "pandas.read_parquet",
            "pandas.read_table",
            "pandas.read_pickle",
            "polars.read_csv",
            "polars.read_parquet",
        ],
        READ_OR_FETCH,
        Object,
    ),
    row(
        &[
            "numpy.load",
            "numpy.loadtxt",
            "PIL.Image.open",
            "linecache.getlines",
            "tokenize.open",
            "dotenv.load_dotenv",
            "dotenv.dotenv_values",
            "mmap.mmap",
            "xml.etree.ElementTree.parse",
            "filecmp.cmp",
        ],
        READ,
        Object,
    ),
    row(
        &[
            "os.path.exists",
            "os.path.isfile",
            "os.path.isdir",
            "os.path.getsize",
            "os.path.getmtime",
            "os.stat",
            "os.lstat",
            "os.access",
            "os.readlink",
            "os.path.islink",
            "os.path.lexists",
            "os.path.samefile",
        ],
        &[],
        Data,
    ),
];
