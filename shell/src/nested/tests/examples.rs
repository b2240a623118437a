//! Each row of the tables has an example: around a match it is a match, around a non-match it is not.

use std::path::Path;

use super::forwarder_examples::FORWARDERS;
use crate::analysis::{Analysis, StartDirectories};
use crate::glob::Fit;
use crate::interpret::analyse;
use crate::nested::call::OuterCommand;
use crate::nested::runner::{ROWS, find};
use crate::pattern::Pattern;

/// A command for each row; `§` is what it runs. After a `?`, that is code in another language, or may not run.
const EXAMPLES: &str = r#"
    sudo -u me -- §
    prove -e '§' t
    ? echo '§' > x; enable -f ./x y
    ? erb <<< '<% system("§") %>'
    ? python3 -m doctest /dev/stdin <<< '>>> os.system("§")'
    doas -u me §
    pkexec §
    run0 §
    runuser -u me -- §
    su me -c '§'
    gosu me §
    chpst -u me §
    env -u A B=1 §
    command -p §
    builtin eval §
    jobs -x §
    exec -a b §
    nohup §
    srun -N 2 -n 4 §
    sbatch --wrap '§'
    mpirun -np 2 §
    nice -n 5 §
    ionice -c 3 §
    chrt -f 5 §
    timeout -k 5 60 §
    /usr/bin/time -f x §
    stdbuf -oL §
    unbuffer §
    setsid -w §
    flock -n lock §
    script -c '§' log
    busybox §
    setpriv --reuid 5 §
    prlimit --nproc=5 §
    taskset -c 0 §
    numactl -N 0 §
    cpulimit -l 50 §
    cgexec -g cpu:a §
    strace -f -o log §
    ltrace §
    perf stat -e x §
    valgrind --leak-check=full §
    catchsegv §
    ifne §
    proxychains §
    rlwrap §
    faketime yesterday §
    ssh-agent §
    gpg-agent --daemon §
    flatpak-spawn --host §
    podman unshare §
    zellij run -f -- §
    guix shell a -- §
    flox activate -- §
    teller run §
    just --command §
    dialog --prgbox '§'
    ? echo '§' > x.nse; nmap --script x.nse h
    ip netns exec x §
    ? exiftool -if 'system("§")' x
    restic --password-command '§' check
    borg extract --rsh '§' @:/::x
    cabal exec -- §
    multitime §
    ksu root -e §
    genie -c §
    plymouth ask-for-password --command '§'
    pidstat -e §
    ? scanmem -c 'shell §'
    scrot -e '§'
    sqlmap -u x --alert '§'
    sshfs -o ProxyCommand='§' h: x
    sshuttle -r h --ssh-cmd '§' 0/0
    yt-dlp --exec '§' u
    ? ranger --cmd 'shell §'
    ? msfconsole -x '§'
    ? rtorrent -o 'execute=§'
    perlbug -s x -r x -c x -e '§'
    gem open -e '§' x
    ? rake -e 'system("§")'
    ? pdb -c '!§' x.py
    ? ghc -e 'callCommand "§"'
    ? clisp -x '(run-shell-command "§")'
    bpftrace -e 'BEGIN { exit() }' -c '§'
    ? kotlin -e 'Runtime.getRuntime().exec("§")'
    ? echo '! §' | tdbtool
    ? asterisk -r -x '!§'
    csvtool call '§' x
    fail2ban-client set x action y actionban '§'
    fastfetch --command-text '§'
    ? echo '§' > c; neofetch --config c
    dnsmasq --conf-script='§'
    dmsetup ls --exec '§'
    ? dosbox -c '§'
    cdist shell -s '§'
    check_ssl_cert --curl-bin '§' -H x
    check_by_ssh -o ProxyCommand='§' -H h -C x
    latexmk -pdflatex='§' x.tex
    ? echo '§' > rc; procmail rc
    xdg-user-dir '§'
    ? busctl --address=unixexec:path=/bin/sh,argv1=-c,argv2='§'
    aria2c --on-download-error='§' u
    bat --pager '§' x
    enscript -I '§' x
    fzf --preview '§'
    hg --config alias.x='!§' x
    pandoc --filter '§' x
    rustc -C linker='§' x.rs
    ? ftp <<< '!§'
    ? m4 <<< 'syscmd(§)'
    nano --speller='§' x
    ? pdflatex --shell-escape '\\write18{§}'
    gcc -wrapper env,sh,-c,'§' x.c
    task execute '§'
    ? cowsay -f <(echo '§') x
    rustdoc --test-runtool '§' x.rs
    cmake -E env §
    apt-get -o DPkg::Pre-Invoke::='§' update
    go test -exec '§'
    go clean -toolexec '§'
    bun exec '§'
    deno task --eval '§'
    ? lftp -c '!§'
    dbus-run-session -- §
    dbus-launch §
    xvfb-run -a §
    caffeinate -i §
    systemd-inhibit --why=x §
    systemd-cat -t x §
    systemd-run --user --scope §
    start-stop-daemon -S --exec /usr/bin/env -- §
    tini -- §
    arch -x86_64 §
    xcrun --sdk macosx §
    chroot /mnt §
    nsenter -t 1 -m §
    unshare -r §
    setarch x86_64 -R §
    bwrap --bind / / §
    proot -r / §
    fakeroot §
    firejail --quiet §
    sh -ec '§'
    csh -c '§'
    bash -c '§'
    dash -c '§'
    ksh -c '§'
    zsh -c '§'
    fish -c '§'
    ? nu -c '§'
    pwsh -Command '§'
    Invoke-Expression '§'
    Invoke-Command '{ § }'
    call-operator '{ § }'
    Start-Process §
    cmd /c §
    . /dev/stdin <<< '§'
    eval "§"
    trap '§' EXIT
    mapfile -c 1 -C '§' a
    compgen -C '§'
    python3 -c 'import os; os.system("§")'
    node -e 'require("child_process").execSync("§")'
    ? tsx -e 'x("§")'
    ? deno eval 'x("§")'
    ? echo 'x("§")' | deno
    ? echo 'x("§")' | deno repl
    forfiles /m x /c '§'
    ? echo '{"scripts":{"x":"§"}}' > composer.json; composer x
    ? echo 'x: §' > Procfile; foreman start
    ? echo 'x: §' > Procfile; honcho start
    ? echo 'x: §' > Procfile; hivemind
    ? echo 'x: §' > Procfile; overmind start
    ? echo 'run = "§"' > mise.toml; mise run x
    ? echo 'x: §' > Taskfile.yml; task x
    ? echo 'commands = §' > tox.ini; tox
    ? echo 'x("§")' | deno run -
    ruby -e 'system("§")'
    perl -e 'system("§")'
    php -r 'system("§");'
    ? lua -e 'os.execute("§")'
    ? Rscript -e 'system("§")'
    ? R -e 'system("§")'
    ? osascript -e 'do shell script "§"'
    ? echo 'exec §' | tclsh
    ? expect -c 'spawn §'
    ? julia -e 'run(`§`)'
    ? elixir -e 'System.shell("§")'
    ? octave --eval 'system("§")'
    ? swift -e 'system("§")'
    ? groovy -e '"§".execute()'
    awk 'BEGIN { system("§") }'
    sed '1e §' f
    tar -cf a.tar --to-command='§' f
    rsync -e '§' a b:
    scp -S '§' x b:
    sftp -S '§' b
    sort --compress-program='§' f
    split --filter='§' f
    zip -TT '§' a.zip f
    vim -c '!§'
    view -c '!§'
    ? echo '!§' | ed
    ? cat > n.ipynb <<< '§'; jupyter nbconvert --execute n.ipynb
    ? cat > n.ipynb <<< '§'; jupyter execute n.ipynb
    ? cat > n.ipynb <<< '§'; papermill n.ipynb o.ipynb
    ? make --eval 'a:; §' a
    ? echo '* * * * * §' | crontab -
    ? emacs --batch --eval '(shell-command "§")'
    ? emacsclient --eval '(shell-command "§")'
    gdb -ex 'shell §'
    less '+!§' f
    sqlite3 x.db '.shell §'
    duckdb x.db '.shell §'
    psql -c '\! §' db
    mysql -e '\! §' db
    man -P '§' ls
    nc -c '§' -l 80
    socat - 'SYSTEM:§'
    find . -name x -exec § \;
    fd x -x §
    xargs -n 1 § < list
    parallel -j 4 '§' ::: a b
    watch -n 1 §
    entr -r §
    watchexec -e rs §
    reflex -r x -- §
    nodemon --exec '§'
    concurrently 'ls' '§'
    hyperfine 'ls' '§'
    mispipe '§' 'ls'
    cargo watch -s '§'
    cargo-watch -s '§'
    echo '§' | at now
    npx §
    npm exec -- §
    npm explore pkg -- §
    salt '*' cmd.run '§'
    npm pkg set scripts.x='§'
    pnpm pkg set version=1 scripts.x='§'
    pnpm exec §
    pnpm sudo §
    yarn sudo §
    yarn run §
    ? yarn node -e 'x("§")'
    pnpm dlx §
    yarn exec §
    yarn dlx §
    bunx §
    bun x §
    ? bun -e 'x("§")'
    lerna exec -- §
    corepack yarn exec §
    cross-env A=1 §
    env-cmd §
    dotenv -e f -- §
    uv run --with x §
    uv tool run §
    uv x §
    uvx §
    pipx run §
    poetry run §
    pipenv run §
    hatch run §
    rye run §
    pdm run §
    pixi run §
    conda run -n x §
    bundle exec §
    rbenv exec §
    asdf exec §
    volta run §
    fnm exec §
    nvm exec 20 §
    rustup run nightly §
    mise exec node@20 -- §
    direnv exec . §
    nix-shell -p x --run '§'
    nix develop -c §
    nix run nixpkgs#sudo -- §
    devbox run §
    doppler run -- §
    infisical run -- §
    op run -- §
    aws-vault exec me -- §
    chamber exec svc -- §
    sops exec-env f '§'
    ssh -p 22 me@host '§'
    autossh -p 22 me@host '§'
    rsh host §
    mosh host -- §
    sshpass -p x §
    pdsh -w host §
    docker run --rm -it image §
    docker exec -it c §
    docker container run image §
    docker container exec c §
    docker compose run web §
    docker compose exec web §
    docker-compose run web §
    docker-compose exec web §
    kubectl exec -it pod -- §
    kubectl run x --image=y --command -- §
    kubectl debug pod -- §
    lxc exec c -- §
    lxc-attach -n c -- §
    machinectl shell me@c /usr/bin/env §
    systemd-nspawn -D / §
    distrobox enter c -- §
    distrobox-enter c -- §
    toolbox run §
    multipass exec vm -- §
    limactl shell vm §
    lima §
    vagrant ssh -c '§'
    wsl -d x §
    heroku run §
    devcontainer exec §
    flyctl ssh console -C '§'
    gcloud compute ssh vm --command '§'
    ansible all -m shell -a '§'
    tmux new-session -d '§'
    screen -dmS x §
    dtach -n f §
    xterm -e §
    git -c alias.x='!§' x
    aa-exec -p profile -- §
    choom -n 5 -- §
    distcc §
    grc -c conf §
    openvt -s -- §
    setlock -n lock §
    logsave -a log §
    softlimit -m 5 §
    msgfilter -i a.po §
    sg group -c '§'
    sg group '§'
    xdotool exec --sync §
    certbot renew --pre-hook '§'
    openvpn --dev null --script-security 2 --up '§'
    tcpdump -w f -z '§'
    rpm -q --pipe '§' x
    ? rpm --eval '%(§)'
    ? smbclient -c '!§' //h/s
    ? debugfs -R '!§' f
    ? dc -e '!§'
    ? slsh -e 'system("§");'
    ? jrunscript -e 'exec("§")'
    ? gimp -b '(system "§")'
    ? echo '§' > x.py; coverage run -p x.py
    ? echo '§' > x.py; accelerate launch --cpu x.py
    ? echo '§' > x.py; kernprof -l x.py
    ? echo 'main() => "§";' > x.dart; dart x.dart
    ? echo 'main() => "§";' > x.dart; dart run x.dart
    ? echo '§' > x.mjs; zx --quiet x.mjs
    ? echo '§' > x.go; go run x.go
    ? echo '§' > x.java; java x.java
    ? echo '§' > x.js; k6 run x.js
    ? echo '§' > x.js; pm2 start x.js
    ? py -3 -c 'import os; os.system(x + "§")'
    ? echo '§' > x.py; spark-submit x.py
    ? echo '§' > x.py; locust -f x.py
    ? echo '§' > x.py; streamlit run x.py
    ? echo '§' > x.py; torchrun --nproc-per-node 2 x.py
    ? echo '.sy §' > x.ms; groff -U x.ms
    ? echo '.sy §' > x.ms; gpic -U x.ms
    ? echo 'use_askpass = §' > x.rc; wget --config=x.rc h
    ? echo 'use_askpass = §' > x.rc; wget2 --config=x.rc h
    dpkg --pre-invoke='§' -i a.deb
    apt-config -o DPkg::Pre-Invoke::='§' dump
    adb -s a shell '§'
    tsh ssh h '§'
    ? puppet apply -e 'exec { "§": }'
    ? knife exec -E 'system("§")'
