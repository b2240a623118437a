//! Shells, and the builtins that treat text as code.

use super::table;

#[test]
fn scripts_files_and_input() {
    table(
        "
        sh -c 'rm -rf x' => sh: rm -rf x
        bash -c 'rm $X' => sh: rm $X
        bash -c \"rm $X\" => sh: rm <$X>
        bash -c 'rm' name a b => sh: rm | name a b
        bash -xec 'rm x' => sh: rm x
        bash -o pipefail -c 'rm x' => sh: rm x
        bash -eo pipefail -c 'rm x' => sh: rm x
        bash -eoc pipefail 'rm x' => sh: rm x
        bash -oOc pipefail extglob 'rm x' => sh: rm x
        bash -O extglob +O globstar -c 'rm x' => sh: rm x
        bash +x -c 'rm x' => sh: rm x
        bash -c -x 'rm x' => sh: rm x
        bash -c -- 'rm x' => sh: rm x
        bash --norc --noprofile --login -c 'rm x' => sh: rm x
        bash -cs 'rm x' a => sh: rm x | a
        /bin/sh -c 'rm x' => sh: rm x
        zsh -fc 'rm x' => sh: rm x
        dash -ec 'rm x' => sh: rm x
        ksh -c 'rm x' a => sh: rm x | a
        ash -c 'rm x' => sh: rm x
        sh -c =>
        bash => stdin
        bash -i => stdin
        bash - => stdin
        bash -s => stdin
        bash -s -- a b => stdin | a b
        bash -s - a => stdin | a
        bash -es a => stdin | a
        bash /dev/stdin a => stdin | a
        bash x.sh a => file: x.sh
        bash -x -- x.sh => file: x.sh
        sh -e ./x.sh -c => file: ./x.sh
        bash --rcfile f -i => file: f ; stdin
        bash --init-file f -ic 'rm x' => file: f ; sh: rm x
        bash \"$X\" => file: <$X>
        bash -c \"$X\" => sh: <$X>
        bash -n -c 'rm x' =>
        bash -nc 'rm x' =>
        bash -n x.sh =>
        bash -o noexec -c 'rm x' =>
        bash +n -c 'rm x' => sh: rm x
        bash --version =>
        csh -fc 'rm x' => sh: rm x
        fish -c 'rm x' => sh: rm x | fish
        fish --command='rm x' => sh: rm x | fish
        fish -C 'ls' -c 'rm x' a => sh: ls | fish a ; sh: rm x | fish a
        fish x.fish => file: x.fish
        fish -n -c 'rm x' =>
        fish => stdin
        ",
    );
}

#[test]
fn shells_of_other_languages() {
    table(
        "
        nu -c 'rm x' => code: rm x
        nu x.nu => code file: x.nu
        elvish => code: stdin
        pwsh -c 'rm x' => sh: rm x
        pwsh -NoProfile -ExecutionPolicy Bypass -Command rm x => sh: rm x
        powershell.exe -Com 'rm x' => sh: rm x
        pwsh -File x.ps1 a => file: x.ps1
        pwsh -EncodedCommand cgBpACAAeAA= => sh: ri x
        pwsh -EncodedCommand cm => sh: <cm>
        powershell -nop -w hidden -enc cgBpACAAeAA= => sh: ri x
        powershell 'rm x' => sh: rm x
        pwsh -c '{ rm x }' => sh: & { rm x }
        pwsh x.ps1 => file: x.ps1
        pwsh => stdin
        pwsh -Version =>
        cmd.exe /c 'del x' => sh: del x
        cmd /s /C del x => sh: del x
        cmd //c 'rd /s /q x' => sh: rd /s /q x
        cmd /Cdel x => sh: del x
        cmd /q /d //Kdel x => sh: del x
        ",
    );
}

#[test]
fn builtins_with_text() {
    table(
        "
        eval 'rm -rf x' => sh: rm -rf x here
        eval rm -rf x => sh: rm -rf x here
        eval -- rm \"$X\" => sh: rm <$X> here
        eval =>
        . x.sh a => file: x.sh here
        source ./x.sh => file: ./x.sh here
        source -- x.sh => file: x.sh here
        source =>
        trap 'rm x' EXIT => sh: rm x here
        trap -- 'rm x' INT TERM => sh: rm x here
        trap - EXIT =>
        trap '' INT =>
        trap INT =>
        trap -p EXIT =>
        trap -l =>
        mapfile -C 'rm x' -c 1 a => sh: rm x repeats here
        readarray -t a =>
        compgen -C 'rm x' => sh: rm x repeats here
        compgen -W 'a b' =>
        ",
    );
}
