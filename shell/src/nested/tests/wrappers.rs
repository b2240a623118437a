//! Wrappers on this machine.

use super::table;

#[test]
fn users() {
    table(
        "
        sudo rm -rf x => rm -rf x
        sudo -u root -E VAR=1 rm x => rm x VAR=1
        sudo -nu root rm x => rm x
        sudo --user=root -g wheel rm x => rm x
        sudo --user root rm x => rm x
        sudo A=1 -u root rm x => rm x A=1
        sudo -D /srv rm x => rm x in /srv
        sudo -b rm x => rm x background
        sudo -R /mnt rm x => rm x @container in <sudo>
        sudo -- rm -- x => rm -- x
        sudo -s => stdin
        sudo -i => stdin in <sudo>
        sudo -i rm x => rm x in <sudo>
        sudo -s rm x => rm x
        sudo -k rm x => rm x
        sudo -l =>
        sudo -l rm =>
        sudo -v =>
        sudo -e f =>
        sudo =>
        doas rm x => rm x
        doas -u root rm x => rm x
        doas -nu root -- rm x => rm x
        doas -s => stdin
        doas -C /etc/doas.conf rm x =>
        pkexec rm x => rm x in <pkexec>
        pkexec --user u rm x => rm x in <pkexec>
        pkexec --keep-cwd rm x => rm x
        run0 rm x => rm x
        run0 -u root --setenv=A=1 rm x => rm x A=1
        run0 -D /srv -- rm x => rm x in /srv
        run0 => stdin
        su -c 'rm -rf x' => sh: rm -rf x
        su bob -c 'rm x' => sh: rm x
        su - bob -c 'rm x' => sh: rm x in <su>
        su -l bob --command='rm x' => sh: rm x in <su>
        su bob -- -c 'rm x' => sh -c 'rm x'
        su bob -s /bin/rm -- x => /bin/rm x
        su bob file => sh file
        su - bob => stdin in <su>
        su => stdin
        runuser -u bob -- rm x => rm x
        runuser -u bob rm x => rm x
        runuser bob -c 'rm x' => sh: rm x
        gosu app rm x => rm x
        su-exec app:app rm x => rm x
        setuidgid app rm x => rm x
        chpst -u app -C /srv rm x => rm x in /srv
        ",
    );
}

#[test]
fn environments() {
    table(
        "
        env rm x => rm x
        env -i -u X A=1 rm x => rm x -X A=1
        env -u X -C /srv rm x => rm x in /srv -X
        env --chdir=/srv --unset=X A=1 B= rm x => rm x in /srv -X A=1 B=''
        env - A=1 rm x => rm x A=1
        env -S 'rm -rf x' => rm -rf x
        env -S 'A=1 rm -rf' x => rm -rf x A=1
        env -iS'rm \"a b\"' x => rm 'a b' x
        env -vS '-u X rm' x => rm x -X
        env --split-string='rm ${A}' => rm <${A}>
        env -C /srv -S 'rm x' => rm x in /srv
        env -- rm x => rm x
        env A=$X rm x => rm x A=<$X...>
        env =>
        env A=1 =>
        genv A=1 rm => rm A=1
        /usr/bin/env rm x => rm x
        ",
    );
}

#[test]
fn builtins() {
    table(
        "
        command rm x => rm x here
        command -p rm x => rm x here
        command -- rm x => rm x here
        command -v rm =>
        command -V rm =>
        builtin eval 'rm x' => eval 'rm x' here
        exec rm x => rm x
        exec -a name rm x => rm x
        exec -cl -a name -- rm x => rm x
        exec =>
        jobs -x rm %1 => rm %1
        jobs -l =>
        ",
    );
}

#[test]
fn priorities_times_and_limits() {
    table(
        "
        nohup rm x => rm x
        nohup -- rm x => rm x
        nice rm x => rm x
        nice -n 5 rm x => rm x
        nice -n5 rm x => rm x
        nice -5 rm x => rm x
        nice --adjustment=5 rm x => rm x
        ionice rm x => rm x
        ionice -c2 -n 7 rm x => rm x
        ionice --class idle -t rm x => rm x
        ionice -p 12 =>
        chrt 10 rm x => rm x
        chrt -f 10 rm x => rm x
        chrt -o rm x => rm x
        chrt -T 5 -P 6 -d 0 rm x => rm x
        chrt -p 12 =>
        timeout 5 rm x => rm x
        timeout --signal=KILL -k 5 10 rm x => rm x
        timeout -sKILL 10 rm x => rm x
        timeout -- 5 rm x => rm x
        gtimeout 5 rm x => rm x
        timeout 5 =>
        time rm x => rm x
        time -f %e -o out rm x => rm x
        time -vp rm x => rm x
        stdbuf -oL rm x => rm x
        stdbuf -o 0 -e L -- rm x => rm x
        stdbuf --output=L rm x => rm x
        unbuffer rm x => rm x
        unbuffer -p rm x => rm x
        unbuffer -- rm x => rm x
        setsid rm x => rm x
        setsid -f rm x => rm x background
        setsid -cw -- rm x => rm x
        flock /tmp/l rm x => rm x
        flock -n -w 5 /tmp/l rm x => rm x
        flock -E 2 /tmp/l -c 'rm x' => sh: rm x
        flock /tmp/l --command 'rm x' => sh: rm x
        flock -c 'rm x' => sh: rm x
        flock 9 =>
        prlimit --nofile=10 rm x => rm x
        prlimit -n10 -v rm x => rm x
        prlimit -p 12 --nofile =>
        taskset 0x1 rm x => rm x
        taskset -c 0,1 rm x => rm x
        taskset -p 12 =>
        numactl -N 0 -m 0 rm x => rm x
        numactl --cpunodebind=0 --localalloc -- rm x => rm x
        numactl -H =>
        cpulimit -l 50 -- rm x => rm x
        cgexec -g cpu:a rm x => rm x
        caffeinate -i rm x => rm x
        caffeinate -t 5 rm x => rm x
        caffeinate -dims rm x => rm x
        ",
    );
}

