//! `runs`, one test for each sentence of its definition.

use super::*;

#[test]
fn cmdlets_may_be_written_in_any_letters() {
    let analysis = crate::interpret::analyse_powershell(
        "remove-item -recurse x",
        &crate::analysis::StartDirectories { cwd: std::path::Path::new("/w"), home: None },
    );
    let command = analysis.commands.first().unwrap();
    for pattern in ["Remove-Item -Recurse", "remove-item -recurse", "REMOVE-ITEM", "(remove-item|ls) -RECURSE"] {
        let runs = crate::pattern::Pattern::new(pattern).unwrap().runs(command);
        assert_eq!(runs, crate::glob::Fit::Yes, "{pattern}");
    }
}

#[test]
fn an_implied_option_is_as_good_as_a_given_one() {
    runs(
        "gh api --method=POST */issues",
        &[
            ("gh api repos/a/b/issues -f title=x", "yes"),
            ("gh api repos/a/b/issues --input x.json", "yes"),
            ("gh api repos/a/b/issues -X POST", "yes"),
            ("gh api repos/a/b/issues -X GET -f title=x", "no"),
            ("gh api repos/a/b/issues", "no"),
        ],
    );
    runs("gh api !--method=POST", &[("gh api x", "yes"), ("gh api x -f a=b", "no"), ("gh api x -X GET -f a=b", "yes")]);
}

#[test]
fn the_first_word_is_the_programs_base_name() {
    runs(
        "git push",
        &[
            ("git push", "yes"),
            ("/usr/bin/git push", "yes"),
            ("./git push", "yes"),
            ("git.exe push", "yes"),
            ("%BIN/git push", "yes"),
            ("git-pushy x", "no"),
            ("gi push", "no"),
            ("echo git push", "no"),
            ("", "no"),
        ],
    );
    runs("rm -r -f", &[("rм -rf x", "no"), ("ｒｍ -rf x", "no"), ("rm\u{a0}-rf build", "no"), ("rm2 -rf x", "no")]);
    runs("python*", &[("python", "yes"), ("python3.11 x.py", "yes"), ("pypy", "no")]);
    runs("curl|wget", &[("curl x", "yes"), ("wget", "yes"), ("curlie x", "no")]);
    runs("*", &[("anything at all", "yes")]);
}

#[test]
fn words_without_a_dash_stand_in_order_from_the_first_one_on() {
    runs(
        "chmod 777",
        &[
            ("chmod 777 f", "yes"),
            ("chmod -R 777 f", "yes"),
            ("chmod 777 -- f", "yes"),
            ("chmod -- 777 f", "yes"),
            ("chmod 644 777", "no"),
            ("chmod", "no"),
        ],
    );
    runs("git push origin main", &[("git push -u origin main x", "yes"), ("git push main origin", "no")]);
    runs("foo (a|b) c", &[("foo a c", "yes"), ("foo b c d", "yes"), ("foo c", "no"), ("foo a b c", "no")]);
}

#[test]
fn a_number_behind_a_dash_is_the_value_of_its_option() {
    let rows =
        [("head -5 f", "yes"), ("head -n 5 f", "yes"), ("head -qn5", "yes"), ("head -15 f", "no"), ("head f", "no")];
    runs("head -n=5", &rows);
    runs("head -5", &rows);
    runs("head --lines=5", &rows);
    runs("head -n", &[("head -20 f", "yes"), ("head f", "no")]);
    runs("head -n=2*", &[("head -20 f", "yes"), ("head -2$X f", "yes"), ("head -1 f", "no")]);
    runs("tail -5", &[("tail -5f x", "yes"), ("tail -fn5 x", "yes"), ("tail -50 x", "no"), ("tail -n +5 x", "no")]);
    runs("grep -C=2", &[("grep -in2 x f", "yes"), ("grep -A2 x f", "no")]);
    runs("git log -3", &[("git log --oneline -3", "yes"), ("git log --max-count=3", "yes"), ("git log -4", "no")]);
    runs("git log -[0-9]", &[("git log -3", "yes"), ("git log -n 3", "no"), ("git log", "no")]);
}

