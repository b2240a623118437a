//! Package runners, environments, watchers, terminals, and programs that insert words into commands.

use super::table;

#[test]
fn packages() {
    table(
        "
        npx rimraf x => rimraf x
        npx -y -p pkg@1 --quiet tool x => tool x
        npx --package=pkg -c 'tool x' => sh: tool x
        npx -- rimraf@5.0.0 -rf x => rimraf -rf x
        npx @scope/tool@latest x => @scope/tool x
        npx --version =>
        npm exec rimraf -- -rf x => rimraf -rf x
        npm exec -- rimraf -rf x => rimraf -rf x
        npm x --package=p -c 'tool x' => sh: tool x
        npm explore pkg -- rm x => rm x
        npm test =>
        npm install rimraf =>
        pnpm dlx rimraf x => rimraf x
        pnpm --package=p dlx tool => tool
        pnpm dlx --package=p tool x => tool x
        pnpm exec rm x => rm x
        pnpm -r exec rm x => rm x
        pnpm exec -- rm x => rm x
        yarn dlx -q rimraf x => rimraf x
        yarn dlx -p p tool => tool
        yarn exec rm x => rm x
        yarn add rimraf =>
        yarn workspace web publish --tag x => yarn publish --tag x
        yarn workspaces foreach -A -p publish => yarn publish repeats
        pnpm prisma migrate reset --force => prisma migrate reset --force or a task
        pnpm --filter api prisma db push => prisma db push or a task
        pnpm run prisma =>
        pnpm install =>
        pnpm store prune =>
        pnpm test =>
        pnpm --version =>
        yarn prisma db push => prisma db push or a task
        yarn run supabase db reset --linked => supabase db reset --linked or a task
        yarn workspace api prisma db push => yarn prisma db push
        yarn workspaces info =>
        yarn upgrade-interactive =>
        yarn node -e x => node -e x
        yarn =>
        bun drizzle-kit push --force => drizzle-kit push --force or a task
        bun run drizzle-kit push => drizzle-kit push or a task
        bun install =>
        bun test x =>
        bun =>
        deno run -A npm:prisma@5 migrate reset => prisma migrate reset
        deno run -A x.ts y => code file: x.ts
        node node_modules/prisma/build/index.js migrate reset => prisma migrate reset or a task ; code file: node_modules/prisma/build/index.js
        tsx node_modules/prisma/build/index.js db push => prisma db push or a task ; code file: node_modules/prisma/build/index.js
        electron node_modules/prisma/build/index.js db push => prisma db push or a task ; code file: node_modules/prisma/build/index.js
        bun node_modules/prisma/build/index.js db push => code file: node_modules/prisma/build/index.js ; prisma db push or a task
        bun run node_modules/prisma/build/index.js db push => code file: node_modules/prisma/build/index.js ; prisma db push or a task
        deno run -A node_modules/prisma/build/index.js db push => prisma db push or a task ; code file: node_modules/prisma/build/index.js
        node node_modules/.bin/../prisma/x.js db push => prisma db push or a task ; code file: node_modules/.bin/../prisma/x.js
        node node_modules/@prisma/cli/x.js db push => prisma db push or a task ; code file: node_modules/@prisma/cli/x.js
        deno x npm:prisma@5 migrate reset => prisma migrate reset
        dx npm:prisma migrate reset => prisma migrate reset
        dx build =>
        yarn workspaces run prisma db push => yarn run prisma db push repeats
        nlx prisma@5 db push => prisma db push
        na prisma db push => pnpm prisma db push
        sst shell prisma db push => prisma db push
        sst deploy =>
        netlify dev:exec prisma db push => prisma db push
        vercel env run -e production -- prisma db push => prisma db push
        vercel deploy --prod =>
        pulumi env run org/dev -- prisma db push => prisma db push
        pulumi up --yes =>
        esc run org/dev -- prisma db push => prisma db push
        start-server-and-test 'prisma db push' http://localhost:3000 test => sh: prisma db push ; npm run test
        pm2 start 'prisma db push' => sh: prisma db push background
        hatch env run -e a -- rm x => rm x
        rvm 3.3 do rm x => rm x
        rvm use 3.3 =>
        chruby-exec 3.3 -- rm x => rm x
        node ../node_modules/@scope/tool/bin.js x => tool x or a task ; code file: ../node_modules/@scope/tool/bin.js
        node node_modules/.bin/prisma db push => code file: node_modules/.bin/prisma.js ; prisma db push or a task ; code file: node_modules/.bin/prisma
        kubecolor -n x delete pod y => kubectl -n x delete pod y
        microk8s kubectl -n x delete pod y => kubectl -n x delete pod y
        microk8s helm3 uninstall y => helm uninstall y
        microk8s status =>
        k3s kubectl delete pod y => kubectl delete pod y
        minikube kubectl -- delete pod y => kubectl delete pod y
        minikube -p a start =>
        terragrunt apply -auto-approve => terraform apply -auto-approve
        terragrunt run-all destroy => terraform destroy
        terragrunt run --all -- destroy => terraform destroy
        terragrunt =>
        cargo hack --each-feature publish => cargo --each-feature publish repeats
        bunx rimraf x => rimraf x
        bunx --bun rimraf@5 x => rimraf x
        bun x rimraf x => rimraf x
        lerna exec --scope a -- rm x => sh: rm x
        corepack pnpm@9 dlx x => pnpm dlx x
        corepack yarn add x => yarn add x
        corepack enable =>
        uvx ruff check => ruff check
        uvx --from a --with b ruff@latest check => ruff check
        uv tool run ruff => ruff
        uv run pytest -x => pytest -x
        uv run --with a --extra b -p 3.12 pytest => pytest
        uv run -m pytest -x => pytest -x
        uv run --directory d -- rm x => rm x in d
        uv run x.py => code file: x.py
        uv run - => code: stdin
        uv sync =>
        pipx run --spec a tool x => tool x
        pipx run tool => tool
        pipx install tool =>
        ",
    );
}

