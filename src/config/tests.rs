//! Tests that settings are parsed completely, and that every mistake is reported at its place.

use super::*;
use crate::diagnostic::{Code, Diagnostic};
use crate::span::Sources;

fn parse_in(text: &str, layer: LayerKind) -> (LayerSettings, Vec<Diagnostic>, Sources) {
    let mut sources = Sources::default();
    let id = sources.add("rules.toml", None, text);
    let (settings, diagnostics) = parse(sources.file_by_id(id).unwrap(), layer);
    (settings, diagnostics, sources)
}

#[track_caller]
fn good(text: &str) -> LayerSettings {
    let (settings, diagnostics, _) = parse_in(text, LayerKind::User);
    assert_eq!(diagnostics, []);
    settings
}

/// Checks that there is a single finding, with this code, this text at its span, and this part of its help.
#[track_caller]
fn bad(text: &str, layer: LayerKind, code: &'static Code, place: &str, help: &str) {
    let (_, diagnostics, sources) = parse_in(text, layer);
    let [found] = diagnostics.as_slice() else { panic!("{diagnostics:?}") };
    assert_eq!(found.code, code);
    let span = found.span().unwrap();
    assert_eq!(sources.file(span).unwrap().slice(span), place);
    assert!(found.help.as_deref().unwrap_or_default().contains(help), "{found:?}");
}

#[test]
fn every_setting_is_read() {
    let settings = good(
        r#"
        edition = 1
        on_error = "deny"
        [log]
        level = "all"
        [notifications]
        enabled = true
        hooks = ["Stop", "Subagent*"]
        show_errors = true
        show_success = true
        show_system_events = false
        channel = "command"
        command = ["say", "{title}"]
        [shell]
        tools = { "mcp__shell__run" = "cmd" }
        "#,
    );
    assert_eq!(settings.edition, Some(1));
    assert_eq!(settings.on_error, Some(OnError::Deny));
    assert_eq!(settings.log, Some(LogLevel::All));
    assert_eq!(settings.notifications.hooks, Some(vec!["Stop".to_owned(), "Subagent*".to_owned()]));
    assert_eq!(settings.notifications.show_system_events, Some(false));
    assert_eq!(
        settings.notifications.channel,
        Some(NotificationChannel::Command(vec!["say".to_owned(), "{title}".to_owned()]))
    );
    assert_eq!(settings.shell_tools.get("mcp__shell__run").map(String::as_str), Some("cmd"));
}

#[test]
fn an_empty_file_sets_nothing() {
    assert_eq!(good(""), LayerSettings::default());
}

#[test]
fn unknown_keys_are_answered_with_the_nearest_at_every_level() {
    let unknown = Code::UNKNOWN_KEY;
    bad("on_eror = 1", LayerKind::User, unknown, "on_eror", "`on_error`");
    bad("[log]\nlevl = \"off\"", LayerKind::User, unknown, "levl", "`level`");
    bad("[notifications]\nshow_error = true", LayerKind::User, unknown, "show_error", "`show_errors`");
    bad("[shell]\ntool = {}", LayerKind::User, unknown, "tool", "`tools`");
    bad("[banana]", LayerKind::User, unknown, "banana", "`edition`");
    let tool = |key: &str| format!("[[tool]]\nnames = [\"x\"]\nreads = [\"a\"]\n{key} = [\"b\"]");
    let setting = Code::BAD_SETTING;
    bad(&tool("read-below"), LayerKind::User, setting, "read-below", "a key named `reads-below` exists");
    bad(&tool("banana"), LayerKind::User, setting, "banana", "`untouched`");
}

