//! A server on this machine that accepts every connection, records what it receives and answers like a web server.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream, UdpSocket};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The time after which a silent client is answered.
const SILENCE: Duration = Duration::from_millis(40);

/// The time limit for the last connections of a text.
const PATIENCE: Duration = Duration::from_secs(2);

/// The number of attempts to find a port that is free for both protocols.
const TRIES: usize = 16;

/// The answer to every client: a script that calls a fake.
const ANSWER: &[u8] =
    b"HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\nConnection: close\r\n\r\nmark\n";

/// A message of the server to itself: when it arrives, everything queued before it was received.
const LAST: &[u8] = b"\0last\0";

/// Everything received since the last look.
#[derive(Default)]
pub(super) struct Came {
    /// The number of connections.
    pub(super) connections: usize,
    /// The number of connections that have not ended.
    open: usize,
    /// Whether [`LAST`] arrived.
    is_last: bool,
    /// The bytes received over all of them.
    pub(super) bytes: Vec<u8>,
}

/// The server.
pub(super) struct Listener {
    pub(super) port: u16,
    came: Arc<Mutex<Came>>,
}

impl Listener {
    /// Listens on a port of the loopback interface only, for both protocols.
    pub(super) fn new() -> io::Result<Self> {
        let (tcp, udp) = both()?;
        let port = tcp.local_addr()?.port();
        let came = Arc::new(Mutex::new(Came::default()));
        let noted = Arc::clone(&came);
        std::thread::spawn(move || {
            for client in tcp.incoming().flatten() {
                let mut now = lock(&noted);
                now.connections += 1;
                now.open += 1;
                let noted = Arc::clone(&noted);
                std::thread::spawn(move || {
                    // Errors of a connection are the client's problem.
                    let _ = serve(client, &noted);
                    lock(&noted).open -= 1;
                });
            }
        });
        let noted = Arc::clone(&came);
        std::thread::spawn(move || {
            let mut buffer = [0; 65536];
            while let Ok((length, from)) = udp.recv_from(&mut buffer) {
                let mut now = lock(&noted);
                now.connections += 1;
                now.bytes.extend(buffer.iter().take(length));
                drop(now);
                let _ = udp.send_to(b"mark\n", from);
            }
        });
        Ok(Self { port, came })
    }

    /// Returns everything received, and starts anew.
    pub(super) fn take(&self) -> Came {
        let start = Instant::now();
        let said = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).and_then(|mut own| own.write_all(LAST));
        let is_over = |came: &Came| came.open == 0 && (came.is_last || said.is_err());
        while !is_over(&lock(&self.came)) && start.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::mem::take(&mut lock(&self.came))
    }
}

fn lock(came: &Mutex<Came>) -> MutexGuard<'_, Came> {
    came.lock().unwrap_or_else(PoisonError::into_inner)
}

fn both() -> io::Result<(TcpListener, UdpSocket)> {
    let mut last = io::Error::other("no port is free");
    for _ in 0..TRIES {
        let tcp = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        match UdpSocket::bind(tcp.local_addr()?) {
            Ok(udp) => return Ok((tcp, udp)),
            Err(error) => last = error,
        }
    }
    Err(last)
}

fn serve(mut client: TcpStream, came: &Mutex<Came>) -> io::Result<()> {
    client.set_read_timeout(Some(SILENCE))?;
    let mut buffer = [0; 4096];
    let mut is_answered = false;
    loop {
        match client.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(length) if buffer.starts_with(LAST) && length == LAST.len() => {
                let mut now = lock(came);
                now.connections -= 1;
                now.is_last = true;
                return Ok(());
            }
            Ok(length) => {
                let mut now = lock(came);
                now.bytes.extend(buffer.iter().take(length));
                let waits = now.bytes.windows(22).any(|part| part.eq_ignore_ascii_case(b"expect: 100-continue\r\n"));
                drop(now);
                if waits && !is_answered {
                    client.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
                }
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                if is_answered {
                    return Ok(());
                }
                is_answered = true;
                client.write_all(ANSWER)?;
                client.shutdown(std::net::Shutdown::Write)?;
                // Bytes that arrive after the answer count too: a program may only start after its connection.
                client.set_read_timeout(Some(PATIENCE))?;
            }
            Err(error) => return Err(error),
        }
    }
}