#[test]
fn environments_of_tools() {
    table(
        "
        poetry run rm x => rm x
        poetry -C d run rm x => rm x in d
        poetry run -- rm x => rm x
        poetry add x =>
        pipenv run rm x => rm x
        hatch run test:rm x => rm x
        hatch -e a run rm x => rm x
        rye run rm x => rm x
        pdm run -p d rm x => rm x
        pixi run -e a rm x => rm x
        conda run -n env rm x => rm x
        conda run --name=env --cwd /srv rm x => rm x in /srv
        micromamba run -p dir rm x => rm x
        conda install x =>
        bundle exec rm x => rm x
        bundle exec --gemfile G rm x => rm x
        bundle install =>
        rbenv exec rm x => rm x
        asdf exec rm x => rm x
        volta run --node 20 rm x => rm x
        fnm exec --using=20 rm x => rm x
        nvm exec 20 rm x => rm x here
        nvm run 20 x.js => node x.js here
        rustup run nightly cargo fmt => cargo fmt
        rustup run --install nightly rm x => rm x
        mise exec node@20 -- rm x => rm x
        mise x -c 'rm x' => sh: rm x
        mise exec -C d -- rm x => rm x in d
        mise install =>
        direnv exec . rm x => rm x
        direnv allow =>
        nix-shell --run 'rm x' => sh: rm x
        nix-shell -p git --command 'rm x' => sh: rm x
        nix develop -c rm x => rm x
        nix develop .#a --command rm -rf x => rm -rf x
        nix shell nixpkgs#git -c git push => git push
        nix run nixpkgs#git -- push -f => git push -f
        nix build =>
        devbox run rm x => sh: rm x
        dotenv -e .env -- rm x => rm x
        dotenv rm x => rm x
        dotenv -f .env run -- rm x => rm x
        dotenv run rm x => rm x
        dotenv list =>
        cross-env A=1 rm x => rm x A=1
        cross-env-shell A=1 'rm x' => sh: rm x A=1
        cross-env A=1 =>
        env-cmd -f .env rm x => rm x
        doppler run -- rm x => rm x
        doppler run --command='rm x' => sh: rm x
        op run --env-file=.env -- rm x => rm x
        aws-vault exec prod -- rm x => rm x
        chamber exec svc -- rm x => rm x
        sops exec-env f 'rm x' => sh: rm x
        ",
    );
}

#[test]
fn again_and_later() {
    table(
        "
        watch rm x => sh: rm x repeats
        watch -n 5 -d 'rm x' => sh: rm x repeats
        watch -n5 --exec rm x => rm x repeats
        watch --interval=1 -- rm x => sh: rm x repeats
        entr rm x => rm x repeats
        entr -c rm /_ => rm </_> repeats
        entr -rs 'rm x' => sh: rm x repeats
        watchexec rm x => sh: rm x repeats
        watchexec -w src -e rs,toml -- rm x => sh: rm x repeats
        watchexec -n rm x => rm x repeats
        watchexec --shell=none -- rm x => rm x repeats
        reflex -r x -- rm x => rm x repeats
        nodemon --exec 'rm x' => sh: rm x repeats
        nodemon -x 'npm run' -e ts build => sh: npm run build repeats
        nodemon x.js => code file: x.js repeats
        concurrently 'rm x' 'ls' => sh: rm x ; sh: ls
        concurrently -k -n a,b 'rm x' => sh: rm x
        hyperfine -w 3 'rm x' 'ls' => sh: rm x repeats ; sh: ls repeats
        hyperfine --prepare 'rm x' ls => sh: rm x repeats ; sh: ls repeats
        cargo watch -x test -s 'rm x' => sh: cargo test repeats ; sh: rm x repeats
        cargo watch -- rm x => rm x repeats
        cargo --config 'build.rustc-wrapper=\"rm\"' build => rm repeats
        cargo build --config \"target.'cfg(all())'.runner=['rm','x']\" => rm x repeats
        cargo --config 'alias.x = [\"run\", \"y\"]' x => cargo run y repeats
        cargo --config evil.toml build => code file: evil.toml repeats
        cargo --config net.offline=true build =>
        at now => stdin background
        at -f x.sh now => file: x.sh background
        at -l =>
        batch => stdin background
        ",
    );
}

