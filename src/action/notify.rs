//! Notifications: on the desktop, by the terminal's bell, or by a command of the user.
//!
//! Titles and bodies are passed as arguments or in the environment, never as source text of a shell or of
//! AppleScript, and contain no control characters. A program that does not end is killed with its process group.
#![expect(clippy::disallowed_methods, reason = "notifications look for a display and are bounded by the clock")]

use std::time::Instant;

use duct::Handle;

use crate::config::NotificationChannel;
use crate::escape::is_misleading;
use crate::files::reason;
use crate::platform::DesktopNotifier;
use crate::platform::desktop::{NOTIFIER, ring_bell};
use crate::platform::process::in_own_group;
use crate::verdict::Notification;

use super::process;

/// The maximum number of characters of a title that are passed on.
const MAX_TITLE_CHARS: usize = 200;
/// The maximum number of characters of a body that are passed on.
const MAX_BODY_CHARS: usize = 1_000;

/// Sends all notifications, and waits for their programs until `until`.
///
/// Returns a sentence for each notification that could not be sent.
pub(super) fn send(notifications: &[Notification], channel: &NotificationChannel, until: Instant) -> Vec<String> {
    let mut problems = Vec::new();
    let mut started = Vec::new();
    for notification in notifications {
        let (title, body) =
            (plain_line(&notification.title, MAX_TITLE_CHARS), plain_line(&notification.body, MAX_BODY_CHARS));
        let words = match channel {
            NotificationChannel::Bell => None,
            NotificationChannel::Auto if !has_desktop() => None,
            NotificationChannel::Auto | NotificationChannel::Desktop => Some(desktop_words(&title, &body)),
            NotificationChannel::Command(words) => Some(command_words(words, &title, &body)),
        };
        match words.map(|words| start_notifier(words, &title, &body)) {
            Some(Ok(handle)) => started.push((notification, handle)),
            Some(Err(_)) if *channel == NotificationChannel::Auto => ring_bell(),
            Some(Err(error)) => {
                problems.push(format!("{}: the notification was not sent: {}", notification.author, reason(&error)));
            }
            None => ring_bell(),
        }
    }
    problems.extend(started.iter().filter_map(|(notification, handle)| finish(notification, handle, until)));
    problems
}

/// Starts the program of a notification in its own process group.
fn start_notifier(words: Vec<String>, title: &str, body: &str) -> std::io::Result<Handle> {
    let Some((program, arguments)) = words.split_first() else {
        return Err(std::io::Error::other("the channel has no command"));
    };
    let expression = duct::cmd(program, arguments).env("RULES_TITLE", title).env("RULES_BODY", body);
    let expression = expression.stdin_null().stdout_null().stderr_null().unchecked().before_spawn(|command| {
        in_own_group(command);
        Ok(())
    });
    expression.start()
}

/// Waits for the program of a notification, and kills it at the time `until`. Returns a sentence about the problem, if
/// there is one.
fn finish(notification: &Notification, handle: &Handle, until: Instant) -> Option<String> {
    let author = &notification.author;
    match handle.wait_deadline(until) {
        Ok(Some(output)) if output.status.success() => None,
        Ok(Some(output)) => Some(format!("{author}: the notification was not sent: {}", output.status)),
        Ok(None) => {
            process::kill_group(handle);
            Some(format!("{author}: the notification was cut off: its program did not finish"))
        }
        Err(error) => Some(format!("{author}: the notification was not sent: {}", reason(&error))),
    }
}

/// Whether the environment variables show that there is a desktop.
fn has_desktop() -> bool {
    let names = ["DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS"];
    match NOTIFIER {
        Some(DesktopNotifier::AppleScript) => true,
        Some(DesktopNotifier::NotifySend) => {
            names.iter().any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
        }
        None => false,
    }
}

/// Returns the command that shows a notification on the desktop; no words if the system has none.
fn desktop_words(title: &str, body: &str) -> Vec<String> {
    match NOTIFIER {
        Some(DesktopNotifier::AppleScript) => osascript(title, body),
        Some(DesktopNotifier::NotifySend) => notify_send(title, body),
        None => Vec::new(),
    }
}

