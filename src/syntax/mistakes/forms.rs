//! Forms of tests and clauses that a help shows, completed with the author's words.

/// Returns `rewrite runs "a" to "b"` with the given parts.
pub(in crate::syntax) fn rewrite_of_commands(from: &str, to: &str) -> String {
    format!("rewrite runs {from} to {to}")
}

/// Returns `on PreToolUse(Bash|Edit)` with the given parts.
pub(in crate::syntax) fn on_tools(tools: &str) -> String {
    format!("on PreToolUse({tools})")
}

/// Returns `where via == "sudo"` with the given parts.
pub(in crate::syntax) fn where_via(program: &str) -> String {
    format!("where via == \"{program}\"")
}

/// Returns `Edit with { key: "a" }` with the given parts.
pub(in crate::syntax) fn example_with(tool: &str, key: &str, value: &str) -> String {
    format!("{tool} with {{ {key}: {value} }}")
}

/// Returns `prompt matches /…|…/` with the given parts.
pub(in crate::syntax) fn matches_any(field: &str) -> String {
    format!("{field} matches /…|…/")
}

/// Returns `> …` for a comparison of numbers, and `contains "…"` for any other operator.
pub(in crate::syntax) fn comparison(operator: &str) -> String {
    match operator {
        "<" | "<=" | ">" | ">=" | "==" | "!=" => format!("{operator} …"),
        _ => "contains \"…\"".to_owned(),
    }
}

/// Returns a text in double quotes.
pub(in crate::syntax) fn quoted_text(text: &str) -> String {
    format!("\"{text}\"")
}

/// Returns `rewrite content replace /a/ with "b"` with the given parts.
pub(in crate::syntax) fn rewrite_with_replacement(field: &str, from: &str, to: &str) -> String {
    format!("rewrite {field} replace /{from}/ with \"{to}\"")
}

/// Returns `when runs "a"` with the given parts.
pub(in crate::syntax) fn when_clause(test: &str) -> String {
    format!("when {test}")
}

/// Returns the test of a path for permission letters: `r` is `reads`, `w` or `a` is `writes`, and both are joined by
/// `or`. A path that ends in `/` or `/**` is a directory.
pub(in crate::syntax) fn test_for_permissions(path: &str, permissions: &str) -> String {
    let directory = path.strip_suffix("/**").or_else(|| path.strip_suffix('/'));
    let writes = match directory {
        Some(directory) => format!("writes under \"{directory}\""),
        None => format!("writes like \"{path}\""),
    };
    let reads = match path.strip_suffix('/') {
        Some(directory) => format!("reads like \"{directory}/**\""),
        None => format!("reads like \"{path}\""),
    };
    match (permissions.contains('r'), permissions.contains(['w', 'a'])) {
        (true, true) => format!("({reads} or {writes})"),
        (true, false) => reads,
        _ => writes,
    }
}

/// Returns `where option "--namespace" == "prod"` with the given parts.
pub(in crate::syntax) fn where_option(name: &str, value: &str) -> String {
    format!("where option \"--{name}\" == {value}")
}

/// Returns `runs "*" where exists option "--force"` with the given parts.
pub(in crate::syntax) fn any_command_where(test: &str) -> String {
    format!("runs \"*\" where {test}")
}

/// Returns `where cwd under "a"` with the given parts.
pub(in crate::syntax) fn where_cwd(operator: &str, place: &str) -> String {
    format!("where cwd {operator} {place}")
}

/// Returns `where push_target == "main"` with the given parts.
pub(in crate::syntax) fn where_pushed(branch: &str) -> String {
    format!("where push_target == \"{branch}\"")
}

/// Returns `and git.branch == "main"` with the given parts.
pub(in crate::syntax) fn and_branch(branch: &str) -> String {
    format!("and git.branch == \"{branch}\"")
}

/// Returns `and not runs "a"` with the given parts.
pub(in crate::syntax) fn and_not_runs(commands: &str) -> String {
    format!("and not runs {commands}")
}

/// Returns `not only runs "make test *"` with the given parts.
pub(in crate::syntax) fn not_only_runs(command: &str) -> String {
    format!("not only runs \"{command} *\"")
}

/// Returns `not all operands == "a"` with the given test: none of several values may be another.
pub(in crate::syntax) fn not_all(test: &str) -> String {
    format!("not all {test}")
}

/// Returns `where not all operands == "a"` with the given value, or values in brackets.
pub(in crate::syntax) fn where_other_operands(values: &str) -> String {
    let operator = if values.starts_with('[') { "in" } else { "==" };
    format!("where {}", not_all(&format!("operands {operator} {values}")))
}

/// Returns `length option "-m"` with the given flag.
pub(in crate::syntax) fn length_of_option(flag: &str) -> String {
    format!("length option {flag}")
}

/// Returns `file_size path > 1MB` with the given parts.
pub(in crate::syntax) fn size_of_path(operator: &str, value: &str) -> String {
    format!("file_size path {operator} {value}")
}

/// Returns the first line of a rule, `rule a {`; without a name, with a sample name.
pub(in crate::syntax) fn rule_header(name: Option<&str>) -> String {
    format!("rule {} {{", name.unwrap_or("what-it-does"))
}

/// Returns several forms joined by `and`, each in backticks.
pub(in crate::syntax) fn backticked_forms(forms: &[String]) -> String {
    forms.iter().map(|form| format!("`{form}`")).collect::<Vec<_>>().join(" and ")
}

/// Returns the advice to write several lines, of which only the first is shown.
pub(in crate::syntax) fn first_line_of_several(line: &str) -> String {
    format!("a line for each of them: `{line}`")
}

/// The command whose target `where push_target` tests.
pub(in crate::syntax) const GIT_PUSH: &str = "git push";
