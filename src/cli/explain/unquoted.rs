//! `rules explain git push -f`: a command typed without quotes, some of whose options (`-f`) are not options of
//! `rules`.

use std::ffi::OsString;

use clap::Command;

use crate::diagnostic::nearest_name;

/// Returns the arguments of `rules explain` with all words of the typed call moved after a `--`: after the call's
/// first word, an unknown option belongs to the call. Returns `None` if the command is not `explain`, or if an
/// unknown option is probably a mistyped one of `rules`.
pub(in crate::cli) fn separate_command(args: &[OsString], program: &Command) -> Option<Vec<OsString>> {
    let command_index = args.iter().skip(1).position(|word| program.find_subcommand(word).is_some())? + 1;
    let (before, rest) = args.split_at_checked(command_index + 1)?;
    let command =
        program.find_subcommand(args.get(command_index)?).filter(|command| command.get_name() == "explain")?;
    let own_options: Vec<&clap::Arg> = command.get_arguments().chain(program.get_arguments()).collect();
    let long_names = || own_options.iter().flat_map(|arg| arg.get_long_and_visible_aliases().unwrap_or_default());
    let long = |name: &str| own_options.iter().find(|arg| arg.get_long() == Some(name) || has_alias(arg, name));
    let short = |name: char| own_options.iter().find(|arg| arg.get_short() == Some(name));
    let (mut ours, mut call) = (Vec::new(), Vec::new());
    let mut words = rest.iter().peekable();
    while let Some(word) = words.next() {
        let text = word.to_str().unwrap_or_default();
        let own_option = match (text.strip_prefix("--"), text.strip_prefix('-')) {
            // The user typed `--`: all words after it belong to the call.
            (Some(""), _) => {
                call.extend(words.cloned());
                break;
            }
            (Some(option), _) => {
                let name = option.split('=').next().unwrap_or_default();
                // An unknown option before the call, or one similar to ours, is a mistake that clap explains.
                if long(name).is_none() && (call.is_empty() || nearest_name(name, long_names()).is_some()) {
                    return None;
                }
                long(name).map(|arg| (*arg, option.contains('=')))
            }
            (None, Some(cluster)) if !cluster.is_empty() => {
                let mut letters = cluster.chars();
                let option = letters.next().and_then(short).filter(|_| letters.next().is_none());
                if option.is_none() && call.is_empty() {
                    return None;
                }
                option.map(|arg| (*arg, false))
            }
            _ => None,
        };
        // Many commands have these options too, so after the first word of the call they more likely belong to it.
        let own_option =
            own_option.filter(|(arg, _)| call.is_empty() || !matches!(arg.get_id().as_str(), "all" | "quiet" | "help"));
        let Some((arg, has_value)) = own_option else {
            call.push(word.clone());
            continue;
        };
        ours.push(word.clone());
        let takes = arg.get_num_args().unwrap_or_else(|| usize::from(arg.get_action().takes_values()).into());
        let is_number = |next: &&&OsString| next.to_str().is_some_and(|text| text.chars().all(|c| c.is_ascii_digit()));
        // The value of `--last` is optional: the next word is its value only if it is a number.
        if !has_value && (takes.min_values() > 0 || takes.takes_values() && words.peek().filter(is_number).is_some()) {
            ours.extend(words.next().cloned());
        }
    }
    let separator = OsString::from("--");
    (!call.is_empty()).then(|| before.iter().cloned().chain(ours).chain([separator]).chain(call).collect())
}

/// Whether a long option has this alias.
fn has_alias(arg: &clap::Arg, name: &str) -> bool {
    arg.get_all_aliases().is_some_and(|aliases| aliases.contains(&name))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::Cli;

    fn moved(text: &str) -> Option<String> {
        let args: Vec<OsString> = text.split(' ').map(OsString::from).collect();
        let mut program = Cli::command();
        program.build();
        separate_command(&args, &program).map(|args| args.join(" ".as_ref()).into_string().unwrap())
    }

    #[test]
    fn what_is_not_ours_belongs_to_the_command() {
        for (typed, meant) in [
            ("rules explain git push -f", "rules explain -- git push -f"),
            ("rules explain rm -rf / --why-not a", "rules explain --why-not a -- rm -rf /"),
            ("rules explain --project x git push --force", "rules explain --project x -- git push --force"),
            ("rules --color never explain ls -la", "rules --color never explain -- ls -la"),
            ("rules explain --format=json git commit -am x", "rules explain --format=json -- git commit -am x"),
            ("rules explain --last 2 ls -l", "rules explain --last 2 -- ls -l"),
            ("rules explain -v git push --all -f", "rules explain -v -- git push --all -f"),
            ("rules explain rm -rf x -v", "rules explain -- rm -rf x -v"),
            ("rules explain a -x -- -y", "rules explain -- a -x -y"),
        ] {
            assert_eq!(moved(typed).as_deref(), Some(meant), "{typed}");
        }
    }

    #[test]
    fn an_option_of_ours_that_is_mistyped_is_none_of_the_command() {
        for typed in
            ["rules explain --why-nto a ls", "rules explain ls --why-nto a", "rules explain -x", "rules check -x"]
        {
            assert_eq!(moved(typed), None, "{typed}");
        }
    }
}
