//! One version of each crate, with a short list of explained exceptions.
//!
//! Two versions of a crate cost build time and size, and their types do not mix. Test-only
//! dependencies are not counted.

use std::collections::{BTreeMap, BTreeSet};

use crate::graph::Graph;
use crate::metadata::Metadata;
use crate::problem::Problem;

/// A crate that comes in several versions, and why we cannot help it.
#[derive(Debug, Clone, Copy)]
pub struct Exception {
    name: &'static str,
    why: &'static str,
}

/// Keep this short. An entry that is no longer needed fails, so the list never grows old.
const EXCEPTIONS: &[Exception] = &[
    Exception {
        name: "base64",
        why: "jsonwebtoken 11 stays on 0.22",
    },
    Exception {
        name: "bitflags",
        why: "jiff can speak to defmt, which stays on 1; that part is never built",
    },
    Exception {
        name: "block-buffer",
        why: "aws-config hashes cached sign-on tokens with sha1 0.10; signing is on sha2 0.11",
    },
    Exception {
        name: "cpufeatures",
        why: "aws-config hashes cached sign-on tokens with sha1 0.10; signing is on sha2 0.11",
    },
    Exception {
        name: "crypto-common",
        why: "aws-config hashes cached sign-on tokens with sha1 0.10; signing is on sha2 0.11",
    },
    Exception {
        name: "digest",
        why: "aws-config hashes cached sign-on tokens with sha1 0.10; signing is on sha2 0.11",
    },
    Exception {
        name: "embedded-io",
        why: "postcard can write to two versions of it; that part is never built",
    },
    Exception {
        name: "getrandom",
        why: "ring 0.17 stays on it; fjall's tempfile has moved on",
    },
    Exception {
        name: "hashbrown",
        why: "fjall's dashmap 6 stays on 0.14 while its quick_cache has moved on",
    },
    Exception {
        name: "rand_core",
        why: "jsonwebtoken's signature can draw chance with 0.6; that part is never built",
    },
    Exception {
        name: "syn",
        why: "serde_derive is on 3, fjall's enum_dispatch still on 2; build time only",
    },
    Exception {
        name: "windows-sys",
        why: "ring 0.17 stays on 0.52; not built on other systems",
    },
];

/// Checks the versions that the workspace is built with.
#[must_use]
pub fn check(metadata: &Metadata) -> Vec<Problem> {
    check_with(metadata, EXCEPTIONS)
}

fn check_with(metadata: &Metadata, exceptions: &[Exception]) -> Vec<Problem> {
    let duplicates = duplicates(metadata);
    let unexplained = duplicates
        .iter()
        .filter(|(name, _)| !exceptions.iter().any(|exception| exception.name == **name))
        .map(|(name, versions)| unexplained(name, versions));
    let outdated = exceptions
        .iter()
        .filter(|exception| !duplicates.contains_key(exception.name))
        .map(outdated);
    unexplained.chain(outdated).collect()
}

fn duplicates(metadata: &Metadata) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for id in Graph::of(metadata).reachable(&metadata.workspace_members) {
        if let Some(package) = metadata.package(id) {
            let known = versions.entry(&package.name).or_default();
            known.insert(&package.version);
        }
    }
    versions.retain(|_, versions| versions.len() > 1);
    versions
}

fn unexplained(name: &str, versions: &BTreeSet<&str>) -> Problem {
    let versions = versions.iter().copied().collect::<Vec<_>>().join(" and ");
    Problem::new(format!(
        "{name} is built in versions {versions}: bring them together (`cargo tree -d`), or add it to \
         EXCEPTIONS in tools/gate/src/duplicates.rs with the reason"
    ))
}

fn outdated(exception: &Exception) -> Problem {
    Problem::new(format!(
        "{} has one version now: remove it from EXCEPTIONS in tools/gate/src/duplicates.rs (it said: {})",
        exception.name, exception.why
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planted::{Planted, messages};

    const OLD_HASHER: &[Exception] = &[Exception {
        name: "hasher",
        why: "someone is slow",
    }];

    fn two_hashers() -> Planted {
        Planted::new()
            .member("crates/engine", &["hasher@1.0.0", "cache"])
            .outside("cache", "1.0.0", &["hasher@2.0.0"])
            .outside("hasher", "1.0.0", &[])
            .outside("hasher", "2.0.0", &[])
    }

    #[test]
    fn two_versions_fail_unless_explained() {
        let metadata = two_hashers().metadata();
        let problems = messages(&check_with(&metadata, &[]));
        assert!(problems.contains("hasher is built in versions 1.0.0 and 2.0.0"));
        assert_eq!(check_with(&metadata, OLD_HASHER), []);
    }

    #[test]
    fn an_explanation_without_duplicate_fails() {
        let metadata = Planted::new().member("crates/engine", &[]).metadata();
        let problems = messages(&check_with(&metadata, OLD_HASHER));
        assert!(problems.contains("hasher has one version now"));
        assert!(problems.contains("someone is slow"));
    }

    #[test]
    fn versions_only_used_in_tests_are_not_counted() {
        let metadata = Planted::new()
            .member("crates/engine", &["hasher@1.0.0"])
            .dev_dependency("engine", "hasher@2.0.0")
            .outside("hasher", "1.0.0", &[])
            .outside("hasher", "2.0.0", &[])
            .metadata();
        assert_eq!(check_with(&metadata, &[]), []);
    }
}
