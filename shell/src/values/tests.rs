//! The fields of commands, in rows.

use super::*;
use crate::analysis::{Assignment, StartDirectories};
use crate::glob::Glob;
use crate::interpret::analyse;
use crate::stream::CommandId;
use crate::tests::{simple, word};

/// Returns the values for display, with `?` and the word if there may be others.
fn shown(values: &FieldValues) -> String {
    let words = values.words.iter().map(|word| format!("‹{}›", word.display_text()));
    let others = values.others.iter().map(|why| format!("?{}", why.word));
    words.chain(others).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_program_is_its_base_name() {
    for (text, expected) in
        [("/usr/bin/git push", "‹git›"), ("$CMD x", "?$CMD"), ("%DIR/git x", "‹git›"), ("", ""), ("git.exe x", "‹git›")]
    {
        assert_eq!(shown(&simple(text).program()), expected, "{text}");
    }
}

#[test]
fn args_are_all_words_behind_it() {
    for (text, expected) in [
        ("git -C x push", "‹-C› ‹x› ‹push›"),
        ("git push $X", "‹push› ?$X"),
        ("git push %X", "‹push› ‹%X›"),
        ("ls", ""),
    ] {
        assert_eq!(shown(&simple(text).args()), expected, "{text}");
    }
}

#[test]
fn variables_are_those_whose_values_stand_in_the_words() {
    for (text, expected) in [
        ("echo $X \"a ${Y}\" ${Z:0:4} ${T:-none}", "‹X› ‹Y› ‹Z› ‹T›"),
        ("x=$X; echo \"$x\"", "‹X›"),
        ("X=1; echo $X", ""),
        ("echo '$X' $(cat f) *", ""),
        ("echo $- $? $1 $@", ""),
        ("echo ${X[0]} ${!v} ${#Y}", "‹X› ?${!v}"),
        ("mapfile -t a < f; echo \"${a[@]}\" \"${a[0]%x}\"", "‹a› ‹a›"),
        ("echo ${X:+set} ${Y:+$Y}", "‹Y›"),
        ("$X a", ""),
        ("x=$X; echo \"${x%=}\"", "‹X›"),
        ("x=$X; echo ${x:0:4} ${x/a/b} ${x^^} ${x,} ${x#a} ${x@Q}", "‹X› ‹X› ‹X› ‹X› ‹X› ‹X›"),
        ("x=$X; y=${x%=}; echo ${y#a}", "‹X›"),
        ("x=$X-$Y; echo ${x%=}", "‹X› ‹Y›"),
        ("a=(\"$X\" b); echo \"${a[0]%=}\"", "‹X›"),
        ("a=($X \"$Y\"); echo \"${a[1]}\"", "‹X› ‹Y›"),
        ("printf -v x %s \"$X\"; echo $x", "‹X›"),
        ("x=$(echo $X); echo $x", "‹X›"),
        ("x=$(printf '%s' \"$X\"); echo \"${x%=}\"", "‹X›"),
        ("x=a; echo ${x%=}", ""),
    ] {
        let start = StartDirectories { cwd: std::path::Path::new("/home/dev/proj"), home: None };
        let analysis = analyse(text, &start);
        let last = analysis.commands.iter().rev().find(|command| !command.in_substitution).unwrap();
        assert_eq!(shown(&last.variables()), expected, "{text}");
    }
}

#[test]
fn operands_are_no_subcommand_no_flag_and_no_flags_value() {
    for (text, expected) in [
        ("git -C x push -o y origin +main", "‹origin› ‹+main›"),
        ("git stash push -m x f", "‹f›"),
        ("rm -rf -- -a b", "‹-a› ‹b›"),
        ("git push $X", "?$X"),
        ("git commit -m $MSG", "?$MSG"),
        ("git push %X", "‹%X›"),
        ("tar xzf a.tgz b", "‹b›"),
        ("tar cfC a.tar dir b", "‹b›"),
        ("dd if=a of=b", ""),
        ("find . -name x -exec rm -rf {} ; -print", "‹.›"),
        ("frob a --b c", "‹a› ‹c›"),
    ] {
        assert_eq!(shown(&simple(text).operands()), expected, "{text}");
    }
}

#[test]
fn an_option_that_others_imply_has_their_value_unless_it_is_given() {
    for (text, expected) in [
        ("gh api x", ""),
        ("gh api x -f a=b", "‹POST›"),
        ("gh api x -F a=b --raw-field c=d", "‹POST›"),
        ("gh api x --input b.json", "‹POST›"),
        ("gh api x -X GET -f a=b", "‹GET›"),
        ("gh api x -f a=b --method=PATCH", "‹PATCH›"),
        ("gh api x -X $M -f a=b", "‹$M› ?$M"),
        ("gh api x --jq .a", ""),
    ] {
        assert_eq!(shown(&simple(text).option("-X")), expected, "{text}");
        assert_eq!(shown(&simple(text).option("--method")), expected, "{text}");
    }
    assert_eq!(shown(&simple("gh api x -f a=b").args()), "‹api› ‹x› ‹-f› ‹a=b›", "no word is added");
}

#[test]
fn an_option_has_the_values_of_all_its_spellings() {
    for (text, name, expected) in [
        ("git commit -m a --message=b -mc", "-m", "‹a› ‹b› ‹c›"),
        ("git commit -m a", "--message", "‹a›"),
        ("git -c core.hooksPath=x commit -m y", "-c", "‹core.hooksPath=x›"),
        ("git -c a=b commit -c HEAD", "-c", "‹a=b› ‹HEAD›"),
        ("git push --force", "--force", "‹›"),
        ("git push --force --no-force", "--force", ""),
        ("git commit -m %X", "-m", "‹%X›"),
        ("git commit $X", "-m", "?$X"),
        ("git commit --me%X", "--message", "?%X"),
        ("git commit --me%X", "--author", ""),
        ("frob --to prod --to=dev", "--to", "‹prod› ‹dev›"),
        ("frob --to -x", "--to", "‹›"),
        ("kubectl delete pod x -n prod", "--namespace", "‹prod›"),
        ("frob -lstaging", "-l", "?-lstaging"),
        ("frob -lstaging -l prod", "-l", "‹prod› ?-lstaging"),
        ("frob -lstaging --long -x", "-s", ""),
        ("frob --long", "-l", ""),
        ("kubectl get pods -lx=y", "-l", "‹x=y›"),
    ] {
        assert_eq!(shown(&simple(text).option(name)), expected, "{text}: {name}");
    }
}

#[test]
fn the_last_setting_of_a_variable_counts() {
    let mut command = simple("frob");
    let set = |name: &str, value: Option<&str>| Assignment { name: name.to_owned(), value: value.map(word) };
    command.environment = vec![set("A", Some("1")), set("A", Some("2")), set("B", Some("3")), set("B", None)];
    command.assignments = vec![set("C", Some("4")), set("A", Some("5"))];
    assert_eq!(command.variable("A"), EnvironmentVariable::Set(&word("5")));
    assert_eq!(command.variable("B"), EnvironmentVariable::Removed);
    assert_eq!(command.variable("C"), EnvironmentVariable::Set(&word("4")));
    assert_eq!(command.variable("D"), EnvironmentVariable::Inherited);
}

#[test]
fn other_commands_are_known_by_their_programs() {
    let analysis = Analysis { commands: vec![simple("sudo git push"), simple("$X a")], ..Analysis::default() };
    assert_eq!(shown(&analysis.programs(&[CommandId(0)])), "‹sudo›");
    assert_eq!(shown(&analysis.programs(&[CommandId(0), CommandId(1)])), "‹sudo› ?$X");
    assert_eq!(shown(&analysis.programs(&[])), "");
}

#[test]
fn a_test_of_values_is_of_three() {
    let is_a = |values: &FieldValues| values.test_any(|word| Glob::new("a").test(word));
    let all_a = |values: &FieldValues| values.test_all(|word| Glob::new("a").test(word));
    let why = simple("$X").words[0].unknown_reason().unwrap();
    let rows = [
        ("", Fit::No, Fit::No),
        ("a", Fit::Yes, Fit::Yes),
        ("a b", Fit::Yes, Fit::No),
        ("b", Fit::No, Fit::No),
        ("a $X", Fit::Yes, Fit::Maybe(why.clone())),
        ("b $X", Fit::Maybe(why.clone()), Fit::No),
        ("$X", Fit::Maybe(why.clone()), Fit::Maybe(why)),
    ];
    for (args, any, all) in rows {
        let values = simple(&format!("frob {args}")).args();
        assert_eq!((is_a(&values), all_a(&values)), (any, all), "{args}");
    }
}