#[test]
fn terminals() {
    table(
        "
        tmux new -d 'rm x' => sh: rm x background
        tmux new-session -d -s n -c /srv rm x => rm x in /srv background
        tmux -L sock -f conf neww -n n -e A=1 'rm x' => sh: rm x A=1 background
        tmux splitw -h 'rm x' => sh: rm x background
        tmux run-shell -b 'rm x' => sh: rm x background
        tmux if-shell 'test x' 'run-shell \"rm x\"' => sh: test x background ; sh: rm x background
        tmux send-keys -t n 'rm x' Enter => sh: rm x\\n background
        tmux send -t n rm Space x C-m => sh: rm x\\n background
        tmux new -d ; send-keys 'rm x' Enter => sh: rm x\\n background
        tmux send-keys -t n C-c =>
        tmux if-shell -F 1 'if-shell \"rm x\" \"run-shell ls\"' => sh: rm x background ; sh: ls background
        tmux pipe-pane 'cat > f' => sh: cat > f background
        tmux display-popup -E 'rm x' => sh: rm x background
        tmux attach -t n =>
        tmux ls =>
        tmux =>
        screen -dm rm x => rm x background
        screen -dmS name -t t rm x => rm x background
        screen -S n -X stuff 'rm x^M' => sh: rm x\\n background
        screen -X screen -t t rm x => rm x background
        screen -r n =>
        screen -ls =>
        xterm -e rm x => rm x background
        gnome-terminal -- rm x => rm x background
        konsole --hold -e 'rm x' => sh: rm x background
        dtach -n sock rm x => rm x background
        abduco -n name rm x => rm x background
        ",
    );
}

#[test]
fn words_of_their_own() {
    table(
        "
        xargs rm -rf => rm -rf <xargs...> repeats
        xargs -0 -n1 -P 4 rm => rm <xargs...> repeats
        xargs --max-args=1 -- rm => rm <xargs...> repeats
        xargs -I{} rm {} x => rm <{}> x repeats
        xargs -I {} -- rm a{}b => rm a<{}>b repeats
        xargs -i rm {} => rm <{}> repeats
        xargs --replace=% sh -c 'rm %' => sh -c 'rm <%>' repeats
        xargs -J % cp % x => cp <xargs...> x repeats
        xargs sh -c 'rm $1' _ => sh -c 'rm $1' _ <xargs...> repeats
        xargs => echo <xargs...> repeats
        xargs -0 => echo <xargs...> repeats
        xargs -a f rm => rm <xargs...> repeats
        find . -exec rm -rf {} ; => rm -rf ./<{}> repeats
        find src lib -name x -exec rm {} + => rm <{}...> repeats
        find /srv/ -exec mv {} {}.bak ; => mv /srv/<{}> /srv/<{}>.bak repeats
        find -L build -execdir rm {} ; => rm ./<{}> in <find> repeats
        find . -ok rm {} ; -exec ls {} + => rm ./<{}> repeats ; ls ./<{}...> repeats
        find . -exec sh -c 'rm \"$1\"' _ {} ; => sh -c 'rm \"$1\"' _ ./<{}> repeats
        find -exec echo a + b {} + => echo a + b ./<{}...> repeats
        find . -name 'rm -rf' =>
        find . -delete =>
        fd -x rm => rm <{}> repeats
        fd -e o --exec rm -f {} => rm -f <{}> repeats
        fd x -X rm -rf ; -x ls {/} => rm -rf <{}...> repeats ; ls <{}> repeats
        fd --exec=rm => rm <{}> repeats
        fd -H x =>
        parallel rm -rf ::: a b => sh: rm -rf a repeats ; sh: rm -rf b repeats
        parallel -j4 rm {} x ::: 'a b' => sh: rm 'a b' x repeats
        parallel -j 4 --bar rm => sh: rm <{}> repeats
        parallel rm {1} {2} ::: a ::: b => sh: rm <{}> <{}> repeats
        parallel ::: 'rm a' 'ls' => sh: rm a repeats ; sh: ls repeats
        parallel => stdin repeats
        parallel -a f rm => sh: rm <{}> repeats
        parallel --pipe wc -l => sh: wc -l repeats
        parallel -S h rm ::: a => sh: rm a @remote repeats
        parallel --dry-run rm ::: a =>
        parallel rm {.} ::: a/b.c => sh: rm a/b repeats
        parallel rm {/} {//} {/.} ::: a/b.c => sh: rm b.c a b repeats
        parallel rm {1.} ::: b.c => sh: rm b repeats
        parallel --colsep , '{1} {2}' ::: rm,x => sh: rm x repeats
        parallel -C , rm ::: a,b => sh: rm a b repeats
        parallel -C '[ab]' rm {2} ::: xay => sh: rm <{}> repeats
        parallel rm '{= s/a/b/ =}' ::: x => sh: rm <{}> repeats
        parallel --plus rm {..} ::: x => sh: rm <{}> repeats
        parallel awk '{print}' ::: x => sh: awk {print} x repeats
        sem -j 1 rm x => sh: rm x repeats
        ",
    );
}
