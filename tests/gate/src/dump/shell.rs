//! The analysis of a shell text, with what it knows of each of its commands.
//!
//! A command has `words`, `assignments`, `redirects`, `via`, `doubt`, `scope`, `cwd`, `environment`,
//! `environment_hidden`, `flags`, `piped_from`, `piped_to`, `stdin_from`, `code_from`, `words_from`, `span`, `code`,
//! `argv`, `accesses`, `all_accesses_known`, `connections`, `sends`, `runs`, `directory`, `pushes`, `changed_before`. A
//! script has the same. Commands are named by their positions, scripts by those that follow.
//!
//! A word is the list of its parts, or, if it has a place in the text, an object of `span` and `parts`. A part is a
//! text, or an object of `glob`, or of `unknown` and `splits`. An unknown has `cause`, `word`, and `source` with its
//! data. Accesses, connections and sent files have no order, so they are sorted.

mod words;

use std::path::Path;
use std::sync::LazyLock;

use hookrules_shell::analysis::{CommandId, CommandScope, OpaqueCode, Redirect, RedirectKind, SimpleCommand};
use hookrules_shell::argv::{Argv, GivenOption};
use hookrules_shell::files::{
    AccessCertainty, AccessExtent, FileAccess, FileFilter, FileSkipping, Verb, all_accesses_known,
};
use hookrules_shell::interpret::analyse_powershell;
use hookrules_shell::nested::{CodeSource, NestedCommand, Runnable, nested};
use hookrules_shell::network::{Connection, Peer, connections, sent_files};
use hookrules_shell::repository::{RepositoryChanges, RepositoryFact};
use hookrules_shell::{Analysis, Edit, StartDirectories, Word, analyse, file_accesses};
use serde_json::{Value as Json, json};

use crate::case::Case;
use words::{assignments, directory, opt_unknown, opt_word, unknown, values, word, word_list};

/// Edits that are tried on every text.
static EDITS: LazyLock<Vec<(&str, Option<Edit>)>> = LazyLock::new(|| {
    let edits = [
        ("rm", "trash"),
        ("git push --force", "git push --force-with-lease"),
        ("npm", "pnpm"),
        ("curl", "curl --fail"),
    ];
    edits.into_iter().map(|(from, to)| (from, Edit::new(from, to).ok())).collect()
});

pub fn dump(case: &Case) -> Json {
    let start = StartDirectories { cwd: Path::new("/project"), home: Some(Path::new("/home/user")) };
    let text = case.text("text");
    let is_powershell = case.text("reader") == "powershell";
    let analysis = if is_powershell { analyse_powershell(text, &start) } else { analyse(text, &start) };
    let changes = analysis.repository_changes();
    let one = |(id, simple): (CommandId, &SimpleCommand)| command(&analysis, &changes, id, simple);
    let written = analysis.written_files();
    let written = written.iter().map(|(path, content)| json!({ "path": path.to_string_lossy(), "content": content }));
    json!({
        "commands": analysis.iter().map(one).collect::<Vec<Json>>(),
        "scripts": analysis.scripts().map(one).collect::<Vec<Json>>(),
        "opaque": analysis.opaque.iter().map(opaque).collect::<Vec<Json>>(),
        "written": written.collect::<Vec<Json>>(),
        "edits": if is_powershell { Json::Null } else { edits(text, &analysis, &start) },
    })
}

fn edits(text: &str, analysis: &Analysis, start: &StartDirectories<'_>) -> Json {
    let tried = EDITS.iter().filter_map(|(from, edit)| Some((from, edit.as_ref()?)));
    let concerned = tried.filter(|(_, edit)| edit.can_apply(analysis));
    let edited = concerned.map(|(from, edit)| match edit.apply(text, analysis, start) {
        Ok(edited) => json!({ "edit": from, "edited": edited }),
        Err(obstacle) => {
            json!({ "edit": from, "obstacle": obstacle.text, "word": obstacle.word, "help": obstacle.help })
        }
    });
    Json::Array(edited.collect())
}

