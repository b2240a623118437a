//! The hook's own guard, independent of the rules: each call, and its decision.

use hookrules::context::{Context, ShellTools};
use hookrules::eval::{Evaluation, TraceDetail, decide};
use hookrules::facts::StatedFacts;
use hookrules::hooks::Guard;
use hookrules::policy::Policy;
use hookrules::project::{MachinePlaces, TrustRequirement};
use hookrules::verdict::{Decision, Verdict};
use serde_json::{Value as Json, json};

use crate::kit::{Given, bash, call, event, policy};
use crate::source::read;

pub(super) fn facts() -> StatedFacts {
    let files = [
        ".rules/project.rules",
        ".claude/settings.json",
        ".claude/settings.local.json",
        ".git/HEAD",
        ".git/config",
        ".git/hooks/pre-commit",
        ".mcp.json",
        "src/a.rs",
        "docs/a.md",
        "package.json",
    ];
    let facts = StatedFacts::for_examples().with_git_branch("topic").with_git_root("/project").with_host_pid(4711);
    files.into_iter().fold(facts, |facts, file| facts.with_file(file, true))
}

/// Judges a call like a hook.
pub(super) fn judged(policy: &Policy, given: &Given) -> Verdict {
    let tools = ShellTools::default();
    let context = Context::new(&given.payload, "claude-code", given.facts.as_ref(), &tools);
    let Ok(Evaluation { verdict, .. }) = decide(&policy.rules, &context, TraceDetail::Outcomes);
    let places = MachinePlaces {
        managed: "/etc/rules".into(),
        user: Some("/home/user/.config/rules".into()),
        state: Some("/home/user/.local/state/rules".into()),
        cache: Some("/home/user/.cache/rules".into()),
        project: Some("/project".into()),
        missing_projects: Vec::new(),
        trust: TrustRequirement::NotRequired,
    };
    let sources = || {
        ["/project/.rules/project.rules", "/project/policies/team.rules", "/srv/shared/a.rules"]
            .map(Into::into)
            .to_vec()
    };
    let payload = &given.payload;
    let guard =
        Guard { payload, context: &context, policy: Some(policy), sources: &sources, places: &places, nested: &[] };
    let Ok(added) = guard.check(&policy.rules, &verdict);
    verdict.with_additions(added)
}

/// Returns a policy that guards something, but nothing tested here.
pub(super) fn a_policy() -> Policy {
    policy("rule a {\n  on PreToolUse(WebFetch)\n  deny \"No.\"\n}\n")
}

/// Checks the decision about every command of a list.
#[track_caller]
fn all(decision: Decision, commands: &str) {
    let policy = a_policy();
    let commands: Vec<&str> = commands.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert!(commands.len() > 3);
    let said = |line: &&str| judged(&policy, &bash(&line.replace('⏎', "\n")).with(facts()));
    let wrong = commands.iter().filter(|line| said(line).decision() != decision);
    let wrong: Vec<String> =
        wrong.map(|line| format!("{} {line}: {}", said(line).decision(), said(line).message())).collect();
    assert!(wrong.is_empty(), "expected {decision}:\n{}", wrong.join("\n"));
}

#[test]
fn a_command_that_changes_the_policy_is_asked_about() {
    all(
        Decision::Ask,
        r#"
        rm -rf .rules
        rm -rf .rules*
        rm -rf .
        rm -rf .*
        rm -rf ../project
        rm -r ..
        cd .. && rm -rf project
        cd .rules && rm *.rules
        mv .rules /tmp/r
        mv ../../.rules /tmp/r
        sed -i s/deny/warn/ .rules/project.rules
        cp /tmp/x .rules/project.rules
        cp -r /tmp/r/. .rules
        echo > .rules/project.rules
        : > .rules/new.rules
        echo x > .rules/$(date +%s).rules
        tee .rules/a.rules < /dev/null
        ln -sf /dev/null .rules/project.rules
        ln -sfn /tmp/x .rules
        chmod 000 .rules
        chmod -R u+w .
        truncate -s 0 ~/.config/rules/mine.rules
        echo > /etc/rules/a.rules
        git checkout HEAD~3 -- .rules/project.rules
        git restore .rules/project.rules
        git rm -r .rules
        git rm -r .
        cat > .rules/x.rules <<'END'⏎END
        find .rules -delete
        rsync -a --delete empty/ .rules/
        install -m 644 /dev/null .rules/project.rules
        tar xf x.tar -C .rules
        echo x > ../.rules/a.rules
        vim .rules/project.rules
        python3 -c "open('.rules/project.rules', 'w')"
        node -e "require('fs').writeFileSync('.rules/a.rules', '')"
        sudo tee .rules/a.rules
        bash -c 'rm -rf .rules'
        setfacl -m u::r .rules
        setfattr -n x .rules/project.rules
        sudo chattr -i .rules
        mount --bind /tmp/e .rules
        rm policies/team.rules
        rm -rf policies
        truncate -s 0 /srv/shared/a.rules
        mv /srv/shared /srv/x
    "#,
    );
}

#[test]
fn a_command_that_changes_the_program_or_what_it_keeps_is_asked_about() {
    all(
        Decision::Ask,
        r"
        rm -rf ~/.local/state/rules/log
        echo '{}' > ~/.local/state/rules/trust/x
        mv ~/.local/state /tmp/x
        rm ~/.cargo/bin/rules
        cp x ~/.local/bin/rules
        ln -sf /bin/true /usr/local/bin/rules
        rm -rf ~/.cargo
        chmod -x ~/.cargo/bin/rules
    ",
    );
}

