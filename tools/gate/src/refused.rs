//! No crate that nobody maintains any more.
//!
//! An advisory database would know more, but needs the network; these are the ones that people still
//! reach for.

use crate::metadata::Metadata;
use crate::problem::Problem;

struct Refused {
    name: &'static str,
    instead: &'static str,
}

const fn refused(name: &'static str, instead: &'static str) -> Refused {
    Refused { name, instead }
}

const REFUSED: &[Refused] = &[
    refused("adler", "adler2"),
    refused("ansi_term", "anstyle"),
    refused("async-std", "tokio, in the crates that may do IO"),
    refused("atty", "std::io::IsTerminal"),
    refused("backoff", "a bounded retry of our own"),
    refused(
        "bincode",
        "an encoding of our own, since stored bytes outlive crates",
    ),
    refused("derivative", "a hand-written implementation"),
    refused("dotenv", "std::env"),
    refused("encoding", "encoding_rs"),
    refused("failure", "an error enum"),
    refused("fxhash", "rustc-hash"),
    refused("instant", "std::time::Instant"),
    refused("json5", "TOML or serde_json"),
    refused("mach", "mach2"),
    refused("memmap", "reading the file"),
    refused("net2", "socket2"),
    refused("number_prefix", "a function of our own"),
    refused("paste", "a macro that takes both names, or pastey"),
    refused("proc-macro-error", "syn::Error"),
    refused("rustc-serialize", "serde"),
    refused("rustls-pemfile", "rustls-pki-types"),
    refused("serde_cbor", "ciborium"),
    refused("serde_yaml", "TOML"),
    refused("serde_yml", "TOML"),
    refused("sled", "fjall, behind the engine"),
    refused("structopt", "clap"),
    refused("tempdir", "tempfile"),
    refused("term", "anstyle"),
    refused("users", "uzers"),
    refused("wee_alloc", "the default allocator"),
    refused("yaml-rust", "TOML"),
];

/// Checks every package of the lock file, those of tests included.
#[must_use]
pub fn check(metadata: &Metadata) -> Vec<Problem> {
    let packages = metadata.packages.iter();
    let found = packages.filter_map(|package| {
        let refused = REFUSED.iter().find(|entry| entry.name == package.name)?;
        Some(Problem::new(format!(
            "{} {} is unmaintained and refused: use {} (`cargo tree -i {}` says who brings it)",
            package.name, package.version, refused.instead, package.name
        )))
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planted::{Planted, messages};

    #[test]
    fn a_refused_crate_fails_however_deep_it_sits() {
        let metadata = Planted::new()
            .member("crates/cli", &["config"])
            .outside("config", "1.0.0", &["serde_yaml"])
            .outside("serde_yaml", "0.9.34", &[])
            .metadata();
        let problems = messages(&check(&metadata));
        assert!(problems.contains("serde_yaml 0.9.34 is unmaintained and refused: use TOML"));
    }

    #[test]
    fn others_pass() {
        let metadata = Planted::new().outside("serde", "1.0.0", &[]).metadata();
        assert_eq!(check(&metadata), []);
    }
}