#[test]
fn a_star_is_one_word_and_at_the_end_anything() {
    runs("foo * c", &[("foo a c", "yes"), ("foo c", "no"), ("foo a b c", "no")]);
    runs("foo a *", &[("foo a", "yes"), ("foo a b c", "yes"), ("foo b", "no")]);
    runs("foo a* b", &[("foo abc b", "yes"), ("foo bc b", "no")]);
    runs("git push * --force", &[("git push --force", "yes"), ("git push -f a b", "yes"), ("git push a", "no")]);
}

#[test]
fn global_options_in_front_of_a_subcommand_are_skipped() {
    runs(
        "git push",
        &[
            ("git -C x push", "yes"),
            ("git -c a=b --git-dir=x --work-tree . --no-pager push", "yes"),
            ("git --namespace ns push", "yes"),
            ("git --exec-path=/x push", "yes"),
            ("git --new-option push", "yes"),
            ("git -C push status", "no"),
            ("git stash push", "no"),
            ("git config push.default x", "no"),
            ("git subtree push", "no"),
        ],
    );
}

#[test]
fn flags_stand_anywhere_in_front_of_dashes_in_any_spelling() {
    runs(
        "rm -r -f",
        &[
            ("rm -rf x", "yes"),
            ("rm -fr x", "yes"),
            ("rm -Rf x", "yes"),
            ("rm x -r y -f", "yes"),
            ("rm --recursive --force x", "yes"),
            ("rm --recurs --forc x", "yes"),
            ("rm -vfr x", "yes"),
            ("rm -r -- -f", "no"),
            ("rm -rv x", "no"),
            ("rm --no-preserve-root -r x", "no"),
        ],
    );
    runs("rm -rf", &[("rm -r -f x", "yes"), ("rm --force -R x", "yes"), ("rm -f x", "no"), ("rm -r x", "no")]);
    runs("rm --recursive", &[("rm -r x", "yes"), ("rm -fR x", "yes"), ("rm -f x", "no")]);
    runs(
        "git push (--force|--mirror)",
        &[
            ("git push -uf origin", "yes"),
            ("git push --mirr", "yes"),
            ("git push --forc", "maybe --forc"),
            ("git push --mirr", "yes"),
            ("git push --force-with-lease", "no"),
            ("git push --force --no-force", "no"),
            ("git push --no-force -f", "yes"),
            ("git push -o --force", "no"),
            ("git push -- -f", "no"),
            ("git push origin force", "no"),
            ("git fetch -f", "no"),
        ],
    );
    runs("terraform apply --auto-approve", &[("terraform apply -auto-approve", "yes"), ("terraform plan", "no")]);
}

#[test]
fn flags_of_an_unknown_program_are_as_written() {
    runs(
        "frob -f --force",
        &[
            ("frob -f --force", "yes"),
            ("frob --force x -rf", "yes"),
            ("frob -f", "no"),
            ("frob -f --forced", "no"),
            ("frob --f --force", "no"),
            ("frob -f --force=yes", "yes"),
            ("frob -f -- --force", "no"),
        ],
    );
    runs("frob -rf", &[("frob -rf", "yes"), ("frob -r -f", "no"), ("frob -vfr", "yes")]);
    // Whether an option takes the next word is unknown.
    runs("frob deploy", &[("frob --profile x deploy", "yes"), ("frob -v deploy", "yes"), ("frob x deploy", "no")]);
}

#[test]
fn the_value_of_a_flag_is_tested_attached_or_not() {
    runs(
        "git push --repo=up*",
        &[
            ("git push --repo=upstream", "yes"),
            ("git push --repo upstream", "yes"),
            ("git push --repo origin", "no"),
            ("git push upstream", "no"),
        ],
    );
    runs("git push -o=ci.*", &[("git push -oci.skip", "yes"), ("git push --push-option ci.skip", "yes")]);
    runs("frob --to=prod", &[("frob --to=prod", "yes"), ("frob --to prod", "yes"), ("frob --to=dev", "no")]);
    runs(
        "git push --force-with-lease=main",
        &[("git push --force-with-lease=main", "yes"), ("git push --force-with-lease main", "no")],
    );
    // In the pattern, too, the word after a flag that takes a value is that value.
    runs("git push -o skip origin", &[("git push --push-option=skip origin", "yes"), ("git push -o run origin", "no")]);
    runs(
        "dd of=/dev/*",
        &[("dd if=x of=/dev/sda", "yes"), ("dd of=x if=/dev/sda", "no"), ("dd if=a of=$X", "maybe $X")],
    );
}

