//! Programs that hand words on to others: filters, development environments, dotfiles, stores of secrets, queues.

use super::table;

#[test]
fn filters_of_output() {
    table(
        "
        rtk git push --force => git push --force
        rtk git -C x push => git -C x push
        rtk -v --skip-env npx prisma migrate reset => npx prisma migrate reset
        rtk -- git push => git push
        rtk --new git push => push ; git push ?
        rtk proxy rm x => rm x
        rtk proxy 'rm -rf x' => rm -rf x
        rtk run -c 'rm x' => sh: rm x
        rtk run rm x => sh: rm x
        rtk err cargo test => sh: cargo test
        rtk test npm test => sh: npm test
        rtk summary make all => sh: make all
        rtk lint --fix => eslint --fix
        rtk gain --history =>
        rtk init -g =>
        rtk read f =>
        rtk rewrite 'rm x' =>
        rtk --help =>
        rtk =>
        snip git push --force => git push --force
        snip proxy git push => git push
        snip gain =>
        chop git push => git push
        chop gain --history =>
        tokf run git push origin main => git push origin main
        tokf --timing run --prefer-less cargo test => cargo test
        tokf ls =>
        ",
    );
}

#[test]
fn development_environments() {
    table(
        "
        sail artisan migrate:fresh => php artisan migrate:fresh @container in /var/www/html
        ./vendor/bin/sail art db:wipe --force => php artisan db:wipe --force @container in /var/www/html
        sail php -r x => php -r x @container in /var/www/html
        sail npm run x => npm run x @container in /var/www/html
        sail bin phpstan -v => phpstan -v @container in /var/www/html
        sail mysql -e x => mysql -e x @container in /var/www/html
        sail psql => psql @container in /var/www/html
        sail tinker => php artisan tinker @container in /var/www/html
        sail root-shell => bash @container in /var/www/html
        sail up -d => docker compose up -d
        sail down -v => docker compose down -v
        sail -f c.yml up => docker compose -f c.yml up
        sail share =>
        sail --help =>
        ddev exec rm x => sh: rm x @container in /var/www/html
        ddev exec -s db -d /srv 'rm x' => sh: rm x @container in /srv
        ddev . rm x => sh: rm x @container in /var/www/html
        ddev drush sql-drop -y => drush sql-drop -y @container in /var/www/html
        ddev composer install => composer install @container in /var/www/html
        ddev artisan migrate:fresh => php artisan migrate:fresh @container in /var/www/html
        ddev ssh -s db => stdin @container in /var/www/html
        ddev start =>
        ddev stop --all =>
        ddev exec --help =>
        ddev =>
        lando php artisan migrate => php artisan migrate @container in /app
        lando drush sql-drop => drush sql-drop @container in /app
        lando ssh -c 'rm x' => sh: rm x @container in /app
        lando ssh -s db => stdin @container in /app
        lando exec web --user root -- rm x => rm x @container in /app
        lando info --deep =>
        lando db-import f =>
        fin exec --in=cli 'rm x' => sh: rm x @container in <fin>
        fin drush sql-drop => drush sql-drop @container in <fin>
        fin bash => stdin @container in <fin>
        fin up =>
        warden env exec php rm x => docker compose exec php rm x
        warden shell -c 'rm x' => sh: rm x @container in <warden>
        warden svc up =>
        dip compose exec web rm x => docker compose exec web rm x
        dip provision =>
        dip rails db:drop => rails db:drop @container in <dip>
        devbox run 'rm x && ls' => sh: rm x && ls
        devbox run -q -e A=1 -- rm x => sh: rm x
        devbox run --list =>
        devbox shell => stdin
        devbox shell --print-env =>
        devbox add x =>
        devenv shell rm x => rm x
        devenv -v shell -- rm x => rm x
        devenv shell => stdin
        devenv up =>
        flox activate -d /srv -- rm x => rm x
        flox activate -c 'rm x' => sh: rm x
        flox install x =>
        tox exec -e py -- rm x => rm x
        tox -e py =>
        pixi exec -s a -c conda-forge rm x => rm x
        pixi exec --list rm x => rm x
        pixi exec --help =>
        spack build-env --dirty zlib -- rm x => rm x
        spack install x =>
        pkgx +git +node@22 git push => git push
        pkgx npm@10 install => npm install
        pkgx -- rm x => rm x
        pkgx -Q rm =>
        , -P fzf rm x => rm x
        , -p rm =>
        phpenv exec rm x => rm x
        plenv exec rm x => rm x
        phpenv install 8 =>
        ",
    );
}

