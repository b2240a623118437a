//! Interpreters and their scripts, tools for keys, and other programs with special ways to name files.

use super::accesses::FileAccesses;
use super::call::ParsedCommand;
use super::mounts;
use super::paths::{append_text, strip_ending};
use crate::access::{AccessCertainty, AccessExtent, FileAccess, Verb};
use crate::word::{Cause, Unknown, Word};

/// Adds a read of the script, which is the first operand, unless one of the options in `code` states the code.
fn add_script(call: &ParsedCommand<'_>, code: &[&str], accesses: &mut FileAccesses) {
    if !call.has_option(code) {
        call.operands().first().into_iter().for_each(|file| accesses.add_read(file));
    }
}

/// Adds the accesses of a shell: reads of its script (`sh script`).
pub(super) fn shell(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    add_script(call, &["-c", "--command", "-s"], accesses);
    // An interactive shell reads the history when it begins, and saves it when it ends.
    if call.has_option(&["-i", "--interactive"])
        && let Some(history) = call.variable("HISTFILE")
    {
        accesses.add_read(history);
        accesses.add_write(history);
    }
}

/// Adds the accesses of `history -w FILE` and `fc -W FILE`, which save the history of the shell, and of `history -r
/// FILE`, which reads one. Without a file, that is the file of `HISTFILE`.
pub(super) fn history(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let saves = call.has_option(&["-a", "-A", "-w", "-W"]);
    let loads = call.has_option(&["-r", "-R", "-n"]) && !call.has_option(&["-l"]);
    if call.has_option(&["-s", "-p"]) || !saves && !loads {
        return;
    }
    if let Some(file) = call.operands().first().copied().or_else(|| call.variable("HISTFILE")) {
        accesses.add_certain(if saves { Verb::Writes } else { Verb::Reads }, file);
    }
}

/// Adds the accesses of `python`: its script, or the directory that `python -m http.server` serves.
pub(super) fn python(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    add_script(call, &["-c", "-m"], accesses);
    if call.words.iter().any(|word| matches!(word.known_text(), Some("http.server" | "SimpleHTTPServer"))) {
        add_served_directory(call, &["-d", "--directory"], accesses);
    }
}

/// Adds the accesses of `php`: to its script, to the logs that its settings name and, with `-S`, to the directory that
/// it serves.
pub(super) fn php(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    // Settings whose value is a file that PHP writes.
    const LOGS: &[&str] = &["error_log", "mail.log", "opcache.error_log", "xdebug.log", "curl.cookiejar"];
    interpreter(call, accesses);
    for (name, file) in call.values(&["-d", "--define"]).filter_map(Word::split_at_equals) {
        if LOGS.contains(&name.trim()) {
            accesses.add_write(&file);
        }
    }
    if call.has_option(&["-S"]) {
        add_served_directory(call, &["-t", "--docroot"], accesses);
    }
}

/// Adds a read of the directory that a server makes public, if one of these options names it.
fn add_served_directory(call: &ParsedCommand<'_>, options: &[&str], accesses: &mut FileAccesses) {
    for pair in call.words.windows(2) {
        let [option, directory] = pair else { continue };
        if option.known_text().is_some_and(|option| options.contains(&option)) {
            mounts::add_handed_path(directory, accesses);
        }
    }
}

/// Adds the accesses of `python -m json.tool [IN [OUT]]`.
pub(super) fn laid_out(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let mut files = call.operands().iter();
    files.next().into_iter().for_each(|file| accesses.add_read(file));
    files.next().into_iter().for_each(|file| accesses.add_write(file));
}

/// Adds reads of the files with variables that `dotenv` prints. `dotenv run PROGRAM` prints them only if the program
/// prints its environment; other subcommands and `-p` always do.
pub(super) fn dotenv(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    const PRINTS: &[&str] = &["get", "list", "ls", "decrypt", "env", "printenv", "export", "set", "cat"];
    let program = call.operands().iter().map(|word| word.known_text().and_then(|name| name.rsplit('/').next()));
    let mut program = program.filter(|name| *name != Some("run"));
    let prints = match program.next() {
        Some(Some(name)) => PRINTS.contains(&name) || name.ends_with("sh"),
        Some(None) => true,
        None => false,
    };
    if !prints && !call.has_option(&["-p"]) {
        return;
    }
    const FILES: &[&str] = &["-e", "-f", "--file", "--env-file"];
    call.values(FILES).for_each(|file| accesses.add_read(file));
    // After a subcommand, these options are not parsed as options, so the words are searched for them.
    for pair in call.words.windows(2) {
        if let [option, file] = pair
            && option.known_text().is_some_and(|option| FILES.contains(&option))
        {
            accesses.add_read(file);
        }
    }
}

/// Adds the accesses of `node`, `bun` or `deno`: a read of the script.
pub(super) fn node(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    // The subcommands of `bun` are not scripts.
    let is_command =
        |word: &&Word| matches!(word.known_text(), Some("run" | "test" | "install" | "add" | "x" | "build"));
    if !(call.is_program(&["bun"]) && call.operands().first().is_some_and(is_command)) {
        add_script(call, &["-e", "--eval", "-p", "--print"], accesses);
    }
}

/// Adds the deletion of the directory that a tool for environments makes anew: `python -m venv --clear DIR`. The
/// directory of `uv venv` is `.venv` if no operand names it.
pub(super) fn environment(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    if !call.has_option(&["--clear"]) {
        return;
    }
    let usual = Word::text(".venv");
    let default = (call.operands().is_empty() && call.is_program(&["uv"])).then_some(&usual);
    for directory in call.operands().iter().copied().chain(default) {
        accesses.add_with_extent(Verb::Deletes, directory, AccessExtent::Everything);
    }
}

