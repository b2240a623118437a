//! Random texts that are nearly valid bash: the same for the same seed.

/// A random number generator (SplitMix64).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below a bound, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).unwrap_or_default()
    }

    /// Returns one of several texts.
    pub fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of.get(self.below(of.len())).copied().unwrap_or_default()
    }

    /// Returns a text: valid at first, then sometimes with a piece inserted or a character removed.
    pub fn text(&mut self) -> String {
        let depth = 1 + self.below(3);
        let mut text = self.list(depth);
        if self.below(3) == 0 {
            let piece = self.one(PIECES);
            let at = self.place(&text);
            text.insert_str(at, piece);
        }
        if self.below(6) == 0 {
            let at = self.place(&text);
            if at < text.len() {
                text.remove(at);
            }
        }
        text
    }

    fn place(&mut self, text: &str) -> usize {
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        places.get(self.below(places.len())).copied().unwrap_or_default()
    }

    fn list(&mut self, depth: usize) -> String {
        let mut list = self.command(depth);
        for _ in 0..self.below(3) {
            let is_here = list.ends_with("\nE");
            list.push_str(if is_here {
                "\n"
            } else {
                self.one(&["; ", "\n", " && ", " || ", " | ", " & ", " |& ", " &&\n"])
            });
            list.push_str(&self.command(depth));
        }
        list
    }

    fn command(&mut self, depth: usize) -> String {
        let Some(inner) = depth.checked_sub(1) else { return self.simple(0) };
        let (a, b) = (self.body(inner), self.body(inner));
        let word = self.word(inner);
        let command = match self.below(16) {
            0 => format!("( {a})"),
            1 => format!("{{ {a} }}"),
            2 => format!("if {a} then {b} fi"),
            3 => format!("while {a} do {b} done"),
            4 => format!("for x in {word}; do {a} done"),
            5 => format!("case {word} in a|{word}) {a} ;; *) {b} esac"),
            6 => format!("f() {{ {a} }}"),
            7 => format!("[[ {word} == {word} && -n {word} ]]"),
            8 => "((x + 1))".to_owned(),
            9 => format!("! {}", self.simple(inner)),
            11 => format!("declare a[{word}]={word} {word}"),
            12 => format!("a[{word}]=({word} [2]={word})"),
            10 => format!("cat <<{}\n{word}\nE", self.one(&["E", "E", "'E'", "-E", "$'E'", "\"E\"", "\\E"])),
            _ => self.simple(inner),
        };
        if self.below(6) == 0 && !command.ends_with("\nE") { format!("{command} > f 2>&1") } else { command }
    }

    /// Returns a list with a terminator, so that a word may follow.
    fn body(&mut self, depth: usize) -> String {
        let list = self.list(depth);
        let end = if list.ends_with("\nE") { "\n" } else { self.one(&[";", "\n", " &"]) };
        list + end
    }

    fn simple(&mut self, depth: usize) -> String {
        let mut words = vec![self.one(&["echo", "ls", "git", "x=1", "a"]).to_owned()];
        for _ in 0..self.below(4) {
            words.push(self.word(depth));
        }
        words.join(" ")
    }

    fn word(&mut self, depth: usize) -> String {
        let Some(inner) = depth.checked_sub(1) else { return self.one(WORDS).to_owned() };
        let mut list = self.list(inner);
        if list.ends_with("\nE") && self.below(4) > 0 {
            list.push('\n');
        }
        match self.below(12) {
            0 => format!("$({list})"),
            1 => format!("\"$({list})\""),
            2 => format!("\"a $x {}\"", self.one(&["b", "${y:-c}", "$((1 + 2))", "'"])),
            3 => format!("<({list})"),
            _ => self.one(WORDS).to_owned(),
        }
    }
}

const WORDS: &[&str] = &[
    "a",
    "-f",
    "'b c'",
    "\"d\"",
    "$x",
    "\"$x\"",
    "${x}",
    "${x:-y}",
    "${x#*/}",
    "${x//a/b}",
    "${a[1]}",
    "\"${a[@]}\"",
    "$'\\n'",
    "$\"t\"",
    "a\\ b",
    "{a,b}",
    "{1..3}",
    "*.c",
    "[ab]?",
    "~/x",
    "$((1+2))",
    "`ls`",
    "@(a|b)",
    "!(c)",
    "a=b",
    "--x=y",
    "2",
    "é",
    "#",
    "a#b",
    "$",
    "\\\n",
    "$#",
    "$@",
    "''",
];

const PIECES: &[&str] = &[
    "'",
    "\"",
    "`",
    "(",
    ")",
    "{",
    "}",
    "$(",
    "${",
    "$((",
    "))",
    ";",
    ";;",
    "&",
    "&&",
    "|",
    "||",
    "<",
    ">",
    "<<",
    "<<<",
    "\n",
    "\\",
    "if ",
    "then ",
    "fi",
    "do ",
    "done",
    "case ",
    "esac",
    "in ",
    "!",
    "#",
    "[[ ",
    "]]",
    "((",
    "function ",
    "coproc ",
    "time ",
    "select ",
    "\t",
    "$",
    "=(",
    "x[",
];
