//! The modules of the store stand in one order, and each uses only those above it.
//!
//! The order is what a reader can rely on: what stands above can be understood without what stands below. Uses that
//! point downwards today are listed as exceptions; an exception that nothing needs any more fails, so the list only
//! gets shorter.

use std::collections::{BTreeMap, BTreeSet};

use crate::metadata::Metadata;
use crate::problem::Problem;
use crate::sources::Sources;
use crate::uses::{Use, list_reexports, list_uses};

/// One crate whose modules have an order.
pub(crate) struct Order<'a> {
    /// Its top-level modules; each may use those before it.
    pub(crate) modules: &'a [&'a str],
    /// Uses that point downwards all the same: who uses whom.
    pub(crate) exceptions: &'a [(&'a str, &'a str)],
}

const STORE: Order<'_> = Order {
    modules: &[
        "boxed_future",
        "host",
        "declaration",
        "field_error",
        "entropy",
        "clock",
        "ids",
        "graph",
        "mark",
        "circumstances",
        "secret",
        "value",
        "wire",
        "secrets",
        "template",
        "address",
        "mention",
        "record",
        "profile",
        "allowed",
        "row",
        "operation",
        "error",
        "interrupt",
        "attempt",
        "runtime",
        "change_log",
        "scope",
        "assignment",
        "spread",
        "verify",
        "request",
        "isolation",
        "sent",
        "sending",
        "errands",
        "execute",
        "steps",
        "draft",
        "reader",
        "hashing",
        "writer",
        "store_item",
        "caller",
        "guard",
        "pattern",
        "find",
        "rights",
        "read",
        "token",
        "change",
        "mechanism",
        "pipeline",
        "write",
        "repository",
        "replay",
        "operate",
        "run",
        "explain",
        "trace",
        "store",
        "driver",
        "whole",
        "typed",
    ],
    exceptions: &[],
};

/// The folder of the store's sources.
pub(crate) const STORE_SOURCES: &str = "crates/store/src";

/// Checks the sources of the workspace.
#[must_use]
pub fn check(metadata: &Metadata) -> Vec<Problem> {
    match Sources::read(&metadata.workspace_root, STORE_SOURCES) {
        Ok(sources) => check_order(&sources, &STORE),
        Err(problem) => vec![problem],
    }
}

pub(crate) fn check_order(sources: &Sources, order: &Order<'_>) -> Vec<Problem> {
    let mut problems = missing_modules(sources, order);
    let reexports = sources
        .files
        .iter()
        .find(|file| file.module.is_empty())
        .map(list_reexports)
        .unwrap_or_default();
    let mut needed = BTreeSet::new();
    let mut downward: BTreeMap<(String, String), Use> = BTreeMap::new();
    for found in list_uses(sources) {
        match target(&found, sources, &reexports) {
            Some(to) if points_upwards(order, &found.from, &to) => {}
            Some(to)
                if order
                    .exceptions
                    .contains(&(found.from.as_str(), to.as_str())) =>
            {
                needed.insert((found.from, to));
            }
            Some(to) => {
                downward.entry((found.from.clone(), to)).or_insert(found);
            }
            None => problems.push(unresolved(sources, &found)),
        }
    }
    let wrong = downward.iter();
    problems.extend(wrong.map(|((from, to), found)| points_downwards(sources, from, to, found)));
    problems.extend(useless_exceptions(order, &needed));
    problems
}

/// The top-level module that a path leads to.
fn target(found: &Use, sources: &Sources, reexports: &BTreeMap<String, String>) -> Option<String> {
    let first = found.path.first()?;
    if sources.modules().contains(&first.as_str()) {
        return Some(first.clone());
    }
    reexports.get(first).cloned()
}

/// Modules that are not listed are a problem of their own.
fn points_upwards(order: &Order<'_>, from: &str, to: &str) -> bool {
    let place = |name: &str| order.modules.iter().position(|module| *module == name);
    match (place(from), place(to)) {
        (Some(from), Some(to)) => to <= from,
        _ => true,
    }
}

fn missing_modules(sources: &Sources, order: &Order<'_>) -> Vec<Problem> {
    let there = sources.modules();
    let folder = &sources.folder;
    let unlisted = there.iter().filter(|name| !order.modules.contains(name));
    let unlisted = unlisted.map(|name| {
        Problem::new(format!(
            "{folder}/{name}.rs is not in the order of modules: add it to tools/gate/src/modules.rs below \
             all modules that it uses"
        ))
    });
    let gone = order.modules.iter().filter(|name| !there.contains(name));
    let gone = gone.map(|name| {
        Problem::new(format!(
            "{folder} has no module {name} any more: remove it from the order in tools/gate/src/modules.rs"
        ))
    });
    unlisted.chain(gone).collect()
}

fn points_downwards(sources: &Sources, from: &str, to: &str, found: &Use) -> Problem {
    Problem::new(format!(
        "{}/{}:{} uses crate::{}, but {from} stands above {to} in the order of modules: move what \
         is shared into a module above both, or pass it in from below",
        sources.folder,
        found.file,
        found.line,
        found.path.join("::"),
    ))
}