#[test]
fn an_absent_flag_must_not_be_given() {
    runs(
        "git push !--dry-run",
        &[
            ("git push", "yes"),
            ("git push -n", "no"),
            ("git push --dry-run --no-dry-run", "yes"),
            ("git push -- -n", "yes"),
            ("git push $X", "maybe $X"),
        ],
    );
    runs("git clean -f !-n", &[("git clean -fd", "yes"), ("git clean -ndf", "no"), ("git clean -i", "no")]);
    runs("rm !(-r|-i)", &[("rm x", "yes"), ("rm -r x", "no"), ("rm -fi x", "no")]);
}

#[test]
fn no_further_operand_follows() {
    runs(
        "git push !*",
        &[
            ("git push", "yes"),
            ("git push -o x --repo=y", "yes"),
            ("git push origin", "no"),
            ("git push -- origin", "no"),
            ("git push $X", "maybe $X"),
        ],
    );
    runs("git push origin !*", &[("git push origin -f", "yes"), ("git push origin main", "no"), ("git push", "no")]);
}

#[test]
fn dashes_are_themselves() {
    runs(
        "git checkout -- *",
        &[
            ("git checkout -- x", "yes"),
            ("git checkout HEAD -- x", "yes"),
            ("git checkout x", "no"),
            ("git checkout $X", "maybe $X"),
            ("git diff $X", "no"),
        ],
    );
    runs(
        "npm run test:* -- --watch",
        &[
            ("npm run test:unit -- --watch", "yes"),
            ("npm run test:unit --watch", "no"),
            ("npm run build -- --watch", "no"),
            ("npm run test:unit -- x --watch", "no"),
        ],
    );
}

#[test]
fn a_program_that_is_not_known_may_be_any() {
    runs(
        "rm -r -f",
        &[
            ("$CMD -rf build", "maybe $CMD"),
            ("%TOOL build", "maybe %TOOL"),
            ("r%Xm -rf build", "maybe %X"),
            ("%X/rm -rf build", "yes"),
            ("$X/rm -rf build", "maybe $X"),
            ("%X/ls -rf build", "no"),
            ("r%Xq -rf build", "no"),
            ("/???/r? -rf build", "maybe /???/r?"),
            ("/bin/l? -rf build", "no"),
        ],
    );
}

#[test]
fn a_flag_that_is_not_known_may_be_any() {
    runs(
        "rm -r -f",
        &[
            ("rm -rf $X", "yes"),
            ("rm $FLAGS build", "maybe $FLAGS"),
            ("rm -r $X build", "maybe $X"),
            ("rm -r %DIR", "maybe %DIR"),
            ("rm -r%X build", "maybe %X"),
            ("rm -r -- $X", "no"),
            ("rm -r *.o", "no"),
            ("rm -r ./*", "no"),
            ("rm -r ./%X", "no"),
            ("rm -r ./$X", "maybe $X"),
        ],
    );
    runs(
        "git push --force",
        &[
            ("git push --fo%X", "maybe %X"),
            ("git push --no-%X", "no"),
            ("git push -%X", "maybe %X"),
            ("git push -o %X", "no"),
            ("git push -o $X", "maybe $X"),
            ("git push -o%X", "no"),
        ],
    );
}

#[test]
fn a_word_that_is_not_known_may_be_none_or_several() {
    runs(
        "chmod 777",
        &[
            ("chmod $MODE f", "maybe $MODE"),
            ("chmod %MODE f", "maybe %MODE"),
            ("chmod $OPTS 777 f", "maybe $OPTS"),
            ("chmod 7%X f", "maybe %X"),
            ("chmod 6%X f", "no"),
            ("chmod -- %X", "maybe %X"),
            ("chmod 77? f", "maybe 77?"),
            ("chmod 644 $X", "no"),
        ],
    );
    runs("frob a b", &[("frob ?", "maybe ?"), ("frob ? b", "maybe ?"), ("frob c* b", "no")]);
}

