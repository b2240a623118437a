//! Files that a text writes and that a program then loads: by a convention, an option, a variable or a setting.

use super::check;

#[test]
fn a_convention_loads_a_file() {
    check("echo 'File.delete(\"a\")' > Rakefile; rake", &[r#"echo File.delete("a") >Rakefile"#, "rake [code from 0]"]);
    check(
        "echo 'rm a' > x; printf 'syscmd(rm b)' > y; m4 <<< 'include(y)'",
        &[
            r#"echo "rm a" >x"#,
            r#"printf "syscmd(rm b)" >y"#,
            r#"m4 <<<"include(y)\n""#,
            r#"?Foreign by 2 "include(y)\n""#,
            r#"?Foreign by 2 "syscmd(rm b)""#,
        ],
    );
}

#[test]
fn a_package_manager_runs_the_scripts_of_its_stages() {
    const JSON: &str = r#"{"name":"p","scripts":{"build":"rm a","pretest":"rm b","test":"rm \"c\"","prepare":"rm d"}}"#;
    let commands = |command: &str| {
        let text = format!("cat > package.json <<'E'\n{JSON}\nE\n{command}");
        let analysis = super::analyse(&text, &super::start());
        let words = analysis
            .commands
            .iter()
            .skip(2)
            .map(|command| command.words.iter().map(crate::word::Word::display_text).collect::<Vec<_>>().join(" "));
        words.collect::<Vec<_>>().join("; ")
    };
    for (command, run) in [
        ("npm test", "rm b; rm c"),
        ("npm t", "rm b; rm c"),
        ("npm run build", "rm a"),
        ("npm i", "rm d"),
        ("npm i --ignore-scripts", ""),
        ("npm view x", ""),
        ("pnpm install", "rm d"),
        ("yarn add x", "rm d"),
        ("npm isntall-clean", "rm d"),
        ("npm rum build", "rm a"),
        ("npm sit", "rm b; rm c; rm d"),
        // Without such a script, it would be the program of that name.
        ("yarn build", "build; rm a"),
    ] {
        assert_eq!(commands(command), run, "{command}");
    }
}

#[test]
fn a_compiled_program_has_the_literals_of_its_source() {
    check(
        "gcc -x c - -o q <<< 'int main(){unlink(\"a\" \"b\");}'; ./q",
        &[
            r#"gcc -x c - -o q <<<"int main(){unlink(\"a\" \"b\");}\n""#,
            "./q [code from 0]",
            r#"?Foreign by 1 "\"ab\"\n""#,
        ],
    );
    check(
        "gcc -x c - -o q <<< 'int main(){puts(\"a\");}'; ./q",
        &[r#"gcc -x c - -o q <<<"int main(){puts(\"a\");}\n""#, "./q"],
    );
}

#[test]
fn php_runs_what_the_settings_of_a_directory_name() {
    for command in ["PHPRC=. php x.php", "PHPRC=. php -d memory_limit=1G x.php"] {
        let text = format!("echo 'auto_prepend_file=q' > php.ini; echo '<?php unlink(\"a\");' > q; {command}");
        let analysis = super::analyse(&text, &super::start());
        let code = analysis.commands.iter().filter_map(|command| command.code.as_ref());
        let deletes = code
            .flat_map(|code| &code.equivalent_commands)
            .any(|words| words.iter().any(|word| word.known_text() == Some("a")));
        assert!(deletes, "{command}: {:?}", analysis.commands);
    }
}

#[test]
fn git_runs_what_the_text_configured_before() {
    let ran = |text: &str| {
        let analysis = super::analyse(text, &super::start());
        let names = analysis.commands.iter().map(|command| command.words.iter().map(|word| word.display_text()));
        names.map(|words| words.collect::<Vec<_>>().join(" ")).collect::<Vec<_>>()
    };
    let runs = |text: &str| ran(text).iter().any(|command| command == "rm a");
    assert!(runs("git config alias.q '!rm a'; git q"));
    assert!(runs("git config --global alias.q '!sh -c \"rm a\"' && git q"));
    assert!(runs("git config set core.pager 'rm a'; git log"));
    assert!(runs("git config core.hooksPath h; echo 'rm a' > h/pre-push; git push"));
    assert!(runs("echo 'rm a' > .git/hooks/pre-commit; git commit -m x"));
    assert!(runs("echo 'rm a' > .git/hooks/post-commit; git commit --no-verify -m x"));
    assert!(!runs("echo 'rm a' > .git/hooks/pre-commit; git commit --no-verify -m x"));
    assert!(!runs("echo 'rm a' > .git/hooks/pre-commit; git status"));
    assert!(!runs("git q; git config alias.q '!rm a'"));
    assert!(!runs("git config alias.q '!rm a'; git status"));
    assert!(!runs("git config --get alias.q; git q"));
    // The commit is read as a whole, although its words run another command first.
    let analysis = super::analyse("git commit -m \"$(git status)\"", &super::start());
    assert!(analysis.commands.iter().any(|command| command.argv().subcommand() == Some("commit")));
    // An alias that calls itself has an end.
    assert!(ran("git config alias.q '!git q'; git q").len() < 200);
}

#[test]
fn an_alias_that_two_paths_define_differently_is_unknown() {
    let is_unknown = |text: &str| {
        let analysis = super::analyse(text, &super::start());
        analysis.opaque.iter().any(|opaque| opaque.reason.cause == crate::word::Cause::Alias)
    };
    for text in [
        "alias f=echo\nif c; then alias f='rm a'; fi\nf",
        "alias f=echo\nc && alias f='rm a'\nf",
        "if c; then alias f='rm a'; else alias f=echo; fi\nf",
        "alias f=echo\ncase $1 in a) alias f='rm a';; esac\nf",
    ] {
        assert!(is_unknown(text), "{text}");
    }
    for text in ["alias f='rm a'\nf", "if c; then alias f='rm a'; fi\nf", "alias f=echo\nalias f='rm a'\nf"] {
        assert!(!is_unknown(text), "{text}");
    }
}

#[test]
fn either_body_of_an_exported_function_runs_in_a_child() {
    let text = "f() { rm a; }; export -f f; if c; then f() { rm b; }; export -f f; fi; bash -c f";
    let analysis = super::analyse(text, &super::start());
    for operand in ["a", "b"] {
        let deletes = |words: &[crate::Word]| words.get(1).and_then(|word| word.known_text()) == Some(operand);
        assert!(analysis.commands.iter().any(|command| deletes(&command.words)), "{operand}");
    }
}

#[test]
fn a_program_in_the_path_may_be_started_by_another() {
    let runs_it = |text: &str| {
        let analysis = super::analyse(text, &super::start());
        analysis.commands.iter().any(|command| command.words.iter().any(|word| word.known_text() == Some("gone")))
    };
    assert!(runs_it("echo 'rm gone' > b/node; PATH=$PWD/b:$PATH npm test"));
    assert!(runs_it("echo 'rm gone' > /b/git-foo; git foo"));
    assert!(runs_it("echo 'rm gone' > node_modules/.bin/foo; npx foo"));
    assert!(runs_it("echo 'rm gone' > .venv/bin/foo; uv run foo"));
    assert!(runs_it("echo '{\"scripts\":{\"x\":\"rm gone\"}}' > api/package.json; pnpm -C api x"));
    assert!(!runs_it("echo 'rm gone' > b/node; npm test"));
    assert!(!runs_it("echo 'rm gone' > b/node; PATH=$PWD/b:$PATH cat x"));
    assert!(!runs_it("echo 'rm gone' > node_modules/.bin/foo; npx bar"));
}

#[test]
fn code_that_the_text_puts_into_a_file_is_loaded_through_variables() {
    let has_unread = |text: &str| !super::analyse(text, &super::start()).opaque.is_empty();
    assert!(has_unread("cp /x/x.so y.so; LD_PRELOAD=./y.so ls"));
    assert!(has_unread("cp /x/x.js e.js; NODE_OPTIONS='--require ./e.js' npm test"));
    assert!(!has_unread("LD_PRELOAD=./y.so ls"));
    assert!(!has_unread("cp /x/x.so y.so; PYTHONPATH=. ls"));
}