#[test]
fn a_command_that_changes_the_hosts_settings_is_asked_about() {
    all(
        Decision::Ask,
        r#"
        echo '{"disableAllHooks": true}' > .claude/settings.local.json
        jq '.hooks = {}' a > .claude/settings.json
        cp settings.json ~/.claude/settings.json
        mv .claude .claude.off
        rm -rf ~/.claude
        ln -s /tmp/x .claude/settings.json
        ln -sfn /tmp/x .claude
        echo x >> ~/.claude.json
        echo x > ~/.claude/shell-snapshots/x.sh
        echo x > .claude/agents/a.md
        echo x > .claude/skills/a/SKILL.md
        echo x > .claude/commands/a.md
        echo x > .claude/hooks/a.sh
        tee .mcp.json < x
        dd if=x of=.mcp.json
        echo {} > /etc/claude-code/managed-settings.json
        python3 -c "import json; json.dump({'disableAllHooks': True}, open('.claude/settings.local.json', 'w'))"
        claude mcp add x -- npx y
        claude plugin install x
        claude config set -g x y
    "#,
    );
}

#[test]
fn a_command_that_changes_what_git_runs_is_asked_about() {
    all(
        Decision::Ask,
        r#"
        chmod -x .git/hooks/pre-commit
        rm .git/hooks/pre-push
        cp /tmp/h .git/hooks/post-checkout
        for d in .git/hook*; do echo x > $d/post-commit; done
        for d in .git/hook*; do echo x > "$d/post-commit"; done
        for d in .git/hook*/; do cp /tmp/h "${d%/}/post-commit"; done
        for d in docs .git/hook*; do tee $d/post-commit < /tmp/h; done
        for d in .git/hook*; do (cd $d && touch post-commit); done
        for d in .git/hook*; do install /tmp/h $d; done
        for d in .git/hook*; do d=$d/post-commit; echo x > $d; done
        for d in .g*; do for e in $d/hook*; do cp /tmp/h $e/post-commit; done; done
        cd .git/hook*; touch post-commit
        cd .git/hook* && echo x > ./post-commit
        set -- .git/hook*; echo x > $1/post-commit
        a=(.git/hook*); echo x > ${a[0]}/post-commit
        a=(.git/hook*); for d in "${a[@]}"; do echo x > $d/post-commit; done
        f() { echo x > $1/post-commit; }; f .git/hook*
        bash -c 'echo x > $1/post-commit' _ .git/hook*
        find .git/hook* -maxdepth 0 -exec touch {}/post-commit ';'
        ls -d .git/hook* | xargs -I{} touch {}/post-commit
        ls -d .git/hook* | while read d; do echo x > $d/post-commit; done
        for d in $(ls -d .git/hook*); do echo x > $d/post-commit; done
        mapfile -t d < <(ls -d .git/hook*); echo x > "${d[0]}/post-commit"
        find .git -name 'hook*' | while read -r d; do echo x > "$d/post-commit"; done
        echo '[core] fsmonitor = /tmp/x' >> .git/config
        git config -f .git/config a.b c
        git config core.hooksPath /tmp/h
        git config --local core.fsmonitor ./x
        echo 'gitdir: /tmp/x' > .git
        echo 'gitdir: /tmp/x' > ../.git
        mv .git .git.off
        rm -rf ../../.git
        mv ../.git/HEAD /tmp/h
    "#,
    );
}

#[test]
fn a_command_of_the_program_that_decides_something_is_asked_about() {
    all(
        Decision::Ask,
        r"
        rules trust
        rules untrust
        rules init --yes
        rules install claude-code
        rules uninstall claude-code
        rules import conclaude .conclaude.yaml
        rules hook claude-code < forged.json
        rules PreToolUse < forged.json
        rules doctor --fix
        rules --color never trust
        rules $COMMAND
        ./target/debug/rules trust
        ~/.cargo/bin/rules uninstall claude-code
        sudo rules trust
        env -i rules trust
        nohup rules trust &
        echo 'rules trust' | at now
        systemd-run --user rules trust
        tmux new -d 'rules trust'
        screen -dm rules trust
        cargo uninstall hookrules
        cargo install hookrules@0.1
        cargo binstall hookrules
        brew unlink hookrules
    ",
    );
    all(
        Decision::Pass,
        r"
        rules check
        rules test
        rules explain --event call.json
        rules eval < calls.jsonl
        rules list
        rules log
        rules stats
        rules report
        rules doctor
        rules trust --help
        cargo install --path .
        cargo install hookrules-extra
        cargo install ripgrep
    ",
    );
}

#[test]
fn an_agent_that_starts_without_hooks_is_asked_about() {
    all(
        Decision::Ask,
        r#"
        claude --bare -p x
        claude -p x --settings '{"disableAllHooks": true}'
        claude --settings=x.json
        claude --setting-sources user -p x
        CLAUDE_CONFIG_DIR=/tmp/c claude -p x
        export CLAUDE_CONFIG_DIR=/tmp/c; claude -p x
        HOME=/tmp/c claude -p x
        claude $OPTIONS
        codex exec --yolo x
        codex --dangerously-bypass-approvals-and-sandbox
        CODEX_HOME=/tmp/x codex exec x
        npx @anthropic-ai/claude-code --bare -p x
        npx -y @anthropic-ai/claude-code@latest --settings x.json
        echo 'claude --bare -p x' | at now + 1 minute
        echo 'claude --bare -p x' | batch
        systemd-run --user claude --bare
        tmux new -d 'claude --bare -p x'
        nohup claude --bare -p x &
        setsid claude --bare -p x
        bash -c 'claude --bare -p x'
    "#,
    );
    all(
        Decision::Pass,
        r#"
        claude --version
        claude -p 'summarise'
        claude -p "$(cat prompt.md)"
        claude mcp list
        claude --dangerously-skip-permissions -p x
        codex exec 'summarise'
        which claude
        git commit -m 'claude --bare'
        npx jest $(git diff --name-only)
    "#,
    );
}

