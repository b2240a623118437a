//! Functions of Python libraries that use the network.

use super::{FETCH, FETCH_SECOND, row};
use crate::code::library::{ArgumentRef, CallEffect, LibraryRow, ReturnValue, argument};
use CallEffect::{Connect, Download, FetchUrl};
use ReturnValue::{AsText, NetworkData};

const HOST: ArgumentRef = argument(0, "host");
const PORT: ArgumentRef = argument(1, "port");
const CONNECT: &[CallEffect] = &[Connect(HOST, PORT)];
const CONNECT_NAMED: &[CallEffect] = &[Connect(argument(9, "host"), argument(9, "port"))];

/// The rows of functions and classes that use the network.
pub(in super::super::super) static ROWS: &[LibraryRow] = &[
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
        NetworkData,
    ),
    row(&["requests.request", "httpx.request"], FETCH_SECOND, NetworkData),
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
        NetworkData,
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
        NetworkData,
    ),
    // The first argument of these functions may be a connection string that contains the host, and is not the host.
    row(&["psycopg2.connect", "psycopg.connect", "mysql.connector.connect"], CONNECT_NAMED, NetworkData),
    row(
        &["urllib.request.urlretrieve", "wget.download", "urllib.urlretrieve"],
        &[Download(argument(0, "url"), argument(1, "filename"))],
        AsText(argument(1, "filename")),
    ),
];

/// The request of the first argument, if it is a URL and not a file.
pub(super) const FILE_OR_URL: CallEffect = FetchUrl(argument(0, "path"));
