//! The table of signs: which names in a project say what about it.
//!
//! What the packs have lists of (lock files, secrets, migrations, CI) is not repeated here; `known` reads these.

use super::tree::{Tree, name};

/// What a finding is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Topic {
    /// The repository.
    Git,
    /// A language.
    Language,
    /// What installs packages.
    PackageManager,
    /// A file that a package manager writes.
    LockFile,
    /// What CI runs.
    Pipeline,
    /// A file that may hold secrets.
    Secret,
    /// Code that a program writes.
    Generated,
    /// Changes to a database's schema.
    Migration,
    /// What talks to a database.
    Database,
    /// What containers are made or started of.
    Container,
    /// Clusters, clouds and platforms.
    Infrastructure,
    /// What publishes something.
    Release,
    /// What says how commit messages look.
    CommitForm,
    /// What an agent is told, and allowed, already.
    Agent,
}

impl Topic {
    /// Returns the topic as `--json` names it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Git => "git",
            Self::Language => "language",
            Self::PackageManager => "package-manager",
            Self::LockFile => "lock-file",
            Self::Pipeline => "pipeline",
            Self::Secret => "secret",
            Self::Generated => "generated",
            Self::Migration => "migration",
            Self::Database => "database",
            Self::Container => "container",
            Self::Infrastructure => "infrastructure",
            Self::Release => "release",
            Self::CommitForm => "commit-form",
            Self::Agent => "agent",
        }
    }

    /// Returns the topic as people read it.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Git => "repository",
            Self::Language => "languages",
            Self::PackageManager => "packages",
            Self::LockFile => "lock files",
            Self::Pipeline => "CI",
            Self::Secret => "secrets",
            Self::Generated => "generated",
            Self::Migration => "migrations",
            Self::Database => "databases",
            Self::Container => "containers",
            Self::Infrastructure => "infrastructure",
            Self::Release => "releases",
            Self::CommitForm => "commits",
            Self::Agent => "agents",
        }
    }
}

/// A sign of something.
pub(super) struct Sign {
    pub(super) topic: Topic,
    /// What it is a sign of, as people call it.
    pub(super) name: &'static str,
    /// Names of files, in which `*` is any text. With a `/` in it, the end of a path; with one at its end, a directory's;
    /// with `./` before it, a name in the root alone.
    names: &'static [&'static str],
}