#[test]
fn traces_and_measures() {
    table(
        "
        strace rm x => rm x
        strace -f -e trace=file -o out rm x => rm x
        strace -E A=1 -s 99 -- rm x => rm x A=1
        strace -o '|rm -rf x' ls => sh: rm -rf x ; ls
        strace -p 12 =>
        ltrace -e malloc rm x => rm x
        ltrace -l lib.so -o out rm x => rm x
        ltrace -fS -- rm x => rm x
        perf stat rm x => rm x
        perf stat -e cycles -r 5 -- rm x => rm x
        perf record -g -o out rm x => rm x
        perf stat --pre 'make clean' ls => sh: make clean ; ls
        perf report =>
        valgrind rm x => rm x
        valgrind --tool=memcheck --leak-check=full rm x => rm x
        valgrind -q -- rm x => rm x
        catchsegv rm x => rm x
        faketime '2020-01-01' rm x => rm x
        faketime -f '@2020' rm x => rm x
        faketime -m -- '@2020' rm x => rm x
        rlwrap -a rm x => rm x
        chronic rm x => rm x
        ifne -n rm x => rm x
        proxychains4 -q -f conf rm x => rm x
        ",
    );
}

#[test]
fn namespaces_and_roots() {
    table(
        "
        chroot /mnt rm x => rm x @container in /
        chroot --userspec=a:b /mnt rm x => rm x @container in /
        chroot -- /mnt rm x => rm x @container in /
        chroot /mnt => stdin @container in <chroot>
        nsenter -t 1 -n rm x => rm x
        nsenter -t 1 -m rm x => rm x in <nsenter>
        nsenter --target 1 --all -- rm x => rm x in <nsenter>
        nsenter -t1 -n => stdin
        unshare -r rm x => rm x
        unshare -mpf --propagation private rm x => rm x
        unshare -R /mnt -- rm x => rm x @container in <unshare>
        unshare -n => stdin
        setpriv --reuid=1 rm x => rm x
        setpriv --reuid 1 --clear-groups -- rm x => rm x
        setpriv --dump =>
        setarch x86_64 rm x => rm x
        setarch -R rm x => rm x
        setarch x86_64 -R -- rm x => rm x
        linux32 rm x => rm x
        bwrap --ro-bind / / --dev /dev rm x => rm x
        bwrap --setenv A 1 --chdir /srv --unshare-all -- rm x => rm x in /srv A=1
        bwrap --bind a b --tmpfs /tmp --die-with-parent rm x => rm x
        proot -b a:b rm x => rm x
        proot -r /mnt -w /srv rm x => rm x @container in /srv
        proot -0 => stdin
        firejail rm x => rm x
        firejail --net=none --quiet rm x => rm x
        firejail --private -- rm x => rm x
        fakeroot rm x => rm x
        fakeroot -s f -- rm x => rm x
        fakeroot -u => stdin
        busybox rm x => rm x
        busybox sh -c 'rm x' => sh -c 'rm x'
        busybox --list =>
        toybox rm x => rm x
        arch -x86_64 rm x => rm x
        arch -arm64 -e A=1 rm x => rm x
        xcrun --sdk macosx rm x => rm x
        xcrun -f rm =>
        ",
    );
}

#[test]
fn sessions_and_services() {
    table(
        "
        ssh-agent rm x => rm x
        ssh-agent -t 5 bash -c 'rm x' => bash -c 'rm x'
        ssh-agent -a sock -- rm x => rm x
        ssh-agent -k =>
        dbus-run-session rm x => rm x
        dbus-run-session --config-file=f -- rm x => rm x
        dbus-launch --exit-with-session rm x => rm x background
        xvfb-run rm x => rm x
        xvfb-run -a -n 5 -s '-screen 0' rm x => rm x
        xvfb-run --auto-servernum --server-args='-a' rm x => rm x
        script -c 'rm x' => sh: rm x
        script -qec 'rm x' /dev/null => sh: rm x
        script --command 'rm x' -q log => sh: rm x
        script -q /dev/null rm x => rm x
        script log => stdin
        systemd-run rm x => rm x in <systemd-run> background
        systemd-run --scope -p A=b rm x => rm x
        systemd-run --user --wait -E A=1 --working-directory=/srv -- rm x => rm x in /srv A=1
        systemd-run -M box -t rm x => rm x @container in <systemd-run>
        systemd-inhibit --what=idle rm x => rm x
        systemd-cat -t name rm x => rm x
        start-stop-daemon -S -x /bin/rm -- x => /bin/rm x in <start-stop-daemon> background
        start-stop-daemon -K -x /bin/rm =>
        tini -g -- rm x => rm x
        dumb-init rm x => rm x
        ",
    );
}