#[test]
fn repositories() {
    table(
        "
        chezmoi git push -- --force => git push --force in <chezmoi>
        chezmoi -S d git -- push --force => git push --force in <chezmoi>
        chezmoi git add . => git add . in <chezmoi>
        chezmoi cd => stdin in <chezmoi>
        chezmoi apply =>
        chezmoi git --help => git in <chezmoi>
        yadm push --force => git push --force in <yadm>
        yadm -Y d reset --hard => git reset --hard in <yadm>
        yadm gitconfig a b => git config a b in <yadm>
        yadm -c a=b push => git -c a=b push in <yadm>
        yadm enter rm x => sh: rm x
        yadm enter => stdin
        yadm bootstrap =>
        yadm list -a =>
        vcsh dots push --force => git push --force in <vcsh>
        vcsh -v run dots rm x => rm x in <vcsh>
        vcsh foreach push => git push in <vcsh> repeats
        vcsh enter dots => stdin in <vcsh>
        vcsh list =>
        etckeeper vcs push => git push in <etckeeper>
        etckeeper -d /srv vcs push => git push in /srv
        etckeeper commit x =>
        repo forall -c 'rm x' => sh: rm x in <repo> repeats
        repo forall p q -e -c git push => git push in <repo> repeats
        repo sync -c =>
        mr run rm x => rm x in <mr> repeats
        mr -d d -j 5 run rm x => rm x in <mr> repeats
        mr push => git push in <mr> repeats
        mr status =>
        meta exec 'rm x' --parallel => sh: rm x --parallel in <meta> repeats
        meta git push -f => git push -f in <meta> repeats
        meta project list =>
        mani exec --all 'rm x' => sh: rm x in <mani> repeats
        mani exec --dry-run rm x =>
        git-xargs --repo a/b --branch-name c rm x => rm x in <git-xargs> repeats
        git-xargs --help =>
        ",
    );
}

#[test]
fn runners_of_projects() {
    table(
        "
        foreman run -e .env rm x => rm x
        foreman start =>
        honcho -e .env run rm x => rm x
        honcho run -d /srv -- rm x => rm x in /srv
        honcho start =>
        forego run rm x => rm x
        nf run rm x => rm x
        winpty rm x => rm x
        gsudo --wait rm x => rm x
        noti -t done rm x => rm x
        host-spawn rm x => rm x
        shdotenv -e .env rm x => rm x
        ntfy done rm x => rm x
        ntfy send hello =>
        gita super push -f => git push -f in <gita> repeats ; git -f in <gita> repeats
        gita ls =>
        kitty @ launch --type=tab rm x => kitten @ launch --type=tab rm x background
        kitten @ launch --type tab rm x => rm x background
        overmind exec rm x => rm x
        overmind run -f Procfile rm x => rm x
        overmind start =>
        proto run node 20 -- x.js => node x.js
        proto exec node@20 -- rm x => rm x
        proto install node =>
        vp exec -r rm x => rm x
        vp dlx a@1 x => a x
        vp node x.js => node x.js
        vp env exec --node 20 rm x => rm x
        vp build =>
        vpx a@1 x => a x
        vpx -p cowsay -c 'rm x | y' => sh: rm x | y
        vpx ./x.ts a => code file: ./x.ts
        vpx --help =>
        nx exec -- rm x => rm x repeats
        nx exec --projects=a -- rm x => rm x repeats
        nx run a:build =>
        rush-pnpm publish --tag x => pnpm publish --tag x
        onchange -i '**/*.js' -- rm x => rm x repeats
        onchange x =>
        chokidar '**/*.js' -d 5 -c 'rm x' => sh: rm x repeats
        chokidar x =>
        appraisal rails-7 rm x => rails-7 rm x ; rm x
        appraisal install =>
        spring rails db:drop => rails db:drop
        spring stop =>
        atmos terraform destroy x -s y => terraform destroy x -s y
        atmos validate =>
        ",
    );
}

