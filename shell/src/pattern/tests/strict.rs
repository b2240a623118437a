//! `only runs`: the escapes, one by one.

use super::*;
use crate::open_files::{OpenFile, OpenFiles};

#[test]
fn what_the_pattern_names_passes() {
    only(
        "git (status|diff|log|show) *",
        &[
            ("git status", "yes"),
            ("git diff HEAD~1 -- src/a.rs", "yes"),
            ("git log --oneline -5", "yes"),
            ("git log -n 5 --author x", "yes"),
            ("git --no-pager log", "yes"),
            ("git -p log", "no"),
            ("git --paginate log", "no"),
            ("/usr/bin/git status", "yes"),
            ("git push", "no"),
            ("git", "no"),
        ],
    );
    only(
        "git status",
        &[("git status", "yes"), ("git status -s", "no"), ("git status x", "no"), ("git status --", "no")],
    );
    only("ls *", &[("ls -la src", "yes"), ("ls", "yes"), ("ls -- *", "yes")]);
    only("frob build", &[("frob build", "yes"), ("frob build x", "no"), ("frob -v build", "no")]);
    only(
        "git push --dry-run *",
        &[("git push -n origin", "yes"), ("git push origin", "no"), ("git push -n -f", "yes")],
    );
    only(
        "git push !--force *",
        &[("git push origin", "yes"), ("git push -f", "no"), ("git push origin $X", "maybe $X")],
    );
    only(
        "rm -rf build",
        &[("rm -rf build", "yes"), ("rm -r -f build", "yes"), ("rm -rfv build", "no"), ("rm -r build", "no")],
    );
    only(
        "git checkout -- *",
        &[("git checkout -- x", "yes"), ("git checkout HEAD -- x", "no"), ("git checkout x", "no")],
    );
}

#[test]
fn the_program_is_a_bare_name_or_lies_where_the_system_puts_it() {
    only(
        "git status *",
        &[
            ("./git status", "no"),
            ("bin/git status", "no"),
            ("/tmp/git status", "no"),
            ("/TMP/git status", "no"),
            ("/var/tmp/git status", "no"),
            ("/dev/shm/git status", "no"),
            ("/proc/self/cwd/git status", "no"),
            ("/home/dev/proj/git status", "no"),
            ("/home/dev/bin/git status", "no"),
            ("/srv/tree/git status", "no"),
            ("/usr/bin/../../tmp/git status", "no"),
            ("/usr//bin/git status", "yes"),
            ("../../usr/bin/git status", "no"),
            ("git-status", "no"),
            ("git.exe status", "no"),
            ("GIT status", "no"),
            ("%BIN/git status", "no"),
            ("$GIT status", "maybe $GIT"),
            ("gi? status", "maybe gi?"),
            ("gіt status", "no"),
        ],
    );
}

