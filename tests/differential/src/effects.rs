//! Compares the effects of executed texts with what a policy's rules know in advance: which files the texts read, write
//! and delete, what they run, which hosts they connect to and what they send. Effects must not be unknown to a rule,
//! and an effect that a rule is certain of must happen.
//!
//! The texts are in `texts/`, grouped by language. Each is tried in several of the ways in which it can reach its
//! interpreter; a text with a list of values is tried with some of them in place of `§`.

mod listener;
mod room;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use hookrules::{Engine, Facts, HookEvent, MachineFacts, MatchOutcome};
use hookrules_shell::quote;
use room::{FILES, Room, Seen};
use serde_json::json;

use crate::say;

/// The programs that texts may use.
const PROGRAMS: &[&str] = &[
    "bash", "sh", "dash", "zsh", "env", "cat", "rm", "mv", "cp", "ls", "mkdir", "touch", "tee", "sed", "tr", "head",
    "tail", "cut", "sort", "xargs", "find", "grep", "base64", "tar", "gzip", "chmod", "ln", "printf", "echo", "true",
    "false", "sleep", "timeout", "dd", "od", "mktemp", "basename", "dirname", "python3", "node", "perl", "ruby", "php",
    "lua", "awk", "gawk", "mawk", "curl", "wget", "nc", "socat", "openssl", "ssh", "scp", "sftp", "rsync", "telnet",
    "ftp", "install", "make", "sponge", "gunzip", "shuf", "uniq", "split", "xxd", "nohup", "setsid", "nice", "stdbuf",
    "csplit", "truncate",
];

/// A language, and the ways to pass a text to its interpreter: `§` is the text, `¶` the text as one word.
struct Language {
    name: &'static str,
    program: &'static str,
    forms: &'static [&'static str],
}

const LANGUAGES: &[Language] = &[
    Language {
        name: "python",
        program: "python3",
        forms: &[
            "python3 -c ¶",
            "python3 - <<'END'\n§\nEND",
            "cat > task.py <<'END'\n§\nEND\npython3 task.py",
            "printf %s ¶ | python3",
            "python3 <(printf %s ¶)",
            "code=¶; python3 -c \"$code\"",
        ],
    },
    Language {
        name: "javascript",
        program: "node",
        forms: &[
            "node -e ¶",
            "node <<'END'\n§\nEND",
            "cat > task.js <<'END'\n§\nEND\nnode task.js",
            "printf %s ¶ | node -",
            "node -p ¶",
            "node --input-type=commonjs --eval=¶",
        ],
    },
    Language {
        name: "module",
        program: "node",
        forms: &["node --input-type=module -e ¶", "cat > task.mjs <<'END'\n§\nEND\nnode task.mjs"],
    },
    Language {
        name: "perl",
        program: "perl",
        forms: &[
            "perl -e ¶",
            "perl <<'END'\n§\nEND",
            "cat > task.pl <<'END'\n§\nEND\nperl task.pl",
            "printf %s ¶ | perl -w",
            "perl -Mstrict -we ¶",
        ],
    },
    Language {
        name: "ruby",
        program: "ruby",
        forms: &[
            "ruby -e ¶",
            "ruby <<'END'\n§\nEND",
            "cat > task.rb <<'END'\n§\nEND\nruby task.rb",
            "printf %s ¶ | ruby -w",
            "code=¶; ruby -rset -e \"$code\"",
        ],
    },
    Language {
        name: "php",
        program: "php",
        forms: &[
            "php -r ¶",
            "php <<'END'\n<?php\n§\nEND",
            "cat > task.php <<'END'\n<h1></h1>\n<?php\n§ ?>\nEND\nphp task.php",
            "code=¶; php -n -r \"$code\"",
        ],
    },
    Language { name: "lua", program: "lua", forms: &["lua -e ¶", "lua - <<'END'\n§\nEND"] },
    Language {
        name: "awk",
        program: "awk",
        forms: &[
            "awk ¶ notes.txt",
            "cat > task.awk <<'END'\n§\nEND\nawk -f task.awk notes.txt",
            "cat notes.txt | awk ¶",
        ],
    },
    Language {
        name: "awk alone",
        program: "awk",
        forms: &["awk ¶", "cat > task.awk <<'END'\n§\nEND\nawk -f task.awk"],
    },
    Language { name: "shell", program: "bash", forms: &["§", "bash -c ¶", "{ §\n}", "bash <<'END'\n§\nEND"] },
    Language { name: "zsh", program: "zsh", forms: &["zsh -f -c ¶", "zsh -f <<'END'\n§\nEND"] },
    Language { name: SHELLS, program: "dash", forms: &["§", "dash -c ¶", "zsh -f -c ¶"] },
];

/// The language that all shells read: its texts are tried in each of its forms.
const SHELLS: &str = "shells";

