//! Tests and clauses of the language, as a help writes them with the author's own words.

/// `rewrite tool_input.NAME = VALUE`
pub(in crate::syntax) fn rewritten_member(name: &str, value: &str) -> String {
    format!("rewrite tool_input.{name} = {value}")
}

/// `rewrite runs "a" to "b"`
pub(in crate::syntax) fn rewritten_commands(from: &str, to: &str) -> String {
    format!("rewrite runs {from} to {to}")
}

/// `on PreToolUse(Bash|Edit)`
pub(in crate::syntax) fn on_tools(tools: &str) -> String {
    format!("on PreToolUse({tools})")
}

/// `where via == "sudo"`
pub(in crate::syntax) fn where_via(program: &str) -> String {
    format!("where via == \"{program}\"")
}

/// `where cwd under "a"`
pub(in crate::syntax) fn where_cwd(operator: &str, place: &str) -> String {
    format!("where cwd {operator} {place}")
}

/// `where push_target == "main"`
pub(in crate::syntax) fn where_pushed(branch: &str) -> String {
    format!("where push_target == \"{branch}\"")
}

/// `and git.branch == "main"`
pub(in crate::syntax) fn and_branch(branch: &str) -> String {
    format!("and git.branch == \"{branch}\"")
}

/// `and not runs "a"`
pub(in crate::syntax) fn and_not_runs(commands: &str) -> String {
    format!("and not runs {commands}")
}

/// `not only runs "make test *"`
pub(in crate::syntax) fn not_only_runs(command: &str) -> String {
    format!("not only runs \"{command} *\"")
}

/// `file_size path > 1MB`
pub(in crate::syntax) fn size_of_path(operator: &str, value: &str) -> String {
    format!("file_size path {operator} {value}")
}

/// `rule a {`; without a name, the form of one.
pub(in crate::syntax) fn rule_header(name: Option<&str>) -> String {
    format!("rule {} {{", name.unwrap_or("what-it-does"))
}

/// Several forms, each between backticks.
pub(in crate::syntax) fn each(forms: &[String]) -> String {
    forms.iter().map(|form| format!("`{form}`")).collect::<Vec<_>>().join(" and ")
}

/// The first of many lines.
pub(in crate::syntax) fn one_of_many(line: &str) -> String {
    format!("a line for each of them: `{line}`")
}

/// The command that pushes.
pub(in crate::syntax) const GIT_PUSH: &str = "git push";
