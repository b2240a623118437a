//! Data that flows from one command to another through descriptors, files and names.

use super::*;

#[test]
fn descriptors_lead_where_they_were_opened() {
    for text in [
        "exec 3< <(curl u); sh <&3",
        "exec < <(curl u); sh",
        "exec 3>f; curl u >&3; sh f",
        "exec {fd}< <(curl u); sh <&$fd",
        "exec 3< <(curl u); . /dev/fd/3",
        "{ sh <&5; } 5< <(curl u)",
        "exec > f; curl u; exec > g; sh f",
        "command exec 3< <(curl u); sh <&3",
        "mkdir d; { cd d; curl u; } > f; sh ../f",
        "{ { curl u >&3; } | true; } 3>&1 | sh",
        "coproc sh; curl u >&${COPROC[1]}",
        "coproc curl u; sh <&${COPROC[0]}",
        "sh < p & curl u > p",
        "while a; do sh f; curl u > f; done",
        "curl u > d/f; mv d e; sh e/f",
        "PATH=.:$PATH; curl u > f; f",
        "curl u > ~/.bashrc; bash -ic a",
        "curl u | sort -o f; sh f",
        "curl u -o f; gcp f g; sh g",
        "curl u -o f; gmv f g; sh g",
        "curl u -o f; ginstall f g; sh g",
        "curl u -o f; cp -td f; sh d/f",
        "curl u -o f; cp --target-dir=d f; sh d/f",
        "curl u -o f; cp -S .bak f g; sh g",
        "curl u | gtee f; sh f",
        "curl u | gdd of=f; sh f",
        "curl u > f.lzma; unlzma f.lzma; sh f",
        "curl u > ~/.zshenv; zsh -c a",
        "curl u > ~/.bashrc; rbash -i",
        "curl u > ~/.mkshrc; mksh -i",
        "curl u > ~/.bash_logout; bash -l",
        "curl u > ~/.zlogout; rzsh -l",
        "curl u | sponge f; sh f",
        "curl u | sed -n 'w f'; sh f",
        "curl u | awk '{print > \"f\"}'; sh f",
        "curl u | install -m 755 /dev/stdin f; ./f",
        "cp <(curl u) f; sh f",
        "curl u > f.gz; gunzip f.gz; sh f",
        "curl u > f.gz; pigz -d f.gz; sh f",
        "curl u > f.zst; pzstd -d f.zst; sh f",
        "curl u | guniq - f; sh f",
        "curl u | gcc-13 -x c -o f -; ./f",
        "curl u > Makefile; make",
        "curl u > d/makefile; make -C d",
    ] {
        assert!(reaches(text), "{text}");
    }
    for text in [
        "exec 3< <(curl u); sh <f",
        "exec 3< <(curl u) 4<f; sh <&4",
        "{ sh; } 5< <(curl u)",
        "sh f; curl u > f",
        "curl u > f > g; sh f",
        "curl u > ~/.bashrc; bash -c a",
        "curl u > ~/.bashrc; zsh -i",
        "curl u | gls | sh",
        "curl u | gdate | sh",
        "curl u | zf_mkdir d | sh",
        "(exec < <(curl u)); sh",
        "curl u | sort -o f; sh g",
        "curl u > Makefile; make -f other",
    ] {
        assert!(!reaches(text), "{text}");
    }
}

/// Whether the output of `curl` is executed.
fn reaches(text: &str) -> bool {
    let analysis = analyse(text, &start());
    let is_curl = |id: &CommandId| {
        let program = analysis.command(*id).and_then(|command| command.words.first());
        program.and_then(Word::known_text) == Some("curl")
    };
    analysis.commands.iter().any(|command| command.code_from.iter().any(is_curl))
}

#[test]
fn a_file_that_may_be_one_that_was_written_is_unknown_to_who_asks_about_both() {
    check(
        "curl u > a.sh; sh ./*.sh",
        &["curl u >a.sh", "sh ./«*».sh", "?ScriptFile by 1 \"./*.sh curl sh\"", "?ScriptFile by 1 \"./*.sh\""],
    );
    check("curl u > a.txt; sh x/*.sh", &["curl u >a.txt", "sh x/«*».sh", "?ScriptFile by 1 \"x/*.sh\""]);
}

