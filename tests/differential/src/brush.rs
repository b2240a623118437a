//! The simple commands that brush finds in a text, and their comparison with ours.

use brush_parser::ast::{
    AndOr, AndOrList, AssignmentValue, Command, CommandPrefixOrSuffixItem, CompoundCommand, CompoundList, FunctionBody,
    IoFileRedirectTarget, IoRedirect, Pipeline, RedirectList, SimpleCommand, SubshellCommand, Word,
};
use brush_parser::word::{WordPiece, WordPieceWithSource};
use brush_parser::{Parser, ParserOptions};
use hookrules_shell::Analysis;

/// A command found by brush.
#[derive(Debug)]
pub struct Seen {
    /// Its words without quotes; `None` for a word that an expansion may change.
    words: Vec<Option<String>>,
    /// Whether it is in a function, which may never be called.
    in_function: bool,
}

/// Returns the simple commands of a text that have a program.
pub fn commands(text: &str) -> Result<Vec<Seen>, String> {
    let program = Parser::new(text.as_bytes(), &ParserOptions::default()).parse_program();
    let program = program.map_err(|error| error.to_string())?;
    let mut walk = Walk { seen: Vec::new(), functions: 0 };
    program.complete_commands.iter().for_each(|list| walk.list(list));
    Ok(walk.seen)
}

/// Whether the words of a text are literal except for quotes, globs and braces.
pub fn is_plain(text: &str) -> bool {
    !text.contains(['$', '`']) && !text.contains("<(") && !text.contains(">(")
}

/// Returns the first command that only one of the two finds.
pub fn compare(analysis: &Analysis, theirs: &[Seen]) -> Option<String> {
    // Commands that another command runs are in its words.
    let ours: Vec<Vec<Option<String>>> = analysis
        .commands
        .iter()
        .filter(|command| command.outer_commands.is_empty() && !command.words.is_empty())
        .map(|command| command.words.iter().map(|word| word.known_text().map(str::to_owned)).collect())
        .collect();
    let missed = theirs.iter().find(|seen| {
        let varies = seen.words.iter().any(Option::is_none);
        !seen.in_function && !varies && !ours.iter().any(|words| is_same(words, &seen.words))
    });
    if let Some(missed) = missed {
        return Some(format!("brush sees {:?} and we do not", missed.words));
    }
    let theirs_varies = theirs.iter().any(|seen| seen.words.iter().any(Option::is_none));
    let added = ours.iter().find(|words| !theirs_varies && !theirs.iter().any(|seen| is_same(words, &seen.words)));
    added.map(|words| format!("we see {words:?} and brush does not"))
}

fn is_same(ours: &[Option<String>], theirs: &[Option<String>]) -> bool {
    let agree =
        |(ours, theirs): (&Option<String>, &Option<String>)| ours.is_none() || theirs.is_none() || ours == theirs;
    ours.len() == theirs.len() && ours.iter().zip(theirs).all(agree)
}

/// A walk of the syntax tree.
struct Walk {
    seen: Vec<Seen>,
    functions: usize,
}

impl Walk {
    fn list(&mut self, list: &CompoundList) {
        list.0.iter().for_each(|item| self.chain(&item.0));
    }