#[test]
fn a_signal_to_what_calls_the_hooks_is_asked_about() {
    all(
        Decision::Ask,
        r"
        kill -9 4711
        kill -STOP 4711
        kill -- -4711
        kill -9 -04711
        kill 04711
        kill ' 4711'
        kill -9 $(printf %d 0x1267)
        kill -9 $(printf %d 011147)
        kill $((0x1267))
        kill -9 $PPID
        P=$PPID; kill $P
        kill $CLAUDE_PID
        pkill rules
        pkill -9 -f 'rules hook'
        killall -STOP claude
        kill $(pgrep claude)
        kill -9 $(pidof claude)
        pgrep -f claude | xargs kill
        ps aux | grep claude | awk '{print $2}' | xargs kill -9
        kill $(ps -o ppid= -p $$)
        kill -9 -1
    ",
    );
    all(
        Decision::Pass,
        r"
        kill 1234
        kill -1 1234
        kill -0 4711
        kill %1
        kill $!
        kill $(lsof -ti:3000)
        pkill -f vite
        pkill node
        ps aux | grep node | awk '{print $2}' | xargs kill -9
        pgrep claude
    ",
    );
}

#[test]
fn ordinary_work_is_not_asked_about() {
    all(
        Decision::Pass,
        r#"
        git checkout topic
        git checkout -b topic
        git checkout .
        git restore src
        git stash
        git stash pop
        git pull --rebase
        git merge topic
        git rebase main
        git commit -am x
        git commit -m 'edit .rules/a and .claude/settings.json'
        git add .rules
        git init
        git clone https://example.com/x.git
        git worktree add ../x
        git submodule add https://example.com/y.git y
        git config user.name me
        git config --get core.hooksPath
        git remote add origin https://example.com/x.git
        git apply a.patch
        rm -f .git/index.lock
        npm i
        npm install --save-dev jest
        pnpm i
        yarn
        cargo build
        cargo fmt
        pip install -r requirements.txt
        make clean
        prettier --write .
        npx eslint --fix .
        black .
        gofmt -w .
        mkdir -p .claude/plans
        mkdir .claude
        echo x > .claude/plans/a.md
        touch .claude/CLAUDE.md
        cat .claude/settings.json
        cat .rules/project.rules
        jq .hooks .claude/settings.json
        ls -la .claude .rules .git/hooks
        cp -r .claude /tmp/x
        rm -rf target node_modules dist
        rm -rf ./build/*
        tar xf a.tar
        unzip a.zip
        sed -i s/a/b/ src/a.rs
        find . -name '*.orig' -delete
        rsync -a src/ dst/
        cp -r template/. .
        mv src/rules src/policy
        echo > "$FILE"
        echo x > "$DIR/a"
        echo x > "build/$NAME.txt"
        python3 -c "print(1)"
        python3 -c "import json; print(json.load(open('.claude/settings.json')))"
        python3 x.py
        bash x.sh
        bash -c "$COMMAND"
        eval "$COMMAND"
        chmod +x scripts/a.sh
        ssh host rm -rf .rules
        rm -rf ~/.cargo/registry
        rm -rf ~/.claude/projects/x
        echo x > ~/.claude/CLAUDE.md
        echo x > .rules/log/notes.jsonl
        echo x > ../.rules/log/notes.jsonl
        echo x > src/hooks/useA.ts
        echo > policies/other.rules
    "#,
    );
}

#[test]
fn what_the_program_writes_is_asked_about_as_any_file() {
    all(
        Decision::Ask,
        r"
        rules report -o .claude/settings.json
        rules report --output=.claude/settings.json
        rules report --rule x --output .rules/project.rules
        rules man .git/hooks
        rules --color never man .rules
        rules check --write-baseline .rules/project.rules
        rules check --write-baseline=.claude/settings.json
        rules check --fix
        rules check --fix --unsafe-fixes
        rules check --fix .rules/project.rules
        cd .rules && rules check --fix project.rules
        rules fmt
        rules fmt .rules
        rules fmt -q .rules/project.rules
    ",
    );
    all(
        Decision::Pass,
        r"
        rules report -o /tmp/report.html
        rules report --output -
        rules check --write-baseline baseline.json
        rules check --baseline baseline.json .rules
        rules check --fix --diff
        rules check .rules
        rules fmt --check
        rules fmt --diff .rules
        rules fmt --stdin-filename .rules/a.rules - < .rules/project.rules
        rules man ~/.local/share/man/man1
        rules log --json
    ",
    );
}

#[test]
fn a_command_that_only_shows_what_it_would_do_is_not_asked_about() {
    all(
        Decision::Pass,
        r"
        rules trust --list
        rules trust --json
        rules trust --list --json
        rules init --dry-run
        rules init --json
        rules install claude-code --dry-run
        rules uninstall claude-code --user --dry-run
        rules import conclaude .conclaude.yaml --print
    ",
    );
    all(
        Decision::Ask,
        r"
        rules trust --json --yes
        rules trust --json $X
        rules init --json --yes
        rules install claude-code --dry-run --yes
        rules install claude-code --print
    ",
    );
}

#[test]
fn a_signal_counts_by_what_its_pattern_matches() {
    all(
        Decision::Ask,
        r"
        pkill cla
        pkill -9 .
        pkill -i CLAUDE
        pkill -if CLAUDE
        pkill -f 'hook claud'
        pkill -f '^rules hook'
        pkill -x claude
        pkill -v node
        pkill -u root
        pkill --ful 'rules hook'
        pkill --ignore-cas CLAUDE
        pkill -r S
        pkill.exe -f rules
        killall --ignore CLAUDE
        kill $(pidof -s claude)
        pkill -KILL --euid root
        pkill '(claude'
        killall -r '^cl'
        killall -I Claude
        killall -u root
        kill -9 0
        kill 0
        kill -s KILL 0
        kill -9 -1
        kill $(pgrep -f 'rules hook')
        kill $(pgrep cla)
        ps aux | grep '[c]laude' | awk '{print $2}' | xargs kill
    ",
    );
    all(
        Decision::Pass,
        r#"
        git config --list --show-origin
        git config get core.hooksPath
        pkill --ful vite
        pkill -f rules-server
        pkill -f eslint-rules
        pkill -f firebase-rules
        pkill -f wave
        pkill eslint-rules
        pkill CLAUDE
        pkill -x cla
        pkill 'hook claud'
        pkill -u root vite
        pkill -HUP nginx
        killall cla
        killall -9 node
        kill $(pgrep -f "eslint --rule rules")
        kill -s 0 1234
        ps aux | grep -v grep | grep rules-server | awk '{print $2}' | xargs kill
    "#,
    );
}

#[test]
fn a_setting_by_which_git_runs_something_is_asked_about() {
    all(
        Decision::Ask,
        r"
        git config set core.hooksPath /x
        git config --comment -l core.hooksPath /x
        git config core.hooksPath /x --list
        git config set --comment get core.hooksPath /x
        git config --unset-a core.hooksPath
        git config --rename-s x core
        git config --remove-sec core
        git config -e
        git.exe config core.hooksPath /x
        git-config core.hooksPath /x
        git config set --global core.hooksPath /x
        git config unset core.hooksPath
        git config --unset core.hooksPath
        git config --remove-section core
        git config remove-section core
        git config --rename-section x core
        git config --add include.path /x
        git config includeIf.gitdir:/x.path /y
        git config core.sshCommand /x
        git config core.pager /x
        git config filter.x.clean /x
        git config filter.x.smudge /x
        git config alias.st '!rm x'
        git config set alias.st '!rm x'
        git config alias.st $X
        git -C . config core.fsmonitor /x
        git init --template=/x
        git init --template /x
        git init --separate-git-dir /x
    ",
    );
    all(
        Decision::Pass,
        r"
        git config --list --show-origin
        git config --list --show-origin core.hooksPath x
        git config list
        git config get core.hooksPath
        git config core.hooksPath
        git config --get-all core.hooksPath x
        git config alias.st status
        git config set user.name me
        git config --unset user.name
        git config --remove-section branch.topic
        git init -b main
    ",
    );
}

#[test]
fn code_in_another_language_counts_by_its_words() {
    all(
        Decision::Ask,
        r#"
        python3 -c "import os;os.system('rules trust --yes')"
        python3 -c "import subprocess; subprocess.run(['rules','trust','--yes'])"
        python3 -c "import subprocess; subprocess.run(['/usr/bin/rules', 'install', 'claude-code'])"
        node -e "require('child_process').execSync('rules untrust')"
        perl -e "system('rules', 'trust', '--yes')"
        ruby -e "system('rules trust --yes')"
        python3 -c "import os;os.system('claude --bare -p x')"
        python3 -c "import os;os.kill(os.getppid(), 9)"
        python3 -c "import os;os.system('git config core.hooksPath /x')"
        rg --pre 'rules trust --yes' x
        less +'!rules trust --yes' x
    "#,
    );
    all(
        Decision::Pass,
        r#"
        python3 -c "import rules; print(rules.trusted)"
        python3 -c "import os; print(os.getppid())"
        node -e "const rules = require('./rules'); rules.init()"
        python3 -c "print('rules check')"
        less +G x
        rg 'rules trust --yes' x
    "#,
    );
}

#[test]
fn what_runs_or_is_built_elsewhere_is_asked_about() {
    all(
        Decision::Ask,
        r"
        crontab -
        crontab jobs.txt
        crontab -e
        echo '* * * * * true' | crontab -
        cargo install --git https://example.com/x.git
        cargo install --git=https://example.com/x.git
        cd /tmp && claude -p x
        cd /tmp && codex exec x
        cd .. && claude
    ",
    );
    all(
        Decision::Pass,
        r"
        crontab -l
        crontab -u me -l
        cargo install --path tools/x
        cd src && claude -p x
        cd /tmp && claude --version
        cd /tmp && claude mcp list
    ",
    );
}

#[test]
fn the_program_built_from_a_place_of_its_own_is_asked_about() {
    let place = tempfile::tempdir().unwrap();
    let policy = a_policy();
    let said = |manifest: &str| {
        std::fs::write(place.path().join("Cargo.toml"), manifest).unwrap();
        let command = |option: &str| format!("cargo install {option}'{}'", place.path().display());
        let decisions = ["--path ", "--path="].map(|o| judged(&policy, &bash(&command(o)).with(facts())).decision());
        assert_eq!(decisions[0], decisions[1]);
        decisions[0]
    };
    assert_eq!(said("[package]\nname = \"hookrules\"\n"), Decision::Ask);
    assert_eq!(said("[package]\nname = \"x\"\n[[bin]]\nname=\"rules\"\n"), Decision::Ask);
    assert_eq!(said("[package]\nname = \"rules-extra\"\n"), Decision::Pass);
}

#[test]
fn other_tools_are_asked_about_as_a_shell_is() {
    let policy = a_policy();
    let write = |path: &str| call("Write", json!({"file_path": path, "content": "x"}));
    for (expected, given) in [
        (
            Decision::Ask,
            call("Edit", json!({"file_path": "/project/.claude/settings.json", "old_string": "a", "new_string": "b"})),
        ),
        (Decision::Ask, write("/project/.claude/agents/deployer.md")),
        (Decision::Ask, write("/project/src/../.mcp.json")),
        (Decision::Ask, write("/home/user/.claude/settings.json")),
        (Decision::Ask, write("/project/.git/hooks/pre-commit")),
        (Decision::Ask, write("/project/.rules/notes.md")),
        (Decision::Ask, call("NotebookEdit", json!({"notebook_path": "/project/.rules/a.ipynb", "new_source": ""}))),
        (Decision::Ask, call("PowerShell", json!({"command": "Remove-Item -Recurse .rules"}))),
        (Decision::Ask, call("Monitor", json!({"description": "x", "command": "rm -rf .rules"}))),
        (Decision::Ask, call("mcp__fs__write_file", json!({"path": ".rules/project.rules", "content": ""}))),
        (Decision::Ask, call("mcp__fs__move_file", json!({"source": ".rules", "destination": "/tmp/x"}))),
        (Decision::Ask, call("mcp__fs__delete_directory", json!({"path": "."}))),
        (Decision::Ask, call("mcp__fs__put", json!({"uri": "file:///project/.git/hooks/pre-commit"}))),
        (Decision::Ask, call("mcp__fs__getAndSet", json!({"path": ".rules/project.rules"}))),
        (Decision::Ask, call("mcp__shell__run", json!({"command": "rm -rf .rules"}))),
        (Decision::Ask, call("mcp__x__exec", json!({"cmd": "claude --bare -p x"}))),
        (Decision::Ask, call("PowerShell", json!({"command": "rules trust --yes"}))),
        (Decision::Ask, call("PowerShell", json!({"command": "& rules.exe trust"}))),
        (Decision::Ask, call("PowerShell", json!({"command": "claude --bare -p x"}))),
        (Decision::Ask, call("mcp__x__apply", json!({"where": {"a": [{"z": ".claude/settings.json"}]}}))),
        (Decision::Ask, call("mcp__x__go", json!({"spot": "/project/.git/hooks/pre-commit"}))),
        (Decision::Ask, call("mcp__x__thread_edit", json!({"spot": ".rules/project.rules"}))),
        (Decision::Ask, call("mcp__x__read_and_store", json!({"spot": ".rules/project.rules"}))),
        (Decision::Ask, call("mcp__x__fetch_to", json!({"spot": ".mcp.json"}))),
        (Decision::Ask, call("mcp__x__swap_view", json!({"path": ".rules/project.rules"}))),
        (Decision::Ask, write("/project/.rules/a.txt").by("coder")),
        (Decision::Pass, call("PowerShell", json!({"command": "rules check"}))),
        (Decision::Pass, call("mcp__x__go", json!({"name": "config"}))),
        (Decision::Pass, call("mcp__x__go", json!({"body": "see .claude/settings.json", "text": "and .mcp.json"}))),
        (Decision::Pass, call("mcp__x__go", json!({"note": "edit .claude/settings.json"}))),
        (Decision::Pass, call("mcp__x__go", json!({"url": "https://example.com/.mcp.json"}))),
        (Decision::Pass, call("mcp__x__get_item", json!({"spot": ".claude/settings.json"}))),
        (Decision::Pass, write("/project/src/a.rs")),
        (Decision::Pass, write("/project/.claude/plans/a.md")),
        (Decision::Pass, write("/project/.rules/log/a.jsonl")),
        (Decision::Pass, write("/home/user/.claude/projects/x/memory/a.md")),
        (Decision::Pass, call("Read", json!({"file_path": "/project/.claude/settings.json"}))),
        (Decision::Pass, call("Grep", json!({"pattern": "deny", "path": "/project/.rules"}))),
        (Decision::Pass, call("mcp__fs__read_file", json!({"path": ".rules/project.rules"}))),
        (Decision::Pass, call("mcp__fs__listFiles", json!({"path": "."}))),
    ] {
        let given = given.with(facts());
        let (given_name, input) = (given.payload.tool_name().unwrap_or_default(), given.payload.tool_input());
        let verdict = judged(&policy, &given);
        let said = || format!("{} {:?}: {}", given_name, input, verdict.message());
        assert_eq!(verdict.decision(), expected, "{}", said());
    }
}

#[test]
fn all_of_the_input_of_a_tool_that_nobody_knows_counts() {
    let policy = a_policy();
    let git_patch = "diff --git a/.rules/project.rules b/.rules/project.rules\n--- a/.rules/project.rules\n\
                     +++ b/.rules/project.rules\n@@ -1 +0,0 @@\n-rule a {\n";
    let agents_patch = "*** Begin Patch\n*** Delete File: .rules/project.rules\n*** End Patch\n";
    let text = json!({"edits": [{"spot": ".claude/settings.json"}]}).to_string();
    let within = json!({"inner": text}).to_string();
    for member in ["data", "body", "content", "text", "new_text", "value", "x"] {
        for named in [
            ".rules/project.rules",
            " /project/.rules/project.rules\n",
            "file:///project/.mcp.json",
            git_patch,
            "--- /dev/null\n+++ .rules/new.rules\t2026-11-26\n@@ -0,0 +1 @@\n+x\n",
            "Index: .claude/settings.json\n=====\n",
            "similarity index 100%\nrename from .rules/project.rules\nrename to old.txt\n",
            agents_patch,
            &text,
            &within,
            "[\".git/hooks/pre-commit\"]",
            "\".rules/project.rules\"",
            "{\"path\": \"a\"}\n{\"path\": \".rules/project.rules\"}\n",
            "{\".mcp.json\": \"x\"}",
        ] {
            let given = call("mcp__x__go", json!({member: named})).with(facts());
            assert_eq!(judged(&policy, &given).decision(), Decision::Ask, "{member}: {named}");
        }
        for spoken_of in [
            "The policy in .rules/project.rules denies this; see /project/.claude/settings.json.",
            "first\n\n.rules/project.rules is what I changed\n- .mcp.json",
            "--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1 +1 @@\n-see .rules/project.rules\n+see .rules/other.rules\n",
            "*** Begin Patch\n*** Update File: src/a.rs\n@@\n-.rules/a.rules\n+.rules/b.rules\n*** End Patch\n",
            "{\"note\": \"edit .claude/settings.json\", \"path\": \"docs/.rules/a.rules\"}",
            "{ not json: .rules/project.rules }",
            "I looked at a/b, and at c/d, .rules/project.rules",
        ] {
            let given = call("mcp__x__go", json!({member: spoken_of})).with(facts());
            assert_eq!(judged(&policy, &given).decision(), Decision::Pass, "{member}: {spoken_of}");
        }
    }
    for (expected, input) in [
        (Decision::Ask, json!({"files": "src/a.rs\n.rules/project.rules\n"})),
        (Decision::Ask, json!({"files": "src/a.rs, .rules/project.rules"})),
        (Decision::Ask, json!({"meta": {"content": [{"where": ".rules/project.rules"}]}})),
        // The lines of a `.gitignore`.
        (Decision::Pass, json!({"path": ".gitignore", "content": ".env\n.claude/settings.local.json\n"})),
    ] {
        let given = call("mcp__x__go", input.clone()).with(facts());
        assert_eq!(judged(&policy, &given).decision(), expected, "{input}");
    }
    // Signs delimit a path that is passed on.
    for passed_on in [
        "first\n.rules/project.rules\nlast",
        "a.ts,.rules/project.rules",
        "x=.rules/project.rules",
        "--file=/project/.rules/project.rules --force",
        "@.rules/project.rules",
        "<file>.rules/project.rules</file>",
        "open(\".rules/project.rules\", \"w\")",
        "copy('x', '.rules/project.rules')",
        "[\"src/a.rs\", \".rules/project.rules\"",
        ".rul*/**",
        "/project/.claud?/settings.json",
        "${PWD}/.rules/project.rules",
        "$(pwd)/.rules/project.rules",
        "file:///project/%2Erules/project.rules",
        "vscode://file/project/.rules/project.rules",
        ".rules\\project.rules",
        "\u{feff}.rules/project.rules",
        "/proc/self/cwd/.rules/project.rules",
        "/proc/4711/root/project/.mcp.json",
    ] {
        for member in ["data", "body", "content", "text", "value", "x", "code", "args"] {
            let given = call("mcp__x__go", json!({member: passed_on})).with(facts());
            assert_eq!(judged(&policy, &given).decision(), Decision::Ask, "{member}: {passed_on}");
        }
        let read = call("mcp__x__get_item", json!({"x": passed_on})).with(facts());
        assert_eq!(judged(&policy, &read).decision(), Decision::Pass, "{passed_on}");
    }
    // In code and arguments every word counts.
    for code in ["overwrite .rules/project.rules now", "fs.rm `.rules/project.rules`", "w(\"x\" + '.mcp.json')"] {
        let given = call("mcp__x__go", json!({"code": code})).with(facts());
        assert_eq!(judged(&policy, &given).decision(), Decision::Ask, "{code}");
    }
    // What is for people is only spoken of, whatever signs are in it.
    let text = "See .claude/settings.json:\n\n```\nopen(\".rules/project.rules\")\npath=.mcp.json\n```\n";
    for (tool, input) in [
        ("mcp__x__create_comment", json!({"body": text})),
        ("mcp__x__create_comment", json!({"body": "see .claude/settings.json"})),
        ("mcp__x__create_issue", json!({"title": "Policy", "body": text})),
        ("mcp__x__update_issue", json!({"description": text, "labels": ["x"]})),
        ("mcp__x__send_message", json!({"channel": "c", "text": text})),
        ("mcp__x__add_note", json!({"content": text})),
        ("mcp__x__web_search", json!({"query": "what is path=.claude/settings.json"})),
        ("mcp__x__sequentialthinking", json!({"thought": text})),
        ("mcp__x__create_page", json!({"description": text, "title": "a"})),
        ("mcp__x__go", json!({"body": "The policy (.rules/project.rules) and `.mcp.json`, see [it](.rules/a.rules)."})),
        ("mcp__x__go", json!({"note": "it's in \".rules/project.rules\" now"})),
        // The content of a file that the call names.
        ("mcp__x__store", json!({"path": "docs/a.md", "content": text})),
        ("mcp__x__store", json!({"file": "src/a.ts", "data": "read(\".rules/project.rules\")"})),
    ] {
        let given = call(tool, input.clone()).with(facts());
        assert_eq!(judged(&policy, &given).decision(), Decision::Pass, "{tool} {input}");
    }
    // Where a record says what a member is, a path in it is text.
    for (tool, input) in [
        ("mcp__slack__slack_post_message", json!({"channel_id": "C1", "text": ".rules/project.rules"})),
        ("mcp__slack__slack_post_message", json!({"channel_id": "C1", "text": git_patch})),
        ("mcp__fs__write_file", json!({"path": "docs/a.md", "content": ".claude/settings.json"})),
        ("mcp__fs__write_file", json!({"path": "docs/a.md", "content": text})),
        ("mcp__fs__edit_file", json!({"path": "docs/a.md", "edits": [{"oldText": "a", "newText": ".mcp.json"}]})),
    ] {
        assert_eq!(
            judged(&policy, &call(tool, input.clone()).with(facts())).decision(),
            Decision::Pass,
            "{tool} {input}"
        );
    }
    let elsewhere = json!({"channel_id": "C1", "text": "x", "attach": ".rules/project.rules"});
    let given = call("mcp__slack__slack_post_message", elsewhere).with(facts());
    assert_eq!(judged(&policy, &given).decision(), Decision::Ask, "what the record does not name");
}

