//! Tests of how the words of commands are parsed.

use super::*;
use crate::word::Cause;

/// Splits a command at blanks. A word that begins with a `$` is an unknown number of words.
fn words(text: &str) -> Vec<Word> {
    let unknown = |word: &str| Word::unknown_words(Unknown::new(Cause::Variable, word));
    text.split(' ').map(|word| if word.starts_with('$') { unknown(word) } else { Word::text(word) }).collect()
}

/// Compares the parsed words of a command with `subcommands | options | operands | words that may be options`.
#[track_caller]
fn check(text: &str, expected: &str) {
    let words = words(text);
    let argv = parse_argv(&words);
    let shown = |words: &[&Word]| words.iter().map(|word| word.display_text()).collect::<Vec<_>>().join(" ");
    let options: Vec<String> = argv
        .options
        .iter()
        .map(|given| match &given.value {
            Some(value) => format!("{}={}", given.name, value.display_text()),
            None => given.name.to_string(),
        })
        .collect();
    let maybe: Vec<String> = argv.maybe_options.iter().map(|word| word.display_text()).collect();
    let is = format!(
        "{} | {} | {} | {}",
        shown(&argv.subcommands),
        options.join(" "),
        shown(&argv.operands),
        maybe.join(" ")
    );
    assert_eq!(is, expected, "{text}");
}

#[test]
fn options_are_known_by_one_name() {
    check("git push -f origin", "push | --force | origin | ");
    check("git -C dir -c a=b push -nf", "push | -C=dir -c=a=b --dry-run --force |  | ");
    check("git push -o x --force-with-lease=a:b", "push | --push-option=x --force-with-lease=a:b |  | ");
    check("git push --mirr -- -f", "push | --mirror | -f | ");
}

#[test]
fn an_abbreviation_of_several_is_none() {
    check("git push --forc", "push | --forc |  | ");
    check("git reset --m", "reset | --m |  | ");
}

#[test]
fn a_beginning_is_an_option_where_the_program_takes_it() {
    check("git reset --h", "reset | --hard |  | ");
    check("curl --insec x", " | --insecure | x | ");
    check("aws s3 rm s3://x --recurs", "s3 rm | --recursive | s3://x | ");
    check("npm publish --dry-r x", "publish | --dry-run | x | ");
    // These programs accept no abbreviations.
    check("git log --onel", "log | --onel |  | ");
    check("docker run --privil x", "run | --privil | x | ");
    check("kubectl get --all-nam pods", "get | --all-nam | pods | ");
    check("terraform apply -auto", "apply | -auto |  | ");
}

#[test]
fn a_value_follows_its_letter_behind_an_equals_sign() {
    check("docker run -v=/:/h x", "run | --volume=/:/h | x | ");
    check("docker run -dv=/:/h x", "run | --detach --volume=/:/h | x | ");
    check("kubectl -n=prod get pods", "get | --namespace=prod | pods | ");
    check("docker -H= ps", "ps | --host= |  | ");
    check("docker run -v/:/h x", "run | --volume=/:/h | x | ");
    // In other programs, the `=` is part of the value.
    check("curl -o=x y", " | --output==x | y | ");
    check("docker run -it=false x", "run | --interactive --tty=false | x | ");
}

#[test]
fn a_switch_that_is_off_is_not_given() {
    let force = |text: &str| parse_argv(&words(text)).options_named("--force").count();
    assert_eq!(force("docker rm --force x"), 1);
    assert_eq!(force("docker rm --force=true x"), 1);
    assert_eq!(force("docker rm --force=false x"), 0);
    assert_eq!(force("docker rm -f=0 x"), 0);
    assert_eq!(force("docker rm -f x --force=F"), 0);
    assert_eq!(force("docker rm --force=false -f x"), 1);
    assert_eq!(force("rm --force=false x"), 1);
}