fn command(analysis: &Analysis, changes: &RepositoryChanges, id: CommandId, simple: &SimpleCommand) -> Json {
    let before = RepositoryFact::ALL.map(|fact| {
        let name = match fact {
            RepositoryFact::Branch => "branch",
            RepositoryFact::Remote => "remote",
            RepositoryFact::Push => "push",
            RepositoryFact::Repository => "repository",
        };
        changes.earlier_change(analysis, id, fact).map(|why| json!({ "fact": name, "by": unknown(why) }))
    });
    json!({
        "words": word_list(&simple.words),
        "assignments": assignments(&simple.assignments),
        "redirects": simple.redirects.iter().map(redirect).collect::<Vec<Json>>(),
        "via": ids(&simple.outer_commands),
        "doubt": opt_unknown(simple.doubt.as_ref()),
        "scope": scope(simple.scope),
        "cwd": directory(&simple.cwd),
        "environment": assignments(&simple.environment),
        "environment_hidden": opt_unknown(simple.environment_hidden.as_ref()),
        "flags": flags(simple),
        "process": analysis.process(id).index(),
        "piped_from": ids(&simple.piped_from),
        "piped_to": ids(&simple.piped_to),
        "stdin_from": ids(&simple.stdin_from),
        "code_from": ids(&simple.code_from),
        "words_from": ids(&simple.words_from),
        "span": span(simple.span.as_ref()),
        "code": code(simple),
        "argv": argv(&simple.argv()),
        "program": values(&simple.program()),
        "input": values(&simple.input()),
        "accesses": sorted(file_accesses(analysis, simple).iter().map(access)),
        "all_accesses_known": all_accesses_known(simple),
        "connections": sorted(connections(simple).iter().map(connection)),
        "sends": sorted(sent_files(analysis, simple).iter().map(access)),
        "runs": nested(&simple.words).iter().map(run).collect::<Vec<Json>>(),
        "directory": directory(&simple.directory()),
        "pushes": values(&simple.push_target(Some("main"), None)),
        "checked_out": changes.branch_checked_out(analysis, id, ""),
        "changed_before": before.into_iter().flatten().collect::<Vec<Json>>(),
    })
}

fn ids(ids: &[CommandId]) -> Vec<usize> {
    ids.iter().map(|id| id.index()).collect()
}

fn sorted(values: impl Iterator<Item = Json>) -> Vec<Json> {
    let mut values: Vec<Json> = values.collect();
    values.sort_by_cached_key(Json::to_string);
    values
}

fn span(span: Option<&std::ops::Range<usize>>) -> Json {
    span.map_or(Json::Null, |span| json!([span.start, span.end]))
}

fn flags(simple: &SimpleCommand) -> Vec<&'static str> {
    let flags = [
        (simple.in_loop, "loop"),
        (simple.in_background, "background"),
        (simple.in_substitution, "substitution"),
        (simple.is_shadowed, "shadowed"),
        (simple.is_script, "script"),
    ];
    flags.into_iter().filter_map(|(is_set, name)| is_set.then_some(name)).collect()
}

fn code(simple: &SimpleCommand) -> Json {
    let downloads = simple.downloads_that_run();
    let downloads: Vec<Json> = downloads.iter().map(|command| word_list(&command.words)).collect();
    json!({ "read": simple.has_read_code(), "acts": simple.has_acting_code(), "downloads": downloads })
}

fn scope(scope: CommandScope) -> &'static str {
    match scope {
        CommandScope::Local => "local",
        CommandScope::Container => "container",
        CommandScope::Cluster => "cluster",
        CommandScope::Remote => "remote",
    }
}

fn redirect(redirect: &Redirect) -> Json {
    let kind = match redirect.kind {
        RedirectKind::Read => "read",
        RedirectKind::Write => "write",
        RedirectKind::ReadWrite => "read and write",
        RedirectKind::Text => "text",
    };
    json!({ "kind": kind, "target": word(&redirect.target) })
}

fn opaque(opaque: &OpaqueCode) -> Json {
    json!({
        "cause": unknown(&opaque.reason),
        "why": opaque.reason.text(),
        "code": opaque.text.as_ref().map(hookrules_shell::UnseenText::as_str),
        "by": opaque.runner.map(CommandId::index),
        "scope": scope(opaque.scope),
    })
}