fn unresolved(sources: &Sources, found: &Use) -> Problem {
    let path = match found.path.as_slice() {
        [] => "*".to_owned(),
        path => path.join("::"),
    };
    Problem::new(format!(
        "{}/{}:{} uses crate::{path}, which is in no module that the root names: write the path of its module",
        sources.folder, found.file, found.line
    ))
}

fn useless_exceptions(order: &Order<'_>, needed: &BTreeSet<(String, String)>) -> Vec<Problem> {
    let useless = order
        .exceptions
        .iter()
        .filter(|(from, to)| !needed.contains(&((*from).to_owned(), (*to).to_owned())));
    useless
        .map(|(from, to)| {
            Problem::new(format!(
                "{from} uses no {to} against the order of modules any more: remove the exception from \
                 tools/gate/src/modules.rs"
            ))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planted::{messages, plant_sources};

    const ORDER: Order<'_> = Order {
        modules: &["error", "draft", "write"],
        exceptions: &[],
    };

    const ROOT: &str = "mod error; mod draft; mod write; pub use write::{Claim as Guard};";

    /// What is wrong with a crate whose `draft.rs` is `text`.
    fn with_draft(text: &str) -> String {
        let files = [
            ("lib.rs", ROOT),
            ("error.rs", "pub struct Error;"),
            ("draft.rs", text),
            ("write.rs", "use crate::{draft::Draft, error::Error};"),
            (
                "write/claims.rs",
                "use super::super::error; fn f() { crate::draft::g() }",
            ),
        ];
        messages(&check_order(&plant_sources(&files), &ORDER))
    }

    fn with_exception(text: &str) -> String {
        let files = [
            ("lib.rs", ROOT),
            ("error.rs", ""),
            ("draft.rs", text),
            ("write.rs", ""),
        ];
        let order = Order {
            exceptions: &[("draft", "write")],
            ..ORDER
        };
        messages(&check_order(&plant_sources(&files), &order))
    }

    #[test]
    fn uses_of_modules_above_pass() {
        assert_eq!(with_draft("use crate::error::Error; use std::fmt;"), "");
    }

    #[test]
    fn a_use_that_points_downwards_fails_and_says_where() {
        let problems = with_draft("\nuse crate::write::claims;");
        assert!(problems.contains("planted/draft.rs:2 uses crate::write::claims"));
        assert!(problems.contains("draft stands above write"));
    }

    #[test]
    fn it_is_found_in_groups_expressions_macros_and_behind_super() {
        for text in [
            "use crate::{error::Error, write::{self, claims}};",
            "use crate::{error::{Error, Kind}, write as other};",
            "use super::write::claims;",
            "fn f() -> u8 { g(&[crate::write::X]) }",
            "fn f() { assert!(matches!(g(), crate::write::X { .. })); }",
            "fn f(x: Option<crate::write::X>) {}",
            "mod inner { use super::super::write::X; }",
            "pub use crate::write::*;",
        ] {
            let problems = with_draft(text);
            assert!(
                problems.contains("draft stands above write"),
                "{text}: {problems}"
            );
        }
    }

    #[test]
    fn what_the_root_says_again_is_of_its_module() {
        let problems = with_draft("use crate::Guard;");
        assert!(problems.contains("draft stands above write"));
        let problems = with_draft("use crate::Stranger;");
        assert!(problems.contains("in no module that the root names"));
    }

    #[test]
    fn comments_texts_and_tests_do_not_count() {
        for text in [
            "// use crate::write::X;",
            "/* crate::write::X /* crate::write */ */",
            "/// [`crate::write::X`]\nstruct S;",
            "const S: &str = \"crate::write::X\"; const R: &str = r#\"\"crate::write\"\"#;",
            "pub(crate) fn write() { self::write(); }",
            "#[cfg(test)] mod tests { use crate::write::X; }",
        ] {
            assert_eq!(with_draft(text), "", "{text}");
        }
    }

    #[test]
    fn a_module_that_is_not_listed_fails() {
        let files = [
            ("lib.rs", ""),
            ("error.rs", ""),
            ("draft.rs", ""),
            ("write.rs", ""),
            ("extra.rs", ""),
        ];
        let problems = messages(&check_order(&plant_sources(&files), &ORDER));
        assert!(problems.contains("planted/extra.rs is not in the order of modules"));
    }

    #[test]
    fn a_listed_module_that_is_gone_fails() {
        let files = [("lib.rs", ""), ("error.rs", ""), ("draft/action.rs", "")];
        let problems = messages(&check_order(&plant_sources(&files), &ORDER));
        assert!(problems.contains("planted has no module write any more"));
        assert!(!problems.contains("module draft"));
    }

    #[test]
    fn an_exception_passes_until_nothing_needs_it() {
        assert_eq!(with_exception("use crate::write::X;"), "");
        let problems = with_exception("use crate::error::Error;");
        assert!(problems.contains("draft uses no write against the order of modules any more"));
    }
}