#[test]
fn stores_of_secrets() {
    table(
        "
        envchain ns rm x => rm x
        envchain --set ns A =>
        envchain -l -v ns =>
        berglas exec -local -- rm x => rm x
        berglas list b =>
        summon -p p -f f -D A=1 rm x => rm x
        summon --up -- rm x => rm x
        summon --version =>
        gopass env --keep-case a/b rm x => rm x
        gopass show a =>
        op plugin run -- gh repo delete => gh repo delete
        op plugin list =>
        aws-sso exec -p a rm x => rm x
        aws-sso -S b exec => stdin
        aws-sso list =>
        aws-okta exec -t 1h prod -- rm x => rm x
        aws-okta list =>
        assume p --exec 'rm x' => sh: rm x
        assume --exec='rm x' p => sh: rm x
        assume p --exec -- rm x => rm x
        assume p -c =>
        saml2aws exec -- rm x => sh: rm x
        saml2aws -a b exec --exec-profile p rm x => sh: rm x
        saml2aws login =>
        shadowenv exec --dir d -- rm x => rm x
        shadowenv trust =>
        bws run --project-id a -- 'rm x' => sh: rm x
        bws run => stdin
        bws secret list =>
        phase run --env dev rm x => sh: rm x
        phase secrets list =>
        fnox exec -- rm x => rm x
        fnox -P prod x rm x => rm x
        fnox get A =>
        varlock run -- rm x => rm x
        varlock load =>
        secretspec run -P dev -- rm x => rm x
        secretspec check =>
        envconsul -prefix a -once rm x => rm x
        envconsul -prefix a -exec 'rm x' => sh: rm x
        envconsul -version =>
        consul-template -template a:b -exec 'rm x' => sh: rm x
        consul-template -once -template a:b =>
        ",
    );
}

#[test]
fn queues_and_repetitions() {
    table(
        "
        pueue add -- rm x => sh: rm x background
        pueue add -w /srv -g a 'rm x && ls' => sh: rm x && ls in /srv background
        pueue status =>
        tsp rm x => rm x background
        tsp -f -L a rm x => rm x
        tsp -c 3 =>
        tsp =>
        nq -q rm x => rm x background
        nq -w =>
        retry -t 3 -d 5 -- rm x => rm x repeats
        retry -s 2 -f 'rm y' rm x => sh: rm y repeats ; rm x repeats
        retry --help =>
        wait-for-it h:1 -t 5 -- rm x => rm x
        wait-for-it.sh h:1 =>
        dockerize -wait tcp://h:1 -timeout 5s rm x => rm x
        dockerize -template a:b =>
        cronic rm x => rm x
        keep-one-running rm x => rm x
        lockrun --lockfile=x -W -- rm x => rm x
        lockrun --version =>
        lckdo -w f rm x => rm x
        lckdo f =>
        solo -port=1 rm x => rm x
        solo -silent -port=1 =>
        runitor -uuid u -- rm x => rm x
        runitor -version =>
        sentry-cli monitors run m -- rm x => rm x
        sentry-cli monitors list =>
        gum spin --title x -- rm x => rm x
        gum spin -s dot --show-output rm x => rm x
        gum choose a b =>
        poop -d 5 'rm x' ls => sh: rm x repeats ; sh: ls repeats
        poop --help =>
        ",
    );
}