#[test]
fn a_change_of_rights_is_asked_about_as_a_deletion_is() {
    all(
        Decision::Ask,
        r#"
        ls -A | xargs chmod 000
        ls -a | xargs -n1 chown nobody
        ls -A | xargs -I{} chattr +i {}
        ls -A | xargs sudo chmod 000
        ls -A | xargs setfacl -b
        ls -A | xargs -I{} mv {} /tmp/x
        ls -A | xargs rm -rf
        for f in $(ls -A); do chmod 000 "$f"; done
        for f in $(ls -A); do chmod 000 $f; done
        ls -A | while read -r f; do chmod 000 "$f"; done
        find . | xargs chmod 000
        find . -maxdepth 1 | xargs chmod 000
        find . -maxdepth 1 -exec chmod 000 {} +
        find . -maxdepth 1 -name '.r*' -exec chown nobody {} ';'
        find . -maxdepth 1 -type d | xargs chmod u-rx
        echo .r* | xargs chmod 000
        echo -n .r* | xargs rm -r
        printf '%s\n' .* | xargs chmod 000
        printf '%s\0' .r* | xargs -0 rm -r
        echo .[r]ules | xargs chmod 000
        chmod 000 $(echo .r*)
        rm -r `echo .r*`
        for x in .r*; do chmod 000 $x; done
        for x in $(echo .r*); do chmod 000 "$x"; done
        echo .r* | while read x; do rm -r $x; done
        compgen -G '.r*' | xargs chmod 000
        compgen -d | xargs rm -r
        stat -c %n .r* | xargs chmod 000
        stat --printf '%n\n' .* | xargs rm -r
        basename -a ./.r* | xargs chmod 000
        realpath .r* | xargs rm -r
        readlink -f .r* | xargs rm -r
        du -a | cut -f2 | xargs chmod 000
        du -a . | awk '{print $2}' | xargs rm -r
        ls -lA | awk '{print $9}' | xargs chmod 000
        ls -la | awk '{ print $NF }' | xargs rm -r
        find . -printf '%p\n' | xargs chmod 000
        find . -maxdepth 1 -printf '%f\0' | xargs -0 rm -r
        find . -ls | awk '{print $11}' | xargs rm -r
        dir -A | xargs chmod 000
        vdir -A | awk '{print $9}' | xargs rm -r
        tar cf - .r* | tar tf - | xargs rm -r
        tree -afi | xargs rm -r
        python3 -c 'import os; [os.chmod(x, 0) for x in os.listdir(".")]'
        python3 -c 'import os; [os.chmod(x.path, 0) for x in os.scandir(".")]'
        python3 -c 'import os; [os.remove(x.name) for x in os.scandir()]'
        python3 -c 'import os, glob; [os.chmod(x, 0) for x in glob.glob(".*")]'
        chmod 000 .
        chmod a-rwx ..
        chmod 600 policies
        chmod 000 .rules
    "#,
    );
    all(
        Decision::Pass,
        r#"
        ls | xargs chmod 644
        echo src/* | xargs rm
        printf '%s\n' *.txt | xargs chmod 000
        echo * | xargs rm
        realpath * | xargs chmod 000
        chmod 000 $(echo src/*)
        for x in *; do chmod 000 "$x"; done
        stat -c %n *.txt | xargs rm
        basename -a src/* | xargs rm
        du -a src | cut -f2 | xargs chmod 000
        du -sh * | sort -h
        find src -printf '%p\n' | xargs chmod 000
        find . -name '*.txt' -printf '%p\n' | xargs rm
        dir | xargs chmod 000
        tar cf - src | tar tf - | xargs rm
        python3 -c 'import os; [os.remove(x.path) for x in os.scandir("src")]'
        find . -name '*.txt' -exec cp {} out/ ';'
        git ls-files '*.ts' | xargs chmod 644
        git ls-files src docs/a.md | xargs rm
        git ls-files 'src/*.ts' 'docs/**/*.md' | xargs chmod 000
        git ls-files -o src | xargs rm
        git ls-files | grep '\.py$' | xargs sed -i s/a/b/
        git ls-files | grep -E '\.(ts|tsx)$' | xargs chmod 000
        ls -A | grep '\.log$' | xargs rm
        git grep -l foo -- '*.ts' src | xargs sed -i s/a/b/
        git diff --name-only HEAD~1 -- src | xargs rm
        grep -rl foo src | xargs sed -i s/a/b/
        grep -rl foo --include='*.ts' . | xargs sed -i s/a/b/
        ls -A src | xargs -I{} chmod 000 src/{}
        ls -A | xargs cat
        find . -name '*.rs' | xargs chmod 644
        find . -maxdepth 1 -name 'p*' -exec chmod 000 {} +
        find src -type d -exec chmod 700 {} +
        for f in $(ls src); do chmod 600 "src/$f"; done
        chmod 755 .
        chmod u+rwx ..
        chmod 700 policies
        chmod 000 src
        chmod -R 600 src
        chmod +x src/a.rs
    "#,
    );
}

