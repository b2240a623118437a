//! Tests and clauses of the language that a help shows with the author's own words.

/// `rewrite runs "a" to "b"`
pub(in crate::syntax) fn rewrite_of_commands(from: &str, to: &str) -> String {
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

/// `Edit with { key: "a" }`
pub(in crate::syntax) fn example_with(tool: &str, key: &str, value: &str) -> String {
    format!("{tool} with {{ {key}: {value} }}")
}

/// `prompt matches /…|…/`
pub(in crate::syntax) fn matches_any(field: &str) -> String {
    format!("{field} matches /…|…/")
}

/// `contains "…"`, or `> …` if numbers are compared.
pub(in crate::syntax) fn comparison(operator: &str) -> String {
    match operator {
        "<" | "<=" | ">" | ">=" | "==" | "!=" => format!("{operator} …"),
        _ => "contains \"…\"".to_owned(),
    }
}

/// `"a"`
pub(in crate::syntax) fn quoted_text(text: &str) -> String {
    format!("\"{text}\"")
}

/// `rewrite content replace /a/ with "b"`
pub(in crate::syntax) fn rewrite_with_replacement(field: &str, from: &str, to: &str) -> String {
    format!("rewrite {field} replace /{from}/ with \"{to}\"")
}

/// `when runs "a"`
pub(in crate::syntax) fn when_clause(test: &str) -> String {
    format!("when {test}")
}

/// Returns the test of a file for permission letters: `rw` is reading and writing.
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

/// `where option "--namespace" == "prod"`
pub(in crate::syntax) fn where_option(name: &str, value: &str) -> String {
    format!("where option \"--{name}\" == {value}")
}

/// `runs "*" where exists option "--force"`
pub(in crate::syntax) fn any_command_where(test: &str) -> String {
    format!("runs \"*\" where {test}")
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

/// `rule a {`; without a name, a form for one.
pub(in crate::syntax) fn rule_header(name: Option<&str>) -> String {
    format!("rule {} {{", name.unwrap_or("what-it-does"))
}

/// Joins several forms, each in backticks.
pub(in crate::syntax) fn backticked_forms(forms: &[String]) -> String {
    forms.iter().map(|form| format!("`{form}`")).collect::<Vec<_>>().join(" and ")
}

/// The first of several lines.
pub(in crate::syntax) fn first_line_of_several(line: &str) -> String {
    format!("a line for each of them: `{line}`")
}

/// The command that pushes.
pub(in crate::syntax) const GIT_PUSH: &str = "git push";
