//! Examples of the rows about programs that hand words on to others.

/// A command for each row, as in `EXAMPLES`.
pub(super) const FORWARDERS: &str = r#"
    VBoxManage guestcontrol box run --exe x -- §
    bolt command run '§' --targets a
    chruby-exec 3.3 -- §
    clush -w a §
    container exec web §
    deno x npm:§
    dip §
    docker-machine ssh box §
    podman machine ssh §
    dsh -g web -- §
    dx npm:§
    drush @prod ssh '§'
    esc run dev -- §
    et h -c '§'
    fab -H h -- §
    flatpak run --command=env org.x.App §
    gita super -c alias.x='!§' x
    gita shell §
    hatch env run §
    jexec web §
    juju ssh a/0 §
    juju exec --unit a/0 §
    kitten ssh h §
    kitten @ launch §
    knife ssh q '§'
    modal shell --cmd '§'
    na exec §
    ntl dev:exec §
    nlx §
    ntfy done §
    pct exec 1 -- §
    echo '§' | pct enter 1
    plink h §
    prlctl exec box §
    echo '§' | prlctl enter box
    psexec -s §
    pssh -i §
    pulumi env run dev -- §
    qm guest exec 1 -- §
    rvm 3.3 do §
    sky exec c §
    sst shell §
    start-server-and-test '§' 3000 test
    vercel env run §
    vmrun runProgramInGuest a.vmx §
    vmrun runScriptInGuest a.vmx /bin/sh '§'
    waypipe §
    winpty §
    winrs -r:h §
    yarn workspaces run §
    appraisal rails-7 §
    apptainer exec i.sif §
    echo '§' | apptainer shell i.sif
    asciinema rec -c '§' f
    assume p --exec '§'
    aws-okta exec prod -- §
    aws-sso exec -p a §
    aws ssm send-command --parameters commands='§'
    az vm run-command invoke -g g -n n --scripts '§'
    berglas exec -- §
    box64 §
    bws run -- '§'
    cf ssh app -c '§'
    cf run-task app --command '§'
    ch-run i -- §
    chezmoi git -- -c alias.x='!§' x
    echo '§' | chezmoi cd
    chokidar x -c '§'
    coder ssh w §
    colima ssh -- §
    colima nerdctl -- exec b §
    , §
    consul-template -exec '§'
    cronic §
    ddev npx §
    ddev exec '§'
    echo '§' | ddev ssh
    echo '§' | devbox shell
    devenv shell §
    devpod ssh w --command '§'
    devspace enter -- §
    dip compose exec web §
    dockerize -wait tcp://h:1 §
    doctl compute ssh d --ssh-command '§'
    dokku run app §
    dokku enter app web §
    dtruss -f §
    eb ssh -c '§'
    enroot start i §
    envchain ns §
    envconsul -prefix a §
    envdir d §
    etckeeper vcs -c alias.x='!§' x
    fin exec '§'
    echo '§' | fin bash
    flamegraph -- §
    fly console -C '§'
    fly machine exec id '§'
    fnox exec -- §
    foot §
    foreman run §
    gcloud compute tpus tpu-vm ssh box --command '§'
    gcloud app instances ssh i -- §
    gcloud workstations ssh w --command '§'
    gcloud cloud-shell ssh --command '§'
    gh cs ssh -c n -- §
    git-xargs --repo a/b §
    gopass env a §
    gotty -w §
    gum spin --title x -- §
    hcloud server ssh s §
    heaptrack §
    heroku run:inside web.1 §
    heroku local:run §
    heroku ps:exec -- §
    honcho run §
    kamal app exec '§'
    kamal accessory exec db '§'
    kamal server exec '§'
    kitty §
    kubie exec ctx ns §
    lando §
    lando ssh -c '§'
    lando exec web -- §
    landrun --ro / §
    lckdo f §
    lockrun --lockfile=x -- §
    mani exec --all '§'
    meta exec '§'
    meta git -c alias.x='!§' x
    minijail0 -u n §
    mirrord exec -t pod/a §
    mr run §
    mr push --receive-pack '§'
    nocache §
    nomad alloc exec a §
    nomad exec -job j §
    nq §
    nsjail -- §
    nx exec -- §
    okteto exec -- §
    onchange x -- §
    op plugin run -- §
    orb §
    orb run §
    overmind exec §
    phase run §
    pixi exec -s a §
    pkgx +git §
    platform ssh '§'
    poop '§'
    proto run sh -- -c '§'
    proto exec node -- §
    pueue add '§'
    py-spy record -- §
    qemu-x86_64 -L / §
    railway run §
    echo '§' | railway shell
    railway ssh §
    reattach-to-user-namespace §
    render ssh s -- §
    repo forall -c '§'
    retry -t 3 -- §
    rr record §
    boundary connect ssh -target-id t -- '§'
    bsub -q q -I '§'
    buildah run box -- §
    chop §
    consul exec -node web '§'
    crictl exec -it id §
    ctr -n a task exec --exec-id e id §
    ctr run --rm image id §
    daemonize -c / §
    ? execlineb -c '§'
    gitpod environment ssh e -- '§'
    run-one §
    runc exec --tty id §
    salloc -N 2 §
    snip §
    snip run §
    rtk §
    rtk proxy §
    rtk run -c '§'
    runcon -t a §
    runitor -uuid u -- §
    rush-pnpm exec §
    s6-envdir d §
    s6-setuidgid a §
    s6-softlimit -m 5 §
    sail exec web §
    sail bin §
    sail docker-compose exec web §
    sail shell -c '§'
    sail npm exec -- §
    sail npx §
    sail pnpm exec §
    sail pnpx §
    sail yarn exec §
    sail bun x §
    sail bunx §
    sail mysql -e '\! §'
    sail mariadb -e '\! §'
    sail psql -c '\! §'
    saml2aws exec -- §
    samply record §
    sandbox-exec -f f §
    scalingo run §
    secretspec run -- §
    sentry-cli monitors run m -- §
    shadowenv exec -- §
    solo -port=1 §
    spack build-env a -- §
    spring §
    srt '§'
    steam-run §
    summon §
    tailscale ssh h §
    telepresence intercept a -- §
    terminalizer record -d '§' f
    tokf run §
    tox exec -- §
    tsp §
    ttyd §
    ttyrec -e '§' f
    udocker run i §
    vagrant docker-exec b -- §
    varlock run -- §
    vcsh a -c alias.x='!§' x
    vcsh run a §
    echo '§' | vcsh enter a
    vp exec §
    vp dlx §
    vp env exec §
    vpx §
    wait-for-it h:1 -- §
    warden env exec php §
    warden shell -c '§'
    wezterm start -- §
    wezterm ssh h §
    wezterm cli spawn -- §
    with-contenv §
    xctrace record --launch -- §
    yadm -c alias.x='!§' x
    yadm enter §
    opam exec -- §
    dune exec -- §
    esy §
    esy x §
    mix cmd §
    n exec 20 §

    vlt exec §
    vlt run §
    aube env §
    aube exec §
    aube dlx §
    aube run §
    aubx §
    nr §
    aqua exec -- §
    arch-chroot /mnt §
    schroot -c x -- §
    lean-ctx -c §
    lean-ctx exec "§"
    ztk run §
    clever ssh -c '§'
    koyeb service exec s §
    northflank exec --service s --cmd '§'
    scw instance server ssh 1 command="§"
    dbclient h §
    pyinfra h exec -- §
    salt-call cmd.run '§'
    mussh -h a -c '§'
    ray exec c.yaml '§'
    ray job submit -- §
    sky launch '§'
    modal container exec c §
    daytona exec s -- §
    echo '§' | daytona ssh s
    sprite exec -s s §
    echo '§' | sprite console -s s
    echo '§' | balena ssh h
    echo '§' | balena device ssh h
    rancher ssh n §
    garden exec s -- §
    docker debug -c '§' c
    docker sandbox exec s §
    kubectl node-shell n -- §
    vagrant winrm -c '§'
    hdc shell §
    container run alpine §
    brush -c '§'
"#;
