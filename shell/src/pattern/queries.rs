//! Statements of SQL that certainly only read: they name no function but those of [`FUNCTIONS`].

use crate::argv::{Argv, GivenOption};
use crate::word::Word;

/// Functions of PostgreSQL, MySQL and SQLite that compute, or look something up, and do nothing else.
const FUNCTIONS: &[&str] = &[
    "abs",
    "age",
    "any_value",
    "array",
    "array_agg",
    "array_length",
    "array_to_string",
    "avg",
    "btrim",
    "cardinality",
    "cast",
    "ceil",
    "ceiling",
    "char_length",
    "coalesce",
    "concat",
    "concat_ws",
    "count",
    "current_database",
    "current_schema",
    "current_setting",
    "current_user",
    "database",
    "date",
    "date_add",
    "date_format",
    "date_part",
    "date_sub",
    "date_trunc",
    "datediff",
    "datetime",
    "dayofweek",
    "decimal",
    "dense_rank",
    "exists",
    "extract",
    "filter",
    "first_value",
    "float",
    "floor",
    "format",
    "format_type",
    "from_unixtime",
    "generate_series",
    "greatest",
    "group_concat",
    "has_table_privilege",
    "hour",
    "if",
    "ifnull",
    "instr",
    "int",
    "interval",
    "isnull",
    "json_agg",
    "json_array_length",
    "json_build_object",
    "json_extract",
    "json_object_agg",
    "json_unquote",
    "jsonb_agg",
    "jsonb_array_elements",
    "jsonb_array_length",
    "jsonb_build_object",
    "jsonb_each",
    "jsonb_object_keys",
    "jsonb_pretty",
    "jsonb_typeof",
    "julianday",
    "lag",
    "last_value",
    "lead",
    "least",
    "left",
    "length",
    "lower",
    "lpad",
    "ltrim",
    "max",
    "md5",
    "min",
    "minute",
    "mod",
    "month",
    "now",
    "ntile",
    "nullif",
    "numeric",
    "obj_description",
    "octet_length",
    "over",
    "percentile_cont",
    "percentile_disc",
    "pg_backend_pid",
    "pg_blocking_pids",
    "pg_column_size",
    "pg_database_size",
    "pg_encoding_to_char",
    "pg_get_constraintdef",
    "pg_get_expr",
    "pg_get_functiondef",
    "pg_get_indexdef",
    "pg_get_userbyid",
    "pg_get_viewdef",
    "pg_indexes_size",
    "pg_is_in_recovery",
    "pg_last_wal_receive_lsn",
    "pg_last_wal_replay_lsn",
    "pg_postmaster_start_time",
    "pg_relation_size",
    "pg_size_pretty",
    "pg_table_is_visible",
    "pg_table_size",
    "pg_tablespace_size",
    "pg_total_relation_size",
    "pg_typeof",
    "pg_wal_lsn_diff",
    "position",
    "power",
    "pragma_table_info",
    "quarter",
    "random",
    "rank",
    "regexp_matches",
    "regexp_replace",
    "replace",
    "reverse",
    "right",
    "round",
    "row_number",
    "row_to_json",
    "rpad",
    "rtrim",
    "second",
    "split_part",
    "sqrt",
    "stddev",
    "strftime",
    "string_agg",
    "strpos",
    "substr",
    "substring",
    "sum",
    "timediff",
    "timestampdiff",
    "to_char",
    "to_date",
    "to_json",
    "to_jsonb",
    "to_timestamp",
    "total",
    "trim",
    "trunc",
    "truncate",
    "typeof",
    "unixepoch",
    "unix_timestamp",
    "unnest",
    "upper",
    "user",
    "varchar",
    "variance",
    "version",
    "week",
    "width_bucket",
    "year",
];

/// Words that may precede a parenthesis and are no functions.
const WORDS: &[&str] = &[
    "all",
    "and",
    "any",
    "as",
    "between",
    "by",
    "case",
    "distinct",
    "else",
    "except",
    "explain",
    "from",
    "group",
    "having",
    "in",
    "intersect",
    "join",
    "lateral",
    "like",
    "limit",
    "materialized",
    "not",
    "offset",
    "on",
    "or",
    "select",
    "set",
    "some",
    "then",
    "union",
    "using",
    "values",
    "when",
    "where",
    "with",
    "within",
];