#[test]
fn what_generates_shell_code_is_no_riddle() {
    for text in [
        "eval \"$(ssh-agent -s)\"",
        "eval `dircolors`",
        "source <(kubectl completion bash)",
        "eval \"$(/opt/homebrew/bin/brew shellenv)\"; eval \"$(pyenv init -)\"",
        "ssh-agent -s > f; . f",
        "eval \"$(conda 'shell.bash' hook 2>/dev/null)\"",
        "eval \"$(oras completion bash)\"; eval \"$(rtx activate bash)\"; eval \"$(gdircolors -b)\"",
        "eval \"$(tool env)\"",
        "eval \"$(some-tool init --shell bash)\"",
        "source <(mytool completion bash)",
    ] {
        assert_eq!(analyse(text, &start()).opaque, [], "{text}");
    }
    for text in [
        "eval \"$(./ssh-agent -s)\"",
        "eval \"$(ssh-agent -s; curl u)\"",
        "eval \"$(ssh-agent $X)\"",
        "eval \"$(ssh-agent sh -c x)\"",
        "eval \"$(curl u | ssh-agent -s | cat)\"",
        "eval \"$(brew list)\"",
        "eval \"$(LD_PRELOAD=x ssh-agent)\"",
        "eval \"$(./tool env)\"",
        "eval \"$(tool get env)\"",
        "eval \"$(cat env)\"",
        "eval \"$(curl env)\"",
        "eval \"$(tool env 'rm x; ls')\"",
    ] {
        assert!(!analyse(text, &start()).opaque.is_empty(), "{text}");
    }
    // After it, names may refer to other programs.
    check(
        "eval \"$(brew shellenv)\"; ls",
        &["eval \"⟨$(brew shellenv)⟩\" [code from 1]", "brew shellenv [substitution]", "ls [shadowed]"],
    );
    check(
        "PATH=x; eval \"$(brew shellenv)\"",
        &[
            "PATH=x",
            "eval \"⟨$(brew shellenv)⟩\" [shadowed; code from 2]",
            "brew shellenv [substitution; shadowed]",
            "?ScriptFile \"brew shellenv\"",
        ],
    );
}

#[test]
fn what_is_expanded_once_more_is_seen() {
    for text in [
        "x='a[$(t)]'; echo $((x))",
        "x='a[$(t)]'; [[ x -eq 1 ]]",
        "[[ -v 'a[$(t)]' ]]",
        "declare -i y; y='a[$(t)]'",
        "let 'x=a[$(t)]'",
        "printf -v 'a[$(t)]' x",
        "read 'a[$(t)]'",
        "x='$(t)'; echo ${x@P}",
        "PS4='$(t)'; set -x",
        "env PS4='$(t)' sh -x f",
        "echo ${a[${b[$(t)]}]}",
        "[[ x == @($(t)) ]]",
        "f() { t; }; export -f f; bash -c f",
        "env 'BASH_FUNC_f%%=() { t; }' bash -c f",
        "trap f EXIT; f() { t; }",
        "command_not_found_handle() { t; }; x",
        "BASH_ALIASES[f]=t\nf",
        "echo -e '\\0164' | sh",
    ] {
        let analysis = analyse(text, &start());
        let is_t = |command: &SimpleCommand| command.words.first().and_then(Word::known_text) == Some("t");
        assert!(analysis.commands.iter().any(is_t), "{text}\n{}", shown(text));
    }
}

#[test]
fn what_is_read_is_known_only_where_it_is_all_there_is() {
    check("read x <<< a; $x", &["read x <<<\"a\\n\"", "a"]);
    check(
        "{ read x; read x; $x; } <<< $'a\\nb'",
        &["read x <<<\"a\\nb\\n\"", "read x <<<\"a\\nb\\n\"", "b <<<\"a\\nb\\n\""],
    );
    for text in ["read -n 1 x <<< ab; $x", "read -d b x <<< ab; $x"] {
        let analysis = analyse(text, &start());
        let last = analysis.commands.last().and_then(|command| command.words.first()).unwrap();
        assert_eq!(last.known_text(), None, "{text}");
    }
}
