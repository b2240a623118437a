//! The window of the host: a terminal, and a person in front of it.

use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use pty_process::Size;
use pty_process::blocking::{Command, Pty};

use crate::case::{Case, Step};
use crate::scratch::Scratch;

/// Wide, so that no text that a case looks for is wrapped.
const ROWS: u16 = 50;
const COLUMNS: u16 = 200;

/// How long a person waits before typing again.
const AGAIN: Duration = Duration::from_secs(5);

/// How long a person waits for something on the screen.
const PATIENCE: Duration = Duration::from_secs(40);

/// Plays the steps of a case. The error names the missing text and shows the screen.
pub(crate) fn play(
    environment: Vec<(&'static str, String)>,
    host: &Path,
    case: &Case,
    scratch: &Scratch,
) -> io::Result<Result<(), String>> {
    let (pty, child) = pty_process::blocking::open().map_err(io::Error::other)?;
    pty.resize(Size::new(ROWS, COLUMNS)).map_err(io::Error::other)?;
    let mut command =
        Command::new(host).env_clear().envs(environment).current_dir(scratch.project().join(case.directory));
    // The default mode of the host asks a model about each call.
    command = command.args(["--permission-mode", "default"]);
    if !case.allowed.is_empty() {
        command = command.args(["--allowedTools", case.allowed]);
    }
    let mut process = command.spawn(child).map_err(io::Error::other)?;
    let window = Window::open(pty);
    let played = case.steps.iter().try_for_each(|step| window.take(*step));
    process.kill()?;
    process.wait()?;
    Ok(played)
}

struct Window {
    pty: Arc<Pty>,
    parser: Arc<Mutex<vt100::Parser>>,
}

impl Window {
    fn open(pty: Pty) -> Self {
        let pty = Arc::new(pty);
        let parser = Arc::new(Mutex::new(vt100::Parser::new(ROWS, COLUMNS, 0)));
        let (reads, shown) = (Arc::clone(&pty), Arc::clone(&parser));
        thread::spawn(move || {
            let mut bytes = [0; 8192];
            // When the host ends, reading from its terminal fails.
            while let Ok(count @ 1..) = (&*reads).read(&mut bytes) {
                if let Ok(mut parser) = shown.lock() {
                    parser.process(bytes.get(..count).unwrap_or_default());
                }
            }
        });
        Self { pty, parser }
    }

    fn contents(&self) -> String {
        self.parser.lock().map(|parser| parser.screen().contents()).unwrap_or_default()
    }

    fn take(&self, step: Step) -> Result<(), String> {
        match step {
            Step::Sees(text) => self.sees(text, PATIENCE),
            Step::TypesUntil(keys, text) => {
                let start = Instant::now();
                loop {
                    self.types(keys)?;
                    let seen = self.sees(text, AGAIN);
                    if seen.is_ok() || start.elapsed() > PATIENCE {
                        return seen;
                    }
                }
            }
        }
    }

    fn types(&self, text: &str) -> Result<(), String> {
        (&*self.pty).write_all(text.as_bytes()).map_err(|error| error.to_string())
    }

    fn sees(&self, text: &str, patience: Duration) -> Result<(), String> {
        let start = Instant::now();
        while !self.contents().contains(text) {
            if start.elapsed() > patience {
                return Err(format!("not on the screen: {text:?}. It shows:\n{}", self.contents()));
            }
            thread::sleep(Duration::from_millis(30));
        }
        Ok(())
    }
}
