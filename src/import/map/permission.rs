//! `permissionRequest`: which dialogs are answered, and how.

use crate::import::conclaude::{Action, Permission};
use crate::import::draft::{Rule, selectors};
use crate::import::globs;
use crate::import::read::At;

use super::Mapper;

/// The lint that a guard of dialogs alone accepts, and why.
const DIALOGS: (&str, &str) =
    ("guard-on-permission-request-only", "`permissionRequest` of conclaude only applies to dialogs");

impl Mapper<'_, '_> {
    pub(super) fn permission(&mut self, permission: &Permission) {
        let (allow, deny) = (globs_of(&permission.allow), globs_of(&permission.deny));
        let source = permission.default.span;
        let on = |globs: &[String]| format!("PermissionRequest({})", selectors(globs, ""));
        if !deny.is_empty() {
            let effects = vec!["deny \"{tool_name} is not allowed here.\"".to_owned()];
            let accepts = vec![(DIALOGS.0, DIALOGS.1.to_owned())];
            self.rule("denied-tools", Rule { source, accepts, on: on(&deny), effects, ..Rule::default() });
        }
        if !allow.is_empty() {
            self.rule(
                "allowed-tools",
                Rule { source, on: on(&allow), effects: vec!["allow".to_owned()], ..Rule::default() },
            );
        }
        let named: Vec<String> = [allow, deny].concat();
        if named.iter().any(|glob| glob == "*") {
            return;
        }
        let rest = match named.as_slice() {
            [] => "PermissionRequest".to_owned(),
            named => format!("PermissionRequest({})", selectors(named, "!")),
        };
        match permission.default.value() {
            Action::Block => {
                let effects = vec!["deny \"{tool_name} is not among the allowed tools.\"".to_owned()];
                let accepts = vec![(DIALOGS.0, DIALOGS.1.to_owned())];
                self.rule("other-tools", Rule { source, accepts, on: rest, effects, ..Rule::default() });
            }
            Action::Allow => {
                let text = "`permissionRequest.default: allow` is carried over under `@observe`, which only records: \
                            without it there would be no dialogs any more, while conclaude never suppressed one";
                self.note(permission.default.span, text);
                let effects = vec!["allow".to_owned()];
                let marks = vec!["observe"];
                self.rule("other-tools", Rule { source, marks, on: rest, effects, ..Rule::default() });
            }
        }
    }
}

fn globs_of(patterns: &[At<String>]) -> Vec<String> {
    let mut globs: Vec<String> = Vec::new();
    for glob in patterns.iter().flat_map(|pattern| globs::selectors(pattern.value())) {
        if !globs.contains(&glob) {
            globs.push(glob);
        }
    }
    globs
}