/// Adds the accesses of any other interpreter: a read of the script.
pub(super) fn interpreter(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    add_script(call, &["-r", "-e", "-E", "-c", "-R", "-B"], accesses);
}

/// Adds reads of the keys and inputs of `openssl`. A key does not count as read if it is only used to sign or
/// authenticate, or if only its public part is printed.
pub(super) fn openssl(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    const USES: &[&str] = &["req", "x509", "ca", "crl", "dgst", "ocsp", "s_client", "s_server", "ts", "verify"];
    const KEYS: &[&str] = &["rsa", "ec", "dsa", "pkey"];
    let command = call.operands().first().and_then(|word| word.known_text()).unwrap_or_default();
    let hides_private_key = call.has_option(&["-noout", "-pubout"]) && !call.has_option(&["-text", "-text_pub"]);
    for given in call.argv.options.iter() {
        let Some(value) = &given.value else { continue };
        let is_not_shown = match &*given.name {
            "-key" | "-inkey" | "-CAkey" | "-signkey" | "-sign" => USES.contains(&command),
            "-in" => KEYS.contains(&command) && hides_private_key,
            _ => continue,
        };
        if !is_not_shown {
            accesses.add_read(value);
        }
    }
}

/// Adds the accesses of `keytool` to its key store and files. Subcommands that only show something do not write the
/// store. Whether `-file` is read or written depends on the subcommand.
pub(super) fn keytool(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let exports = call.has_option(&["-exportcert", "-export", "-certreq"]);
    let only_shows = exports || call.has_option(&["-list", "-gencert", "-printcert", "-printcrl", "-printcertreq"]);
    // Reads of the store are not added, because its keys are used without being shown.
    if !only_shows {
        call.values(&["-keystore"]).for_each(|store| accesses.add_write(store));
    }
    for file in call.values(&["-file"]) {
        if exports { accesses.add_write(file) } else { accesses.add_read(file) }
    }
    call.values(&["-infile"]).for_each(|file| accesses.add_read(file));
    call.values(&["-outfile", "-destkeystore"]).for_each(|file| accesses.add_write(file));
}

/// Adds the accesses of `gpg`. The output is next to the input, unless `-o` names it.
pub(super) fn gpg(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let out = call.value(&["-o", "--output"]);
    let reads_keys =
        call.has_option(&["--list-keys", "-k", "-K", "--list-secret-keys", "--gen-key", "--recv-keys", "--export"]);
    if reads_keys {
        return out.into_iter().for_each(|out| accesses.add_write(out));
    }
    for file in call.operands() {
        accesses.add_read(file);
        let outputs = [
            (&["-c", "--symmetric", "-e", "--encrypt"][..], ".gpg"),
            (&["-b", "--detach-sign"], ".sig"),
            (&["--clearsign", "--clear-sign", "-a", "--armor"], ".asc"),
        ];
        if out.is_none()
            && let Some((_, ending)) = outputs.iter().find(|(names, _)| call.has_option(names))
        {
            accesses.add_write(&append_text(file, if call.has_option(&["-a", "--armor"]) { ".asc" } else { ending }));
        }
        let is_bare = call.argv.options.is_empty();
        if out.is_none() && is_bare {
            [".gpg", ".asc"]
                .iter()
                .find_map(|ending| strip_ending(file, ending))
                .iter()
                .for_each(|out| accesses.add_write(out));
        }
    }
    out.into_iter().for_each(|out| accesses.add_write(out));
}

/// Adds the accesses of `sops -i -e f` and `ansible-vault encrypt f`, which change files in place.
pub(super) fn vault(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let is_ansible = call.is_program(&["ansible-vault"]);
    let changes = match is_ansible {
        true => call.has_subcommands(&[&["encrypt", "decrypt", "edit", "rekey", "create"]]),
        false => call.has_option(&["-i", "--in-place"]),
    };
    let files = call.operands().get(usize::from(is_ansible)..).unwrap_or_default();
    for file in files {
        accesses.add_read(file);
        match changes {
            true => accesses.add_write(file),
            false if !is_ansible => accesses.add(FileAccess {
                verb: Verb::Writes,
                path: (*file).clone(),
                extent: AccessExtent::PathOnly,
                certainty: AccessCertainty::Maybe(Unknown::new(Cause::Foreign, file.display_text())),
            }),
            false => {}
        }
    }
}

/// Adds the accesses of `ffmpeg`: reads of the inputs of `-i`, and a write of the last operand.
pub(super) fn ffmpeg(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    call.values(&["-i"]).for_each(|file| accesses.add_read(file));
    call.operands().last().into_iter().for_each(|file| accesses.add_write(file));
}

/// Adds the accesses of a converter: reads of all operands except the last one, which is written.
pub(super) fn converter(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    if let Some((out, files)) = call.operands().split_last() {
        files.iter().for_each(|file| accesses.add_read(file));
        accesses.add_write(out);
    }
}

/// Adds the accesses of `script`, which writes a session into a file.
pub(super) fn script(call: &ParsedCommand<'_>, accesses: &mut FileAccesses) {
    let typescript = Word::text("typescript");
    let has_log_option = call.values(&["-O", "--log-out", "-B", "--log-io", "-I", "--log-in"]).next().is_some();
    for log in call.values(&["-O", "--log-out", "-B", "--log-io", "-I", "--log-in"]) {
        accesses.add_write(log);
    }
    match call.operands().first() {
        Some(file) => accesses.add_write(file),
        None if !has_log_option => accesses.add_write(&typescript),
        None => {}
    }
}
