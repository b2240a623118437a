//! Known differences, and why they are intended or not ours to fix.

/// A comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Against {
    /// Whether bash accepts a text.
    Bash,
    /// Whether brush accepts it.
    Brush,
    /// Which simple commands brush finds in it.
    Commands,
}

/// A known difference.
pub struct Known {
    /// The comparison that shows it.
    pub against: Against,
    /// A minimal text that shows it.
    pub example: &'static str,
    /// The reason for it.
    pub why: &'static str,
    /// Whether a text may differ for this reason.
    pub covers: fn(&str) -> bool,
}

/// All known differences.
pub const KNOWN: &[Known] = &[
    Known {
        against: Against::Bash,
        example: "echo `(`",
        why: "bash reads what stands between backticks when it gets there",
        covers: |text| text.contains('`'),
    },
    Known {
        against: Against::Bash,
        example: "echo $((a;;) )",
        why: "what might have been arithmetic bash reads as commands when it gets there",
        covers: |text| ["$((", "<((", ">(("].iter().any(|sign| text.contains(sign)),
    },
    Known {
        against: Against::Bash,
        example: "(((1))\na)",
        why: "bash trips over parentheses in a row that are no arithmetic where a newline is in them",
        covers: |text| text.contains("((") && text.contains('\n'),
    },
    Known {
        against: Against::Bash,
        example: "a[\"${b[@\\]}\"]=(1)",
        why: "bash looks for the end of a subscript twice, and the second time knows fewer quotes",
        covers: |text| text.contains("]=("),
    },
    Known {
        against: Against::Bash,
        example: "echo ${x;}",
        why: "what bash calls a bad substitution when it gets there may be code to another shell, and we refuse it",
        covers: |text| text.split("${").skip(1).any(|behind| !may_substitute(behind)),
    },
    Known {
        against: Against::Brush,
        example: "a\\",
        why: "brush wants something behind a backslash",
        covers: |text| text.ends_with('\\'),
    },
    Known {
        against: Against::Commands,
        example: "a=(b)#; c",
        why: "brush begins a comment behind a list",
        covers: |text| text.contains(")#"),
    },
    Known {
        against: Against::Bash,
        example: "a ${ ;; }",
        why: "we read the commands that bash 5.3 runs in `${ …; }`",
        covers: |text| ["${ ", "${|", "${\t", "${\n"].iter().any(|sign| text.contains(sign)),
    },
    Known {
        against: Against::Brush,
        example: "x=1 case a",
        why: "brush takes words for reserved behind an assignment",
        covers: |text| {
            let words =
                ["case ", "coproc ", "do ", "done", "elif ", "else ", "esac", "fi", "function ", "if ", "then "];
            words.iter().any(|word| text.contains(&format!("x=1 {word}")))
        },
    },
    Known {
        against: Against::Commands,
        example: "a[b; c ]",
        why: "brush ends a word at a blank within its brackets",
        covers: |text| text.contains('['),
    },
    Known {
        against: Against::Bash,
        example: "echo $(cat <<E)\na\nE",
        why: "we refuse here-documents that begin in a substitution and stand behind it",
        covers: |text| text.contains("<<") && (text.contains("$(") || text.contains("<(")),
    },
    Known {
        against: Against::Brush,
        example: "\"$${x\"",
        why: "brush takes the second sign of `$$` for the beginning of an expansion",
        covers: |text| text.contains("$$"),
    },
    Known {
        against: Against::Brush,
        example: "\"${a[@(]}\"",
        why: "brush looks for patterns in subscripts",
        covers: |text| ["@(", "?(", "*(", "+(", "!("].iter().any(|sign| text.contains(sign)),
    },
    Known {
        against: Against::Brush,
        example: "<(a)",
        why: "brush knows no process substitution for a program, behind an assignment, in lists and behind `for`",
        covers: |text| text.contains("<(") || text.contains(">("),
    },
    Known {
        against: Against::Brush,
        example: "cat <<E\na",
        why: "brush wants an end of each here-document, as a line of its own",
        covers: |text| text.contains("<<") || text.contains("<\\\n<"),
    },
    Known {
        against: Against::Brush,
        example: "a &\\\n& b",
        why: "brush joins no lines within an operator",
        covers: |text| text.contains("\\\n"),
    },
    Known {
        against: Against::Brush,
        example: "for x in a; { b; }",
        why: "brush knows no braces behind `for`",
        covers: |text| text.contains("for ") && text.contains('{'),
    },
    Known {
        against: Against::Brush,
        example: "select x in a; do b; done",
        why: "brush knows no `select`",
        covers: |text| text.contains("select "),
    },
    Known {
        against: Against::Brush,
        example: "f() [[ a ]]",
        why: "brush takes no condition for the body of a function",
        covers: |text| text.contains("() [["),
    },
    Known {
        against: Against::Brush,
        example: "x=$( # )\na)",
        why: "brush ends a substitution at a parenthesis in a comment, or behind a pattern of `case`",
        covers: |text| text.contains("$("),
    },
    Known {
        against: Against::Brush,
        example: "a[[ab]?]=([ab]? [2]=b)",
        why: "brush takes a bracket at the beginning of an element for a subscript that an assignment follows",
        covers: |text| text.contains("=("),
    },
    Known {
        against: Against::Brush,
        example: "[[ a ]] |& b",
        why: "brush knows no `|&` behind a condition",
        covers: |text| text.contains("[[") && text.contains("|&"),
    },
    Known {
        against: Against::Brush,
        example: "((; a))",
        why: "brush reads arithmetic before it runs",
        covers: |text| text.contains("(("),
    },
    Known {
        against: Against::Commands,
        example: "! time a",
        why: "brush takes `time` behind `!`, and `--` behind `time`, for a program",
        covers: |text| text.contains("time "),
    },
    Known {
        against: Against::Commands,
        example: "( (a) )",
        why: "brush takes parentheses in parentheses for arithmetic",
        covers: |text| text.contains("((") || text.contains("( ("),
    },
    Known {
        against: Against::Commands,
        example: "eval 'f() { a; }'; f",
        why: "we see what the text makes of names: aliases, functions, traps, paths of programs",
        covers: |text| {
            let words = ["alias", "BASH_ALIASES", "eval ", "trap ", "hash -p"];
            words.iter().any(|word| text.contains(word))
        },
    },
];

/// Whether the text after `${` begins like a substitution: with a name or a sign, and an operator.
fn may_substitute(text: &str) -> bool {
    let text = text.strip_prefix('!').unwrap_or(text);
    // The length operator has no further operator.
    let (text, operators) = match text.strip_prefix('#') {
        Some(text) if !text.starts_with(['}', '#', '%', ':', '/', '-', '=', '+', '?']) => (text, "}["),
        _ => (text, "}[:-=+?#%/^,@*"),
    };
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let behind = text.trim_start_matches(is_name);
    let behind = if behind.len() < text.len() { behind } else { text.get(1..).unwrap_or_default() };
    !text.starts_with(['[', '}']) && behind.starts_with(|c| operators.contains(c))
}

/// Whether a text may differ.
pub fn covers(against: Against, text: &str) -> bool {
    KNOWN.iter().any(|known| known.against == against && (known.covers)(text))
}
