//! git.

use super::table;

#[test]
fn aliases() {
    table(
        r#"
        git -c alias.x='!rm -rf y' x a => sh: rm -rf y "$@" | 'rm -rf y' a in <git>
        git -c alias.p='push -f' p origin => git push -f origin
        git -c alias.x='!rm' status =>
        git -C d -c alias.x=!rm x => sh: rm "$@" | rm in <git>
        git -c "alias.x=$X" x => git <$X...> ; sh: <$X> in <git> ?
        "#,
    );
}

#[test]
fn configured_programs() {
    table(
        "
        git -c core.pager='rm x' log => sh: rm x in <git>
        git -c core.sshCommand='ssh -i k' push -f => sh: ssh -i k in <git>
        git -c core.editor=vim commit => sh: vim in <git>
        git -c sequence.editor='sed -i x' rebase -i => sh: sed -i x in <git>
        git -c core.fsmonitor=/tmp/x status => sh: /tmp/x in <git>
        git -c core.fsmonitor=false status =>
        git -c diff.external=rm diff => sh: rm <git...> in <git>
        git -c diff.a.textconv=rm diff => sh: rm <git...> in <git>
        git -c filter.a.smudge='rm x' checkout . => sh: rm x in <git>
        git -c credential.helper='!rm x' fetch => sh: rm x in <git>
        git -c credential.helper=store fetch => sh: git credential-store in <git>
        git -c pager.log=rm log => sh: rm in <git>
        git -c user.name=rm commit =>
        git -c core.pager= log =>
        git -c remote.x.vcs=ext -c remote.x.url='rm x' fetch x => sh: ext in <git> ; sh: rm x in <git>
        git -c url.'ext::rm x '.insteadOf=y: ls-remote y:z => sh: rm x in <git>
        git -c submodule.x.update='!rm x' submodule update => sh: rm x in <git>
        git -c submodule.x.update=rebase submodule update =>
        git clone -c core.sshCommand='rm x' u => sh: rm x in <git>
        git -c include.path=f status => code file: f in <git>
        git -c includeIf.gitdir:/x/.path=f status => code file: f in <git>
        ",
    );
}

#[test]
fn commands_of_subcommands() {
    table(
        "
        git rebase -x 'rm x' main => sh: rm x in <git> repeats
        git rebase -i --exec='rm x' --exec ls main => sh: rm x in <git> repeats ; sh: ls in <git> repeats
        git rebase -x'rm x' => sh: rm x in <git> repeats
        git rebase --onto a b =>
        git bisect run rm x => rm x in <git> repeats
        git bisect run sh -c 'rm x' => sh -c 'rm x' in <git> repeats
        git bisect good =>
        git submodule foreach 'rm x' => sh: rm x in <git> repeats
        git submodule --quiet foreach --recursive git reset --hard => git reset --hard in <git> repeats
        git submodule update =>
        git filter-branch -f --tree-filter 'rm x' HEAD => sh: rm x in <git> repeats
        git filter-branch --index-filter='git rm x' -- --all => sh: git rm x in <git> repeats
        git difftool -x 'rm x' => sh: rm x <git...> in <git> repeats
        git difftool --extcmd=rm -y => sh: rm <git...> in <git> repeats
        git for-each-repo --config=a push -f => git push -f in <git> repeats
        git grep -Oless x => sh: less <git...> in <git>
        git grep -nO'rm -f' x => sh: rm -f <git...> in <git>
        git grep --open-files=rm x => sh: rm <git...> in <git>
        git grep -eOrm x =>
        git grep x -- -Orm =>
        git -c core.pager=rm grep -O x => sh: rm <git...> in <git> ; sh: rm in <git>
        git grep -O x =>
        git fetch --upload-pack 'rm x' o => sh: rm x in <git>
        git push --receive-pack=rm o => sh: rm in <git>
        git push --exec=rm o => sh: rm in <git>
        git clone -u 'rm x' u => sh: rm x in <git>
        git push -u origin main =>
        git clone 'ext::sh -c rm' => sh: sh -c rm in <git>
        git log --exec =>
        ",
    );
}