    fn chain(&mut self, chain: &AndOrList) {
        self.pipeline(&chain.first);
        for AndOr::And(pipeline) | AndOr::Or(pipeline) in &chain.additional {
            self.pipeline(pipeline);
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline) {
        pipeline.seq.iter().for_each(|command| self.command(command));
    }

    fn command(&mut self, command: &Command) {
        match command {
            Command::Simple(simple) => self.simple(simple),
            Command::Compound(compound, redirects) => {
                self.compound(compound);
                self.redirects(redirects.as_ref());
            }
            Command::Function(definition) => {
                let FunctionBody(body, redirects) = &definition.body;
                self.functions += 1;
                self.compound(body);
                self.redirects(redirects.as_ref());
                self.functions -= 1;
            }
            Command::ExtendedTest(_, redirects) => self.redirects(redirects.as_ref()),
        }
    }

    fn compound(&mut self, compound: &CompoundCommand) {
        match compound {
            CompoundCommand::Arithmetic(_) => {}
            CompoundCommand::ArithmeticForClause(each) => self.list(&each.body.list),
            CompoundCommand::BraceGroup(group) => self.list(&group.list),
            CompoundCommand::Subshell(subshell) => self.subshell(subshell),
            CompoundCommand::ForClause(each) => self.list(&each.body.list),
            CompoundCommand::CaseClause(case) => {
                case.cases.iter().filter_map(|arm| arm.cmd.as_ref()).for_each(|list| self.list(list));
            }
            CompoundCommand::IfClause(branch) => {
                self.list(&branch.condition);
                self.list(&branch.then);
                for branch in branch.elses.iter().flatten() {
                    branch.condition.iter().for_each(|list| self.list(list));
                    self.list(&branch.body);
                }
            }
            CompoundCommand::WhileClause(repeat) | CompoundCommand::UntilClause(repeat) => {
                self.list(&repeat.0);
                self.list(&repeat.1.list);
            }
            CompoundCommand::Coprocess(coprocess) => self.command(&coprocess.body),
        }
    }

    fn subshell(&mut self, subshell: &SubshellCommand) {
        self.list(&subshell.list);
    }

    fn simple(&mut self, simple: &SimpleCommand) {
        let before = simple.prefix.iter().flat_map(|prefix| &prefix.0);
        let behind = simple.suffix.iter().flat_map(|suffix| &suffix.0);
        let mut words: Vec<Option<String>> = simple.word_or_name.iter().map(literal).collect();
        for item in before {
            self.item(item);
        }
        for item in behind {
            self.item(item);
            match item {
                CommandPrefixOrSuffixItem::Word(word) => words.push(literal(word)),
                CommandPrefixOrSuffixItem::AssignmentWord(assignment, word) => words.push(match assignment.value {
                    AssignmentValue::Scalar(_) => literal(word),
                    AssignmentValue::Array(_) => None,
                }),
                CommandPrefixOrSuffixItem::IoRedirect(_) => {}
                CommandPrefixOrSuffixItem::ProcessSubstitution(..) => words.push(None),
            }
        }
        if !words.is_empty() {
            self.seen.push(Seen { words, in_function: self.functions > 0 });
        }
    }

    fn item(&mut self, item: &CommandPrefixOrSuffixItem) {
        match item {
            CommandPrefixOrSuffixItem::IoRedirect(redirect) => self.redirect(redirect),
            CommandPrefixOrSuffixItem::ProcessSubstitution(_, subshell) => self.subshell(subshell),
            CommandPrefixOrSuffixItem::Word(_) | CommandPrefixOrSuffixItem::AssignmentWord(..) => {}
        }
    }

    fn redirects(&mut self, redirects: Option<&RedirectList>) {
        redirects.iter().flat_map(|redirects| &redirects.0).for_each(|redirect| self.redirect(redirect));
    }

    fn redirect(&mut self, redirect: &IoRedirect) {
        if let IoRedirect::File(_, _, IoFileRedirectTarget::ProcessSubstitution(_, subshell)) = redirect {
            self.subshell(subshell);
        }
    }
}

/// Removes the quotes of a word; `None` if bash does more with it than that.
fn literal(word: &Word) -> Option<String> {
    let pieces = brush_parser::word::parse(&word.value, &ParserOptions::default()).ok()?;
    let mut text = String::new();
    pieces.iter().all(|piece| add(piece, false, &mut text)).then_some(text)
}

fn add(piece: &WordPieceWithSource, is_quoted: bool, text: &mut String) -> bool {
    match &piece.piece {
        WordPiece::Text(plain) if is_quoted || !plain.contains(['*', '?', '[', '{', '~', '(']) => text.push_str(plain),
        WordPiece::SingleQuotedText(plain) => text.push_str(plain),
        WordPiece::DoubleQuotedSequence(pieces) => return pieces.iter().all(|piece| add(piece, true, text)),
        WordPiece::EscapeSequence(escape) => {
            let escaped = escape.strip_prefix('\\').unwrap_or(escape);
            match escaped {
                "\n" => {}
                // Before other characters in double quotes, a backslash is literal.
                _ if is_quoted && !escaped.starts_with(['$', '`', '"', '\\']) => text.push_str(escape),
                _ => text.push_str(escaped),
            }
        }
        _ => return false,
    }
    true
}