/// Words with which a statement does more than read, or reads more than the database.
const CHANGING: &[&str] = &[
    "alter",
    "analyse",
    "analyze",
    "attach",
    "begin",
    "call",
    "cluster",
    "comment",
    "commit",
    "copy",
    "create",
    "deallocate",
    "declare",
    "delete",
    "detach",
    "discard",
    "do",
    "drop",
    "execute",
    "fetch",
    "flush",
    "for",
    "grant",
    "handler",
    "import",
    "insert",
    "install",
    "into",
    "kill",
    "listen",
    "load",
    "lock",
    "merge",
    "move",
    "notify",
    "optimize",
    "outfile",
    "prepare",
    "program",
    "purge",
    "refresh",
    "reindex",
    "release",
    "rename",
    "repair",
    "replace into",
    "reset",
    "revoke",
    "rollback",
    "savepoint",
    "set",
    "shutdown",
    "start",
    "stop",
    "truncate",
    "unlisten",
    "update",
    "upsert",
    "use",
    "vacuum",
];

/// The words with which a statement begins that reads.
const BEGINNINGS: &[&str] = &["select", "with", "show", "explain", "describe", "desc", "values", "table"];

/// Whether an option of a database client gives statements that only read: `psql -c 'select 1'`.
pub(super) fn is_query_option(given: &GivenOption, argv: &Argv<'_>) -> bool {
    let is_named = |name: &str| argv.records.first().is_some_and(|table| table.names.contains(&name));
    let text = given.value.as_ref().and_then(Word::known_text);
    match &*given.name {
        "--command" if is_named("psql") => text.is_some_and(is_query_or_listing),
        "--execute" if is_named("mysql") => text.is_some_and(is_query),
        _ => false,
    }
}

/// Whether a database client would run the statements on its standard input, since its words have none.
pub(super) fn reads_statements(argv: &Argv<'_>) -> bool {
    const GIVEN: &[&str] = &["--command", "--execute", "--list", "--version", "--help"];
    let is_named = |name: &str| argv.records.first().is_some_and(|table| table.names.contains(&name));
    match () {
        () if is_named("psql") || is_named("mysql") => !argv.options.iter().any(|given| GIVEN.contains(&&*given.name)),
        () if is_named("sqlite3") => argv.operands.len() < 2,
        () => false,
    }
}

/// Whether there is at least one text, and all of them only read.
pub(super) fn are_queries(texts: &[&Word]) -> bool {
    let is_known_query = |word: &&Word| word.known_text().is_some_and(|text| is_query(text) || is_dot_listing(text));
    !texts.is_empty() && texts.iter().all(is_known_query)
}

/// Whether a text for `psql` is a query, or one command that lists: `\\d+ invoices`.
fn is_query_or_listing(text: &str) -> bool {
    const LISTINGS: &[&str] = &["d", "l", "z", "sf", "sv", "conninfo", "encoding"];
    match text.trim().strip_prefix('\\') {
        Some(command) => {
            let (name, rest) = command.split_once(' ').unwrap_or((command, ""));
            let name = name.trim_end_matches(['+', 'S', 'x']);
            (LISTINGS.contains(&name) || name.starts_with('d') && name.len() <= 4 && name.bytes().all(is_letter))
                && rest.bytes().all(|byte| is_letter(byte) || b"_.*\"0123456789 ".contains(&byte))
        }
        None => is_query(text),
    }
}

/// Whether a text is one command of `sqlite3` that lists: `.schema users`.
fn is_dot_listing(text: &str) -> bool {
    const LISTINGS: &[&str] = &["tables", "schema", "indexes", "indices", "databases", "fullschema", "dbinfo", "show"];
    text.trim().strip_prefix('.').is_some_and(|command| {
        let (name, rest) = command.split_once(' ').unwrap_or((command, ""));
        LISTINGS.contains(&name) && rest.bytes().all(|byte| is_letter(byte) || b"_.%0123456789 -".contains(&byte))
    })
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic()
}

/// Whether each statement of a text only reads. It has no comment, no backslash but in `\\G` at its end, no text
/// between dollar signs and no variable of the client, since any of them may hide where a text ends.
fn is_query(text: &str) -> bool {
    let text = text.trim().trim_end_matches("\\G");
    if text.replace("!=", "").contains(['\\', '$', '#', '`', '@', '!'])
        || text.contains("--")
        || text.contains("/*")
        || text.replace("::", "").contains(':')
    {
        return false;
    }
    let Some(code) = without_texts(text) else { return false };
    let mut statements = code.split(';').map(str::trim).filter(|statement| !statement.is_empty()).peekable();
    statements.peek().is_some() && statements.all(is_reading_statement)
}