#[test]
fn a_subcommand_is_known_by_its_other_names() {
    let names = |text: &str| {
        let words = words(text);
        let argv = parse_argv(&words);
        let names: BTreeSet<&str> = argv.subcommands.iter().flat_map(|word| argv.subcommand_synonyms(word)).collect();
        names.into_iter().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names("docker volume remove x"), "rm");
    assert_eq!(names("npm pub"), "publish");
    assert_eq!(names("npm unin x"), "r remove rm un uninstall unlink");
    assert_eq!(names("npm publish"), "");
    // An ambiguous abbreviation, and an unknown one.
    assert_eq!(names("npm st"), "");
    assert_eq!(names("npm xyz"), "");
    assert_eq!(names("docker volu rm x"), "");
}

#[test]
fn what_a_table_lacks_is_as_written() {
    check("prog -rf --x=1 a -o b", " | -rf --x=1 -o | a b | ");
    check("git fp --force", "fp | --force |  | ");
}

#[test]
fn a_word_that_is_not_known_may_be_an_option() {
    check("git push $X", "push |  | $X | $X");
    check("git push -- $X", "push |  | $X | ");
    check("git $X --force", "$X | --force |  | $X");
}

#[test]
fn a_word_of_letters_without_a_dash_takes_its_values_in_order() {
    check("tar xzf a.tgz b", " | --extract --gzip --file=a.tgz | b | ");
    check("tar cfC a.tar dir b", " | --create --file=a.tar --directory=dir | b | ");
    check("tar -xfa.tgz b", " | --extract --file=a.tgz | b | ");
}

#[test]
fn a_number_behind_the_dash_is_a_value() {
    check("head -5 f", " | --lines=5 | f | ");
    check("head -20q 5", " | --lines=20 --quiet | 5 | ");
    check("tail -f5 x", " | --follow --lines=5 | x | ");
    check("grep -in2 x f", " | --ignore-case --line-number --context=2 | x f | ");
    check("git log -3 --oneline", "log | --max-count=3 --oneline |  | ");
    check("join -1 2 a b", " | -1=2 | a b | ");
}

#[test]
fn an_option_takes_the_command_that_it_runs() {
    check("find . -exec rm -rf {} ; -delete", " | -exec -delete | . | ");
    check("find . -exec rm -delete {} + -print", " | -exec -print | . | ");
}

#[test]
fn a_short_option_of_several_letters_is_one_where_the_table_says_so() {
    check("wget -nc -nv x", " | --no-clobber --no-verbose | x | ");
    check("git branch -D x", "branch | --delete --force | x | ");
    check("cp -a x y", " | -d --recursive --preserve | x y | ");
}

#[test]
fn a_letter_takes_no_value_that_belongs_to_its_long_name() {
    check("tail -fn5 x", " | --follow --lines=5 | x | ");
    check("tail --follow=name x", " | --follow=name | x | ");
}

#[test]
fn a_subcommand_that_the_table_lacks_reads_its_options_as_written() {
    check("docker frob -a x --log-level y", "frob | -a --log-level | x y | ");
    check("npm frob -g x", "frob | --global | x | ");
}

#[test]
fn the_word_behind_an_unknown_option_may_be_its_value() {
    check("git --frob x push -f", "push | --frob --force |  | ");
    check("git --frob push -f", "push | --frob --force |  | ");
}

#[test]
fn a_toolchain_is_no_subcommand() {
    check("cargo +nightly test -p x", "test | +nightly --package=x |  | ");
}

#[test]
fn subcommands_of_windows_are_read_in_any_case() {
    for (text, full_name) in [
        ("schtasks /CREATE /tn x", Some("/create")),
        ("schtasks //Create //tn x", Some("/create")),
        ("vssadmin Delete Shadows", Some("delete")),
        ("net USER bob", Some("user")),
        ("schtasks /create /tn x", None),
        ("schtasks ///create", None),
        ("net //user bob", None),
        ("git PUSH", None),
    ] {
        let words = words(text);
        let argv = parse_argv(&words);
        let synonyms = argv.subcommands.first().and_then(|word| argv.subcommand_synonyms(word).next());
        assert_eq!(synonyms, full_name, "{text}");
    }
}
