//! `rules list --hosts`: how many of the rules each host carries out as they are written.

use serde_json::{Value as Json, json};

use super::{ListArgs, Output};
use crate::cli::CommandOutcome;
use crate::cli::load::load_whole;
use crate::cli::print::{Printer, Style, count};
use crate::host::Host;
use crate::lint::{RuleOnHost, rules_on_host};
use crate::policy::Policy;

/// How a host may treat a rule, with the word for each.
const KINDS: [(RuleOnHost, &str); 3] =
    [(RuleOnHost::AsWritten, "as written"), (RuleOnHost::Otherwise, "otherwise"), (RuleOnHost::Never, "never")];

/// The width of the column with the names of hosts.
const NAME_WIDTH: usize = 13;

/// Prints each host with the numbers of rules that it carries out as written, carries out differently, and never calls
/// the hook for.
pub(super) fn list(args: &ListArgs, printer: &mut Printer) -> CommandOutcome {
    let policy = match load_whole(&[], printer) {
        Ok(policy) => policy,
        Err(outcome) => return outcome,
    };
    if args.format == Output::Json {
        let hosts: Vec<Json> = Host::all().map(|host| object(&policy, host)).collect();
        printer.out(&format!("{}\n", json!({ "hosts": hosts })));
        return CommandOutcome::Clean;
    }
    for host in Host::all() {
        if args.quiet {
            printer.out(&format!("{}\n", host.name()));
            continue;
        }
        print(&policy, host, args.verbose, printer);
    }
    if !args.quiet {
        printer.hint("`rules check --host NAME` says what is otherwise, and why\n");
    }
    CommandOutcome::Clean
}

/// Prints one host; with `--verbose`, also the rules that it does not carry out as they are written.
fn print(policy: &Policy, host: Host, is_verbose: bool, printer: &mut Printer) {
    let kinds = KINDS.map(|(kind, word)| (word, rules_of_kind(policy, host, kind)));
    let numbers = match &kinds {
        [(_, as_written), (_, otherwise), (_, never)] if otherwise.is_empty() && never.is_empty() => {
            format!("{} as written", count(as_written.len(), "rule"))
        }
        kinds => {
            let occurring = kinds.iter().filter(|(_, rules)| !rules.is_empty());
            occurring.map(|(word, rules)| format!("{} {word}", rules.len())).collect::<Vec<_>>().join(", ")
        }
    };
    let indent = " ".repeat(NAME_WIDTH);
    let name = printer.paint(Style::Bold, &format!("{:NAME_WIDTH$}", host.name()));
    printer.out(&format!("{name}{numbers}\n"));
    if let Some(why) = host.not_called() {
        printer.out(&printer.wrapped(&indent, &indent, why));
    }
    for (word, rules) in kinds.iter().skip(1).filter(|(_, rules)| is_verbose && !rules.is_empty()) {
        printer.out(&printer.wrapped(&indent, &indent, &format!("{word}: {}", rules.join(", "))));
    }
}

/// Returns the JSON object of a host.
fn object(policy: &Policy, host: Host) -> Json {
    let [as_written, otherwise, never] = KINDS.map(|(kind, _)| rules_of_kind(policy, host, kind));
    json!({
        "host": host.name(),
        "title": host.title(),
        "source": host.source(),
        "not_called": host.not_called(),
        "as_written": as_written,
        "otherwise": otherwise,
        "never": never,
    })
}

/// Returns the names of the rules that a host treats in this way.
fn rules_of_kind(policy: &Policy, host: Host, kind: RuleOnHost) -> Vec<String> {
    let rules = rules_on_host(policy, host).into_iter().filter(|(_, treatment)| *treatment == kind);
    rules.map(|(rule, _)| rule.name.to_string()).collect()
}
