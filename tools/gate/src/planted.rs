//! Workspaces planted by tests. A package is named `name` or, where versions matter, `name@version`.

use std::path::PathBuf;

use crate::Problem;
use crate::metadata::{
    Dependency, Edge, EdgeKind, Kind, Metadata, Node, Package, PackageId, Resolve,
};
use crate::sources::{Source, Sources};

#[derive(Default)]
pub(crate) struct Planted {
    packages: Vec<Package>,
    members: Vec<PackageId>,
    edges: Vec<(PackageId, String, Option<Kind>)>,
}

impl Planted {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// A workspace member; its package name is the last part of `folder`.
    pub(crate) fn member(mut self, folder: &str, uses: &[&str]) -> Self {
        let name = folder.rsplit('/').next().unwrap();
        self.members.push(id(name, "0.1.0"));
        self.package(folder, name, "0.1.0", uses)
    }

    /// A package from the registry.
    pub(crate) fn outside(self, name: &str, version: &str, uses: &[&str]) -> Self {
        self.package("registry", name, version, uses)
    }

    pub(crate) fn licensed(mut self, name: &str, licence: Option<&str>) -> Self {
        let package = self
            .packages
            .iter_mut()
            .find(|package| package.name == name);
        package.unwrap().license = licence.map(str::to_owned);
        self
    }

    pub(crate) fn dev_dependency(mut self, from: &str, to: &str) -> Self {
        self.edge(from, "0.1.0", to, Some(Kind::Dev));
        self
    }

    fn package(mut self, folder: &str, name: &str, version: &str, uses: &[&str]) -> Self {
        self.packages.push(Package {
            id: id(name, version),
            name: name.to_owned(),
            version: version.to_owned(),
            license: Some("MIT".to_owned()),
            manifest_path: PathBuf::from(format!("/planted/{folder}/Cargo.toml")),
            dependencies: Vec::new(),
        });
        for used in uses {
            self.edge(name, version, used, None);
        }
        self
    }

    fn edge(&mut self, from: &str, version: &str, to: &str, kind: Option<Kind>) {
        let from = id(from, version);
        let package = self.packages.iter_mut().find(|package| package.id == from);
        package.unwrap().dependencies.push(Dependency {
            name: to.split('@').next().unwrap().to_owned(),
            kind,
        });
        self.edges.push((from, to.to_owned(), kind));
    }

    pub(crate) fn metadata(self) -> Metadata {
        let nodes = self.packages.iter().map(|package| Node {
            id: package.id.clone(),
            deps: self.edges_from(&package.id),
        });
        Metadata {
            resolve: Resolve {
                nodes: nodes.collect(),
            },
            packages: self.packages,
            workspace_members: self.members,
            workspace_root: PathBuf::from("/planted"),
        }
    }

    fn edges_from(&self, from: &PackageId) -> Vec<Edge> {
        let edges = self.edges.iter().filter(|(source, _, _)| source == from);
        edges
            .map(|(_, to, kind)| Edge {
                pkg: self.resolve(to),
                dep_kinds: vec![EdgeKind { kind: *kind }],
            })
            .collect()
    }

    fn resolve(&self, wanted: &str) -> PackageId {
        let found = self
            .packages
            .iter()
            .find(|package| package.name == wanted || package.id.0 == wanted);
        found.unwrap().id.clone()
    }
}

fn id(name: &str, version: &str) -> PackageId {
    PackageId(format!("{name}@{version}"))
}

/// Sources below the folder `planted`, each with its path and its text.
pub(crate) fn plant_sources(files: &[(&str, &str)]) -> Sources {
    let parsed = files.iter().map(|(path, text)| Source::parse(path, text));
    Sources {
        folder: "planted".to_owned(),
        files: parsed.collect::<Result<_, _>>().unwrap(),
    }
}

pub(crate) fn messages(problems: &[Problem]) -> String {
    let lines: Vec<_> = problems.iter().map(ToString::to_string).collect();
    lines.join("\n")
}