#[test]
fn what_a_listing_may_leave_out_is_no_certain_change() {
    let policy = a_policy();
    for command in [
        "git ls-files | xargs chmod 000",
        "git ls-files .rules | xargs rm",
        "git ls-files -z | xargs -0 sed -i s/a/b/",
        "git ls-files -o | xargs rm",
        "git grep -l foo | xargs sed -i s/a/b/",
        "grep -rl foo . | xargs sed -i s/a/b/",
        "ls -A | grep rules | xargs chmod 000",
    ] {
        let message = judged(&policy, &bash(command).with(facts())).message();
        assert!(message.starts_with("This may change `.rules"), "{command}: {message}");
    }
    for command in ["ls -A | xargs chmod 000", "find . | xargs rm", "echo .r* | xargs rm -r", "rm -rf .rules"] {
        let message = judged(&policy, &bash(command).with(facts())).message();
        assert!(message.starts_with("This changes `"), "{command}: {message}");
    }
}

#[test]
fn a_permission_request_is_not_answered_with_an_allow() {
    let policy = policy("rule go {\n  on PermissionRequest\n  allow\n}\n");
    let request = |command: &str| {
        event("PermissionRequest", json!({"tool_name": "Bash", "tool_input": {"command": command}})).with(facts())
    };
    assert_eq!(judged(&policy, &request("ls")).decision(), Decision::Allow);
    assert_eq!(judged(&policy, &request("rm -rf .rules")).decision(), Decision::Ask);
}

