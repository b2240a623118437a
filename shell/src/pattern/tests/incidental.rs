//! Words that a strict pattern need not name, and other ways to write the same call.

use std::path::Path;

use super::{only, roots, runs};
use crate::analysis::StartDirectories;
use crate::interpret::analyse;
use crate::path::Roots;

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
            ("make -C sub test", "no"),
            ("make -C $ test", "no"),
        ],
    );
    only(
        "docker compose exec web ls",
        &[
            ("docker compose exec -T web ls", "yes"),
            ("docker compose exec -it web ls", "yes"),
            ("docker compose exec --privileged web ls", "no"),
            ("docker compose exec -u root web ls", "no"),
        ],
    );
    only("make !--silent test", &[("make test", "yes"), ("make -s test", "no")]);
}

#[test]
fn a_script_is_the_same_by_its_name_and_by_run() {
    only("pnpm lint", &[("pnpm run lint", "yes"), ("pnpm run lint x", "no"), ("pnpm run build", "no")]);
    only("pnpm run lint", &[("pnpm lint", "yes"), ("pnpm lint x", "no"), ("pnpm install", "no")]);
    only("npm test", &[("npm run test", "yes"), ("npm run-script test", "yes"), ("npm run lint", "no")]);
    only("npm run test", &[("npm test", "yes"), ("npm t", "yes"), ("npm start", "no")]);
    // A script may have the name of a subcommand.
    only("npm install", &[("npm run install", "no")]);
    only("npm run install", &[("npm install", "no")]);
    only("pnpm run lint *", &[("pnpm lint src", "yes"), ("pnpm lint ../x", "no")]);
    only("pnpm lint *", &[("pnpm run lint src", "yes"), ("pnpm run lint ../x", "no")]);
    runs("yarn run deploy", &[("yarn deploy", "yes"), ("yarn run deploy --now", "yes"), ("yarn install", "no")]);
    runs("yarn deploy", &[("yarn run deploy", "yes"), ("yarn run other deploy", "no")]);
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
    only(
        "python manage.py test !--keepdb",
        &[("python manage.py test", "yes"), ("python manage.py test --keepdb", "no")],
    );
    only("docker run -v a:b --rm img", &[("docker run -v a:b --rm img", "yes"), ("docker run -v a:b img --rm", "no")]);
    runs(
        "docker container run --privileged",
        &[("docker run --privileged app", "yes"), ("docker run app --privileged", "no")],
    );
    runs(
        "php artisan migrate --force",
        &[
            ("php artisan migrate --force", "yes"),
            ("php artisan migrate --pretend --force", "yes"),
            ("php artisan migrate", "no"),
            ("php artisan migrate $", "maybe $"),
        ],
    );
}

#[test]
fn a_change_to_the_directory_of_the_project_needs_no_pattern() {
    let start = StartDirectories { cwd: Path::new("/home/dev/proj/web"), home: None };
    let check = |text: &str, expected: &[bool]| {
        let analysis = analyse(text, &start);
        let roots: Roots = roots();
        let stays: Vec<bool> =
            analysis.commands.iter().map(|command| analysis.stays_in_project(command, || &roots)).collect();
        assert_eq!(stays, expected, "{text}");
    };
    check("cd /home/dev/proj && make", &[true, false]);
    check("cd /home/dev/proj/ && make", &[true, false]);
    check("cd /home/dev/proj/web && make", &[true, false]);
    check("cd . && make", &[true, false]);
    check("cd /home/dev/proj/api && make", &[false, false]);
    check("cd /home/dev/proj/../x && make", &[false, false]);
    check("cd /tmp && make", &[false, false]);
    check("cd proj && make", &[false, false]);
    check("cd \"$x\" && make", &[false, false]);
    check("cd /home/dev/proj > x && make", &[false, false]);
    check("cd() { rm -r x; }; cd /home/dev/proj; make", &[false, false, false]);
    check("cd /home/dev/proj", &[false]);
    check("cd /home/dev/proj && cd /home/dev/proj", &[false, false]);
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
    check("python3 ./x.py", "python3 x.py");
    check("bash ./../x.sh", "bash ./../x.sh");
    check("bash /home/dev/other/x.sh", "bash /home/dev/other/x.sh");
    check("bash ./", "bash ./");
    check("cat ./x", "cat ./x");
    only("bash ./x.sh", &[("bash x.sh", "yes"), ("bash y.sh", "no")]);
    only("cat ./x", &[("cat x", "no")]);
}
