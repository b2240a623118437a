//! Which packages of a workspace a command works in, by its words: `pnpm --filter api publish`.

use super::{PACKAGE_ROWS, PackageRow};

/// Characters that make a selector a pattern, which may select several packages.
const PATTERN_SIGNS: &[char] = &['*', '?', '[', ']', '{', '}', '!', '^'];

/// The packages of a workspace that a command works in, in addition to its own directory.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PackageSelection {
    /// The words that select packages, by name or path: `api`, `@acme/api`, `./packages/api`.
    pub selectors: Vec<String>,
    /// Whether the command may work in any package.
    pub is_open: bool,
}

impl PackageSelection {
    /// Whether the command works in its own directory alone.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.selectors.is_empty() && !self.is_open
    }

    fn add(&mut self, selector: Option<&str>) {
        match selector {
            Some(text) if !text.contains(PATTERN_SIGNS) && !text.contains("...") => {
                self.selectors.push(text.to_owned())
            }
            _ => self.is_open = true,
        }
    }
}

/// Returns the packages that a program with these subcommands and words after its name works in. A word is `None` if it
/// is unknown.
#[must_use]
pub fn package_selection(name: &str, subcommands: &[&str], words: &[Option<&str>]) -> PackageSelection {
    let is_matching = |row: &&PackageRow| {
        row.names.contains(&name)
            && row.under.len() <= subcommands.len()
            && row.under.iter().zip(subcommands).all(|(names, word)| names.contains(word))
    };
    // The words after `--` select no packages.
    let end = words.iter().position(|word| *word == Some("--")).unwrap_or(words.len());
    let words = words.get(..end).unwrap_or_default();
    let mut selection = PackageSelection::default();
    for row in PACKAGE_ROWS.iter().filter(is_matching) {
        let names = words.iter().flatten().map(|word| word.split('=').next().unwrap_or_default());
        let known: Vec<&str> = names.collect();
        selection.is_open |= row.every.is_met(&known);
        add_option_values(row, words, &mut selection);
        if row.has_operand {
            let last = row.under.len().checked_sub(1).and_then(|last| subcommands.get(last));
            let operand = words.iter().position(|word| *word == last.copied()).map_or(0, |index| index + 1);
            selection.add(words.get(operand).copied().flatten());
        }
    }
    selection
}

/// Adds the values of the options that select packages: `--filter api`, `--filter=api`, `-Fapi`.
fn add_option_values(row: &PackageRow, words: &[Option<&str>], selection: &mut PackageSelection) {
    for (index, word) in words.iter().enumerate() {
        let Some(text) = word else { continue };
        for option in row.options {
            match text.strip_prefix(option) {
                Some("") => selection.add(words.get(index + 1).copied().flatten()),
                Some(rest) if rest.starts_with('=') => selection.add(rest.get(1..)),
                Some(rest) if option.len() == 2 => selection.add(Some(rest)),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::package_selection;

    #[test]
    fn options_and_operands_select_packages() {
        for (text, subcommands, expected) in [
            ("pnpm publish", "", ""),
            ("pnpm --filter api publish", "publish", "api"),
            ("pnpm --filter=@acme/api -F ui test", "test", "@acme/api ui"),
            ("pnpm --filter api... build", "", "any"),
            ("pnpm -r publish", "publish", "any"),
            ("npm publish -w packages/api", "publish", "packages/api"),
            ("npm test --workspaces", "test", "any"),
            ("npm test -- -w api", "test", ""),
            ("yarn workspace api publish", "workspace", "api"),
            ("yarn workspaces foreach -A publish", "workspaces foreach", "any"),
            ("cargo publish -p api", "publish", "api"),
            ("cargo test --workspace", "test", "any"),
            ("cargo test", "test", ""),
            ("turbo run build --filter=api", "run", "api"),
            ("turbo run build", "run", "any"),
            ("turbo login", "", ""),
            ("lerna exec -- ls", "exec", "any"),
            ("nx run api:build", "run", "api:build"),
            ("bun --filter ui test", "test", "ui"),
        ] {
            let mut words = text.split(' ');
            let name = words.next().unwrap();
            let words: Vec<Option<&str>> = words.map(Some).collect();
            let subcommands: Vec<&str> = subcommands.split_whitespace().collect();
            let found = package_selection(name, &subcommands, &words);
            let mut shown = found.selectors.join(" ");
            if found.is_open {
                shown = format!("{shown} any").trim().to_owned();
            }
            assert_eq!(shown, expected, "{text}");
        }
    }
}
