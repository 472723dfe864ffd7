//! The crates below `crates/` see only what the architecture lets them see.

use crate::graph::Graph;
use crate::metadata::{Metadata, Package};
use crate::problem::Problem;

/// One crate below `crates/`, by the name of its folder.
struct Layer {
    name: &'static str,
    may_use: MayUse,
    /// Without IO and async runtime, directly or through others.
    pure: bool,
}

enum MayUse {
    Only(&'static [&'static str]),
    Everything,
}

const fn pure(name: &'static str, may_use: &'static [&'static str]) -> Layer {
    Layer {
        name,
        may_use: MayUse::Only(may_use),
        pure: true,
    }
}

const fn effectful(name: &'static str, may_use: &'static [&'static str]) -> Layer {
    Layer {
        name,
        may_use: MayUse::Only(may_use),
        pure: false,
    }
}

/// The architecture. `server` gets its engine as a `Dynamo` from `cli`, so it does not name it.
const LAYERS: &[Layer] = &[
    pure("item", &[]),
    pure("expr", &["item"]),
    pure("api", &["item", "expr"]),
    pure("exports", &["item", "api"]),
    effectful("engine", &["item", "expr", "api", "exports"]),
    pure("policy", &["item", "expr", "api"]),
    effectful("aws", &["item", "api"]),
    pure("language", &[]),
    pure("model", &["item", "expr", "language"]),
    pure("check", &["item", "expr", "language", "model"]),
    pure("describe", &["item", "expr", "model"]),
    pure("sketch", &["model", "check"]),
    pure("infer", &["item", "sketch"]),
    pure("import", &["item", "infer", "sketch"]),
    effectful("store", &["item", "expr", "api", "model"]),
    effectful("rest", &["item", "api", "model", "store"]),
    pure("migrate", &["language", "model"]),
    effectful(
        "operations",
        &["item", "api", "exports", "model", "migrate", "store"],
    ),
    effectful("server", &["item", "api", "policy", "store"]),
    effectful(
        "workbench",
        &["item", "api", "model", "check", "describe", "store", "rest"],
    ),
    pure("codegen", &["model"]),
    effectful("wasm", &["item", "api", "engine", "model", "store"]),
    Layer {
        name: "cli",
        may_use: MayUse::Everything,
        pure: false,
    },
];

/// Crates that do IO or run futures; a pure crate reaches none of them.
const IO_CRATES: &[&str] = &[
    "async-executor",
    "async-io",
    "axum",
    "fjall",
    "hyper",
    "lsm-tree",
    "mio",
    "polling",
    "reqwest",
    "rustix",
    "smol",
    "socket2",
    "tokio",
    "ureq",
];

/// Checks every crate below `crates/`; those that do not exist yet are no problem.
#[must_use]
pub fn check(metadata: &Metadata) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (folder, package) in metadata.crates() {
        match LAYERS.iter().find(|layer| layer.name == folder) {
            Some(layer) => {
                problems.extend(forbidden_directions(metadata, layer, package));
                problems.extend(impurities(metadata, layer, package));
            }
            None => problems.push(unknown(folder)),
        }
    }
    problems
}

fn unknown(folder: &str) -> Problem {
    Problem::new(format!(
        "crates/{folder} is not in the architecture: add it to LAYERS in tools/gate/src/layers.rs \
         with the crates it may use, and to ARCHITECTURE.md; a tool belongs below tools/"
    ))
}

fn forbidden_directions<'a>(
    metadata: &'a Metadata,
    layer: &'a Layer,
    package: &'a Package,
) -> impl Iterator<Item = Problem> + 'a {
    let ours = package
        .binding_dependencies()
        .filter(|name| metadata.members().any(|member| member.name == *name));
    ours.filter_map(move |name| {
        let folders = metadata.crates();
        let target = folders.iter().find(|(_, member)| member.name == name);
        match target {
            Some((folder, _)) if layer.may_use.allows(folder) => None,
            Some((folder, _)) => Some(wrong_direction(layer.name, folder)),
            None => Some(on_a_tool(layer.name, name)),
        }
    })
}