#[test]
fn a_subcommand_that_is_not_known_may_be_any() {
    runs(
        "git push --force",
        &[
            ("git $SUB --force", "maybe $SUB"),
            ("git %SUB", "maybe %SUB"),
            ("git p%SUB", "maybe %SUB"),
            ("git st%SUB", "maybe %SUB"),
            ("git -C %DIR commit", "no"),
            ("git -C $DIR commit", "maybe $DIR"),
            ("git -C $DIR push -f", "yes"),
        ],
    );
}

#[test]
fn a_subcommand_that_git_lacks_may_be_an_alias() {
    runs(
        "git push --force",
        &[
            ("git fp", "maybe fp"),
            ("git undo", "maybe undo"),
            ("git lfs push", "no"),
            ("git flow init", "no"),
            ("git absorb", "no"),
            ("git cat-file -p x", "no"),
            ("git for-each-ref", "no"),
        ],
    );
    runs("git fp", &[("git fp x", "yes"), ("git push", "no")]);
    runs("git", &[("git fp", "yes")]);
    runs("git * --force", &[("git push -f", "yes")]);
    runs("npm run", &[("npm frobnicate", "no")]);
}

#[test]
fn a_dashed_program_is_its_subcommand() {
    runs(
        "git push --force",
        &[
            ("git-push -f", "yes"),
            ("/usr/lib/git-core/git-push --force x", "yes"),
            ("git-push x", "no"),
            ("git-pushy --force", "no"),
            ("%CORE/git-push -f", "yes"),
        ],
    );
    runs("git-push", &[("git-push x", "yes"), ("git push", "no")]);
    runs("npm run", &[("npm-run x", "no")]);
}

#[test]
fn what_explains_itself_does_nothing_else() {
    runs(
        "git push",
        &[
            ("git push --help", "no"),
            ("git push --help --force", "no"),
            ("git --help push", "no"),
            ("git push -o --help", "yes"),
            ("git push origin --help", "yes"),
            ("git push --force --help", "no"),
            ("git push --force-with-lease=x --help", "yes"),
            ("git push --made-up --help", "yes"),
        ],
    );
    runs("git push --help", &[("git push --help", "yes")]);
}

#[test]
fn many_words_cost_words_times_pattern() {
    let read = Pattern::new("frob * * * * * x").unwrap();
    let long = simple(&format!("frob {}", "$A ".repeat(20_000)));
    assert!(matches!(read.runs(&long), Fit::Maybe(_)));
}

#[test]
fn a_builtin_of_two_names_is_meant_by_either() {
    runs("source", &[(". f", "yes"), ("source f", "yes"), ("./source.sh", "no")]);
    runs("test", &[("[ -f a ]", "yes"), ("test -f a", "yes")]);
}

#[test]
fn flags_of_a_program_without_options_are_words_of_it() {
    runs("test -f", &[("test -f a", "yes"), ("[ -f a ]", "yes"), ("test ! -f a", "yes"), ("test -d a", "no")]);
    runs("test -f .env", &[("[ -f .env ]", "yes"), ("[ -f a ]", "no"), ("test -f \"$A\"", "maybe $A")]);
    runs("echo !-e", &[("echo a", "yes"), ("echo -e a", "no"), ("echo \"$A\"", "maybe $A")]);
}

#[test]
fn a_beginning_of_a_long_option_is_that_option() {
    runs(
        "git reset --hard",
        &[
            ("git reset --h", "yes"),
            ("git reset --ha HEAD~1", "yes"),
            ("git reset --mi", "no"),
            ("git reset --help", "no"),
            ("git reset --", "no"),
        ],
    );
    // Which of several options it abbreviates may depend on the version.
    runs("git reset --merge", &[("git reset --m", "maybe --m"), ("git reset --me", "yes"), ("git reset --so", "no")]);
    runs("kubectl get --all-namespaces", &[("kubectl get --all-nam pods", "no"), ("kubectl get -A pods", "yes")]);
    runs("frob --force", &[("frob --forc", "no")]);
}