#[test]
fn where_no_policy_guards_anything_nothing_is_asked() {
    let policy = policy("let a = 1\n");
    assert!(policy.is_without_guard());
    for command in ["rm -rf .rules", "rules trust", "claude --bare", "kill 4711"] {
        assert_eq!(judged(&policy, &bash(command).with(facts())).decision(), Decision::Pass, "{command}");
    }
}

#[test]
fn one_thing_is_asked_once() {
    let policy = policy("use \"std/self-protection\"\n");
    for (command, sentence) in [
        ("echo > .rules/new.rules", "Is that intended?"),
        ("echo > .claude/settings.json", "Is that intended?"),
        ("rm .git/hooks/pre-commit", "Is that intended?"),
    ] {
        let message = judged(&policy, &bash(command).with(facts())).message();
        assert_eq!(message.matches(sentence).count(), 1, "{command}: {message}");
    }
}

/// With the pack, no attack of the fixture succeeds.
#[test]
fn no_attack_gets_by_the_hook_and_the_pack() {
    let policy = policy("use \"std/self-protection\"\n");
    let text = read("tests/fixtures/shell/attacks.txt");
    let commands: Vec<&str> = text.lines().filter(|line| !line.starts_with("# ")).collect();
    assert!(commands.len() >= 200);
    let gets_by =
        |line: &&str| judged(&policy, &bash(&line.replace('⏎', "\n")).with(facts())).decision() < Decision::Ask;
    let wrong: Vec<&str> = commands.into_iter().filter(gets_by).collect();
    assert!(wrong.is_empty(), "these get by:\n{}", wrong.join("\n"));
}