"#;

/// Rows that run a program with files of their own choice, or another program with part of the words: these contain no
/// whole command.
const WITHOUT: &[&[&str]] = &[
    &["jest", "vitest"],
    &["nox"],
    &["pytest", "py.test"],
    &["rspec"],
    &["unittest"],
    &["rg"],
    &["kubecolor"],
    &["microk8s", "k3s", "k0s"],
    &["minikube"],
    &["terragrunt"],
    &["trace"],
    &["microk8s.kubectl"],
    &["microk8s.helm", "microk8s.helm3"],
];

/// The same for subcommands.
const COMMANDS_WITHOUT: &[&str] = &[
    "hack",
    "as",
    "kubectl",
    "workspace",
    "foreach",
    "artisan",
    "tinker",
    "test",
    "dusk",
    "redis",
    "php",
    "composer",
    "node",
    "phpunit",
    "pest",
    "pint",
    "dr",
    "drush",
    "drupal",
    "platform",
    "terminus",
    "wp",
    "terraform",
    "helmfile",
    "gitconfig",
    "lint",
];

const MATCH: &str = "rm -rf x";

const OTHER: &str = "ls -l x";

fn fit(pattern: &Pattern, analysis: &Analysis) -> Fit {
    let doubt = |why: &Option<crate::word::Unknown>| why.clone().map_or(Fit::Yes, Fit::Maybe);
    let commands = analysis.commands.iter().map(|command| pattern.runs(command).and(doubt(&command.doubt)));
    let is_named = |text: &crate::UnseenText| pattern.is_named_in(text);
    let opaque = analysis.opaque.iter().filter(|opaque| opaque.text.as_ref().is_none_or(is_named));
    commands.chain(opaque.map(|opaque| Fit::Maybe(opaque.reason.clone()))).fold(Fit::No, Fit::or)
}

