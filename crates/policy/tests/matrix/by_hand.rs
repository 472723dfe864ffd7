//! What was written down by hand.

use crate::table::{Outcome, expectations, requests};
use crate::{facts, judge, naive};
use monotable_api::OperationName;
use std::collections::BTreeSet;

#[test]
fn every_operation_has_a_request() {
    let requests = requests();
    let tested: BTreeSet<_> = requests.values().map(|case| case.operation).collect();
    let all: BTreeSet<_> = OperationName::ALL
        .iter()
        .map(|name| name.as_str())
        .collect();
    assert_eq!(tested, all);
}

#[test]
fn facts_are_those_of_the_documentation() {
    for (name, case) in requests() {
        let expected = facts::facts(case.operation, case.body);
        let found = judge::accesses(case.operation, case.body);
        assert_eq!(found.len(), expected.len(), "{name}");
        for (found, expected) in found.iter().zip(expected) {
            assert_eq!(
                (found.action, &found.resource),
                (expected.action.as_str(), &expected.resource),
                "{name}"
            );
            let key = |key: &str| expected.keys.get(key).cloned().unwrap_or_default();
            let one =
                |value: Option<&str>| value.map(str::to_owned).into_iter().collect::<Vec<_>>();
            let mut leading = found.partitions.first().cloned().unwrap_or_default();
            leading.sort();
            assert_eq!(leading, key("dynamodb:leadingkeys"), "{name}");
            let attributes: Vec<_> = found.attributes.iter().cloned().collect();
            assert_eq!(attributes, key("dynamodb:attributes"), "{name}");
            assert_eq!(one(found.select), key("dynamodb:select"), "{name}");
            assert_eq!(
                one(found.return_values),
                key("dynamodb:returnvalues"),
                "{name}"
            );
            assert_eq!(
                one(found.return_consumed_capacity),
                key("dynamodb:returnconsumedcapacity"),
                "{name}"
            );
            assert_eq!(
                one(found.enclosing_operation),
                key("dynamodb:enclosingoperation"),
                "{name}"
            );
            let full = found.full_table_scan.map(|full| full.to_string());
            assert_eq!(
                one(full.as_deref()),
                key("dynamodb:fulltablescan"),
                "{name}"
            );
        }
    }
}

#[test]
fn requests_are_judged_as_written_down() {
    let requests = requests();
    let (mut wrong, mut cases, mut named) = (Vec::new(), 0, 0);
    for expectation in expectations() {
        let identity = judge::identity(&expectation.policy);
        for (name, expected) in &expectation.outcomes {
            let case = &requests[name];
            let accesses = judge::accesses(case.operation, case.body);
            let found = judge::outcome(&identity, &accesses);
            let plain = naive::outcome(
                &expectation.policy,
                &facts::facts(case.operation, case.body),
            );
            if (found, plain) != (*expected, *expected) {
                wrong.push(format!(
                    "{} {name}: expected {expected:?}, naive {plain:?}, crate {found:?}",
                    expectation.name
                ));
            }
            cases += 1;
            named += usize::from(*expected != Outcome::NotAllowed);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        cases >= 7000 && named >= 1000,
        "{cases} cases, {named} of them allowed or denied"
    );
}
