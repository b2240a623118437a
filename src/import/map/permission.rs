//! Converts `permissionRequest`: which permission dialogs are answered, and how.

use crate::import::conclaude::{PermissionConfig, ToolAction};
use crate::import::draft::{DraftRule, format_selectors};
use crate::import::globs;
use crate::import::mapping_reader::PlacedValue;

use super::Mapper;

/// The lint about a denial on PermissionRequest alone, and the reason for which the rules here accept it.
const ACCEPTED_LINT: (&str, &str) =
    ("guard-on-permission-request-only", "`permissionRequest` of conclaude only applies to dialogs");

impl Mapper<'_, '_> {
    /// Adds a rule for the denied tools and one for the allowed tools. All other tools get a third rule with the
    /// `default`, unless `*` is denied or allowed.
    pub(super) fn permission(&mut self, permission: &PermissionConfig) {
        let (allow, deny) = (tool_globs(&permission.allow), tool_globs(&permission.deny));
        let source = permission.default.span;
        let on = |globs: &[String]| format!("PermissionRequest({})", format_selectors(globs, ""));
        if !deny.is_empty() {
            let effects = vec!["deny \"{tool_name} is not allowed here.\"".to_owned()];
            let accepted_lints = vec![(ACCEPTED_LINT.0, ACCEPTED_LINT.1.to_owned())];
            self.add_rule(
                "denied-tools",
                DraftRule { source, accepted_lints, on: on(&deny), effects, ..DraftRule::default() },
            );
        }
        if !allow.is_empty() {
            self.add_rule(
                "allowed-tools",
                DraftRule { source, on: on(&allow), effects: vec!["allow".to_owned()], ..DraftRule::default() },
            );
        }
        let named: Vec<String> = [allow, deny].concat();
        if named.iter().any(|glob| glob == "*") {
            return;
        }
        let other_tools = match named.as_slice() {
            [] => "PermissionRequest".to_owned(),
            named => format!("PermissionRequest({})", format_selectors(named, "!")),
        };
        match permission.default.value() {
            ToolAction::Block => {
                let effects = vec!["deny \"{tool_name} is not among the allowed tools.\"".to_owned()];
                let accepted_lints = vec![(ACCEPTED_LINT.0, ACCEPTED_LINT.1.to_owned())];
                self.add_rule(
                    "other-tools",
                    DraftRule { source, accepted_lints, on: other_tools, effects, ..DraftRule::default() },
                );
            }
            ToolAction::Allow => {
                let text = "`permissionRequest.default: allow` is carried over under `@observe`, which only records: \
                            without it there would be no dialogs any more, while conclaude never suppressed one";
                self.add_note(permission.default.span, text);
                let effects = vec!["allow".to_owned()];
                let annotations = vec!["observe"];
                self.add_rule(
                    "other-tools",
                    DraftRule { source, annotations, on: other_tools, effects, ..DraftRule::default() },
                );
            }
        }
    }
}

/// Writes globs on tools as selectors, each once.
fn tool_globs(patterns: &[PlacedValue<String>]) -> Vec<String> {
    let mut globs: Vec<String> = Vec::new();
    for glob in patterns.iter().flat_map(|pattern| globs::glob_selectors(pattern.value())) {
        if !globs.contains(&glob) {
            globs.push(glob);
        }
    }
    globs
}
