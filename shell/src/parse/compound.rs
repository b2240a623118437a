//! Compound commands.

use std::rc::Rc;

use crate::dialect::Feature;

use super::words::Spot;
use super::{Arm, Fault, Head, Item, Kind, Node, Parser, Raw, Result, Wait};

/// The name of an anonymous function.
const NAMELESS: &str = "(anonymous)";

impl Parser<'_> {
    pub(super) fn command(&mut self) -> Result<Node> {
        self.blanks();
        match self.compound()? {
            Some(node) => Ok(node),
            None => self.simple(),
        }
    }

    /// Reads a compound command with its redirections, if one begins here.
    pub(super) fn compound(&mut self) -> Result<Option<Node>> {
        let start = self.at;
        let Some(kind) = self.deeper(Self::kind)? else { return Ok(None) };
        let redirects = match kind {
            // The redirections of a definition belong to its body.
            Kind::Function(..) | Kind::Coproc(..) => Vec::new(),
            _ => self.redirections()?,
        };
        let node = self.node(kind, start);
        Ok(Some(Node { redirects, ..node }))
    }

    fn kind(&mut self) -> Result<Option<Kind>> {
        if self.peek() == Some(b'(') {
            if self.sees("()").is_some() && self.reading.has(Feature::OfZsh) {
                self.takes("()");
                return self.nameless_function().map(Some);
            }
            return self.parens().map(Some);
        }
        let Some((word, end)) = self.reserved() else { return Ok(None) };
        let start = std::mem::replace(&mut self.at, end);
        let kind = match word {
            "{" => {
                let body = self.list()?;
                self.expect("}")?;
                self.always(body)?
            }
            "if" => self.branches()?,
            "while" | "until" => {
                let condition = Box::new(self.list()?);
                let body = Box::new(self.body()?);
                if word == "while" { Kind::While(condition, body) } else { Kind::Until(condition, body) }
            }
            "for" => self.over(Head::For)?,
            "select" => self.over(Head::Select)?,
            "case" => self.case()?,
            "function" => self.function()?,
            "coproc" => self.coproc()?,
            "[[" => self.test()?,
            // After a `|`, `time` is a program.
            "time" => {
                self.at = start;
                return Ok(None);
            }
            _ => return Err(Fault::Syntax),
        };
        Ok(Some(kind))
    }

    /// Parses `((…))`, or else `(…)`.
    fn parens(&mut self) -> Result<Kind> {
        if self.sees("((").is_some()
            && self.reading.has(Feature::Arithmetic)
            && let Some(expression) = self.double_parens()?
        {
            self.at = expression.end + 2;
            return Ok(Kind::Arithmetic(self.raw(expression)));
        }
        self.takes("(");
        let body = self.list()?;
        if !self.takes(")") {
            return Err(Fault::Syntax);
        }
        Ok(Kind::Subshell(Box::new(body)))
    }

    /// Parses `{ … } always { … }`: the second runs after the first, regardless of its result.
    fn always(&mut self, body: Node) -> Result<Kind> {
        self.blanks();
        let Some(end) = self.sees_word("always").filter(|_| self.reading.has(Feature::OfZsh)) else {
            return Ok(Kind::Group(Box::new(body)));
        };
        self.at = end;
        self.expect("{")?;
        let last = self.list()?;
        self.expect("}")?;
        Ok(Kind::List([body, last].map(|node| Item { node, wait: Wait::Waited }).into()))
    }

    /// Parses `() { … } arguments`, from its body on: a definition and a call.
    fn nameless_function(&mut self) -> Result<Kind> {
        let start = self.at;
        self.newlines();
        let body = Rc::new(self.function_body()?);
        let name = Raw { text: format!("'{NAMELESS}'"), span: start..start };
        let words = std::iter::once(name).chain(self.words()?).collect();
        let call = self.node(Kind::Simple { assignments: Vec::new(), words }, start);
        let definition = self.node(Kind::Function(NAMELESS.to_owned(), body), start);
        Ok(Kind::List([definition, call].map(|node| Item { node, wait: Wait::Waited }).into()))
    }

    fn branches(&mut self) -> Result<Kind> {
        let mut arms = Vec::new();
        loop {
            let condition = self.list()?;
            self.expect("then")?;
            arms.push((condition, self.list()?));
            match self.reserved() {
                Some(("elif", end)) => self.at = end,
                Some(("else", end)) => {
                    self.at = end;
                    let otherwise = self.list()?;
                    self.expect("fi")?;
                    return Ok(Kind::If(arms, Some(Box::new(otherwise))));
                }
                Some(("fi", end)) => {
                    self.at = end;
                    return Ok(Kind::If(arms, None));
                }
                _ => return Err(Fault::Syntax),
            }
        }
    }

    /// Parses `do … done`; `body_or_braces` also accepts the braces that bash permits after `for`.
    fn body(&mut self) -> Result<Node> {
        self.newlines();
        self.expect("do")?;
        let body = self.list()?;
        self.expect("done")?;
        Ok(body)
    }

    fn body_or_braces(&mut self) -> Result<Node> {
        self.newlines();
        let Some(("{", end)) = self.reserved() else { return self.body() };
        self.needs(Feature::OtherSigns)?;
        self.at = end;
        let body = self.list()?;
        self.expect("}")?;
        Ok(body)
    }

    fn over(&mut self, head: Head) -> Result<Kind> {
        self.blanks();
        if head == Head::For && self.sees("((").is_some() {
            self.needs(Feature::OtherSigns)?;
            let header = self.double_parens()?.ok_or(Fault::Syntax)?;
            self.at = header.end + 2;
            if !is_count(self.slice(header.clone())) {
                return Err(Fault::Syntax);
            }
            let header = self.raw(header);
            self.separator();
            return Ok(Kind::Count(header, Box::new(self.body_or_braces()?)));
        }
        // Bash only detects an invalid name when the loop begins, and continues after it.
        let name = self.word(Spot::Argument)?;
        let name = self.text_of(&name).replace("\\\n", "");
        self.newlines();
        let words = match self.sees_word("in") {
            Some(end) => {
                self.at = end;
                Some(self.words()?)
            }
            None => None,
        };
        self.separator();
        let body = Box::new(self.body_or_braces()?);
        Ok(Kind::For { head, name, words, body })
    }

    fn words(&mut self) -> Result<Vec<Raw>> {
        let mut words = Vec::new();
        loop {
            self.blanks();
            if !self.starts_word() {
                return Ok(words);
            }
            words.push(self.word(Spot::Argument)?);
        }
    }

    fn separator(&mut self) {
        self.blanks();
        if self.is_separator() {
            self.takes(";");
        }
    }

    fn case(&mut self) -> Result<Kind> {
        self.blanks();
        let word = self.word(Spot::Argument)?;
        self.newlines();
        self.at = self.sees_word("in").ok_or(Fault::Syntax)?;
        let mut arms = Vec::new();
        loop {
            self.newlines();
            if let Some(("esac", end)) = self.reserved() {
                self.at = end;
                return Ok(Kind::Case(word, arms));
            }
            self.takes("(");
            let patterns = self.patterns()?;
            let body = self.list_or_nothing()?;
            let falls_through = self.takes(";;&") || self.sees(";;").is_none() && self.takes(";&");
            if falls_through {
                self.needs(Feature::OtherSigns)?;
            }
            let is_ended = falls_through || self.takes(";;");
            let body = Some(body).filter(|body| body.kind != Kind::Empty);
            arms.push(Arm { patterns, body, falls_through });
            if !is_ended && !matches!(self.reserved(), Some(("esac", _))) {
                return Err(Fault::Syntax);
            }
        }
    }

    fn patterns(&mut self) -> Result<Vec<Raw>> {
        let mut patterns = Vec::new();
        loop {
            self.blanks();
            patterns.push(self.word(Spot::Argument)?);
            self.blanks();
            if self.takes(")") {
                return Ok(patterns);
            }
            if !self.takes("|") {
                return Err(Fault::Syntax);
            }
        }
    }

    fn function(&mut self) -> Result<Kind> {
        self.blanks();
        if self.is_without_name() {
            return self.nameless_function();
        }
        let start = self.at;
        let name = self.word(Spot::Argument)?;
        let name = self.text_of(&name).to_owned();
        self.blanks();
        let mut names = vec![name];
        while self.starts_word() && self.reserved().is_none() && self.reading.has(Feature::OfZsh) {
            let name = self.word(Spot::Argument)?;
            names.push(self.text_of(&name).to_owned());
            self.blanks();
        }
        if self.takes("(") {
            self.blanks();
            if !self.takes(")") {
                return Err(Fault::Syntax);
            }
        }
        self.newlines();
        let body = Rc::new(self.function_body()?);
        let mut definitions: Vec<Kind> = names.into_iter().map(|name| Kind::Function(name, Rc::clone(&body))).collect();
        match definitions.pop() {
            Some(definition) if definitions.is_empty() => Ok(definition),
            last => {
                let all = definitions.into_iter().chain(last);
                Ok(Kind::List(all.map(|kind| Item { node: self.node(kind, start), wait: Wait::Waited }).collect()))
            }
        }
    }

    /// Whether the body of an anonymous function is next.
    fn is_without_name(&self) -> bool {
        let is_body = matches!(self.reserved(), Some(("{", _))) || self.peek() == Some(b'(');
        is_body && self.reading.has(Feature::OfZsh)
    }

    /// Parses a function body: a compound command other than a definition or a coprocess.
    pub(super) fn function_body(&mut self) -> Result<Node> {
        match self.compound()? {
            Some(body) if !matches!(body.kind, Kind::Function(..) | Kind::Coproc(..)) => Ok(body),
            None if self.reading.has(Feature::AnyBody) => self.deeper(Self::simple),
            _ => Err(Fault::Syntax),
        }
    }

    /// Parses `coproc NAME compound`, `coproc compound`, or `coproc simple`.
    fn coproc(&mut self) -> Result<Kind> {
        self.blanks();
        let start = self.at;
        let mut name = "COPROC".to_owned();
        if self.reserved().is_none() && self.starts_word() {
            let word = self.word(Spot::Argument)?;
            self.blanks();
            if self.peek() == Some(b'(') || self.reserved().is_some() {
                self.text_of(&word).clone_into(&mut name);
            } else {
                self.at = start;
            }
        }
        Ok(Kind::Coproc(name, Box::new(self.command()?)))
    }

    fn expect(&mut self, word: &str) -> Result<()> {
        self.blanks();
        match self.reserved() {
            Some((found, end)) if found == word => {
                self.at = end;
                Ok(())
            }
            _ => Err(Fault::Syntax),
        }
    }
}

/// Whether there are three expressions. A semicolon in quotes or in a substitution may not be a separator.
fn is_count(header: &str) -> bool {
    let divisions = header.bytes().filter(|byte| *byte == b';').count();
    divisions == 2 || divisions > 2 && header.contains(['\'', '"', '\\', '$', '`'])
}