#[test]
fn every_row_runs_what_its_example_says() {
    let start = StartDirectories { cwd: Path::new("/w"), home: None };
    let pattern = Pattern::new("rm -rf").unwrap();
    let mut left: Vec<(&[&str], &[&[&str]])> =
        ROWS.iter().flat_map(|rows| rows.iter()).map(|row| (row.names, row.under)).collect();
    left.retain(|(names, under)| {
        let innermost = under.last().copied().unwrap_or_default();
        !WITHOUT.contains(names) && !COMMANDS_WITHOUT.iter().any(|name| innermost.contains(name))
    });
    let mut wrong = Vec::new();
    for line in EXAMPLES.lines().chain(FORWARDERS.lines()).map(str::trim).filter(|line| !line.is_empty()) {
        let (example, is_sure) = line.strip_prefix("? ").map_or((line, true), |example| (example, false));
        let around = |command: &str| analyse(&example.replace('§', command), &start);
        let analysis = around(MATCH);
        for command in &analysis.commands {
            let row = find(&OuterCommand::new(&command.words));
            left.retain(|other| row.is_none_or(|row| *other != (row.names, row.under)));
        }
        let expected = if is_sure { "yes" } else { "maybe" };
        let word = |fit: Fit| match fit {
            Fit::Yes => "yes",
            Fit::No => "no",
            Fit::Maybe(_) => "maybe",
        };
        let (is, other) = (word(fit(&pattern, &analysis)), word(fit(&pattern, &around(OTHER))));
        if (is, other) != (expected, "no") {
            wrong.push(format!("{line}: {is} around a match, {other} around another command"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(left.is_empty(), "without an example: {left:?}");
}
