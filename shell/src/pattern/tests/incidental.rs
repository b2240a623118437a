//! Words that a strict pattern need not name, and other ways to write the same call.

use std::path::Path;

use super::{only, roots, runs};
use crate::analysis::StartDirectories;
use crate::glob::Fit;
use crate::interpret::analyse;
use crate::path::Roots;
use crate::pattern::Pattern;

#[test]
fn an_option_that_only_says_how_the_work_is_done_needs_no_name() {
    only(
        "make test",
        &[
            ("make -s test", "yes"),
            ("make -j4 --no-print-directory test", "yes"),
            ("make --jobs test", "yes"),
            ("make -k test", "no"),
            ("make -f other.mk test", "no"),
            ("make -C . test", "yes"),
            ("make -C /home/dev/proj test", "yes"),
            ("make -C /home/dev/proj/link/.. test", "no"),
            ("make -C sub -C /home/dev/proj test", "no"),
            ("make -C sub test", "no"),
            ("make -C $ test", "no"),
        ],
    );
    only(
        "docker compose exec web ls",
        &[
            ("docker compose exec -t web ls", "yes"),
            ("docker compose exec -T web ls", "no"),
            ("docker compose exec --privileged web ls", "no"),
            ("docker compose exec -u root web ls", "no"),
        ],
    );
    only("make !--silent test", &[("make test", "yes"), ("make -s test", "no")]);
    only("npm test", &[("npm --silent=publish test", "no"), ("npm -s=publish test", "no")]);
    only("npm test *", &[("npm --silent=publish test", "no"), ("npm --silent test", "yes")]);
    only("npx tsc -p web", &[("npx --no-install tsc -p web", "yes"), ("npx --no tsc -p web", "no")]);
    only(
        "git status",
        &[("git -C . status", "yes"), ("git --git-dir=. status", "no"), ("git --work-tree=. status", "no")],
    );
    // Another program may get the option, or the value may name a file.
    only("cargo xtask", &[("cargo xtask --color deploy", "no"), ("cargo --color never xtask", "no")]);
    only("just test", &[("just test --color deploy", "no"), ("just --quiet test", "yes")]);
    only("pnpm lint", &[("pnpm lint --loglevel prod", "no")]);
    only("pytest", &[("pytest -q", "yes"), ("pytest --color=no", "yes"), ("pytest --color @f", "no")]);
    only("pytest *", &[("pytest -k x", "yes"), ("pytest -k @f", "maybe pytest")]);
}

#[test]
fn a_script_is_the_same_by_its_name_and_by_run() {
    only("pnpm lint", &[("pnpm run lint", "yes"), ("pnpm run lint x", "no"), ("pnpm run build", "no")]);
    only("npm test", &[("npm run test", "yes"), ("npm run-script test", "yes"), ("npm run lint", "no")]);
    only("npm run test", &[("npm test", "yes"), ("npm t", "yes"), ("npm start", "no")]);
    // The script of `npm t` is `test`.
    only("npm run t", &[("npm t", "no"), ("npm test", "no")]);
    only("npm t", &[("npm run t", "no")]);
    // A script may have the name of a subcommand, and what is no script is a program or a subcommand of another version.
    only("npm install", &[("npm run install", "no")]);
    only("npm run install", &[("npm install", "no")]);
    only("pnpm run lint", &[("pnpm lint", "no"), ("pnpm install", "no")]);
    only("pnpm run *", &[("pnpm test", "yes"), ("pnpm node -e x", "no")]);
    only("pnpm run test *", &[("pnpm test src", "yes"), ("pnpm test ../x", "no")]);
    only("pnpm lint *", &[("pnpm run lint src", "yes"), ("pnpm run lint ../x", "no")]);
    runs("yarn run deploy", &[("yarn deploy", "yes"), ("yarn run deploy --now", "yes"), ("yarn install", "no")]);
    runs("yarn deploy", &[("yarn run deploy", "yes"), ("yarn run other deploy", "no")]);
    runs("npm run test", &[("npm test", "yes"), ("npm t", "yes"), ("npm run t", "no")]);
}