impl MayUse {
    fn allows(&self, folder: &str) -> bool {
        match self {
            Self::Only(folders) => folders.contains(&folder),
            Self::Everything => true,
        }
    }
}

fn wrong_direction(from: &str, to: &str) -> Problem {
    Problem::new(format!(
        "crates/{from} depends on crates/{to}, which the architecture forbids: move what is shared \
         down, pass it in from above, or change LAYERS in tools/gate/src/layers.rs and say why"
    ))
}

fn on_a_tool(from: &str, tool: &str) -> Problem {
    Problem::new(format!(
        "crates/{from} depends on {tool}, which is a tool: tools serve the repository, not the product"
    ))
}

fn impurities<'a>(
    metadata: &'a Metadata,
    layer: &'a Layer,
    package: &'a Package,
) -> impl Iterator<Item = Problem> + 'a {
    let roots = layer.pure.then_some(&package.id);
    Graph::of(metadata)
        .reachable(roots)
        .into_iter()
        .filter_map(|id| metadata.package(id))
        .filter(|reached| IO_CRATES.contains(&reached.name.as_str()))
        .map(|reached| {
            Problem::new(format!(
                "crates/{} reaches {} ({}), but it is a crate without IO and async runtime: see \
                 `cargo tree -p {} -e normal,build -i {}`",
                layer.name, reached.name, reached.version, package.name, reached.name
            ))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planted::{Planted, messages};

    #[test]
    fn the_directions_of_the_architecture_pass() {
        let metadata = Planted::new()
            .member("crates/item", &[])
            .member("crates/expr", &["item"])
            .member("crates/api", &["item", "expr"])
            .member("crates/engine", &["item", "expr", "api"])
            .member("crates/cli", &["engine", "api"])
            .metadata();
        assert_eq!(check(&metadata), []);
    }

    #[test]
    fn a_dependency_upwards_fails() {
        let metadata = Planted::new()
            .member("crates/item", &["engine"])
            .member("crates/engine", &[])
            .metadata();
        let problems = messages(&check(&metadata));
        assert!(problems.contains("crates/item depends on crates/engine"));
    }

    #[test]
    fn the_server_may_not_name_the_engine() {
        let metadata = Planted::new()
            .member("crates/engine", &[])
            .member("crates/server", &["engine"])
            .metadata();
        let problems = messages(&check(&metadata));
        assert!(problems.contains("crates/server depends on crates/engine"));
    }

    #[test]
    fn a_dev_dependency_upwards_passes() {
        let metadata = Planted::new()
            .member("crates/item", &[])
            .member("crates/engine", &[])
            .dev_dependency("item", "engine")
            .metadata();
        assert_eq!(check(&metadata), []);
    }

    #[test]
    fn an_unknown_crate_fails_and_says_what_to_do() {
        let metadata = Planted::new().member("crates/helpers", &[]).metadata();
        let problems = messages(&check(&metadata));
        assert!(problems.contains("crates/helpers is not in the architecture"));
        assert!(problems.contains("LAYERS in tools/gate/src/layers.rs"));
    }

    #[test]
    fn a_tool_may_use_everything_but_nobody_uses_a_tool() {
        let metadata = Planted::new()
            .member("crates/engine", &["torture"])
            .member("tools/torture", &["engine"])
            .metadata();
        let problems = check(&metadata);
        assert_eq!(problems.len(), 1);
        assert!(messages(&problems).contains("crates/engine depends on torture"));
    }

    #[test]
    fn io_behind_another_crate_is_found() {
        let metadata = Planted::new()
            .member("crates/model", &["helpful"])
            .outside("helpful", "1.0.0", &["tokio"])
            .outside("tokio", "1.50.0", &[])
            .metadata();
        let problems = messages(&check(&metadata));
        assert!(problems.contains("crates/model reaches tokio (1.50.0)"));
    }

    #[test]
    fn the_engine_may_do_io() {
        let metadata = Planted::new()
            .member("crates/engine", &["fjall"])
            .outside("fjall", "3.1.13", &[])
            .metadata();
        assert_eq!(check(&metadata), []);
    }
}
