//! Commands that a runner runs (`uv run pytest`), and the tasks of a project.

use crate::kit::Comes::{F, T, U};
use crate::kit::{allowing, bash, conditions};

/// Judges `only runs PATTERN` for an allow, in rows of pattern, command and result.
fn only_runs(rows: &[(&str, &str, crate::kit::Comes)]) {
    for (pattern, text, expected) in rows {
        allowing(&bash(text), &[(&format!("only runs {pattern:?}"), *expected)]);
    }
}

#[test]
fn a_pattern_with_a_runner_in_front_also_names_the_command_that_it_runs() {
    only_runs(&[
        ("uv run pytest *", "uv run pytest -x tests", T),
        ("uv run pytest *", "uv run pytest", T),
        ("uv run pytest", "uv run pytest", T),
        ("poetry run (pytest|mypy) *", "poetry run mypy src", T),
        ("bundle exec rspec *", "bundle exec rspec spec", T),
        ("python3 -m pytest *", "python3 -m pytest -x", T),
        ("npx tsc *", "npx tsc --noEmit", T),
        ("npx --yes tsc *", "npx --yes tsc", T),
        ("timeout 10 grep *", "timeout 10 grep -r x src", T),
        ("env FOO=1 make test", "env FOO=1 make test", T),
        ("kubectl exec pod -- ls *", "kubectl exec pod -- ls -l", T),
        ("nice timeout 10 grep *", "nice timeout 10 grep x f", T),
        ("uv run npx tsc *", "uv run npx tsc", T),
    ]);
}

#[test]
fn a_pattern_of_a_runner_names_nothing_else() {
    only_runs(&[
        // Another command, another runner, options of the runner.
        ("uv run pytest *", "uv run ruff check", F),
        ("uv run pytest *", "uv run --with x pytest", F),
        ("uv run pytest *", "uv run npx pytest", F),
        ("uv run pytest *", "pytest", F),
        ("pytest *", "uv run pytest", F),
        ("npx tsc *", "npx --yes tsc", F),
        ("npx tsc *", "npx tsc@1.0.0 --noEmit", F),
        ("timeout 10 grep *", "timeout 99 grep x f", F),
        ("env FOO=1 make test", "env FOO=1 BAR=2 make test", F),
        ("env FOO=1 make test", "env -i FOO=1 make test", F),
        // Whatever changes what the command does.
        ("uv run pytest *", "UV_PYTHON=/tmp/x uv run pytest", F),
        ("uv run pytest *", "export PATH=/tmp; uv run pytest", F),
        ("uv run pytest *", "uv() { rm x; }; uv run pytest", F),
        ("uv run pytest *", "uv run pytest > f", F),
        ("uv run pytest *", "uv run pytest &", F),
        ("uv run pytest *", "uv run pytest $(rm x)", F),
        ("uv run pytest *", "/tmp/uv run pytest", F),
        ("uv run pytest *", "uv run pytest; rm x", F),
        ("uv run pytest *", "sudo uv run pytest", F),
        // A `*` stands for no command, script or code.
        ("uv run *", "uv run pytest", F),
        ("sudo *", "sudo ls", F),
        ("timeout 10 *", "timeout 10 rm x", F),
        ("bash -c *", "bash -c 'rm x'", F),
        ("uv run (pytest|*)", "uv run rm x", F),
        ("git log *", "git -c alias.log='!rm x' log", F),
        ("timeout 10 find *", "timeout 10 find . -delete", F),
        ("timeout 10 rg *", "timeout 10 rg --pre sh x", F),
    ]);
}

#[test]
fn a_package_manager_runs_a_task_or_the_program_of_that_name() {
    for text in [
        "pnpm prisma migrate reset --force",
        "pnpm --filter api prisma migrate reset --force",
        "yarn prisma migrate reset --force",
        "yarn run prisma migrate reset --force",
        "yarn workspace api prisma migrate reset --force",
        "bun prisma migrate reset --force",
        "bun run prisma migrate reset --force",
        "dotenv -e .env -- pnpm prisma migrate reset --force",
        "corepack pnpm prisma migrate reset --force",
        "deno run -A npm:prisma@6 migrate reset --force",
        "node node_modules/prisma/build/index.js migrate reset --force",
    ] {
        conditions(&bash(text), &[(r#"runs "prisma migrate reset --force""#, T)]);
    }
    for text in ["npm run prisma migrate reset", "pnpm run prisma migrate reset", "pnpm add prisma", "yarn add prisma"]
    {
        conditions(&bash(text), &[(r#"runs "prisma""#, F)]);
    }
    // A task of the project may have the name of the program, so no allow can be about the program.
    allowing(&bash("pnpm prisma generate"), &[(r#"runs "prisma generate""#, U), (r#"not runs "prisma db""#, T)]);
    only_runs(&[("prisma *", "pnpm prisma generate", F)]);
}

#[test]
fn a_pattern_of_a_task_approves_it_with_its_words() {
    only_runs(&[
        ("pnpm lint", "pnpm lint", T),
        ("pnpm lint *", "pnpm lint", T),
        ("pnpm lint *", "pnpm lint --fix src", T),
        ("pnpm lint", "pnpm lint --fix", F),
        ("pnpm lint *", "pnpm -C /tmp lint", F),
        ("pnpm lint *", "pnpm lint > f", F),
        ("pnpm lint *", "pnpm build", F),
        ("yarn lint *", "yarn lint src", T),
        ("yarn *", "yarn lint", T),
        ("bun run lint *", "bun run lint", T),
        ("npm run lint *", "npm run lint -- --fix", T),
    ]);
}

#[test]
fn a_program_of_the_project_is_named_by_its_path() {
    only_runs(&[
        ("./gradlew test *", "./gradlew test --info", F),
        ("./gradlew test", "./gradlew test", T),
        ("./gradlew test", "gradlew test", F),
        ("./gradlew test", "/tmp/gradlew test", F),
        ("./gradlew test", "../gradlew test", F),
        ("./gradlew test", "./sub/gradlew test", F),
        ("./gradlew test", "./gradlew clean", F),
    ]);
    allowing(&bash("cd sub && ./gradlew test"), &[(r#"only runs ["cd *", "./gradlew test"]"#, F)]);
    allowing(&bash("cd . && ./gradlew test"), &[(r#"only runs ["cd *", "./gradlew test"]"#, T)]);
    // For a guard, the name counts in any directory.
    conditions(&bash("sub/gradlew publish"), &[(r#"runs "./gradlew publish""#, T)]);
}