const fn sign(topic: Topic, name: &'static str, names: &'static [&'static str]) -> Sign {
    Sign { topic, name, names }
}

use Topic::{Agent, CommitForm, Container, Database, Infrastructure, Language, PackageManager, Release};

/// Every sign.
pub(super) const SIGNS: &[Sign] = &[
    sign(Language, "Rust", &["Cargo.toml"]),
    sign(Language, "TypeScript", &["tsconfig.json"]),
    sign(Language, "JavaScript", &["package.json"]),
    sign(Language, "Python", &["pyproject.toml", "setup.py", "requirements.txt", "Pipfile"]),
    sign(Language, "Go", &["go.mod"]),
    sign(Language, "Java", &["pom.xml", "build.gradle"]),
    sign(Language, "Kotlin", &["build.gradle.kts"]),
    sign(Language, "Ruby", &["Gemfile"]),
    sign(Language, "PHP", &["composer.json"]),
    sign(Language, "Elixir", &["mix.exs"]),
    sign(Language, "C#", &["*.csproj", "*.sln"]),
    sign(Language, "Swift", &["Package.swift"]),
    sign(Language, "Dart", &["pubspec.yaml"]),
    sign(Language, "C or C++", &["CMakeLists.txt", "meson.build"]),
    sign(PackageManager, "Cargo", &["Cargo.toml"]),
    sign(PackageManager, "pnpm", &["pnpm-lock.yaml"]),
    sign(PackageManager, "Yarn", &["yarn.lock"]),
    sign(PackageManager, "Bun", &["bun.lock", "bun.lockb"]),
    sign(PackageManager, "npm", &["package-lock.json", "npm-shrinkwrap.json"]),
    sign(PackageManager, "uv", &["uv.lock"]),
    sign(PackageManager, "Poetry", &["poetry.lock"]),
    sign(PackageManager, "pip", &["requirements.txt"]),
    sign(PackageManager, "Bundler", &["Gemfile.lock"]),
    sign(Container, "Docker", &["Dockerfile", "*.Dockerfile", "Containerfile"]),
    sign(Container, "Compose", &["compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml"]),
    sign(Container, "dev container", &[".devcontainer/devcontainer.json", ".devcontainer.json"]),
    sign(Infrastructure, "Terraform", &["*.tf", "terragrunt.hcl"]),
    sign(Infrastructure, "Pulumi", &["Pulumi.yaml"]),
    sign(Infrastructure, "AWS CDK", &["cdk.json"]),
    sign(Infrastructure, "AWS SAM", &["samconfig.toml"]),
    sign(Infrastructure, "Serverless", &["serverless.yml", "serverless.yaml"]),
    sign(Infrastructure, "Helm", &["Chart.yaml", "helmfile.yaml"]),
    sign(
        Infrastructure,
        "Kubernetes",
        &["kustomization.yaml", "kustomization.yml", "skaffold.yaml", "k8s/", "kubernetes/"],
    ),
    sign(Infrastructure, "Fly", &["fly.toml"]),
    sign(Infrastructure, "Heroku", &["./Procfile"]),
    sign(Infrastructure, "Cloudflare", &["wrangler.toml", "wrangler.jsonc"]),
    sign(Infrastructure, "Vercel", &["vercel.json"]),
    sign(Infrastructure, "Netlify", &["netlify.toml"]),
    sign(Infrastructure, "Firebase", &["firebase.json"]),
    sign(Infrastructure, "App Engine", &["./app.yaml"]),
    sign(Database, "Prisma", &["schema.prisma"]),
    sign(Database, "Alembic", &["alembic.ini"]),
    sign(Database, "Rails", &["db/schema.rb", "db/structure.sql"]),
    sign(Database, "Django", &["manage.py"]),
    sign(Database, "Diesel", &["diesel.toml"]),
    sign(Database, "sqlc", &["sqlc.yaml", "sqlc.yml"]),
    sign(Database, "Flyway", &["flyway.conf", "flyway.toml"]),
    sign(Database, "Supabase", &["supabase/config.toml"]),
    sign(Database, "Drizzle", &["drizzle.config.ts"]),
    sign(Database, "SQL", &["*.sql"]),
    sign(Release, "GoReleaser", &[".goreleaser.yml", ".goreleaser.yaml"]),
    sign(
        Release,
        "semantic-release",
        &["./.releaserc", "./.releaserc.json", "./.releaserc.yml", "./release.config.js"],
    ),
    sign(Release, "Changesets", &[".changeset/config.json"]),
    sign(Release, "release-please", &["./release-please-config.json"]),
    sign(Release, "cargo-release", &["./release.toml", "./release-plz.toml", "./dist-workspace.toml"]),
    sign(Release, "a release workflow", &[".github/workflows/release*.y*ml", ".github/workflows/publish*.y*ml"]),
    sign(Release, "a gem", &["*.gemspec"]),
    sign(CommitForm, "commitlint", &["commitlint.config.*", ".commitlintrc", ".commitlintrc.*"]),
    sign(CommitForm, "Commitizen", &[".czrc", ".cz.toml", ".cz.json"]),
    sign(CommitForm, "cocogitto", &["./cog.toml"]),
    sign(Agent, "Codex", &[".codex/"]),
    sign(Agent, "Gemini CLI", &[".gemini/"]),
    sign(Agent, "Cursor", &[".cursor/", ".cursorrules"]),
    sign(Agent, "OpenCode", &[".opencode/", "opencode.json"]),
    sign(Agent, "Copilot", &[".github/copilot-instructions.md"]),
    sign(Agent, "Wave Agent", &[".wave/"]),
];

impl Sign {
    /// Returns the paths that are this sign.
    pub(super) fn paths<'t>(&self, tree: &'t Tree) -> Vec<&'t str> {
        let files = tree.files.iter().filter(|path| self.names.iter().any(|sign| is(sign, path)));
        let directories = self.names.iter().filter_map(|sign| sign.strip_suffix('/'));
        let directories = directories.flat_map(|sign| tree.directories.iter().filter(move |path| is(sign, path)));
        // What builds the tests is a part of the project, what they are fed with is not.
        let counts = |path: &&String| matches!(self.topic, Language | PackageManager) || !is_aside(path);
        files.chain(directories).filter(counts).map(String::as_str).collect()
    }
}

/// Directories whose files are about something else than the project: input of tests, examples for others.
const ASIDE: &[&str] = &[
    "__fixtures__",
    "benches",
    "e2e",
    "example",
    "examples",
    "fixtures",
    "samples",
    "spec",
    "test",
    "testdata",
    "tests",
];

/// Tells whether a path lies aside.
pub(super) fn is_aside(path: &str) -> bool {
    path.rsplit('/').skip(1).any(|name| ASIDE.contains(&name))
}

/// Tells whether a path ends in a sign.
fn is(sign: &str, path: &str) -> bool {
    if let Some(sign) = sign.strip_prefix("./") {
        return matches(sign, path);
    }
    if sign.contains('/') {
        let levels = sign.matches('/').count() + 1;
        let start = path.rmatch_indices('/').nth(levels - 1).map_or(0, |(at, _)| at + 1);
        return path.get(start..).is_some_and(|end| matches(sign, end));
    }
    matches(sign, name(path))
}

/// Compares a text with a pattern in which `*` is any text without a `/`.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((before, after)) => text.strip_prefix(before).is_some_and(|rest| {
            let ends = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
            let open = rest.find('/').unwrap_or(rest.len());
            ends.filter(|at| *at <= open).any(|at| rest.get(at..).is_some_and(|rest| matches(after, rest)))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_is_a_name_or_the_end_of_a_path() {
        for (sign, path, is_it) in [
            ("Cargo.toml", "Cargo.toml", true),
            ("Cargo.toml", "crates/a/Cargo.toml", true),
            ("Cargo.toml", "NotCargo.toml", false),
            ("*.tf", "infra/main.tf", true),
            ("*.tf", "infra/main.tfvars", false),
            (".github/workflows/release*.y*ml", ".github/workflows/release-all.yml", true),
            (".github/workflows/release*.y*ml", ".github/workflows/ci.yml", false),
            ("db/schema.rb", "app/db/schema.rb", true),
            ("db/schema.rb", "olddb/schema.rb", false),
            ("db/schema.rb", "schema.rb", false),
            ("./release.toml", "release.toml", true),
            ("./release.toml", "programs/release.toml", false),
        ] {
            assert_eq!(is(sign, path), is_it, "{sign} {path}");
        }
    }
}
