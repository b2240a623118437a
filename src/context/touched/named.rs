//! Finds the paths in a text that is not parsed: every word that can be a path.

/// The maximum number of paths that are collected from a text.
const MAX_PATHS: usize = 1_024;

/// The maximum length of a path, in bytes.
const MAX_PATH_BYTES: usize = 1_024;

/// Returns the distinct words of a text that can be paths; `None` if there are too many.
pub(super) fn paths(text: &str) -> Option<Vec<String>> {
    let mut found: Vec<String> = Vec::new();
    let is_separator = |c: char| c.is_whitespace() || "\"'`(){}[]<>,;|&=".contains(c);
    for word in text.split(is_separator) {
        // Drops the full stop or colon of a sentence, and the `@` before a name.
        let word = word.trim_end_matches(['.', ':', '\\']).trim_start_matches(['@', '\\']);
        // Even a plain word can be the name of a file, but not an option or a number.
        let is_path =
            word.contains(['.', '/']) || word.starts_with(|c: char| c == '~' || c == '_' || c.is_alphabetic());
        if !is_path || word.contains("://") || word.len() > MAX_PATH_BYTES || found.iter().any(|known| known == word) {
            continue;
        }
        if found.len() == MAX_PATHS {
            return None;
        }
        found.push(word.to_owned());
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_stands_between_quotes_blanks_and_brackets() {
        let found = |text: &str| paths(text).unwrap().join(" ");
        assert_eq!(found("Get-Content .env | Set-Content -Path 'C:/x.txt'"), "Get-Content .env Set-Content C:/x.txt");
        assert_eq!(found("open(\"/etc/hosts\").read()"), "open /etc/hosts .read");
        assert_eq!(found("curl https://x/.env and ~/.ssh. 5 -x"), "curl and ~/.ssh");
        assert_eq!(paths(&(0..1100).map(|at| format!("a.{at} ")).collect::<String>()), None);
    }
}
