//! Templates of the shell commands that are equivalent to a tool call: `git push [--force {force?}] {remote}`.
//!
//! Words are separated by blanks. `{member}` is the value of a member of the tool's input: each item of a list
//! becomes a word, and each member of an object an option (`--name=value`). A part in brackets is omitted unless
//! every member in it has a value. `{member?}`, `{!member}` and `{member=value}` are not words but conditions of the
//! part: the member is true, is absent, or has this value.

/// A part of a command: words that occur together or not at all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct WordGroup<'t> {
    /// Whether the part is in brackets.
    pub(crate) is_optional: bool,
    /// The conditions of the part. In addition, each member in its words must have a value.
    pub(crate) conditions: Vec<MemberCondition<'t>>,
    /// The words, each as its pieces.
    pub(crate) words: Vec<Vec<WordPiece<'t>>>,
}

/// A condition on a member of the tool's input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MemberCondition<'t> {
    /// The member, as a dotted path.
    pub(crate) member: &'t str,
    /// The state that the member must have.
    pub(crate) state: MemberState<'t>,
}

/// The state of a member that a condition requires.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MemberState<'t> {
    /// The member has a value that is neither empty nor `false`.
    True,
    /// The member is absent, empty or `false`.
    Empty,
    /// The member has exactly this value.
    Value(&'t str),
}

/// A piece of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WordPiece<'t> {
    /// A literal text.
    Text(&'t str),
    /// The value of a member, as a dotted path.
    Member(&'t str),
}

/// Parses a template.
///
/// # Errors
/// The error says what is wrong, as a part of a sentence.
pub(crate) fn parse(text: &str) -> Result<Vec<WordGroup<'_>>, &'static str> {
    let mut groups: Vec<WordGroup<'_>> = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (part, is_optional, after) = match rest.strip_prefix('[') {
            Some(inner) => {
                let (part, after) = inner.split_once(']').ok_or("a `[` is not closed")?;
                (part, true, after)
            }
            None => {
                let at = rest.find('[').unwrap_or(rest.len());
                (rest.get(..at).unwrap_or_default(), false, rest.get(at..).unwrap_or_default())
            }
        };
        rest = after;
        if part.contains(['[', ']']) {
            return Err("brackets do not nest");
        }
        let mut group = WordGroup { is_optional, conditions: Vec::new(), words: Vec::new() };
        for word in part.split_ascii_whitespace() {
            if matches!(word, "&&" | "||" | "|" | ";" | "&") {
                return Err("several are a list");
            }
            match parse_condition(word)? {
                Some(_) if !is_optional => return Err("only what is in brackets can ask for a value"),
                Some(condition) => group.conditions.push(condition),
                None => group.words.push(pieces(word)?),
            }
        }
        if is_optional && group.words.is_empty() {
            return Err("brackets without a word");
        }
        if !group.words.is_empty() {
            groups.push(group);
        }
    }
    if groups.first().is_none_or(|first| first.is_optional) {
        return Err("a command begins with its program");
    }
    Ok(groups)
}

/// Returns the members that a command requires: the ones in words outside of brackets.
pub(crate) fn required_members<'t>(groups: &[WordGroup<'t>]) -> Vec<&'t str> {
    let words = groups.iter().filter(|group| !group.is_optional).flat_map(|group| group.words.iter().flatten());
    words.filter_map(|piece| if let WordPiece::Member(member) = piece { Some(*member) } else { None }).collect()
}

/// Returns all members of a command.
pub(crate) fn members<'t>(groups: &[WordGroup<'t>]) -> Vec<&'t str> {
    let in_conditions = groups.iter().flat_map(|group| group.conditions.iter().map(|ask| ask.member));
    let pieces = groups.iter().flat_map(|group| group.words.iter().flatten());
    let in_words = pieces.filter_map(|piece| if let WordPiece::Member(member) = piece { Some(*member) } else { None });
    in_conditions.chain(in_words).collect()
}

/// Parses a word as a condition; `None` if it is not one.
fn parse_condition(word: &str) -> Result<Option<MemberCondition<'_>>, &'static str> {
    let Some(inner) = word.strip_prefix('{').and_then(|word| word.strip_suffix('}')) else { return Ok(None) };
    let (member, wanted) = match (inner.strip_suffix('?'), inner.strip_prefix('!'), inner.split_once('=')) {
        (Some(member), ..) => (member, MemberState::True),
        (None, Some(member), _) => (member, MemberState::Empty),
        (None, None, Some((member, value))) => (member, MemberState::Value(value)),
        (None, None, None) => return Ok(None),
    };
    check_member_path(member)?;
    Ok(Some(MemberCondition { member, state: wanted }))
}

/// Parses a word as literal texts and members.
fn pieces(word: &str) -> Result<Vec<WordPiece<'_>>, &'static str> {
    let mut pieces = Vec::new();
    let mut rest = word;
    while let Some((text, after)) = rest.split_once('{') {
        let (member, after) = after.split_once('}').ok_or("a `{` is not closed")?;
        check_member_path(member)?;
        if !text.is_empty() {
            pieces.push(WordPiece::Text(text));
        }
        pieces.push(WordPiece::Member(member));
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(WordPiece::Text(rest));
    }
    Ok(pieces)
}

/// Fails unless a text is the dotted path of a member, without `tool_input`.
pub(crate) fn check_member_path(path: &str) -> Result<(), &'static str> {
    let is_name = |name: &str| {
        !name.is_empty()
            && name.bytes().all(|byte| matches!(byte, b'_' | b'-' | b'$' | b'@') || byte.is_ascii_alphanumeric())
    };
    if path.split('.').next() == Some("tool_input") {
        return Err("leave `tool_input.` out");
    }
    if path.split('.').all(is_name) { Ok(()) } else { Err("a member is named by letters, digits, `_`, `-` and dots") }
}