#[test]
fn an_option_of_a_script_follows_it() {
    only(
        "node tools/x.js --fix",
        &[
            ("node tools/x.js --fix", "yes"),
            ("node --fix tools/x.js", "no"),
            ("node tools/x.js", "no"),
            ("node tools/x.js --fix --more", "no"),
            ("node tools/x.js --fix --fix", "no"),
        ],
    );
    only(
        "docker run img ls --all -- x",
        &[
            ("docker run img ls --all -- x", "yes"),
            ("docker run img ls -- x", "no"),
            ("docker run img --all ls -- x", "no"),
        ],
    );
    only("bash -n x.sh", &[("bash -n x.sh", "yes"), ("bash x.sh -n", "no")]);
    only("node x.js --inspect", &[("node --inspect x.js", "no"), ("node x.js --inspect", "yes")]);
    only(
        "php artisan migrate --step=3",
        &[
            ("php artisan migrate --step=3", "yes"),
            ("php artisan migrate --step=4", "no"),
            ("php artisan migrate --step", "no"),
        ],
    );
    only("php artisan migrate --step=*", &[("php artisan migrate --step=4", "yes"), ("php artisan migrate", "no")]);
    // The order of these words is their meaning.
    only(
        "python3 sync.py --from prod --to dev",
        &[
            ("python3 sync.py --from prod --to dev", "yes"),
            ("python3 sync.py --to prod --from dev", "no"),
            ("python3 sync.py prod dev --from --to", "no"),
        ],
    );
    only("docker run img ls -l", &[("docker run img ls -l", "yes"), ("docker run img -l ls", "no")]);
    only(
        "python manage.py test !--keepdb",
        &[
            ("python manage.py test", "yes"),
            ("python manage.py test --keepdb=1", "no"),
            ("python manage.py test --keepdb", "no"),
        ],
    );
    only("docker run -v a:b --rm img", &[("docker run -v a:b --rm img", "yes"), ("docker run -v a:b img --rm", "no")]);
    only("docker run img !--network *", &[("docker run --network host img", "no"), ("docker run img", "yes")]);
    runs(
        "docker container run --privileged",
        &[("docker run --privileged app", "yes"), ("docker run app --privileged", "no")],
    );
    runs(
        "php artisan migrate --force",
        &[
            ("php artisan migrate --force", "yes"),
            ("php artisan migrate --pretend --force", "yes"),
            ("php ./artisan migrate --force", "yes"),
            ("php artisan migrate --force=1", "yes"),
            ("php artisan migrate", "no"),
            ("php artisan migrate $", "maybe $"),
        ],
    );
}

#[test]
fn a_guard_finds_an_option_on_either_side_of_an_operand() {
    runs("docker run * -v /:*", &[("docker run -v /:/host img", "yes"), ("docker run -v a:/host img", "no")]);
    runs("docker run img -v /:/x", &[("docker run -v /:/x img", "yes")]);
    runs("docker exec web -u root", &[("docker exec -u root web ls", "yes")]);
    runs("ssh * -o ProxyCommand=*", &[("ssh -o ProxyCommand=x host", "yes")]);
    runs("sudo ls -u root", &[("sudo -u root ls", "yes")]);
    runs("python * -m pdb", &[("python -m pdb x.py", "yes")]);
    // What the program does not see as its option is not there.
    runs(
        "docker run * !--network=none",
        &[("docker run img --network=none", "yes"), ("docker run --network=none img", "no")],
    );
    runs("node deploy.js !--dry-run", &[("node deploy.js -- --dry-run", "yes"), ("node deploy.js", "yes")]);
}