#[test]
fn supervisors_and_sandboxes() {
    table(
        "
        reattach-to-user-namespace -l rm x => rm x
        reattach-to-user-namespace -v =>
        envdir d rm x => rm x
        envdir d =>
        s6-setuidgid app rm x => rm x
        s6-envdir -n d rm x => rm x
        s6-envdir d =>
        s6-softlimit -m 5 rm x => rm x
        s6-softlimit -h =>
        with-contenv rm x => rm x
        sandbox-exec -p '(allow default)' -D A=1 rm x => rm x
        sandbox-exec -f f rm x => rm x
        sandbox-exec -f f =>
        srt -s f rm x => rm x
        srt 'rm x' => rm x
        srt -c 'rm x' => sh: rm x
        srt --version =>
        landrun --rox /usr --rw . --best-effort rm x => rm x
        landrun --help =>
        nsjail -Mo --chroot / -- rm x => rm x @container in <nsjail>
        nsjail --help =>
        runcon -t a_t rm x => rm x
        runcon a:b:c rm x => rm x
        runcon =>
        minijail0 -u n -c 5 rm x => rm x
        minijail0 -h =>
        box64 rm x => rm x
        qemu-x86_64 -L /usr -E A=1 -U B rm x => rm x -B A=1
        qemu-x86_64 -version =>
        steam-run rm x => rm x
        nocache -n 2 rm x => rm x
        nocache =>
        dtruss -f -t open rm x => rm x
        dtruss -p 12 =>
        samply record -o f rm x => rm x
        samply load f =>
        heaptrack -o f rm x => rm x
        heaptrack --analyze f =>
        rr record -v A=1 rm x => rm x A=1
        rr replay =>
        flamegraph -o f -- rm x => rm x
        flamegraph -p 12 =>
        py-spy record -o f -- python x.py => python x.py
        py-spy dump -p 12 =>
        xctrace record --template x --launch -- rm x => rm x
        xctrace list devices =>
        asciinema rec -c 'rm x' f => sh: rm x
        asciinema rec f => stdin
        asciinema play f =>
        ttyrec -e 'rm x' f => sh: rm x
        ttyrec f =>
        terminalizer record -d 'rm x' f => sh: rm x
        terminalizer play f =>
        ttyd -p 80 -w /srv rm x => rm x in /srv repeats
        ttyd --version =>
        gotty -w -p 80 rm x => rm x repeats
        gotty --help =>
        kitty -T x rm x => rm x background
        kitty -e rm x => rm x background
        kitty --version =>
        foot -D /srv rm x => rm x in /srv background
        foot -v =>
        ghostty -e rm x => rm x background
        wezterm start --cwd /srv -- rm x => rm x in /srv background
        wezterm cli spawn -- rm x => rm x background
        wezterm ssh h rm x => rm x @remote in <wezterm>
        wezterm ls-fonts =>
        ",
    );
}