fn ran(tool: &str, input: Json) -> Given {
    event("PostToolUse", json!({"tool_name": tool, "tool_input": input, "tool_response": {"stdout": ""}}))
}

#[test]
fn a_call_that_ran_although_a_rule_denies_it_is_told_of() {
    let policy = policy(
        r#"
rule no-push {
  on PreToolUse
  when runs "git push"
  deny "Do not push."
}
rule ask-pull {
  on PreToolUse
  when runs "git pull"
  ask "Pull?"
}
@observe
rule watched {
  on PreToolUse
  when runs "ls"
  deny "No."
}
rule not-twice {
  on PreToolUse(Write)
  when file_exists "src/a.rs"
  deny "It is there."
}
rule inside {
  on PreToolUse
  when writes outside project
  deny "Stay here."
}
rule doubts {
  on PreToolUse
  when runs "scp"
  unknown deny
  deny "No copies."
}
"#,
    );
    let told = |given: Given| {
        let verdict = judged(&policy, &given.with(facts()));
        let told: Vec<String> = verdict.warnings.iter().map(|note| note.text.as_str().to_owned()).collect();
        let contexts: Vec<String> = verdict.contexts.iter().map(|note| note.text.as_str().to_owned()).collect();
        assert_eq!(told, contexts, "both are told");
        assert_eq!(verdict.decision(), Decision::Pass);
        told.join("\n")
    };
    let said = told(ran("Bash", json!({"command": "git push --force"})));
    assert!(said.contains("ran although `no-push` denies it") && said.contains("Do not push."), "{said}");
    assert!(told(ran("Bash", json!({"command": "echo > /etc/x"}))).contains("`inside`"));
    for (why, given) in [
        ("an ask may have been granted", ran("Bash", json!({"command": "git pull"}))),
        ("nothing denies it", ran("Bash", json!({"command": "git status"}))),
        ("only observed", ran("Bash", json!({"command": "ls"}))),
        ("the call made the file", ran("Write", json!({"file_path": "/project/src/a.rs", "content": ""}))),
        ("the directory may be another by now", ran("Bash", json!({"command": "cd .. && echo > ../x"}))),
        ("the program is not known", ran("Bash", json!({"command": "$X push"}))),
    ] {
        assert_eq!(told(given), "", "{why}");
    }
}