/// Checks which commands of a text need no pattern among others.
fn incidental(text: &str, expected: &[bool]) {
    let start = StartDirectories { cwd: Path::new("/home/dev/proj/web"), home: None };
    let analysis = analyse(text, &start);
    let roots: Roots = roots();
    let found: Vec<bool> = analysis.commands.iter().map(|command| analysis.is_incidental(command, || &roots)).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn a_change_to_the_directory_of_the_project_needs_no_pattern() {
    incidental("cd /home/dev/proj && make", &[true, false]);
    incidental("cd /home/dev/proj/ && make", &[true, false]);
    incidental("cd /home/dev/proj/web && make", &[true, false]);
    incidental("cd . && make", &[true, false]);
    incidental("cd /home/dev/proj 2>/dev/null && make", &[true, false]);
    incidental("cd /home/dev/proj/api && make", &[false, false]);
    incidental("cd /home/dev/proj/../x && make", &[false, false]);
    incidental("cd /tmp && make", &[false, false]);
    incidental("cd proj && make", &[false, false]);
    incidental("cd \"$x\" && make", &[false, false]);
    incidental("cd /home/dev/proj > x && make", &[false, false]);
    incidental("cd() { rm -r x; }; cd /home/dev/proj; make", &[false, false, false]);
}

#[test]
fn a_filter_behind_a_pipe_needs_no_pattern() {
    incidental("make | tail -20", &[false, true]);
    incidental("make 2>&1 | grep -v note | sort | uniq -c | head -n $(nproc)", &[false, true, true, true, true, true]);
    incidental("make | awk '{print $1}'", &[false, true]);
    incidental("make | sed -n '1,5p' 2>/dev/null", &[false, true]);
    // It reads a file.
    incidental("make | grep -f list x", &[false, false]);
    incidental("make | cat - .env", &[false, false]);
    incidental("make | tail -5 < .env", &[false, false]);
    incidental("tail -5", &[false]);
    // It writes one, or starts something.
    incidental("make | sort -o f", &[false, false]);
    incidental("make | sort > f", &[false, false]);
    incidental("make | sed 's/a/b/w f'", &[false, false]);
    incidental("make | awk '{system($1)}'", &[false, false]);
    // It prints what is in the environment.
    incidental("make | sed \"s/x/$TOKEN/\"", &[false, false]);
    incidental("make | jq env", &[false, false]);
    // What it prints is input of something else.
    incidental("make | sed s/a/b/ | kubectl apply -f -", &[false, false, false]);
    incidental("x=$(make | tail -1)", &[false, false, false]);
    incidental("diff <(make | tail -1) x", &[false, false, false]);
    incidental("make | cat /dev/tty", &[false, false]);
    incidental("make | awk '{print}' 1x=.env", &[false, false]);
    // It takes what another command would read.
    incidental("cat x.sql | { head -1; psql app; }", &[false, false, false]);
    // It is another program.
    incidental("tail() { rm x; }; make | tail", &[false, false, false]);
    incidental("make | ./tail", &[false, false]);
    incidental("make | timeout 5 tail", &[false, false, false]);
}

#[test]
fn a_text_a_pause_and_a_number_need_no_pattern() {
    incidental("echo '== tests'; make; echo \"exit $?\"", &[true, false, true]);
    incidental("sleep 2 && make || true", &[true, false, true]);
    incidental("set -o pipefail; [ -f Makefile ] && make", &[true, true, false]);
    incidental("make -j$(nproc)", &[false, true]);
    incidental("make VERSION=$(date +%s)", &[false, true]);
    incidental("echo $TOKEN; make", &[false, false]);
    incidental("echo y | make", &[false, false]);
    incidental("echo x > f; make", &[false, false]);
    incidental("make \"$(echo x)\"", &[false, false]);
    incidental("bash <(echo x)", &[false, false, false]);
    incidental("printf -v PATH x; make", &[false, false]);
    incidental("set -- a b; make", &[false, false]);
    incidental("nproc; make", &[false, false]);
    incidental("make | head; echo \"${PIPESTATUS[0]}\"", &[false, true, true]);
    // An arithmetic expansion may set a variable, and shows one of the environment.
    incidental(": $((CI=0)); make", &[false, false]);
    incidental("echo $((N++)); make", &[false, false]);
    incidental("echo $((TOKEN)); make", &[false, false]);
    incidental("echo ${#TOKEN}; make", &[false, false]);
    incidental("echo ${PIPESTATUS[N=5]}; make", &[false, false]);
    incidental("make -j$(nproc > f)", &[false, false]);
    incidental("make -j$(./nproc)", &[false, false]);
    incidental("make $(cat f)", &[false, false]);
}

#[test]
fn a_word_that_sets_a_variable_is_covered_by_no_pattern() {
    let is_approved = |text: &str| {
        let analysis = analyse(text, &StartDirectories { cwd: Path::new("/home/dev/proj"), home: None });
        let [command] = analysis.commands.as_slice() else { panic!("{text}: no command") };
        Pattern::new("make *").unwrap().runs_only(command, &roots()) == Fit::Yes
    };
    assert!(is_approved("make x$((N == 5))"));
    assert!(is_approved("make x$((N <= 5))"));
    assert!(!is_approved("make x$((MAKEFLAGS=5))"));
    assert!(!is_approved("make x$((N <<= 5))"));
    assert!(!is_approved("make x$[N--]"));
}

#[test]
fn a_script_has_a_short_path() {
    let start = StartDirectories { cwd: Path::new("/home/dev/proj"), home: None };
    let check = |text: &str, expected: &str| {
        let analysis = analyse(text, &start);
        let [command, ..] = analysis.commands.as_slice() else { panic!("{text}: no command") };
        let short = command.with_short_script();
        let words: Vec<&str> = short.words.iter().map(|word| word.known_text().unwrap_or("?")).collect();
        assert_eq!(words.join(" "), expected, "{text}");
    };
    check("bash ./scripts/x.sh ./a", "bash scripts/x.sh ./a");
    check("bash -x /home/dev/proj/scripts/x.sh", "bash -x scripts/x.sh");
    check("python3 ./tools/x.py", "python3 tools/x.py");
    // The shell looks for a name without a slash in `PATH`, and it may be an option or a subcommand.
    check("bash ./x.sh", "bash ./x.sh");
    check("node ./--version", "node ./--version");
    check("bash ./-x/y", "bash ./-x/y");
    check("sh -c ./tools/make", "sh -c ./tools/make");
    check("bash ./../x.sh", "bash ./../x.sh");
    check("bash /home/dev/other/x.sh", "bash /home/dev/other/x.sh");
    check("bash ./", "bash ./");
    check("cat ./x/y", "cat ./x/y");
    only("bash ./tools/x.sh", &[("bash tools/x.sh", "yes"), ("bash tools/y.sh", "no")]);
    only("source env", &[("source ./env", "no")]);
    only("cat ./x/y", &[("cat x/y", "no")]);
    runs("bash deploy.sh", &[("bash ./deploy.sh", "yes")]);
    runs("bash ./deploy.sh", &[("bash deploy.sh", "yes")]);
}
