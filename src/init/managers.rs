//! Finds the package managers of a project, also where it is a package of a workspace: the lock file is then in a
//! directory above.

use serde_json::Value as Json;

use super::findings::ProjectFinding;
use super::signs::{FindingTopic, package_managers};
use super::tree::ProjectTree;

/// The package manager of a project, and where it was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FoundManager {
    /// Its name in the table of signs: `pnpm`.
    pub(super) name: &'static str,
    /// How many directories above the project its files are.
    pub(super) levels: usize,
}

/// The manifests of packages that may be in a workspace, and the package managers that they may have, by their names in
/// the table of signs.
const MANAGERS: &[(&str, &[&str])] =
    &[("package.json", &["pnpm", "Yarn", "Bun", "npm"]), ("pyproject.toml", &["uv", "Poetry"])];

/// Returns the package manager of a project for packages with this manifest: that of the nearest directory with a lock
/// file, a workspace file or a `packageManager`.
pub(super) fn find_manager(tree: &ProjectTree, manifest: &str) -> Option<FoundManager> {
    let (_, candidates) = MANAGERS.iter().find(|(known, _)| *known == manifest)?;
    let has_own_file = |name: &str| tree.has_file(name);
    let own = manager_in_directory(candidates, tree.text("package.json"), &has_own_file);
    let own = own.map(|name| FoundManager { name, levels: 0 });
    let mut above = tree.above.iter().zip(1..);
    own.or_else(|| {
        above.find_map(|(directory, levels)| {
            let has_file = |name: &str| directory.files.contains(name);
            let name = manager_in_directory(candidates, directory.package_json.as_deref(), &has_file)?;
            Some(FoundManager { name, levels })
        })
    })
}

/// Returns the findings about the package managers of workspaces that the project is a package of.
pub(super) fn workspace_managers(tree: &ProjectTree) -> impl Iterator<Item = ProjectFinding> {
    let manifests = MANAGERS.iter().map(|(manifest, _)| *manifest).filter(|manifest| tree.has_file(manifest));
    let found = manifests.filter_map(|manifest| find_manager(tree, manifest)).filter(|found| found.levels > 0);
    found.map(|FoundManager { name, levels }| {
        let note = Some(format!("of the workspace in `{}`", vec![".."; levels].join("/")));
        ProjectFinding { topic: FindingTopic::PackageManager, name: name.to_owned(), paths: Vec::new(), more: 0, note }
    })
}

/// Returns the candidate that a directory's `package.json` names, or else the first one with a file in the directory.
fn manager_in_directory(
    candidates: &[&str],
    package_json: Option<&str>,
    has_file: &dyn Fn(&str) -> bool,
) -> Option<&'static str> {
    let managers = || package_managers().filter(|(name, _)| candidates.contains(name));
    let json: Json = package_json.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    // `pnpm@9.1.0`
    let named = json.get("packageManager").and_then(Json::as_str).and_then(|text| text.split('@').next());
    let named = named.and_then(|named| managers().find(|(name, _)| name.eq_ignore_ascii_case(named)));
    let by_file = || managers().find(|(_, names)| names.iter().any(|name| has_file(name)));
    named.or_else(by_file).map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::super::tree::DirectoryAbove;
    use super::*;

    fn above(files: &[&str], package_json: &str) -> DirectoryAbove {
        let files = files.iter().map(|name| (*name).to_owned()).collect();
        DirectoryAbove { files, package_json: Some(package_json.to_owned()) }
    }

    #[test]
    fn the_nearest_directory_with_a_sign_of_a_package_manager_decides() {
        let pnpm = || above(&["pnpm-lock.yaml", "pnpm-workspace.yaml"], "{}");
        let yarn = || above(&["yarn.lock"], "{}");
        let named = || above(&["package-lock.json"], r#"{"packageManager": "bun@1.3.0"}"#);
        let none = || above(&[], "{");
        for (files, directories, expected) in [
            (&[][..], vec![], None),
            (&[], vec![none(), pnpm(), yarn()], Some(("pnpm", 2))),
            (&[], vec![yarn(), pnpm()], Some(("Yarn", 1))),
            (&[], vec![named()], Some(("Bun", 1))),
            (&["package-lock.json"], vec![pnpm()], Some(("npm", 0))),
            (&[], vec![above(&["uv.lock", "Cargo.toml"], "{}")], None),
        ] {
            let files = files.iter().map(|name: &&str| (*name).to_owned()).collect();
            let tree = ProjectTree { files, above: directories, ..ProjectTree::default() };
            let found = find_manager(&tree, "package.json");
            assert_eq!(found.map(|found| (found.name, found.levels)), expected, "{tree:?}");
        }
    }
}
