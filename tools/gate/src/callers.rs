//! Functions that one file alone may call.
//!
//! Some functions are doors: whoever calls them has promised something that the compiler cannot check. A rule here
//! names such a function and the one file that makes the promise. To be found by its name alone, the function must be
//! the only one of its name in the crate; every mention outside the file counts, whether it calls, imports or passes it.

use proc_macro2::{TokenStream, TokenTree};

use crate::metadata::Metadata;
use crate::modules::STORE_SOURCES;
use crate::problem::Problem;
use crate::sources::Sources;

/// A function, and the file that may call it.
pub(crate) struct OnlyCaller<'a> {
    /// As it would be called: `Allowed::by_gate`.
    pub(crate) function: &'a str,
    /// Below the folder of sources: `rights/gate.rs`.
    pub(crate) file: &'a str,
}

/// The rules of the store.
const STORE: &[OnlyCaller<'_>] = &[
    // Rows leave the store only if the gate for rights has let them through.
    OnlyCaller {
        function: "Allowed::by_gate",
        file: "rights/gate.rs",
    },
];

/// Checks the sources of the workspace.
#[must_use]
pub fn check(metadata: &Metadata) -> Vec<Problem> {
    match Sources::read(&metadata.workspace_root, STORE_SOURCES) {
        Ok(sources) => check_callers(&sources, STORE),
        Err(problem) => vec![problem],
    }
}

pub(crate) fn check_callers(sources: &Sources, rules: &[OnlyCaller<'_>]) -> Vec<Problem> {
    rules
        .iter()
        .flat_map(|rule| check_rule(sources, rule))
        .collect()
}

fn check_rule(sources: &Sources, rule: &OnlyCaller<'_>) -> Vec<Problem> {
    let name = rule.function.rsplit("::").next().unwrap_or(rule.function);
    let mut definitions = 0;
    let mut called = false;
    let mut problems = Vec::new();
    for source in &sources.files {
        let mut mentions = Mentions::default();
        mentions.collect(&source.tokens, name);
        definitions += mentions.definitions;
        match mentions.lines.first() {
            Some(_) if source.path == rule.file => called = true,
            Some(line) => problems.push(foreign_caller(sources, rule, &source.path, *line)),
            None => {}
        }
    }
    if definitions != 1 {
        problems.push(not_one_definition(sources, rule, name, definitions));
    }
    if !called {
        problems.push(uncalled(sources, rule));
    }
    problems
}

/// Where a file mentions a name, but for definitions of it.
#[derive(Default)]
struct Mentions {
    definitions: usize,
    lines: Vec<usize>,
}

impl Mentions {
    fn collect(&mut self, tokens: &[TokenTree], name: &str) {
        let mut defines = false;
        for token in tokens {
            match token {
                TokenTree::Ident(word) if word == name && defines => self.definitions += 1,
                TokenTree::Ident(word) if word == name => {
                    self.lines.push(word.span().start().line);
                }
                TokenTree::Group(group) => self.collect_stream(group.stream(), name),
                _ => {}
            }
            defines = matches!(token, TokenTree::Ident(word) if word == "fn");
        }
    }

    fn collect_stream(&mut self, stream: TokenStream, name: &str) {
        let tokens: Vec<_> = stream.into_iter().collect();
        self.collect(&tokens, name);
    }
}

fn foreign_caller(sources: &Sources, rule: &OnlyCaller<'_>, file: &str, line: usize) -> Problem {
    Problem::new(format!(
        "{}/{file}:{line} uses {}, which only {} may call: go through that file, or change the rule in \
         tools/gate/src/callers.rs and say why",
        sources.folder, rule.function, rule.file
    ))
}

fn not_one_definition(
    sources: &Sources,
    rule: &OnlyCaller<'_>,
    name: &str,
    definitions: usize,
) -> Problem {
    Problem::new(format!(
        "{} has {definitions} functions called {name}, but {} is found by its name: it must be the only one \
         (tools/gate/src/callers.rs)",
        sources.folder, rule.function
    ))
}

fn uncalled(sources: &Sources, rule: &OnlyCaller<'_>) -> Problem {
    Problem::new(format!(
        "{}/{} does not call {}: correct or remove the rule in tools/gate/src/callers.rs",
        sources.folder, rule.file, rule.function
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planted::{messages, plant_sources};

    const RULES: &[OnlyCaller<'_>] = &[OnlyCaller {
        function: "Allowed::by_gate",
        file: "rights/gate.rs",
    }];

    const DEFINITION: &str =
        "impl Allowed { pub(crate) fn by_gate(row: Row) -> Self { Self(row) } }";

    fn with_query(text: &str) -> String {
        let files = [
            ("allowed.rs", DEFINITION),
            ("rights/gate.rs", "fn ask() { Allowed::by_gate(row) }"),
            ("query.rs", text),
        ];
        messages(&check_callers(&plant_sources(&files), RULES))
    }

    #[test]
    fn the_one_file_may_call() {
        assert_eq!(
            with_query("// Allowed::by_gate\nfn f() { g(\"by_gate\") }"),
            ""
        );
    }

    #[test]
    fn another_file_fails_however_it_mentions_the_function() {
        for text in [
            "fn f() { Allowed::by_gate(row) }",
            "use crate::allowed::Allowed as A; fn f() { A::by_gate(row) }",
            "fn f() { rows.map(crate::allowed::Allowed::by_gate) }",
            "fn f() { vec![Allowed::by_gate(row)] }",
        ] {
            let problems = with_query(text);
            assert!(
                problems.contains("planted/query.rs:1 uses Allowed::by_gate"),
                "{text}"
            );
        }
    }

    #[test]
    fn a_second_function_of_the_name_fails() {
        let problems = with_query("fn by_gate() {}");
        assert!(problems.contains("has 2 functions called by_gate"));
    }

    #[test]
    fn a_rule_that_nothing_follows_any_more_fails() {
        let files = [("allowed.rs", DEFINITION), ("rights/gate.rs", "")];
        let problems = messages(&check_callers(&plant_sources(&files), RULES));
        assert!(problems.contains("planted/rights/gate.rs does not call Allowed::by_gate"));
    }
}