fn argv(argv: &Argv<'_>) -> Json {
    let list = |words: &mut dyn Iterator<Item = &Word>| words.map(Word::display_text).collect::<Vec<String>>();
    let options: Vec<Json> = argv.options.iter().map(option).collect();
    json!({
        "name": argv.name,
        "dashed": argv.subcommand_in_name,
        "commands": list(&mut argv.subcommands.iter().copied()),
        "options": options,
        "operands": list(&mut argv.operands.iter().copied()),
        "behind_dashes": argv.after_dashes,
        "maybe_options": list(&mut argv.maybe_options.iter().copied()),
        "maybe_command": opt_unknown(argv.maybe_subcommand.as_ref()),
    })
}

fn option(given: &GivenOption) -> Json {
    json!({
        "name": given.name,
        "value": given.value.as_ref().map(Word::display_text),
        "global": given.is_global,
        "abbreviated": given.is_abbreviated,
        "at": given.word_index,
        "recorded": given.option.is_some(),
    })
}

fn access(access: &FileAccess) -> Json {
    let verb = match access.verb {
        Verb::Reads => "reads",
        Verb::Writes => "writes",
        Verb::Deletes => "deletes",
        Verb::Sends => "sends",
    };
    let (certainty, because) = match &access.certainty {
        AccessCertainty::Certain => ("sure", Json::Null),
        AccessCertainty::Maybe(why) => ("maybe", unknown(why)),
        AccessCertainty::IfDirectoryExists => ("if the directory exists", Json::Null),
        AccessCertainty::IfFileExists(why) => ("if the file exists", unknown(why)),
    };
    json!({
        "verb": verb,
        "path": word(&access.path),
        "extent": extent(&access.extent),
        "certainty": certainty,
        "because": because,
    })
}

fn extent(extent: &AccessExtent) -> Json {
    match extent {
        AccessExtent::PathOnly => json!("alone"),
        AccessExtent::Below(selected) => json!({ "below": filter(selected) }),
        AccessExtent::Everything => json!("whole"),
        AccessExtent::Mirror(path, selected) => json!({ "mirror": word(path), "below": filter(selected) }),
        AccessExtent::UnknownPart(why) => json!({ "part": unknown(why) }),
    }
}

fn filter(filter: &FileFilter) -> Json {
    let skips = |skipped: FileSkipping| skipped == FileSkipping::Yes;
    json!({
        "only": &*filter.only,
        "except": &*filter.except,
        "skips_hidden": skips(filter.hidden),
        "skips_ignored": skips(filter.ignored),
        "skips_directories": skips(filter.directories),
    })
}

fn connection(connection: &Connection) -> Json {
    let (kind, to) = match &connection.peer {
        Peer::Url(url) => ("url", word(url)),
        Peer::Host(host) => ("host", word(host)),
        Peer::Remote(remote) => ("remote", word(remote)),
        Peer::Socket { host, port } => ("socket", json!([word(host), word(port)])),
        Peer::Unknown(why) => ("unknown", unknown(why)),
    };
    json!({ "kind": kind, "to": to, "port": connection.port, "doubt": opt_unknown(connection.doubt.as_ref()) })
}

fn run(run: &NestedCommand) -> Json {
    let (what, data) = match &run.runnable {
        Runnable::Argv(words) => ("argv", word_list(words)),
        Runnable::Script(text, parameters) => ("script", json!([word(text), word_list(parameters)])),
        Runnable::Input(parameters) => ("input", word_list(parameters)),
        Runnable::File(file) => ("file", word(file)),
        Runnable::Foreign(CodeSource::Text(text)) => ("foreign text", word(text)),
        Runnable::Foreign(CodeSource::Input) => ("foreign input", Json::Null),
        Runnable::Foreign(CodeSource::File(file)) => ("foreign file", word(file)),
    };
    let setting = &run.setting;
    let flags =
        [(setting.repeats, "repeats"), (setting.in_background, "background"), (setting.in_this_shell, "this shell")];
    json!({
        "what": what,
        "data": data,
        "scope": setting.scope.map(scope),
        "directory": opt_word(setting.directory.as_ref()),
        "environment": assignments(&setting.environment),
        "flags": flags.into_iter().filter_map(|(is_set, name)| is_set.then_some(name)).collect::<Vec<_>>(),
        "doubt": opt_unknown(run.doubt.as_ref()),
    })
}