/// The files of texts.
const TEXTS: &[&str] = &["code", "values", "network", "scripts", "listed", "opened"];

/// Executes all texts, and returns the number of effects that were unknown, or certain but did not happen.
pub(crate) fn compare() -> io::Result<usize> {
    let all = std::thread::scope(|scope| {
        let running: Vec<_> = TEXTS.iter().map(|name| scope.spawn(move || compare_texts(name))).collect();
        let ended = running.into_iter().map(|one| one.join());
        ended
            .map(|one| one.unwrap_or_else(|_| Err(io::Error::other("a comparison ended in a panic"))))
            .collect::<Vec<_>>()
    });
    all.into_iter().sum()
}

/// Executes the texts of one file; any other argument is a bash text, whose effects and known effects are printed.
pub(crate) fn show(text: &str) -> io::Result<usize> {
    if TEXTS.contains(&text) {
        return compare_texts(text);
    }
    let room = Room::new("shown", PROGRAMS)?;
    let mut judge = Judge::new(room)?;
    let text = text.replace("%PORT", &judge.room.port().to_string());
    judge.room.prepare()?;
    for rule in judge.rules(&text)? {
        say(&format!("known: {rule:?}"));
    }
    say(&format!("{:?}", judge.room.execute(&text)?));
    judge.judge(&text)
}

fn compare_texts(name: &str) -> io::Result<usize> {
    let mut judge = Judge::new(Room::new(name, PROGRAMS)?)?;
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("texts").join(name).with_extension("txt");
    let texts = texts(&fs::read_to_string(file)?)?;
    let mut wrong = 0;
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut missing: BTreeMap<String, usize> = BTreeMap::new();
    for (language, text) in &texts {
        let needs = text.split("#needs ").nth(1).map(str::trim);
        if let Some(program) = [Some(language.program), needs].into_iter().flatten().find(|name| !judge.room.has(name))
        {
            *missing.entry(program.to_owned()).or_default() += 1;
            continue;
        }
        let text = text.split("#needs ").next().unwrap_or_default().trim_end();
        // The forms of a text depend only on the text: those of the others stay the same if one is removed.
        let of_text = text.bytes().map(usize::from).sum();
        let other = language.forms.iter().skip(1).cycle().nth(of_text);
        // A product of values and uses has each of its texts in one form only.
        let forms = language.forms.iter().cycle().skip(if name == "values" { of_text } else { 0 }).take(1);
        let also = other.filter(|_| name != "values").into_iter();
        let all = language.forms.iter().skip(1).filter(|_| language.name == SHELLS);
        let also = also.filter(|_| language.name != SHELLS).chain(all);
        let text = text.replace("%PORT", &judge.room.port().to_string());
        for form in forms.chain(also) {
            let (of, compared) = counts.entry(language.name).or_default();
            *of += usize::from(form == language.forms.first().unwrap_or(form) || name == "values");
            *compared += 1;
            wrong += judge.judge(&form.replace('¶', &quote(&text)).replace('§', &text))?;
        }
    }
    for (program, count) in missing {
        say(&format!("no {program} is here: {count} texts of {name} are not executed"));
    }
    for (language, (of, compared)) in counts {
        say(&format!("executed for their effects: {compared} texts of {name} in {language}, {of} without their forms"));
    }
    say(&format!("{wrong} effects of {name} were not known, or known and none"));
    Ok(wrong)
}

/// Parses the texts of a file, with their languages.
///
/// A line `= LANGUAGE` begins a language, `values:` a list of replacements for `§` in the lines after `uses:`, and `# `
/// a comment.
fn texts(file: &str) -> io::Result<Vec<(&'static Language, String)>> {
    let mut all = Vec::new();
    let mut language = None;
    let mut values: Vec<String> = Vec::new();
    let mut takes_values = false;
    let mut uses = 0;
    for line in file.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")) {
        let line = line.replace('⏎', "\n");
        if let Some(name) = line.strip_prefix("= ") {
            language = LANGUAGES.iter().find(|language| language.name == name);
            values.clear();
            takes_values = false;
            continue;
        }
        match (line.as_str(), language) {
            ("values:", _) => {
                values.clear();
                takes_values = true;
            }
            ("uses:", _) => takes_values = false,
            (_, None) => return Err(io::Error::other(format!("no language: {line}"))),
            (_, Some(_)) if takes_values => values.push(line),
            (_, Some(language)) if values.is_empty() => all.push((language, line)),
            (_, Some(language)) => {
                // The preparation of a value precedes it, separated by `;;`. All combinations would take minutes: each
                // use is tried with every third value.
                uses += 1;
                all.extend(values.iter().skip(uses % 3).step_by(3).map(|value| {
                    let (first, value) = value.split_once(" ;; ").unwrap_or(("", value));
                    let first = if first.is_empty() { String::new() } else { format!("{first}\n") };
                    (language, first + &line.replace('§', value))
                }));
            }
        }
    }
    Ok(all)
}

