//! All operations, and the gaps that are known.

use crate::description::{Description, Operation};
use crate::difference::Difference;
use crate::gaps::Gap;
use crate::place::Place;
use crate::{input, output};
use monotable_api::{Error, OperationName};
use std::collections::BTreeSet;

/// Everything that differs. Items and streams are two services with a description each.
pub fn compare(descriptions: &[Description]) -> BTreeSet<Difference> {
    let mut found = operations(descriptions);
    for (operation, description) in OperationName::ALL
        .iter()
        .flat_map(|operation| descriptions.iter().map(move |service| (operation, service)))
    {
        if let Some(described) = description.operations.get(operation.as_str()) {
            if let Some(request) = &described.input {
                let request = Place::root(description, &request.shape);
                found.extend(input::differences(*operation, &request));
            }
            if let Some(answer) = &described.output {
                let answer = Place::root(description, &answer.shape);
                found.extend(output::differences(*operation, &answer));
            }
            found.extend(exceptions(described));
        }
    }
    found
}

/// Everything that differs and is no known gap, and every gap that is none any more.
pub fn compare_with_gaps(descriptions: &[Description], gaps: &[Gap]) -> BTreeSet<Difference> {
    let found = compare(descriptions);
    let is_known = |difference: &Difference| gaps.iter().any(|gap| gap.covers(difference));
    let unknown = found.iter().filter(|difference| !is_known(difference));
    let outdated = gaps
        .iter()
        .filter(|gap| !found.iter().any(|difference| gap.covers(difference)));
    let outdated = outdated.map(|gap| {
        let what = format!(
            "no longer differs ('{}'): remove it from tools/shapes/src/gaps.rs",
            gap.what
        );
        Difference::new(gap.place, what)
    });
    unknown.cloned().chain(outdated).collect()
}

fn operations(descriptions: &[Description]) -> BTreeSet<Difference> {
    let ours: BTreeSet<&str> = OperationName::ALL
        .iter()
        .map(|name| name.as_str())
        .collect();
    let theirs: BTreeSet<&str> = descriptions
        .iter()
        .flat_map(|description| description.operations.keys().map(String::as_str))
        .collect();
    let lacking = theirs.difference(&ours);
    let lacking = lacking.map(|name| Difference::new(*name, "is not among our operations"));
    let surplus = ours.difference(&theirs);
    let surplus = surplus.map(|name| Difference::new(*name, "is not described"));
    lacking.chain(surplus).collect()
}

/// Every exception that an operation may answer with must be one that a client here can tell.
fn exceptions(described: &Operation) -> BTreeSet<Difference> {
    let unknown = described.errors.iter().filter(|error| {
        let body = format!(
            r#"{{"__type":"com.amazonaws.dynamodb.v20120810#{}"}}"#,
            error.shape
        );
        Error::from_body(400, body.as_bytes()).code() != error.shape
    });
    unknown
        .map(|error| Difference::new(&*error.shape, "is an exception we do not know"))
        .collect()
}