fn notify_send(title: &str, body: &str) -> Vec<String> {
    // Most servers interpret a body as markup.
    let body = body.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    ["notify-send", "--app-name=rules", "--", title, &body].map(str::to_owned).into()
}

fn osascript(title: &str, body: &str) -> Vec<String> {
    let script = "display notification (item 2 of argv) with title (item 1 of argv)";
    ["osascript", "-e", "on run argv", "-e", script, "-e", "end run", "--", title, body].map(str::to_owned).into()
}

/// Returns the user's command with the title and the body as arguments after `--`.
fn command_words(words: &[String], title: &str, body: &str) -> Vec<String> {
    if words.is_empty() {
        return Vec::new();
    }
    words.iter().cloned().chain(["--", title, body].map(str::to_owned)).collect()
}

/// Converts a text to one line without misleading characters.
fn plain_line(text: &str, most: usize) -> String {
    let spaced = text.chars().map(|c| if c.is_whitespace() { ' ' } else { c });
    let plain = spaced.filter(|c| !is_misleading(*c));
    plain.take(most).collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::verdict::Author;

    fn note(title: &str, body: &str) -> Notification {
        Notification { author: Author::Rule("r".to_owned()), title: title.to_owned(), body: body.to_owned() }
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(5)
    }

    #[test]
    fn values_are_arguments_behind_a_double_dash() {
        assert_eq!(
            notify_send("-t", "a <b> & \"c\""),
            ["notify-send", "--app-name=rules", "--", "-t", "a &lt;b&gt; &amp; \"c\""]
        );
        let words = osascript("t\" & (do shell script \"x\")", "-b");
        assert_eq!(words.iter().rev().take(3).rev().collect::<Vec<_>>(), ["--", "t\" & (do shell script \"x\")", "-b"]);
    }

    #[test]
    fn control_and_direction_characters_do_not_pass() {
        assert_eq!(plain_line("a\u{1b}]0;x\u{7}b\nc\u{0}\u{202e}d", 100), "a]0;xb cd");
        assert_eq!(plain_line(&"é".repeat(300), MAX_TITLE_CHARS).chars().count(), MAX_TITLE_CHARS);
    }

    #[test]
    fn a_command_gets_title_and_body_as_arguments_and_environment() {
        let directory = tempfile::tempdir().unwrap();
        let out = directory.path().join("out");
        let script = format!("printf '%s|' \"$@\" \"$RULES_TITLE\" \"$RULES_BODY\" > '{}'", out.display());
        let words = ["sh", "-c", &script, "sh", "fixed"].map(str::to_owned).to_vec();
        let problems = send(&[note("$(id)", "-b\n'x'")], &NotificationChannel::Command(words), soon());
        assert_eq!(problems, Vec::<String>::new());
        assert_eq!(std::fs::read_to_string(out).unwrap(), "fixed|--|$(id)|-b 'x'|$(id)|-b 'x'|");
    }

    #[test]
    fn what_goes_wrong_is_told() {
        let command =
            |words: &[&str]| NotificationChannel::Command(words.iter().map(|word| (*word).to_owned()).collect());
        let one = [note("t", "b")];
        assert!(
            send(&one, &command(&["no-such-program-here"]), soon())[0].starts_with("r: the notification was not sent")
        );
        assert!(send(&one, &command(&[]), soon())[0].ends_with("the channel has no command"));
        assert!(send(&one, &command(&["sh", "-c", "exit 3"]), soon())[0].contains("exit status: 3"));
    }

    #[test]
    fn a_program_that_does_not_end_is_ended() {
        let channel = NotificationChannel::Command(["sh", "-c", "sleep 20"].map(str::to_owned).to_vec());
        let began = Instant::now();
        let problems = send(&[note("t", "b")], &channel, began + Duration::from_millis(100));
        assert_eq!(problems, ["r: the notification was cut off: its program did not finish"]);
        assert!(began.elapsed() < Duration::from_secs(5));
    }

    #[test]
    fn a_bell_without_a_terminal_is_no_problem() {
        assert_eq!(send(&[note("t", "b")], &NotificationChannel::Bell, soon()), Vec::<String>::new());
    }
}