/// The subject of a rule.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum About {
    File(&'static str, &'static str),
    Call(&'static str),
    Connects,
    Sends,
}

/// The calls that rules test.
const CALLS: &[&str] = &["git push --force", "mark"];

struct Judge {
    room: Room,
    engine: Engine,
    asked: Vec<About>,
    told: BTreeSet<String>,
}

/// The machine, with a separate home for the texts.
struct Around {
    machine: MachineFacts,
    home: PathBuf,
}

impl Facts for Around {
    fn base(&self) -> Option<&dyn Facts> {
        Some(&self.machine)
    }

    fn home(&self) -> Option<PathBuf> {
        Some(self.home.clone())
    }
}

impl Judge {
    fn new(room: Room) -> io::Result<Self> {
        let verbs = ["reads", "writes", "deletes"];
        let mut asked: Vec<About> =
            FILES.iter().flat_map(|(name, _)| verbs.map(|verb| About::File(verb, name))).collect();
        asked.extend(CALLS.iter().map(|call| About::Call(call)));
        asked.extend([About::Connects, About::Sends]);
        let mut policy = String::new();
        let (work, port) = (room.work(), room.port());
        for (at, about) in asked.iter().enumerate() {
            let condition = match about {
                About::File(verb, name) => format!("{verb} like {:?}", work.join(name)),
                About::Call(call) => format!("runs {call:?}"),
                About::Connects => {
                    format!("connects like [\"127.0.0.1:{port}\", \"localhost:{port}\", \"[::1]:{port}\"]")
                }
                About::Sends => format!("sends like {:?}", work.join(".env")),
            };
            let _ = writeln!(policy, "rule r{at} {{\n  on PreToolUse\n  when {condition}\n  ask \"?\"\n}}");
        }
        let engine = Engine::parse("effects.rules", &policy).map_err(io::Error::other)?;
        Ok(Self { room, engine, asked, told: BTreeSet::new() })
    }

    /// Returns the subjects of the rules that match or are unknown, and whether they match for certain.
    fn rules(&self, text: &str) -> io::Result<Vec<(&About, bool)>> {
        let facts = Around { machine: MachineFacts::new(Some(self.room.work())), home: self.room.home() };
        let event = HookEvent::tool_call("Bash", json!({ "command": text })).map_err(io::Error::other)?;
        let judgement = self.engine.judge(&event.with_cwd(self.room.work()), &facts);
        let about = |name: &str| name.strip_prefix('r')?.parse().ok().and_then(|at: usize| self.asked.get(at));
        let said = judgement.rules().iter().filter(|rule| rule.outcome != MatchOutcome::NoMatch);
        Ok(said.filter_map(|rule| Some((about(&rule.name)?, rule.outcome == MatchOutcome::Match))).collect())
    }

    /// Executes a text, and returns the number of effects that are unknown, or certain but did not happen.
    fn judge(&mut self, text: &str) -> io::Result<usize> {
        self.room.prepare()?;
        let known: BTreeMap<About, bool> =
            self.rules(text)?.into_iter().map(|(about, is_certain)| (about.clone(), is_certain)).collect();
        let seen = self.room.execute(text)?;
        let mut wrong = 0;
        for about in &self.asked {
            let (is_done, may_be_called_done) = happened(about, &seen);
            let difference = match known.get(about) {
                None if is_done => "is done and not known",
                Some(true) if !may_be_called_done => "is known for certain and not done",
                _ => continue,
            };
            wrong += 1;
            let said = seen.said.lines().last().unwrap_or_default();
            say(&format!("{about:?} {difference} ({said}): {text:?}"));
        }
        if known.is_empty() && seen.is_nothing() && self.told.insert(text.to_owned()) && !text.contains("nothing") {
            say(&format!("it does nothing ({}): {text:?}", seen.said.lines().last().unwrap_or_default()));
            wrong += 1;
        }
        Ok(wrong)
    }
}

/// Whether something happened, and whether a rule may be certain that it does.
fn happened(about: &About, seen: &Seen) -> (bool, bool) {
    match about {
        About::File(verb, name) => {
            let is_done = seen.certain.contains(&(*verb, *name));
            // A renamed file can be read under its new name; a file that is created may be read in the process.
            let moved =
                *verb == "reads" && ["deletes", "writes"].iter().any(|verb| seen.certain.contains(&(verb, name)));
            (is_done, is_done || moved || seen.possible.contains(&(*verb, *name)))
        }
        About::Call(call) => {
            let is_done = seen
                .calls
                .iter()
                .any(|one| one == call || one.strip_prefix(call).is_some_and(|rest| rest.starts_with(' ')));
            (is_done, is_done)
        }
        About::Connects => (seen.connected, seen.connected),
        About::Sends => (seen.sent, seen.sent),
    }
}
