//! Texts before and after, with a table for each difficulty of editing.

mod properties;

use std::path::Path;

use super::*;

fn start() -> StartDirectories<'static> {
    StartDirectories { cwd: Path::new("/w"), home: Some(Path::new("/home/dev")) }
}

fn edited(from: &str, to: &str, text: &str) -> Result<String, Obstacle> {
    let edit = Edit::new(from, to).unwrap();
    let result = edit.apply(text, &analyse(text, &start()), &start())?;
    Ok(result.unwrap_or_else(|| "=".to_owned()))
}

/// Checks the results for texts: `=` if nothing changes, `?` and the obstacle's word if the edit is impossible.
#[track_caller]
fn check(from: &str, to: &str, table: &[(&str, &str)]) {
    let mut wrong = String::new();
    for (text, expected) in table {
        let is = edited(from, to, text).unwrap_or_else(|obstacle| format!("? {}", obstacle.word));
        let is_right = if *expected == "?" { is.starts_with('?') } else { is == *expected };
        if !is_right {
            let why = edited(from, to, text).err().map(|obstacle| obstacle.text).unwrap_or_default();
            wrong.push_str(&format!("\n{text:?}\n  is       {is:?} {why}\n  expected {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{from} to {to}:{wrong}");
}

#[test]
fn a_program_gives_way_wherever_it_stands() {
    check(
        "npm",
        "pnpm",
        &[
            ("npm install", "pnpm install"),
            ("npm", "pnpm"),
            ("  npm   ci  ", "  pnpm   ci  "),
            ("npm ci && npm test || npm -v; npm ls", "pnpm ci && pnpm test || pnpm -v; pnpm ls"),
            ("npm ls | npm x & npm y", "pnpm ls | pnpm x & pnpm y"),
            ("cd sub && npm i", "cd sub && pnpm i"),
            ("cd /w/npm && npm i npm", "cd /w/npm && pnpm i npm"),
            ("(npm i); { npm t; }", "(pnpm i); { pnpm t; }"),
            ("if npm a; then npm b; else npm c; fi", "if pnpm a; then pnpm b; else pnpm c; fi"),
            ("while npm a; do npm b; done", "while pnpm a; do pnpm b; done"),
            ("until npm a; do npm b; done", "until pnpm a; do pnpm b; done"),
            ("for d in a b; do npm i -C $d; done", "for d in a b; do pnpm i -C $d; done"),
            ("for d in *; do (cd \"$d\" && npm i); done", "for d in *; do (cd \"$d\" && pnpm i); done"),
            ("case $x in npm) npm i;; *) :;; esac", "case $x in npm) pnpm i;; *) :;; esac"),
            ("! npm i", "! pnpm i"),
            ("time -p npm i", "time -p pnpm i"),
            ("coproc npm i", "coproc pnpm i"),
            ("A=npm B=2 npm i", "A=npm B=2 pnpm i"),
            (">npm npm i <npm", ">npm pnpm i <npm"),
            ("npm>log 2>&1", "pnpm>log 2>&1"),
            ("npm i 2>/dev/null >&2", "pnpm i 2>/dev/null >&2"),
            ("f() { npm i; }; f; f", "f() { pnpm i; }; f; f"),
            ("f() { npm i; }; eval f; x=$(f)", "f() { pnpm i; }; eval f; x=$(f)"),
            ("f() { npm \"$@\"; }; f i; f t", "f() { pnpm \"$@\"; }; f i; f t"),
            (
                "if x; then f() { npm a; }; else f() { npm b; }; fi; f",
                "if x; then f() { pnpm a; }; else f() { pnpm b; }; fi; f",
            ),
            ("f() { if npm a; then f() { npm b; }; fi; }; f; f", "f() { if pnpm a; then f() { pnpm b; }; fi; }; f; f"),
            ("npm i # npm is slow", "pnpm i # npm is slow"),
            ("# npm i\nnpm i", "# npm i\npnpm i"),
            ("npm i\n\nnpm t\n", "pnpm i\n\npnpm t\n"),
            ("npm i --save 'a b' \"$X\" $Y", "pnpm i --save 'a b' \"$X\" $Y"),
            ("cat <<E | npm i\nnpm $X\nE\nnpm t", "cat <<E | pnpm i\nnpm $X\nE\npnpm t"),
            ("npm i <<< 'npm'", "pnpm i <<< 'npm'"),
            ("npm i é ß 中; echo ü; npm t", "pnpm i é ß 中; echo ü; pnpm t"),
            ("npm run x\r\nnpm t\r\n", "pnpm run x\r\npnpm t\r\n"),
            ("npm $(npm-prefix)", "pnpm $(npm-prefix)"),
            ("npm i `date`", "pnpm i `date`"),
            ("[ -f x ] && npm i || exit 1", "[ -f x ] && pnpm i || exit 1"),
            ("[[ npm = npm ]] && npm i", "[[ npm = npm ]] && pnpm i"),
            ("((x = 1)); npm i", "((x = 1)); pnpm i"),
        ],
    );
}

#[test]
fn a_program_is_known_in_every_spelling() {
    check(
        "npm",
        "pnpm",
        &[
            ("'npm' i", "pnpm i"),
            ("\"npm\" i", "pnpm i"),
            ("n\\pm i", "pnpm i"),
            ("\\npm i", "pnpm i"),
            ("n''pm i", "pnpm i"),
            ("$'npm' i", "pnpm i"),
            ("n\\\npm i", "pnpm i"),
            ("npm \\\n  i \\\n  x", "pnpm \\\n  i \\\n  x"),
            ("/usr/bin/npm i", "pnpm i"),
            ("./node_modules/.bin/npm i", "pnpm i"),
            ("npm.exe i", "pnpm i"),
            ("N=npm; $N i", "N=npm; pnpm i"),
        ],
    );
}

#[test]
fn what_is_no_such_command_is_left_alone() {
    check(
        "npm",
        "pnpm",
        &[
            ("", "="),
            ("ls", "="),
            ("echo npm i", "="),
            ("which npm", "="),
            ("git commit -m 'npm i'", "="),
            ("cat <<'E'\nnpm i\nE", "="),
            ("# npm i", "="),
            ("f() { npm i; }", "="),
            ("pnpm i", "="),
            ("npm\r\n", "="),
            ("rm -rf \"$DIR\"/npm", "="),
            ("X=npm", "="),
            ("[[ npm ]]", "="),
            ("./run-npm.sh", "="),
        ],
    );
}

#[test]
fn what_wrappers_run_is_edited_where_it_stands() {
    check(
        "npm",
        "pnpm",
        &[
            ("sudo npm i", "sudo pnpm i"),
            ("sudo -u me -- npm i", "sudo -u me -- pnpm i"),
            ("env A=1 npm i", "env A=1 pnpm i"),
            ("timeout -k 5 60 npm i", "timeout -k 5 60 pnpm i"),
            ("sudo env nice -n 5 npm i", "sudo env nice -n 5 pnpm i"),
            ("nohup npm start > log 2>&1 &", "nohup pnpm start > log 2>&1 &"),
            ("command npm i", "command pnpm i"),
            ("exec npm i", "exec pnpm i"),
            ("echo a | xargs npm i", "echo a | xargs pnpm i"),
            ("echo a | xargs -n1 -I{} npm i {}", "echo a | xargs -n1 -I{} pnpm i {}"),
            ("find . -name package.json -execdir npm i \\;", "find . -name package.json -execdir pnpm i \\;"),
            ("docker compose exec web npm i", "docker compose exec web pnpm i"),
            ("docker run --rm -it node npm i", "docker run --rm -it node pnpm i"),
            ("npm exec npm i", "pnpm exec pnpm i"),
        ],
    );
}

#[test]
fn what_does_not_stand_in_the_text_itself_is_not_edited() {
    check(
        "npm",
        "pnpm",
        &[
            ("sh -c 'npm i'", "?"),
            ("eval npm i", "?"),
            ("bash <<E\nnpm i\nE", "?"),
            ("alias n=npm\nn i", "?"),
            ("{npm,} i", "?"),
            ("$NPM i", "? $NPM"),
            ("$SUDO npm i", "? $SUDO"),
            ("n$X i", "? $X"),
            ("eval \"$X\"; npm i", "?"),
            ("eval 'f() { npm i; }'; f; echo aaaaaaaaaaaa", "?"),
            ("trap 'npm i' EXIT", "?"),
            ("eval 'f() { npm i; }'; f", "?"),
            ("X=$(npm prefix)", "?"),
            ("echo \"`npm prefix`\"", "?"),
            ("python -c 'os.system(\"npm i\")'; npm i", "?"),
            ("npm i; if", "?"),
            ("npm i; echo 'x", "?"),
            ("npm i \0", "?"),
        ],
    );
}

#[test]
fn a_flag_gives_way_in_every_spelling() {
    check(
        "git push --force",
        "git push --force-with-lease",
        &[
            ("git push --force", "git push --force-with-lease"),
            ("git push -f", "git push --force-with-lease"),
            ("git push --force origin main", "git push --force-with-lease origin main"),
            ("git push origin main --force", "git push --force-with-lease origin main"),
            ("git push origin -f main", "git push --force-with-lease origin main"),
            ("git push -uf origin main", "git push --force-with-lease -u origin main"),
            ("git push -fu origin main", "git push --force-with-lease -u origin main"),
            ("git push -f -f --force", "git push --force-with-lease"),
            ("git push --force --force-with-lease x", "git push --force-with-lease x"),
            ("git push --force --force-with-lease=main x", "git push --force-with-lease=main x"),
            ("git -C dir -c a=b push -f", "git -C dir -c a=b push --force-with-lease"),
            ("git push '-f' \"origin\"", "git push --force-with-lease \"origin\""),
            ("git push -'f'", "git push --force-with-lease"),
            ("git push \\\n  --force \\\n  origin", "git push --force-with-lease \\\n \\\n  origin"),
            ("git push -o ci.skip -f", "git push --force-with-lease -o ci.skip"),
            ("git push -fo ci.skip x", "git push --force-with-lease -o ci.skip x"),
            ("git push -foci.skip x", "git push --force-with-lease -oci.skip x"),
            ("git push --force>log", "git push --force-with-lease >log"),
            ("git push --force 2>log", "git push --force-with-lease 2>log"),
            ("git push -f;git push", "git push --force-with-lease;git push"),
            ("(git push -f)", "(git push --force-with-lease)"),
            ("git push -f&", "git push --force-with-lease&"),
            ("git push -f|cat", "git push --force-with-lease|cat"),
            ("/usr/bin/git push -f", "/usr/bin/git push --force-with-lease"),
            ("git-push -f", "git-push --force-with-lease"),
            ("F=--force; git push $F", "F=--force; git push --force-with-lease"),
            ("sudo -E git push -f origin", "sudo -E git push --force-with-lease origin"),
            ("git push -f \"$REMOTE\" \"$BRANCH\"", "git push --force-with-lease \"$REMOTE\" \"$BRANCH\""),
            (
                "for b in a b; do git push -f origin $b; done",
                "for b in a b; do git push --force-with-lease origin $b; done",
            ),
            ("git push", "="),
            ("git push --force-with-lease", "="),
            ("git push --force --no-force", "="),
            ("git commit -m 'git push --force'", "="),
            ("git push -- --force", "="),
            ("git push $F", "? $F"),
            ("git push -f $OPTS", "git push --force-with-lease $OPTS"),
            ("git $SUB -f", "? $SUB"),
            ("git push --force{,}", "?"),
            ("git push -f=x", "? -f=x"),
            ("for f in -f -q; do git push $f; done", "?"),
            ("f() { git push \"$1\"; }; f -f; f -q", "?"),
        ],
    );
}

#[test]
fn new_words_come_where_the_replacement_has_them() {
    check(
        "pip install",
        "uv pip install",
        &[
            ("pip install flask", "uv pip install flask"),
            ("pip install -r 'a b.txt'", "uv pip install -r 'a b.txt'"),
            ("pip3 install flask", "="),
            ("pip --proxy p install flask", "uv pip --proxy p install flask"),
            ("sudo -H pip install -U flask", "sudo -H uv pip install -U flask"),
            ("A=1 pip install x", "A=1 uv pip install x"),
            ("uv pip install x", "="),
            ("pip download x", "="),
            ("pip $X x", "? $X"),
        ],
    );
    check("pip|pip3", "uv pip", &[("pip3 install x", "uv pip install x"), ("pip list", "uv pip list")]);
    check("npx", "pnpm dlx", &[("npx tsc -p .", "pnpm dlx tsc -p ."), ("npx", "pnpm dlx")]);
    check(
        "npm ci",
        "pnpm install --frozen-lockfile",
        &[
            ("npm ci", "pnpm install --frozen-lockfile"),
            ("npm ci --ignore-scripts && x", "pnpm install --frozen-lockfile --ignore-scripts && x"),
            ("npm --silent ci", "pnpm --silent install --frozen-lockfile"),
        ],
    );
    check(
        "npm run build",
        "make",
        &[("npm run build", "make"), ("npm run build -- -j4", "make -- -j4"), ("npm run buildx", "=")],
    );
    check(
        "python -m pytest",
        "uv run pytest",
        &[
            ("python -m pytest -x tests", "uv run pytest -x tests"),
            ("python -mpytest -x", "uv run pytest -x"),
            ("python x.py", "="),
        ],
    );
    check("docker-compose", "docker compose", &[("docker-compose up -d", "docker compose up -d")]);
    check(
        "git push",
        "git push --dry-run",
        &[
            ("git push origin", "git push --dry-run origin"),
            ("git push -n origin", "="),
            ("git push --dry-run", "="),
            ("git push -- x", "git push --dry-run -- x"),
        ],
    );
    check(
        "git log",
        "git --no-pager log",
        &[("git -C d log -3", "git --no-pager -C d log -3"), ("git --no-pager log", "=")],
    );
    check(
        "git push * main",
        "git push origin main",
        &[("git push fork main", "git push origin main"), ("git push origin main", "=")],
    );
    check(
        "rm -rf",
        "rm -ri",
        &[
            ("rm -rf x", "rm -i -r x"),
            ("rm -fr x", "rm -i -r x"),
            ("rm -r -f x", "rm -i -r x"),
            ("rm --recursive --force x", "rm -i --recursive x"),
        ],
    );
    check("rm", "/opt/bin/trash", &[("rm -rf x", "/opt/bin/trash -rf x"), ("\\rm x", "/opt/bin/trash x")]);
    check(
        "cat",
        "tail -n 200",
        &[
            ("cat a.log", "tail -n 200 a.log"),
            ("cat a.log b.log | head", "tail -n 200 a.log b.log | head"),
            ("cat *.log", "tail -n 200 *.log"),
            ("cat>f", "tail -n 200 >f"),
            ("cat < f > g", "tail -n 200 < f > g"),
            ("cat <<E > f\nx\nE", "tail -n 200 <<E > f\nx\nE"),
            ("cat -n f", "? -n"),
            ("cat $X", "tail -n 200 $X"),
        ],
    );
    check("cat", "tail -n 200", &[("cat -v a.log", "? -v"), ("cat -A a.log", "? -A"), ("cat -b a.log", "? -b")]);
    check(
        "grep",
        "rg",
        &[
            ("grep -n x y", "rg -n x y"),
            ("grep -rn x y", "? -rn"),
            ("grep -rh x y", "? -rh"),
            ("grep -nr x y", "? -nr"),
            ("grep -r x .", "?"),
            ("grep -h x y", "? -h"),
            ("grep -ih x y", "? -ih"),
            ("grep -L x y", "? -L"),
            ("grep -s x y", "? -s"),
            ("grep -z x y", "? -z"),
            ("grep -U x y", "? -U"),
            ("grep -d skip x y", "? -d"),
            ("grep --include=*.c x y", "? --include=*.c"),
            ("grep -E x y", "?"),
            ("grep -iwo -e x -A3 -m 1 y", "rg -iwo -e x -A3 -m 1 y"),
            ("grep --color=auto -f list y", "rg --color=auto -f list y"),
            ("grep x -- -h", "rg x -- -h"),
        ],
    );
    check("cat *.log", "tail -n 200", &[("cat a.log b.log", "tail -n 200 a.log b.log"), ("cat a.txt", "=")]);
    check(
        "curl",
        "curl --max-time 10",
        &[("curl x", "curl --max-time 10 x"), ("curl -m 10 x", "="), ("curl --max-time=99 x", "?")],
    );
    check(
        "cargo build -j",
        "cargo build -j 2",
        &[
            ("cargo build -j 8 --release", "cargo build -j 2 --release"),
            ("cargo build -j8", "cargo build -j 2"),
            ("cargo build -j 2", "="),
            ("cargo build", "="),
        ],
    );
    check(
        "python",
        "uv run python",
        &[
            ("python x.py", "uv run python x.py"),
            ("uv run python x.py", "="),
            ("cd a && python x.py | tee log", "cd a && uv run python x.py | tee log"),
        ],
    );
    check(
        "git push (--force|--mirror)",
        "git push --force-with-lease",
        &[
            ("git push --mirror x", "git push --force-with-lease x"),
            ("git push --mirror -f x", "git push --force-with-lease x"),
        ],
    );
    check("yarn add", "pnpm add", &[("yarn add --dev x", "pnpm add --dev x")]);
    check("foo -x", "foo", &[("foo -x y", "foo y"), ("foo -xv y", "?")]);
    check("cp -R", "cp", &[("cp -R a b", "cp a b"), ("cp -a a b", "?")]);
}

#[test]
fn an_obstacle_says_the_word_and_what_to_do() {
    let obstacle = |text| edited("npm", "pnpm", text).unwrap_err();
    assert_eq!(obstacle("$NPM i"), Unknown::new(crate::word::Cause::Variable, "$NPM").into());
    assert_eq!(obstacle("sh -c 'npm i'").word, "npm");
}

#[test]
fn what_is_no_edit_is_refused() {
    let bad = |from, to| Edit::new(from, to).unwrap_err();
    assert_eq!(bad("", "x"), BadEdit::Pattern(BadPattern::Empty));
    assert_eq!(bad("x", ""), BadEdit::Command(BadPattern::Empty));
    assert_eq!(bad("x", "-f"), BadEdit::Command(BadPattern::NoProgram("-f".to_owned())));
    assert_eq!(bad("x", "a; b"), BadEdit::Command(BadPattern::ShellSyntax));
    for choice in ["a *", "a|b", "(a|b)", "a !-f", "a [x]", "a?"] {
        assert!(matches!(bad("x", choice), BadEdit::Choice(_)), "{choice}");
    }
    for syntax in ["a 'b c'", "a $HOME", "a \"b\"", "a `b`", "a b\\c", "a ~/b"] {
        assert!(matches!(bad("x", syntax), BadEdit::Syntax(_)), "{syntax}");
    }
    assert_eq!(bad("npm  ci", "npm ci"), BadEdit::Same);
}
