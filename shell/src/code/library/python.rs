//! Python's standard library, and other packages that are often used for files, commands and the network.

mod methods;
mod network;
mod plain;

use super::returned::DecodedText::{Base64, Hex, Percent};
use super::returned::FoundFiles::{Below, Glob, Names, Walk};
use super::returned::ReturnedCode::{Anything, MemberOf, Module, Partial, Receiver};
use super::returned::ReturnedList::{Filtered, Listed, Mapped, Range};
use super::returned::ReturnedPath::{
    Absolute, Directory, DirectoryPath, Expanded, HomePath, Joined, Last, New, Parent, Temporary,
};
use super::returned::ReturnedStream::{File, Input, Line, Lines};
use super::returned::ReturnedText::ShellWords;
use super::{At, Does, Gives, Library, Part, Row, a};
use Does::{Append, As, Become, ChangeDirectory, Code, Fetch, Open, Run, SetVariable, Shell, Unseen};
use Gives::{Archive, AsText, Data, Decoded, Found, List, Nothing, Object, Path, Stream, Text, Variable};
use Part::{Is, Of};

pub(super) static LIBRARY: Library = Library {
    tables: &[ROWS, network::ROWS, methods::METHODS],
    plain_modules: plain::PLAIN_MODULES,
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

const fn row(names: &'static [&'static str], does: &'static [Does], gives: Gives) -> Row {
    Row { names, does, gives }
}

const FIRST: At = a(0, "path");
const REMOVE: &[Does] = &[As(&[Is("rm"), Is("-f"), Is("--"), Of(FIRST)])];
const REMOVE_ALL: &[Does] = &[As(&[Is("rm"), Is("-rf"), Is("--"), Of(FIRST)])];
const TOUCH: &[Does] = &[As(&[Is("touch"), Is("--"), Of(FIRST)])];
const READ: &[Does] = &[As(&[Is("cat"), Is("--"), Of(FIRST)])];
const READ_OR_FETCH: &[Does] = &[network::FILE_OR_URL, As(&[Is("cat"), Is("--"), Of(FIRST)])];
const READ_ALL: &[Does] = &[As(&[Is("ls"), Is("-R"), Is("--"), Of(FIRST)])];
const FETCH: &[Does] = &[Fetch(a(0, "url"))];
const FETCH_SECOND: &[Does] = &[Fetch(a(1, "url"))];
const RUN: &[Does] = &[Run(a(0, "args"))];
const SHELL: &[Does] = &[Shell(a(0, "command"))];
const RENAME: &[Does] = &[As(&[Is("mv"), Is("-T"), Is("--"), Of(a(0, "src")), Of(a(1, "dst"))])];
const COPY: &[Does] = &[As(&[Is("cp"), Is("--"), Of(a(0, "src")), Of(a(1, "dst"))])];

