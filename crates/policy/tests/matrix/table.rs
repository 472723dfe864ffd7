//! The tables of requests and policies.

use std::collections::BTreeMap;

/// What becomes of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Allowed,
    /// By a statement.
    Denied,
    /// No statement allows it.
    NotAllowed,
}

pub(crate) struct Case {
    pub(crate) operation: &'static str,
    pub(crate) body: &'static str,
}

/// The requests by name.
pub(crate) fn requests() -> BTreeMap<&'static str, Case> {
    let lines = include_str!("requests.txt").lines();
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut requests = BTreeMap::new();
    for line in lines {
        let (name, rest) = line.split_once(' ').unwrap();
        let (operation, body) = rest.trim().split_once(' ').unwrap();
        let known = requests.insert(name, Case { operation, body });
        assert!(known.is_none(), "two requests are called {name}");
    }
    requests
}

pub(crate) struct Expectation {
    pub(crate) name: &'static str,
    /// The document.
    pub(crate) policy: String,
    /// By request.
    pub(crate) outcomes: BTreeMap<&'static str, Outcome>,
}

/// The policies, with what becomes of every request.
pub(crate) fn expectations() -> Vec<Expectation> {
    let text = include_str!("policies.txt");
    let requests: Vec<_> = requests().into_keys().collect();
    let blocks = text.split("\npolicy ").skip(1);
    blocks.map(|block| expectation(block, &requests)).collect()
}

fn expectation(block: &'static str, requests: &[&'static str]) -> Expectation {
    let mut lines = block.lines();
    let name = lines.next().unwrap();
    let (mut statements, mut allowed, mut denied) = (Vec::new(), Vec::new(), Vec::new());
    for line in lines {
        match line.split_once(' ').unwrap_or((line, "")) {
            ("allow", names) => allowed.extend(names.split_whitespace()),
            ("deny", names) => denied.extend(names.split_whitespace()),
            ("", statement) if !statement.is_empty() => statements.push(statement.trim()),
            _ => assert!(line.is_empty() || line.starts_with('#'), "{name}: {line}"),
        }
    }
    let (allowed, denied) = (
        named(name, &allowed, requests),
        named(name, &denied, requests),
    );
    let outcomes = requests.iter().map(|request| {
        let outcome = match (allowed.contains(request), denied.contains(request)) {
            (true, false) => Outcome::Allowed,
            (false, true) => Outcome::Denied,
            (false, false) => Outcome::NotAllowed,
            (true, true) => panic!("{name}: {request} is allowed and denied"),
        };
        (*request, outcome)
    });
    Expectation {
        name,
        policy: format!(
            r#"{{"Version": "2012-10-17", "Statement": [{}]}}"#,
            statements.join(", ")
        ),
        outcomes: outcomes.collect(),
    }
}

fn named(policy: &str, names: &[&str], requests: &[&'static str]) -> Vec<&'static str> {
    let matching = |pattern: &str| -> Vec<&'static str> {
        let found: Vec<_> = match pattern.strip_suffix('*') {
            Some(start) => requests
                .iter()
                .filter(|name| name.starts_with(start))
                .copied()
                .collect(),
            None => requests
                .iter()
                .filter(|name| **name == pattern)
                .copied()
                .collect(),
        };
        assert!(
            !found.is_empty(),
            "{policy}: no request is called {pattern}"
        );
        found
    };
    let mut included = Vec::new();
    for name in names.iter().filter(|name| !name.starts_with('-')) {
        included.extend(matching(name));
    }
    for name in names.iter().filter_map(|name| name.strip_prefix('-')) {
        let excluded = matching(name);
        included.retain(|name| !excluded.contains(name));
    }
    included
}