#[test]
fn nothing_around_the_command_may_change_it() {
    let read = Pattern::new("git status *").unwrap();
    let assignment = Assignment { name: "GIT_EXTERNAL_DIFF".to_owned(), value: Some(Word::text("x")) };
    let id = crate::stream::CommandId(0);
    type Change<'a> = &'a dyn Fn(&mut SimpleCommand);
    let changes: [(&str, Change<'_>); 8] = [
        ("assignment", &|command| command.assignments.push(assignment.clone())),
        ("export", &|command| command.environment.push(assignment.clone())),
        ("wrapper", &|command| command.outer_commands.push(id)),
        ("shadowed", &|command| command.is_shadowed = true),
        ("background", &|command| command.in_background = true),
        ("container", &|command| command.scope = CommandScope::Container),
        ("remote", &|command| command.scope = CommandScope::Remote),
        ("code", &|command| command.code_from.push(id)),
    ];
    assert_eq!(read.runs_only(&simple("git status"), &roots()), Fit::Yes);
    for (name, change) in changes {
        let mut command = simple("git status");
        change(&mut command);
        assert_eq!(read.runs_only(&command, &roots()), Fit::No, "{name}");
    }
    assert_eq!(read.runs_only(&simple(""), &roots()), Fit::No);
}

#[test]
fn what_only_changes_how_a_program_prints_may_stand_in_front() {
    let read = Pattern::new("git status *").unwrap();
    for (name, value, expected) in [("LC_ALL", "C", Fit::Yes), ("LC_ALL", "/x", Fit::No), ("PATH", "x", Fit::No)] {
        let mut command = simple("git status");
        let variable = Assignment { name: name.to_owned(), value: Some(Word::text(value)) };
        command.assignments.push(variable.clone());
        command.environment.push(variable);
        command.in_substitution = true;
        assert_eq!(read.runs_only(&command, &roots()), expected, "{name}={value}");
    }
}

#[test]
fn a_redirection_to_a_file_is_no_match() {
    let cases = [
        (RedirectKind::Write, "out", "no"),
        (RedirectKind::Write, "/dev/null", "yes"),
        (RedirectKind::Write, "/dev/fd/2", "yes"),
        (RedirectKind::Write, "/dev/stdin", "yes"),
        (RedirectKind::Write, "/dev/fd/0/x", "no"),
        (RedirectKind::Write, "/dev/fd/3", "no"),
        (RedirectKind::Write, "/dev/fd/4", "no"),
        (RedirectKind::Write, "/proc/self/fd/1", "yes"),
        (RedirectKind::Write, "/proc/7/fd/1", "no"),
        (RedirectKind::Write, "/dev/fd/../../home/x", "no"),
        (RedirectKind::Write, "/dev/sda", "no"),
        (RedirectKind::Write, "/dev/tcp/host/80", "no"),
        (RedirectKind::Write, "%X", "no"),
        (RedirectKind::ReadWrite, "out", "no"),
        (RedirectKind::Read, "in", "yes"),
        (RedirectKind::Read, "/dev/tcp/host/80", "no"),
        (RedirectKind::Read, "/etc/../dev/tcp/host/80", "no"),
        (RedirectKind::Read, "%X", "no"),
        (RedirectKind::Text, "text", "yes"),
    ];
    let mut open_files = OpenFiles::default();
    open_files.set(3, OpenFile::from_path(&word("f"), &simple("wc").cwd));
    for (kind, target, expected) in cases {
        let mut command = simple("wc -l");
        let target = word(target);
        let opened = match kind {
            RedirectKind::Text => None,
            _ => open_files.descriptor_file(&target, &command.cwd).map(Into::into),
        };
        command.redirects.push(Redirect { kind, target: target.clone().into(), opened });
        let fit = Pattern::new("wc *").unwrap().runs_only(&command, &roots());
        assert_eq!(shown(&fit), expected, "{kind:?} {target:?}");
    }
    let mut command = simple("wc");
    command.redirects.push(Redirect { kind: RedirectKind::Read, target: word("in").into(), opened: None });
    assert_eq!(Pattern::new("wc").unwrap().runs_only(&command, &roots()), Fit::No);
}

#[test]
fn a_star_stands_for_no_option_that_writes_or_runs() {
    only(
        "git (status|diff|log|show|grep|blame|archive|ls-remote|shortlog|cat-file|branch) *",
        &[
            ("git diff --output=f", "no"),
            ("git diff --output f", "no"),
            ("git log --output=f", "no"),
            ("git show --output=f", "no"),
            ("git shortlog --output=f", "no"),
            ("git blame --output=f x", "no"),
            ("git diff --outpu=f", "no"),
            ("git diff --ext-diff", "no"),
            ("git -c core.fsmonitor=x status", "no"),
            ("git -c core.pager=x log", "no"),
            ("git --config-env=core.pager=X log", "no"),
            ("git --config-env core.pager=X log", "no"),
            ("git --exec-path=/tmp status", "no"),
            ("git -C /hostile status", "no"),
            ("git --git-dir=/hostile status", "no"),
            ("git --git-dir /hostile status", "no"),
            ("git --work-tree=/ status", "no"),
            ("git --unheard-of status", "no"),
            ("git grep -O x", "no"),
            ("git grep -Osh x", "no"),
            ("git grep --open-files-in-pager=sh x", "no"),
            ("git archive -o f HEAD", "no"),
            ("git archive --remote=x --exec=sh", "no"),
            ("git ls-remote --upload-pack=sh .", "no"),
            ("git ls-remote --exec=sh .", "no"),
            ("git cat-file --textconv x", "no"),
            ("git branch --edit-description", "no"),
            ("git log --unheard-of", "no"),
            ("git log --author --output=f", "no"),
        ],
    );
    only(
        "rg *",
        &[
            ("rg -n foo src", "yes"),
            ("rg --pre sh foo", "no"),
            ("rg --pre=sh foo", "no"),
            ("rg --hostname-bin=x f", "no"),
        ],
    );
    only(
        "find *",
        &[
            ("find . -name x", "yes"),
            ("find . -exec rm {} ;", "no"),
            ("find . -execdir rm {} ;", "no"),
            ("find . -ok rm {} ;", "no"),
            ("find . -okdir rm {} ;", "no"),
            ("find . -delete", "no"),
            ("find . -fprint f", "no"),
            ("find . -fprint0 f", "no"),
            ("find . -fprintf f x", "no"),
            ("find . -fls f", "no"),
        ],
    );
    only(
        "fd *",
        &[
            ("fd x", "yes"),
            ("fd x -x rm", "no"),
            ("fd x -X rm", "no"),
            ("fd --exec rm", "no"),
            ("fd --exec-batch=rm", "no"),
        ],
    );
    only(
        "sort *",
        &[
            ("sort -u f", "yes"),
            ("sort -o f f", "no"),
            ("sort -uof f", "no"),
            ("sort --output=f f", "no"),
            ("sort --compress-program=sh f", "no"),
        ],
    );
    only("uniq *", &[("uniq -c", "yes"), ("uniq a b", "no")]);
    only("tree *", &[("tree -L 2", "yes"), ("tree -o f", "no")]);
    only("date *", &[("date ~+%s", "yes"), ("date -u", "yes"), ("date -s x", "no"), ("date --set=x", "no")]);
    only("yq *", &[("yq .a f", "yes"), ("yq -i .a f", "no")]);
    only(
        "curl *",
        &[
            ("curl -s https://x", "yes"),
            ("curl -o f x", "no"),
            ("curl -sO x", "no"),
            ("curl -K f", "no"),
            ("curl -D f x", "no"),
            ("curl -c jar x", "no"),
        ],
    );
    only(
        "tar -t *",
        &[
            ("tar -tf a.tar", "yes"),
            ("tar -xf a.tar", "no"),
            ("tar -tf a --to-command=sh", "no"),
            ("tar -t -I sh -f a", "no"),
            ("tar -tf a --checkpoint-action=exec=sh", "no"),
        ],
    );
    only("ag *", &[("ag x", "yes"), ("ag --pager sh x", "no")]);
    only("man *", &[("man ls", "yes"), ("man -P sh ls", "no"), ("man --pager=sh ls", "no"), ("man -H x", "no")]);
    only(
        "cargo (check|test) *",
        &[
            ("cargo check --workspace", "yes"),
            ("cargo check --config x", "no"),
            ("cargo --config x check", "no"),
            ("cargo -C /x check", "no"),
            ("cargo check --manifest-path /x/Cargo.toml", "no"),
        ],
    );
    only(
        "kubectl get *",
        &[
            ("kubectl get pods -A", "yes"),
            ("kubectl --kubeconfig=x get pods", "no"),
            ("kubectl get pods --kubeconfig=x", "no"),
        ],
    );
}

#[test]
fn a_star_stands_for_no_operand_that_is_code() {
    only("awk *", &[("awk {print} f", "yes"), ("awk {getline} f", "maybe awk"), ("awk -f p f", "no")]);
    only("sed *", &[("sed 1e f", "maybe sed")]);
    only("sqlite3 *", &[("sqlite3 db .shell", "maybe sqlite3")]);
    only("less *", &[("less +!sh f", "maybe less")]);
    only("xxd *", &[("xxd a b", "no")]);
    only(
        "sed *",
        &[
            ("sed -n 1,20p f", "yes"),
            ("sed -n ~$p f", "yes"),
            ("sed -n ~/foo/,/bar/p f", "yes"),
            ("sed ~s/a/b/g;2d f", "yes"),
            ("sed s/a/b/e f", "maybe sed"),
            ("sed s/a/b/w f", "maybe sed"),
            ("sed ~s/a/b/gw/etc/x f", "maybe sed"),
            ("sed ~s/a\\/b/c/e f", "maybe sed"),
            ("sed ~s/[/]/e/p f", "maybe sed"),
            ("sed s,a,b,e f", "maybe sed"),
            ("sed ~/a/e f", "maybe sed"),
            // The address is `a/e` here, and `a/p` there.
            ("sed ~/a\\/e/p f", "yes"),
            ("sed ~/a\\/p/e f", "maybe sed"),
            ("sed ~1!e f", "maybe sed"),
            ("sed ~1w/etc/x f", "maybe sed"),
            ("sed ~1r/etc/x f", "maybe sed"),
            ("sed ~1c/x f", "maybe sed"),
            ("sed ~1{p;e} f", "maybe sed"),
            ("sed ~p\ne f", "maybe sed"),
            ("sed %X f", "maybe %X"),
            ("sed -n ~y/ab/cd/ f", "maybe sed"),
            ("sed -i 1d f", "no"),
            ("sed -i.bak 1d f", "no"),
            ("sed -n -e 1p f", "yes"),
            ("sed -n -e 1p -e 'w x' f", "no"),
            ("sed -n -f x f", "no"),
        ],
    );
    only("sed -n 1p *", &[("sed -n 1p f", "yes"), ("sed -n 2p f", "no")]);
}

#[test]
fn a_star_stands_for_nothing_of_a_program_that_no_table_knows() {
    only("frob *", &[("frob", "no"), ("frob x", "no"), ("frob --output=x", "no")]);
    only("frob", &[("frob", "yes"), ("frob x", "no")]);
    only("git * *", &[("git fp x", "maybe fp"), ("git status x", "yes")]);
    only("git fp *", &[("git fp x", "maybe fp")]);
    only("npm *", &[("npm frobnicate", "no")]);
}

#[test]
fn a_star_stands_for_no_hole_that_may_be_an_option() {
    only(
        "git log *",
        &[
            ("git log $X", "maybe $X"),
            ("git log %X", "maybe %X"),
            ("git log -- $X", "yes"),
            ("git log -n %X", "yes"),
            ("git log -n $X", "maybe $X"),
            ("git log -%X", "maybe %X"),
            ("git log main%X", "yes"),
            ("git log main$X", "maybe $X"),
            ("git %X log", "maybe %X"),
            ("git $X log", "maybe $X"),
        ],
    );
    // A file may be named `--output=f`.
    only("git log *", &[("git log *", "maybe *"), ("git log ./*", "yes"), ("git log -- *", "yes")]);
    only("rg x *", &[("rg x *.rs", "maybe *.rs"), ("rg x src/*.rs", "yes")]);
    // These programs only read, for any file name.
    only("ls *", &[("ls *.rs", "yes"), ("ls -l */", "yes"), ("ls $X", "maybe $X")]);
    only("cat *", &[("cat *", "yes"), ("cat *.md README", "yes")]);
    only("sort *", &[("sort *.txt", "maybe *.txt"), ("sort ./*.txt", "yes")]);
    only("echo *", &[("echo *", "yes"), ("echo $X", "yes")]);
}

#[test]
fn a_flag_is_named_with_its_value() {
    only(
        "git -C sub status",
        &[
            ("git -C sub status", "yes"),
            ("git -C /hostile status", "no"),
            ("git -C sub -C /hostile status", "no"),
            ("git -C %X status", "maybe %X"),
            ("git status", "no"),
        ],
    );
    only(
        "git log --author=dev *",
        &[("git log --author dev", "yes"), ("git log --author=x", "no"), ("git show", "no")],
    );
    only("head -n *", &[("head -n 5 f", "yes"), ("head -5 f", "yes"), ("head f", "no")]);
    only("head -5 *", &[("head -5 f", "yes"), ("head -n5 f", "yes"), ("head -6 f", "no")]);
    only("tail -5", &[("tail -5", "yes"), ("tail -5f", "no"), ("tail", "no")]);
    only(
        "sort --output=out *",
        &[("sort --output=out f", "yes"), ("sort -o /etc/x f", "no"), ("sort -o out -o x f", "no")],
    );
    only("git diff --stat", &[("git diff --stat", "yes"), ("git diff --stat=80", "no"), ("git diff --sta", "no")]);
    only("git diff --*", &[("git diff --stat", "yes"), ("git diff --output=f", "no")]);
}

#[test]
fn flags_of_a_program_without_options_are_words_of_it() {
    only("test -f *", &[("test -f a", "yes"), ("test -d a", "no"), ("test a", "no")]);
    only("echo -n", &[("echo -n", "yes"), ("echo -n a", "no"), ("echo", "no")]);
}

#[test]
fn checks_pass_with_what_names_no_other_code_and_no_file_to_write() {
    for (pattern, commands) in [
        (
            "pytest *",
            &[
                ("pytest -q tests/test_a.py -k commas", "yes"),
                ("pytest -xvs --maxfail=2 --tb short -ra", "yes"),
                ("pytest -p evil", "no"),
                ("pytest --basetemp=/home", "no"),
                ("pytest -o addopts=-pevil", "no"),
                ("pytest --junitxml=out.xml", "no"),
                ("pytest --unheard-of", "no"),
            ][..],
        ),
        ("tsc --noEmit *", &[("tsc --noEmit -p web", "yes"), ("tsc", "no"), ("tsc --noEmit --outDir x", "no")]),
        (
            "eslint *",
            &[
                ("eslint src --ext .ts", "yes"),
                ("eslint --fix src", "no"),
                ("eslint -c x.js src", "no"),
                ("eslint -f ./x.js .", "no"),
            ],
        ),
        (
            "prettier --check *",
            &[("prettier --check src", "yes"), ("prettier --check --write src", "no"), ("prettier src", "no")],
        ),
        ("ruff check *", &[("ruff check . --select E", "yes"), ("ruff check --fix .", "no"), ("ruff format .", "no")]),
        (
            "jest|vitest *",
            &[("jest -t name", "yes"), ("vitest run src", "yes"), ("jest -u", "no"), ("jest --config=x.js", "no")],
        ),
        ("shellcheck *", &[("shellcheck -x -s bash a.sh", "yes"), ("shellcheck --frob a.sh", "no")]),
        ("gofmt -l *", &[("gofmt -l .", "yes"), ("gofmt -l -w .", "no")]),
    ] {
        only(pattern, commands);
    }
}

#[test]
fn a_star_covers_words_behind_dashes_only_for_the_program_that_reads_them() {
    for (pattern, commands) in [
        (
            "cargo (test|bench|clippy|fmt) *",
            &[
                ("cargo test a -- --nocapture --test-threads=1 b", "yes"),
                ("cargo test -- --logfile x", "no"),
                ("cargo test -- --logfile=x", "no"),
                ("cargo test -- --unheard-of", "no"),
                ("cargo test -- %X", "maybe %X"),
                ("cargo bench -- --save-baseline x", "no"),
                ("cargo clippy --all-targets -- -D warnings -Aclippy::all", "yes"),
                ("cargo clippy -- -C linker=/tmp/x", "no"),
                ("cargo clippy -- @x", "no"),
                ("cargo fmt --all -- --check", "yes"),
                ("cargo fmt -- --config-path /tmp", "no"),
            ][..],
        ),
        ("cargo test -- --logfile *", &[("cargo test -- --logfile x", "yes"), ("cargo test -- --logfile -Z", "no")]),
        ("cmake *", &[("cmake --build b -- -j8", "yes"), ("cmake --build b -- -C /tmp", "no")]),
        ("dotnet test *", &[("dotnet test", "yes"), ("dotnet test -- RunConfiguration.X=/tmp", "no")]),
        ("git log *", &[("git log -- -p", "yes")]),
    ] {
        only(pattern, commands);
    }
}

#[test]
fn a_star_covers_no_code_from_outside_of_the_project() {
    for (pattern, commands) in [
        (
            "pytest *",
            &[
                ("pytest tests/a.py::test_a", "yes"),
                ("pytest /home/dev/proj/tests", "yes"),
                ("pytest /srv/tree/tests", "yes"),
                ("pytest /tmp/tests", "no"),
                ("pytest /home/dev/proj/../x", "no"),
                ("pytest ~/x", "no"),
                ("pytest tests/%X", "maybe %X"),
            ][..],
        ),
        (
            "pytest *",
            &[
                ("pytest -k a --deselect /tmp/x", "no"),
                ("pytest --deselect tests/a.py", "yes"),
                ("pytest -k %X", "yes"),
            ],
        ),
        (
            "python manage.py test *",
            &[("python manage.py test app", "yes"), ("python manage.py test --pythonpath=/tmp/x", "no")],
        ),
        ("python scripts/*.py", &[("python scripts/a.py", "yes"), ("python scripts/../../x/a.py", "no")]),
        ("rspec *", &[("rspec -P spec/a_spec.rb", "yes"), ("rspec -P /tmp/a_spec.rb", "no")]),
        ("go build *", &[("go build ./...", "yes"), ("go build -gcflags=-o=/root/x", "no")]),
        ("pytest /tmp/tests *", &[("pytest /tmp/tests -q", "yes"), ("pytest /tmp/tests /tmp/x", "no")]),
        (
            "make *",
            &[
                ("make test V=1 ENV=prod", "yes"),
                ("make test CC=/tmp/cc", "no"),
                ("make test ARGS=;x", "no"),
                ("make test URL=https://x", "no"),
            ],
        ),
        ("deno test *", &[("deno test a.ts", "yes"), ("deno test npm:x", "no"), ("deno test https://x/a.ts", "no")]),
        ("npm test *", &[("npm test -- src/a.test.ts", "yes"), ("npm test -- /tmp/x", "no")]),
        ("go run *", &[("go run ./cmd/x", "maybe go"), ("go run example.org/x@latest", "no")]),
        ("go run ./cmd/x *", &[("go run ./cmd/x serve", "yes")]),
        ("docker run *", &[("docker run alpine", "maybe docker")]),
        (
            "docker run --rm alpine *",
            &[
                ("docker run --rm -it alpine", "yes"),
                ("docker run --rm -v /:/x alpine", "no"),
                ("docker run --privileged --rm alpine", "no"),
            ],
        ),
        ("ls *", &[("ls /tmp", "yes")]),
    ] {
        only(pattern, commands);
    }
}

#[test]
fn a_star_covers_an_option_whose_value_does_nothing() {
    for (pattern, commands) in [
        (
            "pytest *",
            &[
                ("pytest --cov-report=term-missing", "yes"),
                ("pytest --cov-report=html:x", "no"),
                ("pytest -p no:cacheprovider", "yes"),
                ("pytest -p %X", "no"),
            ][..],
        ),
        ("rspec *", &[("rspec -fd", "yes"), ("rspec --format documentation", "yes"), ("rspec -f ./x", "no")]),
        ("vitest *", &[("vitest run --reporter=verbose", "yes"), ("vitest run --reporter=./x.js", "no")]),
        ("mocha *", &[("mocha -R dot test", "yes"), ("mocha -R ./x test", "no"), ("mocha -r ./x", "no")]),
        ("cargo test *", &[("cargo test --target wasm32-wasip1", "yes"), ("cargo test --target x.json", "no")]),
        ("node --test *", &[("node --test --test-reporter=tap", "yes"), ("node --test --test-reporter=./x", "no")]),
        ("cmake *", &[("cmake --build b -j8", "yes"), ("cmake --build b -jx", "no")]),
    ] {
        only(pattern, commands);
    }
}

#[test]
fn another_name_of_a_subcommand_passes_and_its_beginning_does_not() {
    only("npm install *", &[("npm i x", "yes"), ("npm inst x", "yes"), ("npm uninstall x", "no")]);
    only("docker ps", &[("docker container ls", "yes"), ("docker container ls x", "no"), ("docker image ls", "no")]);
    only("npm publish", &[("npm publish", "yes"), ("npm pub", "no")]);
    only("git reset --hard", &[("git reset --hard", "yes"), ("git reset --h", "no")]);
}

#[test]
fn a_word_that_changes_nothing_has_to_be_named() {
    only("gcloud compute scp a b", &[("gcloud compute scp a b", "yes"), ("gcloud beta compute scp a b", "no")]);
    only("gcloud beta compute scp a b", &[("gcloud beta compute scp a b", "yes"), ("gcloud compute scp a b", "no")]);
}

#[test]
fn a_look_is_what_the_record_says() {
    only(
        "git @looks",
        &[
            ("git status", "yes"),
            ("git log -n -5 --oneline", "yes"),
            ("git branch -a", "yes"),
            ("git branch --contains abc", "yes"),
            ("git branch x", "no"),
            ("git branch -a -D x", "no"),
            ("git tag --sort=-date", "yes"),
            ("git tag x", "no"),
            ("git reflog delete x", "no"),
            ("git log --output=f", "no"),
            ("git -C x status", "no"),
            ("git push", "no"),
            ("git fp", "no"),
            ("ls", "no"),
        ],
    );
    only("git -C=* @looks", &[("git -C x status", "yes"), ("git status", "no"), ("git -C x push", "no")]);
    only("git stash @looks", &[("git stash list", "yes"), ("git stash pop", "no"), ("git status", "no")]);
    only(
        "* @looks",
        &[
            ("ls -la", "yes"),
            ("npm list", "yes"),
            ("docker container ls", "yes"),
            ("rm x", "no"),
            ("frob", "no"),
            ("env", "no"),
            ("env ls", "yes"),
            ("nm a.o", "yes"),
            ("jq .a.env f", "yes"),
            ("node --version", "yes"),
            ("node x.js --version", "no"),
            ("yarn --version", "no"),
        ],
    );
    runs("git @looks", &[("git status", "yes"), ("git push", "no")]);
    only("* @looks", &[("zig --version", "yes"), ("zig build --version", "no")]);
    runs("* @reads", &[("cat a", "yes"), ("docker ps", "no"), ("zig --version", "no"), ("rm a", "no")]);
}

#[test]
fn a_look_has_an_example() {
    let text = |pattern: &str| Pattern::new(pattern).unwrap().text_of_look().into_owned();
    assert_eq!(text("git -C=* @looks"), "git -C=* --version");
    assert_eq!(text("* @looks"), "ls *");
    assert_eq!(text("frob @looks"), "frob @looks");
    assert_eq!(text("zig @looks"), "zig --version !*");
    assert_eq!(text("cat @reads"), "cat *");
    assert_eq!(text("git log *"), "git log *");
}
