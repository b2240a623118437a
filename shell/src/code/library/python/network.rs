//! Functions of Python libraries that use the network.

use super::{FETCH, FETCH_SECOND, row};
use crate::code::library::{At, Does, Gives, Row, a};
use Does::{Connect, Download, FetchUrl};
use Gives::{AsText, Network};

const HOST: At = a(0, "host");
const PORT: At = a(1, "port");
const CONNECT: &[Does] = &[Connect(HOST, PORT)];
const CONNECT_NAMED: &[Does] = &[Connect(a(9, "host"), a(9, "port"))];

pub(in super::super::super) static ROWS: &[Row] = &[
    row(
        &[
            "urllib.request.urlopen",
            "urllib2.urlopen",
            "urllib.urlopen",
            "requests.get",
            "requests.head",
            "requests.delete",
            "requests.options",
            "httpx.get",
            "httpx.head",
            "requests.post",
            "requests.put",
            "requests.patch",
            "httpx.post",
            "httpx.put",
            "httpx.stream",
            "urllib.request.Request",
            "websocket.create_connection",
            "websockets.connect",
            "sqlalchemy.create_engine",
            "pymongo.MongoClient",
            "redis.from_url",
            "xmlrpc.client.ServerProxy",
        ],
        FETCH,
        Network,
    ),
    row(&["requests.request", "httpx.request"], FETCH_SECOND, Network),
    row(
        &[
            "requests.Session",
            "requests.session",
            "httpx.Client",
            "httpx.AsyncClient",
            "aiohttp.ClientSession",
            "urllib3.PoolManager",
            "socket.socket",
            "paramiko.SSHClient",
        ],
        &[],
        Network,
    ),
    row(
        &[
            "http.client.HTTPConnection",
            "http.client.HTTPSConnection",
            "httplib.HTTPConnection",
            "httplib.HTTPSConnection",
            "socket.create_connection",
            "asyncio.open_connection",
            "ftplib.FTP",
            "ftplib.FTP_TLS",
            "smtplib.SMTP",
            "smtplib.SMTP_SSL",
            "imaplib.IMAP4",
            "imaplib.IMAP4_SSL",
            "poplib.POP3",
            "poplib.POP3_SSL",
            "telnetlib.Telnet",
            "paramiko.Transport",
            "fabric.Connection",
            "redis.Redis",
            "redis.StrictRedis",
            "pymysql.connect",
            "MySQLdb.connect",
        ],
        CONNECT,
        Network,
    ),
    // Their first argument may be a connection string that contains the host.
    row(&["psycopg2.connect", "psycopg.connect", "mysql.connector.connect"], CONNECT_NAMED, Network),
    row(
        &["urllib.request.urlretrieve", "wget.download", "urllib.urlretrieve"],
        &[Download(a(0, "url"), a(1, "filename"))],
        AsText(a(1, "filename")),
    ),
];

/// A file, or a URL that is fetched.
pub(super) const FILE_OR_URL: Does = FetchUrl(a(0, "path"));