#[test]
fn wrong_values_say_what_is_valid() {
    let wrong = Code::BAD_SETTING;
    bad("on_error = \"block\"", LayerKind::User, wrong, "\"block\"", "`deny`");
    bad("on_error = true", LayerKind::User, wrong, "true", "\"deny\"");
    bad("log = \"off\"", LayerKind::User, wrong, "\"off\"", "[log]");
    bad("[notifications]\nenabled = 1", LayerKind::User, wrong, "1", "`true`");
    bad("[notifications]\nhooks = \"*\"", LayerKind::User, wrong, "\"*\"", "hooks = [");
    bad("[notifications]\nhooks = [\"Stopp\"]", LayerKind::User, wrong, "\"Stopp\"", "`Stop`");
    bad("[notifications]\nhooks = [\"[\"]", LayerKind::User, wrong, "\"[\"", "");
    bad("[shell]\ntools = { x = 1 }", LayerKind::User, wrong, "1", "MEMBER");
}

#[test]
fn another_edition_is_refused() {
    bad("edition = 2", LayerKind::User, Code::BAD_SETTING, "2", "edition = 1");
    bad("edition = \"1\"", LayerKind::User, Code::BAD_SETTING, "\"1\"", "edition = 1");
}

#[test]
fn a_command_is_named_only_by_those_who_own_the_machine() {
    let text = "[notifications]\nchannel = \"command\"\ncommand = [\"x\"]";
    bad(text, LayerKind::Project, Code::BAD_SETTING, "\"command\"", "~/.config");
    bad(text, LayerKind::Local, Code::BAD_SETTING, "\"command\"", "~/.config");
    assert_eq!(parse_in(text, LayerKind::Managed).1, []);
    bad("[notifications]\nchannel = \"command\"", LayerKind::User, Code::BAD_SETTING, "\"command\"", "command = [");
    bad("[notifications]\ncommand = [\"x\"]", LayerKind::User, Code::BAD_SETTING, "[\"x\"]", "channel");
}

#[test]
fn the_local_layer_does_not_decide_on_errors() {
    bad("on_error = \"deny\"", LayerKind::Local, Code::BAD_SETTING, "\"deny\"", "project");
}

#[test]
fn text_that_is_no_toml_is_reported_and_the_rest_is_read() {
    let (settings, diagnostics, _) = parse_in("on_error = \"deny\"\n[log\n", LayerKind::User);
    assert!(diagnostics.iter().all(|found| found.code == Code::BAD_SETTING && found.span().is_some()));
    assert!(!diagnostics.is_empty());
    assert_eq!(settings.on_error, Some(OnError::Deny));
}

#[test]
fn every_mistake_is_reported_in_the_order_of_the_text() {
    let (_, diagnostics, _) = parse_in("zeta = 1\non_error = 1\nalpha = 2\n", LayerKind::User);
    let starts: Vec<u32> = diagnostics.iter().filter_map(|found| found.span()).map(|span| span.start).collect();
    assert_eq!(starts.len(), 3);
    assert!(starts.is_sorted());
}

#[test]
fn the_strictest_answer_to_an_error_counts() {
    let user = good("on_error = \"allow\"");
    let project = LayerSettings { on_error: Some(OnError::Deny), ..LayerSettings::default() };
    let merge = |layers: Vec<(LayerKind, &LayerSettings)>| LayerSettings::merge(layers).on_error;
    assert_eq!(merge(vec![(LayerKind::User, &user), (LayerKind::Project, &project)]), OnError::Deny);
    assert_eq!(merge(vec![(LayerKind::User, &user)]), OnError::Allow);
    assert_eq!(merge(vec![]), OnError::Ask);
    let silent = LayerSettings::default();
    assert_eq!(merge(vec![(LayerKind::Managed, &silent), (LayerKind::User, &user)]), OnError::Ask);
    assert_eq!(merge(vec![(LayerKind::User, &user), (LayerKind::Local, &silent)]), OnError::Allow);
}

#[test]
fn the_highest_layer_that_sets_a_value_wins() {
    let user = good("[log]\nlevel = \"off\"\n[notifications]\nenabled = true");
    let project = good("[log]\nlevel = \"all\"\n[notifications]\nenabled = false\nshow_errors = true");
    let merged = LayerSettings::merge([(LayerKind::Project, &project), (LayerKind::User, &user)]);
    assert_eq!(merged.log, LogLevel::Off);
    assert!(merged.notifications.enabled);
    assert!(merged.notifications.show_errors);
    assert!(merged.notifications.show_system_events);
    assert_eq!(merged.notifications.hooks, ["*"]);
}

