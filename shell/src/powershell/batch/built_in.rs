//! Translates the built-in commands of `cmd` into cmdlets with the same effect.

use super::super::native::recorded_name;
use super::super::value::{PowerShellObject, ValuePiece, WildcardMode, known_object_text, paths, write_word};
use super::super::{TranslationResult, quoted};
use super::{BatchTranslator, is_switch, program_name, with_blanks};

/// The built-in commands of `cmd`, with the commands of the translation.
const BUILT_IN: &[(&str, &str)] = &[
    ("del", "Remove-Item"),
    ("erase", "Remove-Item"),
    ("rd", "Remove-Item"),
    ("rmdir", "Remove-Item"),
    ("copy", "Copy-Item"),
    ("xcopy", "Copy-Item"),
    ("move", "Move-Item"),
    ("ren", "Rename-Item"),
    ("rename", "Rename-Item"),
    ("type", "Get-Content"),
    ("more", "Get-Content"),
    ("md", "New-Item -ItemType Directory"),
    ("mkdir", "New-Item -ItemType Directory"),
    ("mklink", "New-Item -ItemType SymbolicLink"),
    ("dir", "Get-ChildItem"),
    ("cd", "cd"),
    ("chdir", "cd"),
    ("pushd", "pushd"),
    ("popd", "popd"),
    ("start", "Start-Process"),
    ("exit", "exit"),
];

/// Programs of Windows whose names belong to other commands of bash: `fc` compares files, `find` searches them.
const RENAMED: &[(&str, &str)] = &[("fc", "comp"), ("find", "findstr")];

/// Returns the name of a program as a word of bash. `lower` is the name in lower case.
fn called_program(lower: &str, name: &str) -> String {
    if let Some((_, program)) = RENAMED.iter().find(|(own, _)| *own == program_name(lower)) {
        return (*program).to_owned();
    }
    if name.contains(['\\', '/', ':']) {
        return paths(&[ValuePiece::Text(program_name(name).to_owned())], WildcardMode::Literal).concat();
    }
    quoted(&recorded_name(program_name(name)))
}

impl BatchTranslator {
    /// Translates a built-in command, or the call of a program. `lower` is the name in lower case.
    pub(super) fn built_in(&mut self, lower: &str, name: &str) -> TranslationResult<String> {
        let Some((_, cmdlet)) = BUILT_IN.iter().find(|(own, _)| *own == lower) else {
            return self.program(called_program(lower, name));
        };
        let words = self.words()?;
        let (switches, operands) = words.split_switches();
        let has = |switch: char| switches.iter().any(|own| own.starts_with(switch));
        let operand_paths = |wildcards| operands.iter().flat_map(|item| paths(item, wildcards)).collect::<Vec<_>>();
        let mut out = vec![(*cmdlet).to_owned()];
        match *cmdlet {
            "Remove-Item" => {
                out.extend(has('s').then(|| "-Recurse".to_owned()));
                out.extend((has('q') || has('f')).then(|| "-Force".to_owned()));
                out.extend(operand_paths(WildcardMode::Expanded));
            }
            "cd" | "pushd" | "popd" => {
                // All words together are one path, which may contain blanks.
                let item = with_blanks(&operands);
                if item.is_empty() && *cmdlet == "cd" {
                    return Ok(format!("Get-Location{}", words.redirects));
                }
                out.extend((!item.is_empty()).then(|| paths(&item, WildcardMode::Literal).concat()));
            }
            "Copy-Item" | "Move-Item" => {
                let is_tree = lower == "xcopy" && (has('s') || has('e'));
                out.extend(is_tree.then(|| "-Recurse".to_owned()));
                out.extend(operand_paths(WildcardMode::Expanded));
                if operands.len() == 1 {
                    out.push("'.'".to_owned());
                }
            }
            "Rename-Item" => out.extend(rename_operands(&operands)),
            "New-Item -ItemType Directory" => out.extend(operand_paths(WildcardMode::Literal)),
            "New-Item -ItemType SymbolicLink" => out.extend(operand_paths(WildcardMode::Literal).into_iter().take(1)),
            "Start-Process" => {
                // A quoted first word is the title of the window.
                let has_title = words.raw.first().is_some_and(|raw| raw.starts_with('"'));
                let rest = words.items.iter().skip(usize::from(has_title)).skip_while(|item| is_switch(item));
                // A command of the shell itself runs in a new one.
                let name = rest.clone().next().and_then(|item| known_object_text(item));
                if name.is_some_and(|name| BUILT_IN.iter().any(|(own, _)| name.eq_ignore_ascii_case(own))) {
                    out.extend(["cmd".to_owned(), quoted("/c")]);
                }
                out.extend(rest.map(|item| write_word(item)));
            }
            "exit" => return Ok("exit".to_owned()),
            _ => out.extend(operand_paths(WildcardMode::Expanded)),
        }
        Ok(format!("{}{}", out.join(" "), words.redirects))
    }
}

/// Returns the operands of `Rename-Item`: the old path, and the new name as a path in the same directory.
fn rename_operands(operands: &[PowerShellObject]) -> Vec<String> {
    let mut names = operands.iter();
    let (old, new) = (names.next().cloned().unwrap_or_default(), names.next().cloned().unwrap_or_default());
    let directory = known_object_text(&old).map(|old| old.replace('\\', "/"));
    let directory = directory.and_then(|old| old.rsplit_once('/').map(|(directory, _)| format!("{directory}/")));
    let mut target: PowerShellObject = directory.into_iter().map(ValuePiece::Text).collect();
    target.extend(new);
    paths(&old, WildcardMode::Expanded).into_iter().take(1).chain(paths(&target, WildcardMode::Literal)).collect()
}