static ROWS: &[Row] = &[
    row(&["open", "os.fdopen", "io.FileIO"], &[Open(a(0, "file"), a(1, "mode"))], Stream(File(a(0, "file")))),
    row(&["os.open"], &[Open(a(0, "path"), a(1, "flags"))], Stream(File(a(0, "path")))),
    row(&["os.write"], &[Append(a(0, "fd"), a(1, "data"))], Data),
    row(&["os.read"], &[], Data),
    row(
        &["gzip.open", "bz2.open", "lzma.open"],
        &[Open(a(0, "filename"), a(1, "mode"))],
        Stream(File(a(0, "filename"))),
    ),
    row(
        &["zipfile.ZipFile", "zipfile.PyZipFile", "tarfile.open", "tarfile.TarFile"],
        &[Open(a(0, "file"), a(1, "mode"))],
        Archive,
    ),
    row(&["os.remove", "os.unlink", "send2trash.send2trash", "os.removedirs"], REMOVE, Nothing),
    row(&["os.rmdir"], &[As(&[Is("rmdir"), Is("--"), Of(FIRST)])], Nothing),
    row(&["shutil.rmtree"], REMOVE_ALL, Nothing),
    row(&["os.rename", "os.renames", "os.replace"], RENAME, Nothing),
    row(&["shutil.move"], &[As(&[Is("mv"), Is("--"), Of(a(0, "src")), Of(a(1, "dst"))])], AsText(a(1, "dst"))),
    row(
        &["shutil.copy", "shutil.copy2", "shutil.copyfile", "shutil.copymode", "shutil.copystat"],
        COPY,
        AsText(a(1, "dst")),
    ),
    row(
        &["shutil.copytree"],
        &[As(&[Is("cp"), Is("-rT"), Is("--"), Of(a(0, "src")), Of(a(1, "dst"))])],
        AsText(a(1, "dst")),
    ),
    row(
        &["shutil.make_archive"],
        &[
            As(&[Is("grep"), Is("-r"), Is("-e"), Is(""), Is("--"), Of(a(2, "root_dir"))]),
            As(&[Is("touch"), Is("--"), Of(a(0, "base_name"))]),
        ],
        Data,
    ),
    row(
        &["shutil.unpack_archive"],
        &[As(&[Is("tar"), Is("-x"), Is("-f"), Of(a(0, "filename")), Is("-C"), Of(a(1, "extract_dir"))])],
        Nothing,
    ),
    row(&["os.mkdir", "os.makedirs"], &[As(&[Is("mkdir"), Is("-p"), Is("--"), Of(a(0, "name"))])], Nothing),
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
    row(&["os.link"], &[As(&[Is("ln"), Is("--"), Of(a(0, "src")), Of(a(1, "dst"))])], Nothing),
    row(&["os.symlink"], &[As(&[Is("ln"), Is("-s"), Is("--"), Of(a(0, "src")), Of(a(1, "dst"))])], Nothing),
    row(&["os.listdir"], &[As(&[Is("ls"), Is("--"), Of(FIRST)])], Found(Names)),
    row(&["os.scandir"], &[As(&[Is("ls"), Is("--"), Of(FIRST)])], Found(Below(FIRST))),
    row(&["os.walk", "os.fwalk"], READ_ALL, Found(Walk(a(0, "top")))),
    row(&["glob.glob", "glob.iglob"], &[], Found(Glob(a(0, "pathname")))),
    row(&["os.chdir", "os.fchdir"], &[ChangeDirectory(FIRST)], Nothing),
    row(&["os.getcwd", "os.getcwdb"], &[], Path(Directory)),
    row(&["os.path.join"], &[], Path(Joined)),
    row(&["os.path.expanduser"], &[], Path(Expanded(FIRST))),
    row(&["os.path.expandvars"], &[], Data),
    row(&["os.path.abspath", "os.path.realpath"], &[], Path(Absolute(FIRST))),
    row(&["os.path.normpath", "os.path.normcase", "os.fspath", "os.fsencode", "os.fsdecode"], &[], AsText(FIRST)),
    row(&["os.path.dirname"], &[], Path(Parent(FIRST))),
    row(&["os.path.basename"], &[], Path(Last(FIRST))),
    row(
        &["pathlib.Path", "pathlib.PosixPath", "pathlib.PurePath", "pathlib.PurePosixPath", "pathlib.WindowsPath"],
        &[],
        Path(New),
    ),
    row(&["pathlib.Path.home"], &[], Path(HomePath)),
    row(&["pathlib.Path.cwd"], &[], Path(DirectoryPath)),
    row(&["os.getenv"], &[], Variable(a(0, "key"), a(1, "default"))),
    row(
        &["environment.get", "environment.pop", "environment.setdefault", "os.environb.get"],
        &[],
        Variable(a(0, "key"), a(1, "default")),
    ),
    row(&["os.putenv"], &[SetVariable(a(0, "name"), a(1, "value"))], Nothing),
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
    row(&["asyncio.create_subprocess_exec", "plumbum.local"], &[Become(a(0, "program"), 1)], Data),
    row(
        &["os.execl", "os.execlp", "os.execle", "os.execlpe", "os.execv", "os.execvp", "os.execve", "os.execvpe"],
        &[Become(a(0, "file"), 2)],
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
        &[Become(a(1, "file"), 3)],
        Data,
    ),
    row(&["os.posix_spawn", "os.posix_spawnp"], &[Become(a(0, "path"), 2)], Data),
    row(&["os.startfile", "webbrowser.open"], &[], Nothing),
    row(&["exec", "eval", "execfile"], &[Code(a(0, "source"))], Gives::Code(Anything)),
    row(&["compile"], &[], AsText(a(0, "source"))),
    row(
        &[
            "code.interact",
            "code.InteractiveConsole",
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
        &[Unseen],
        Data,
    ),
    row(&["runpy.run_path"], &[Does::Fork(a(0, "path_name"))], Data),
    row(&["operator.methodcaller", "operator.attrgetter"], &[], Gives::Code(Anything)),
    row(&["contextlib.chdir"], &[ChangeDirectory(FIRST)], Nothing),
    row(&["fileinput.input", "fileinput.FileInput"], &[Open(a(0, "files"), a(1, "inplace"))], Stream(Lines)),
    row(&["runpy.run_module"], &[Unseen], Data),
    row(&["__import__", "importlib.import_module", "importlib.__import__"], &[], Gives::Code(Module(a(0, "name")))),
    row(&["getattr"], &[], Gives::Code(MemberOf(a(0, "object"), a(1, "name")))),
    row(&["globals", "locals", "vars"], &[], Gives::Code(Anything)),
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
        &[Unseen],
        Gives::Code(Anything),
    ),
    row(&["sys.stdin.read", "sys.stdin.readlines", "sys.stdin.buffer.read"], &[], Stream(Input)),
    row(&["input", "raw_input", "sys.stdin.readline"], &[], Stream(Line)),
    row(
        &[
            "tempfile.mkdtemp",
            "tempfile.mkstemp",
            "tempfile.mktemp",
            "tempfile.gettempdir",
            "tempfile.NamedTemporaryFile",
            "tempfile.TemporaryFile",
            "tempfile.TemporaryDirectory",
            "tempfile.SpooledTemporaryFile",
        ],
        &[],
        Path(Temporary),
    ),
    row(
        &["json.load", "toml.load", "tomllib.load", "yaml.safe_load", "csv.reader", "csv.DictReader"],
        &[],
        AsText(a(0, "fp")),
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
        Decoded(Base64(a(0, "s"))),
    ),
    row(
        &["bytes.fromhex", "bytearray.fromhex", "binascii.unhexlify", "binascii.a2b_hex"],
        &[],
        Decoded(Hex(a(0, "s"))),
    ),
    row(
        &["str", "bytes", "bytearray", "io.StringIO", "io.BytesIO", "textwrap.dedent", "repr.str"],
        &[],
        AsText(a(0, "object")),
    ),
    row(&["urllib.parse.unquote"], &[], Decoded(Percent(a(0, "string")))),
    row(
        &["list", "tuple", "set", "frozenset", "sorted", "reversed", "iter", "itertools.chain"],
        &[],
        List(Listed(a(0, "iterable"))),
    ),
    row(&["map"], &[], List(Mapped(a(0, "func"), a(1, "iterable")))),
    row(&["filter"], &[], List(Filtered(a(0, "func"), a(1, "iterable")))),
    row(&["functools.partial"], &[], Gives::Code(Partial)),
    row(&["range"], &[], List(Range)),
    row(&["shlex.split"], &[], Text(ShellWords(a(0, "s")))),
    row(&["shlex.quote", "pipes.quote"], &[], Data),
    row(&["os.getlogin"], &[], Data),
    row(&["super"], &[], Gives::Code(Receiver)),
    row(
        &["sqlite3.connect", "shelve.open", "dbm.open"],
        &[As(&[Is("tee"), Is("--"), Of(a(0, "database"))]), As(&[Is("cat"), Is("--"), Of(a(0, "database"))])],
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
