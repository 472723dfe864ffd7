use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

/// What `cargo metadata` says, reduced to what the rules ask.
#[derive(Debug, Deserialize)]
pub struct Metadata {
    pub(crate) packages: Vec<Package>,
    pub(crate) workspace_members: Vec<PackageId>,
    pub(crate) workspace_root: PathBuf,
    pub(crate) resolve: Resolve,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
pub(crate) struct PackageId(pub(crate) String);

#[derive(Debug, Deserialize)]
pub(crate) struct Package {
    pub(crate) id: PackageId,
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) license: Option<String>,
    pub(crate) manifest_path: PathBuf,
    pub(crate) dependencies: Vec<Dependency>,
}

/// A dependency as the manifest declares it.
#[derive(Debug, Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) kind: Option<Kind>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Dev,
    Build,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Resolve {
    pub(crate) nodes: Vec<Node>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Node {
    pub(crate) id: PackageId,
    pub(crate) deps: Vec<Edge>,
}

/// A dependency as cargo resolved it: optional ones that are off do not appear.
#[derive(Debug, Deserialize)]
pub(crate) struct Edge {
    pub(crate) pkg: PackageId,
    pub(crate) dep_kinds: Vec<EdgeKind>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct EdgeKind {
    pub(crate) kind: Option<Kind>,
}

impl Metadata {
    /// Asks cargo about the workspace this tool belongs to.
    ///
    /// `--locked` alone, not `--offline`: cargo then uses the network only for a package that it has
    /// not downloaded yet, and `cargo test` on a new machine leaves out those of other platforms.
    ///
    /// # Errors
    ///
    /// When cargo cannot be run, fails, or prints something else than expected.
    pub fn of_workspace() -> Result<Self, MetadataError> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo)
            .args(["metadata", "--format-version=1", "--locked"])
            .current_dir(own_folder())
            .output()
            .map_err(MetadataError::Run)?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(MetadataError::Failed(message));
        }
        serde_json::from_slice(&output.stdout).map_err(MetadataError::Parse)
    }

    /// The packages below `crates/`, each with the name of its folder.
    pub(crate) fn crates(&self) -> Vec<(&str, &Package)> {
        let root = self.workspace_root.join("crates");
        self.members()
            .filter_map(|package| Some((package.folder_in(&root)?, package)))
            .collect()
    }

    pub(crate) fn members(&self) -> impl Iterator<Item = &Package> {
        self.packages
            .iter()
            .filter(|package| self.workspace_members.contains(&package.id))
    }

    pub(crate) fn package(&self, id: &PackageId) -> Option<&Package> {
        self.packages.iter().find(|package| package.id == *id)
    }
}

/// This package's folder. Cargo says it at run time too, and that one is right: worktrees that share
/// a target folder may share a program that was compiled in another of them.
fn own_folder() -> PathBuf {
    let folder = std::env::var_os("CARGO_MANIFEST_DIR");
    folder.map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from)
}

impl Package {
    fn folder_in(&self, root: &Path) -> Option<&str> {
        let folder = self.manifest_path.parent()?;
        folder.strip_prefix(root).ok()?.to_str()
    }

    /// What the package is built with; dev-dependencies are free, since they bind nobody else.
    pub(crate) fn binding_dependencies(&self) -> impl Iterator<Item = &str> {
        self.dependencies
            .iter()
            .filter(|dependency| dependency.kind != Some(Kind::Dev))
            .map(|dependency| dependency.name.as_str())
    }
}

/// Why cargo's metadata could not be read.
#[derive(Debug)]
pub enum MetadataError {
    /// Cargo could not be started.
    Run(std::io::Error),
    /// Cargo said no; this is what it printed.
    Failed(String),
    /// Cargo's answer has another shape.
    Parse(serde_json::Error),
}

impl fmt::Display for MetadataError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Run(error) => write!(formatter, "cargo metadata could not be started: {error}"),
            Self::Failed(message) => write!(formatter, "cargo metadata failed: {message}"),
            Self::Parse(error) => write!(formatter, "cargo metadata was not understood: {error}"),
        }
    }
}

impl std::error::Error for MetadataError {}
