//! Finds texts after `under` and `outside` that are meant in the notation of another language.

use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::{ast, path_after_variable, string_literal};

/// Returns the finding about a text that means a directory only in another language, such as `"${project}/src"`, `"src,
/// lib"` or `"!src"`. `whole_value` is the value with the text, which may be a list.
pub(super) fn misread_directory(text: &ast::StringLiteral, whole_value: &ast::AstValue) -> Option<Diagnostic> {
    let value = text.value.as_str();
    if let Some(meant) = path_after_variable(value).filter(|meant| !meant.contains(['*', '?', '[', '{'])) {
        let right = string_literal(&meant, "");
        return Some(
            Diagnostic::new(Code::BAD_VALUE, "a variable in a path, which nothing fills in")
                .label(text.span, "a path without a `/` in front is one of the project, and `~/` the home")
                .help(format!("write `{right}`"))
                .fix(text.span, right),
        );
    }
    let parts: Vec<&str> = value.split(',').map(str::trim).collect();
    let is_name = |part: &&str| !part.is_empty() && !part.contains([' ', '*', '{']);
    if value.contains(", ") && parts.iter().all(is_name) {
        let listed: Vec<String> = parts.iter().map(|part| string_literal(part, "")).collect();
        let right = format!("[{}]", listed.join(", "));
        let found = Diagnostic::new(Code::BAD_VALUE, "several directories in one text")
            .label(text.span, "the name of one directory, with a comma in it")
            .help(format!("write `{right}`"));
        let is_alone = whole_value.span == text.span;
        return Some(found.fix(text.span, if is_alone { right } else { listed.join(", ") }));
    }
    let excluded = value.strip_prefix('!')?;
    Some(
        Diagnostic::new(Code::BAD_VALUE, "an exclusion among directories")
            .label(text.span, "`under` and `outside` take directories; `!` belongs to a list of globs")
            .help(format!("write globs: `like [\"src/**\", \"!{}/**\"]`", excluded.trim_end_matches('/'))),
    )
}