/// Parses a user's rules.toml with a mistake in it.
#[track_caller]
fn mistaken(text: &str) -> LayerSettings {
    let (settings, diagnostics, _) = parse_in(text, LayerKind::User);
    assert!(!diagnostics.is_empty(), "{text}");
    settings
}

#[test]
fn a_layer_whose_notifications_are_mistaken_asks_for_none() {
    let project = good("[notifications]\nenabled = true");
    for mistake in [
        "hooks = [\"Stopp\"]",
        "hooks = \"Stop\"",
        "hooks = [\"Stop\", 1]",
        "hooks = [\"Stop\"",
        "hook = [\"Stop\"]",
        "show_system_event = false",
        "show_system_events = \"false\"",
        "channel = \"desk\"",
        "enabled = true",
        "\n[log]\nlevel = off",
    ] {
        let user = mistaken(&format!("[notifications]\nenabled = true\n{mistake}\n"));
        let merged = LayerSettings::merge([(LayerKind::User, &user), (LayerKind::Project, &project)]);
        assert!(!merged.notifications.enabled, "{mistake}");
        // A higher layer is not affected.
        let merged = LayerSettings::merge([(LayerKind::Managed, &project), (LayerKind::User, &user)]);
        assert!(merged.notifications.enabled, "{mistake}");
    }
    let elsewhere = mistaken("on_eror = \"ask\"\n[notifications]\nenabled = true");
    assert!(LayerSettings::merge([(LayerKind::User, &elsewhere)]).notifications.enabled, "it was read whole");
    assert!(!LayerSettings::merge([(LayerKind::User, &mistaken("notifications = true"))]).notifications.enabled);
}

#[test]
fn one_mistaken_file_is_enough_for_a_layer_to_ask_for_no_notifications() {
    let mistaken = || mistaken("[notifications]\nhooks = [\"Stopp\"]");
    let whole = || good("[notifications]\nenabled = true");
    for layer in [
        mistaken().merged_with(whole()),
        whole().merged_with(mistaken()),
        mistaken().merged_with(LayerSettings::default()).merged_with(whole()),
    ] {
        assert!(!LayerSettings::merge([(LayerKind::Project, &layer)]).notifications.enabled);
    }
}

#[test]
fn what_is_stated_of_shell_tools_holds_for_the_layer_and_those_below() {
    let user = good("[shell]\ntools = { a = \"x\", b = \"y\" }");
    let project = good("[shell]\ntools = { a = \"z\", b = \"y\" }");
    let tools = LayerSettings::merge([(LayerKind::Project, &project), (LayerKind::User, &user)]).shell_tools;
    assert_eq!(
        LayerKind::ALL.map(|layer| tools.members("a", layer)),
        [vec![], vec!["x"], vec!["x", "z"], vec!["x", "z"]]
    );
    assert_eq!(LayerKind::ALL.map(|layer| tools.members("b", layer)), [vec![], vec!["y"], vec!["y"], vec!["y"]]);
    assert_eq!(tools.layers_reading_differently("a"), [LayerKind::Managed, LayerKind::User]);
    assert_eq!(tools.layers_reading_differently("b"), [LayerKind::Managed]);
    assert_eq!(tools.layers_reading_differently("c"), []);
}

#[test]
fn a_further_file_of_a_layer_adds_to_it() {
    let outer = good("on_error = \"deny\"\n[log]\nlevel = \"off\"");
    let inner = good("on_error = \"ask\"\n[log]\nlevel = \"all\"");
    let both = outer.merged_with(inner);
    assert_eq!(both.on_error, Some(OnError::Deny));
    assert_eq!(both.log, Some(LogLevel::All));
}