#[test]
fn a_subcommand_is_meant_by_each_of_its_names() {
    runs(
        "npm install",
        &[
            ("npm i x", "yes"),
            ("npm add x", "yes"),
            ("npm isntal", "yes"),
            ("npm -g i x", "yes"),
            ("npm uninstall x", "no"),
            ("npm ci", "no"),
            ("npm run i", "no"),
        ],
    );
    runs("npm publish", &[("npm pub", "yes"), ("npm unpub", "no"), ("npm p", "no")]);
    runs("npm i", &[("npm install x", "yes"), ("npm add x", "yes")]);
    runs("docker volume rm", &[("docker volume remove x", "yes"), ("docker volume ls", "no"), ("docker rm x", "no")]);
    runs("git add", &[("git stage x", "yes"), ("git commit stage", "no")]);
    // A nested subcommand.
    runs(
        "docker run --privileged",
        &[("docker container run --privileged x", "yes"), ("docker container run x", "no")],
    );
    runs("docker container run", &[("docker run x", "yes"), ("docker start run", "no"), ("docker container ls", "no")]);
    runs(
        "docker rmi",
        &[
            ("docker image rm x", "yes"),
            ("docker image remove x", "yes"),
            ("docker rm x", "no"),
            ("docker image ls", "no"),
        ],
    );
    runs("docker image remove", &[("docker rmi x", "yes"), ("docker image rm x", "yes"), ("docker rm x", "no")]);
    runs("docker container rm", &[("docker rm x", "yes"), ("docker remove x", "yes"), ("docker rmi x", "no")]);
    runs("docker build -t x", &[("docker buildx build -t x .", "yes"), ("docker image build -t y .", "no")]);
    runs("git stash push", &[("git stash", "yes"), ("git stash -m x", "yes"), ("git stash drop", "no")]);
    runs("git remote rm", &[("git remote remove x", "yes"), ("git remote add rm x", "no")]);
    runs("docker run --volume=/:*", &[("docker run -v=/:/h x", "yes"), ("docker run -v/:/h x", "yes")]);
}

#[test]
fn words_that_a_pattern_names_are_no_operands() {
    for (pattern, text, expected) in [
        ("frob install", "frob install a b", "‹a› ‹b›"),
        ("frob s3 rm", "frob --quiet s3 rm s3://x", "‹s3://x›"),
        ("frob", "frob install a", "‹install› ‹a›"),
        // The words that a glob matches are not named.
        ("frob * rm", "frob s3 rm a", "‹s3› ‹a›"),
        ("frob get s3://*", "frob get s3://x", "‹s3://x›"),
        ("frob (install|add)", "frob add a", "‹a›"),
        ("git push origin", "git push origin main", "‹main›"),
        ("git stash push", "git stash push f", "‹f›"),
        // A second occurrence of the word is an operand.
        ("frob install", "frob install install", "‹install›"),
        // If it may be another command, nothing is named.
        ("frob install", "frob $X a", "‹a› ?$X"),
        ("frob install", "frob add a", "‹add› ‹a›"),
    ] {
        let values = self::pattern(pattern).operands_of(&simple(text));
        let words = values.words.iter().map(|word| format!("‹{}›", word.display_text()));
        let others = values.others.iter().map(|why| format!("?{}", why.word));
        assert_eq!(words.chain(others).collect::<Vec<_>>().join(" "), expected, "{text}");
    }
}

#[test]
fn a_word_that_changes_nothing_may_stand_in_front_of_a_subcommand() {
    runs(
        "gcloud compute instances delete",
        &[
            ("gcloud compute instances delete x", "yes"),
            ("gcloud beta compute instances delete x", "yes"),
            ("gcloud --project p alpha compute instances delete x", "yes"),
            ("gcloud beta compute instances list", "no"),
            ("gcloud gamma compute instances delete x", "no"),
        ],
    );
    runs("gcloud beta", &[("gcloud beta compute ssh x", "yes"), ("gcloud compute ssh beta", "no")]);
    runs("gcloud beta run deploy", &[("gcloud beta run deploy x", "yes"), ("gcloud run deploy x", "no")]);
    runs("pnpm publish", &[("pnpm recursive publish", "yes"), ("pnpm -r publish", "yes")]);
    runs("kubectl debug", &[("kubectl alpha debug x", "yes"), ("kubectl beta debug x", "no")]);
}