/// Returns a text without the content of its quoted parts; `None` if one of them does not end.
fn without_texts(text: &str) -> Option<String> {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\'', '"']) {
        let (before, quoted) = rest.split_at_checked(at)?;
        code.push_str(before);
        let quote = quoted.chars().next()?;
        let (_, after) = quoted.get(1..)?.split_once(quote)?;
        // MySQL reads `"x"` as a text, PostgreSQL as a name, which may be that of a function. Two in a row are one.
        code.push_str(if quote == '"' { " \"" } else { " '" });
        rest = after;
    }
    code.push_str(rest);
    Some(code)
}

/// Whether a statement without its texts only reads.
fn is_reading_statement(statement: &str) -> bool {
    let lower = statement.to_ascii_lowercase();
    let mut words = Vec::new();
    let mut rest = &*lower;
    while let Some(at) = rest.find(|c: char| c.is_alphanumeric() || c == '_') {
        let start = rest.get(at..).unwrap_or_default();
        let end = start.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(start.len());
        let (word, after) = start.split_at_checked(end).unwrap_or((start, ""));
        // A function of a schema may be anyone's.
        let is_qualified = rest.get(..at).is_some_and(|before| before.trim_end().ends_with('.'));
        words.push((word, after.trim_start().starts_with('('), is_qualified));
        rest = after;
    }
    let begins = words.first().is_some_and(|(word, ..)| BEGINNINGS.contains(word));
    let shows = words.first().is_some_and(|(word, ..)| *word == "show");
    let is_harmless = |(word, is_called, is_qualified): &(&str, bool, bool)| {
        let is_known = || !is_qualified && (FUNCTIONS.contains(word) || WORDS.contains(word));
        (!CHANGING.contains(word) || shows && *word == "create") && (!is_called || is_known())
    };
    // A quoted name in front of a parenthesis is a function too.
    let calls_quoted =
        lower.match_indices('"').any(|(at, _)| lower.get(at + 1..).unwrap_or_default().trim_start().starts_with('('));
    begins && !calls_quoted && words.iter().all(is_harmless)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_reads() {
        for text in [
            "select 1",
            "SELECT count(*) FROM orders WHERE created_at > now() - interval '1 day';",
            "select pg_size_pretty(pg_total_relation_size(oid)), relname from pg_class order by 1 desc limit 10",
            "explain select * from t where a = 'x; drop table t'",
            "show create table shipments\\G",
            "with x as (select a::int from t) select * from x where b in (1, 2) and c != 3",
        ] {
            assert!(is_query(text), "{text}");
        }
    }

    #[test]
    fn what_may_do_more_is_no_query() {
        for text in [
            "",
            "delete from t",
            "select nextval('s')",
            "select pg_terminate_backend(1)",
            "select evil.count(1)",
            "select \"pg_terminate_backend\"(1)",
            "explain analyze delete from t",
            "explain (analyze, buffers) select 1",
            "select * into u from t",
            "select * from t for update",
            "with x as (delete from t returning *) select * from x",
            "select 1; drop table t",
            "select 1 -- x\n; drop table t",
            "select 1 /*! into outfile 'x' */",
            "select $$'$$; drop table t; --'",
            "select 'a\\'; drop table t; --'",
            "select :x",
            "select @x := 1",
            "select writefile('x', data) from t",
            "select load_extension('x')",
            "vacuum into 'x'",
            "pragma user_version = 3",
            "\\! rm x",
            "copy t to program 'x'",
            "show tables; set global x = 1",
        ] {
            assert!(!is_query(text), "{text}");
        }
    }

    #[test]
    fn a_listing_of_a_client_reads() {
        for text in ["\\d", "\\d+ invoices", "\\dt public.*", "\\l", "\\du", "\\sf f"] {
            assert!(is_query_or_listing(text), "{text}");
        }
        for text in
            ["\\! rm x", "\\copy t to 'x'", "\\o x", "\\d `rm x`", "\\d x \\g |rm", "\\i x", "\\gexec", "\\dt; \\! x"]
        {
            assert!(!is_query_or_listing(text), "{text}");
        }
        assert!(is_dot_listing(".schema users") && is_dot_listing(".tables"));
        assert!(!is_dot_listing(".once x") && !is_dot_listing(".shell x") && !is_dot_listing(".schema x\n.shell y"));
    }
}