#[test]
fn machines_and_containers() {
    table(
        "
        fly machine exec id 'rm x' => sh: rm x @remote in <fly>
        fly m exec -a app id 'rm x' => sh: rm x @remote in <fly>
        fly console -C 'rm x' => sh: rm x @remote in <fly>
        fly ssh console -a app => stdin @remote in <fly>
        fly machine list =>
        gcloud compute ssh box -- -v rm x => sh: rm x @remote in <gcloud>
        gcloud compute ssh box --zone a => stdin @remote in <gcloud>
        gcloud compute ssh box --dry-run =>
        gcloud compute tpus tpu-vm ssh box --worker=all --command 'rm x' => sh: rm x @remote in <gcloud>
        gcloud app instances ssh i --service s -- rm x => sh: rm x @remote in <gcloud>
        gcloud app browse =>
        gcloud workstations ssh w --region r --command 'rm x' => sh: rm x @remote in <gcloud>
        gcloud cloud-shell ssh --command='rm x' => sh: rm x @remote in <gcloud>
        vagrant docker-exec box -- rm x => rm x @container in <vagrant>
        vagrant ssh box => stdin @remote in <vagrant>
        heroku run:detached -a app rm x => sh: rm x @remote in <heroku>
        heroku run:inside web.1 rm x => sh: rm x @remote in <heroku>
        heroku ps:exec -a app -- rm x => rm x @remote in <heroku>
        heroku local:run -e .env rm x => rm x
        heroku ps =>
        railway run -s web rm x => rm x
        railway ssh -s web -- rm x => sh: rm x @remote in <railway>
        railway ssh => stdin @remote in <railway>
        railway shell => stdin
        railway up =>
        render ssh srv => stdin @remote in <render>
        render ssh srv -- -v rm x => sh: rm x @remote in <render>
        render services =>
        dokku run -e A=1 app rm x => sh: rm x @container in <dokku> A=1
        dokku enter app web rm x => rm x @container in <dokku>
        dokku enter app web => stdin @container in <dokku>
        dokku apps:list =>
        eb ssh -c 'rm x' => sh: rm x @remote in <eb>
        eb ssh env -n 2 --command 'rm x' => sh: rm x @remote in <eb>
        eb ssh -e 'ssh -v' => sh: ssh -v
        eb status =>
        az vm run-command invoke -g g -n n --command-id RunShellScript --scripts 'rm x' 'ls' => sh: rm x @remote in <az> ; sh: ls @remote in <az>
        az vm run-command invoke --scripts 'rm x' --parameters a=b => sh: rm x @remote in <az>
        az vm delete -n n =>
        az container exec -n n --exec-command 'rm x' => sh: rm x @container in <az>
        az containerapp exec -n n --command 'rm x' => sh: rm x @container in <az>
        az aks command invoke -n n -c 'rm x' => sh: rm x @cluster in <az>
        az ssh vm -n n -- rm x => sh: rm x @remote in <az>
        aws ecs execute-command --cluster c --interactive --command 'rm x' => sh: rm x @container in <aws>
        aws ecs list-tasks =>
        aws ssm send-command --targets t --parameters commands='rm x' => sh: rm x @remote in <aws>
        aws ssm send-command --parameters 'commands=[\"rm x\",\"ls\"]' => sh: rm x @remote in <aws> ; sh: ls @remote in <aws>
        aws ssm send-command --parameters workingDirectory=/srv commands=ls => sh: ls @remote in <aws>
        aws ssm start-session --target i =>
        doctl compute ssh d --ssh-command 'rm x' => sh: rm x @remote in <doctl>
        doctl compute ssh d --ssh-user u => stdin @remote in <doctl>
        doctl compute droplet list =>
        hcloud server ssh -p 22 s rm x => ssh s rm x
        hcloud server list =>
        tailscale ssh u@h rm x => ssh u@h rm x
        tailscale status =>
        gh codespace ssh -c name -- -v rm x => sh: rm x @remote in <gh>
        gh cs ssh => stdin @remote in <gh>
        gh cs ssh --config =>
        gh cs list =>
        scalingo -a app run -d rm x => sh: rm x @remote in <scalingo> background
        scalingo logs =>
        platform ssh -e main 'rm x' => sh: rm x @remote in <platform>
        upsun environment:ssh -- rm x => sh: rm x @remote in <upsun>
        upsun ssh --pipe =>
        terminus drush site.dev -- sql-drop => drush sql-drop @remote in <terminus>
        terminus remote:wp site.dev db reset => wp db reset @remote in <terminus>
        terminus site:list =>
        cf ssh app -i 1 -c 'rm x' => sh: rm x @remote in <cf>
        cf ssh app -N =>
        cf run-task app --command 'rm x' => sh: rm x @remote in <cf>
        cf apps =>
        kamal app exec 'rm x' => sh: rm x @container in <kamal>
        kamal accessory exec db 'rm x' => sh: rm x @container in <kamal>
        kamal server exec 'rm x' => sh: rm x @remote in <kamal>
        kamal deploy =>
        nomad alloc exec -task t a rm x => rm x @cluster in <nomad>
        nomad exec -job j rm x => rm x @cluster in <nomad>
        nomad status =>
        coder ssh -e A=1 w -- rm x => sh: rm x @remote in <coder>
        coder ssh w => stdin @remote in <coder>
        coder list =>
        devpod ssh w --command 'rm x' => sh: rm x @container in <devpod>
        devpod list =>
        limactl shell box -- rm x => rm x @remote in <limactl>
        colima ssh -p a -- rm x => rm x @remote in <colima>
        colima ssh => stdin @remote in <colima>
        colima nerdctl -- exec b rm x => nerdctl exec b rm x
        colima start =>
        minikube ssh => stdin @remote in <minikube>
        orb -m ubuntu -w /srv rm x => rm x @remote in /srv
        orb => stdin @remote
        orbctl run -u root rm x => rm x @remote
        orb list =>
        finch run --rm i rm x => rm x @container in <finch>
        apptainer exec --bind a:b --env A=1 i.sif rm x => rm x @container A=1
        singularity shell i.sif => stdin @container
        singularity pull i =>
        ch-run -b a:b i -- rm x => rm x @container in <ch-run>
        ch-run --version =>
        enroot start -e A=1 i rm x => rm x @container in <enroot> A=1
        enroot list =>
        udocker run -v a:b -w /srv i rm x => rm x @container in /srv
        udocker ps =>
        okteto exec -n a -- rm x => rm x @cluster in <okteto>
        okteto up =>
        devspace enter -c a -- rm x => rm x @cluster in <devspace>
        devspace dev =>
        telepresence intercept a -- rm x => rm x
        telepresence list =>
        mirrord exec -f f -t pod/a rm x => rm x
        mirrord ls =>
        kubie exec -e ctx ns rm x => rm x
        kubie ctx a =>
        ",
    );
}
