//! Things that relate two rows.

use crate::mechanism::State::{First, Second};
use crate::path::{Path, calls, scene};
use monotable_store::{AnyOperation, Attach, Create, Delete, Detach};

fn attached(operation: AnyOperation) -> AnyOperation {
    match operation {
        AnyOperation::Create(Create { entity, values }) => {
            AnyOperation::Attach(Attach { entity, values })
        }
        AnyOperation::Delete(Delete { entity, key }) => {
            AnyOperation::Detach(Detach { entity, key })
        }
        other => other,
    }
}

pub(crate) const ATTACH: Path = Path {
    name: "attach",
    begin: |case| scene(case, &[(2, Second)]),
    act: |case| calls([attached(case.create(1, First))]),
    same: |case| {
        let mut steps = scene(case, &[(2, Second)]);
        steps.extend(calls([case.create(1, First)]));
        steps
    },
    standing: &[(1, First), (2, Second)],
    versions: Some(0),
    notes: Some(1),
    ..Path::NONE
};

pub(crate) const DETACH: Path = Path {
    name: "detach",
    begin: |case| scene(case, &[(1, First), (2, Second)]),
    act: |case| calls([attached(case.delete(1))]),
    same: |case| scene(case, &[(2, Second)]),
    standing: &[(2, Second)],
    versions: Some(1),
    notes: Some(1),
    ..Path::NONE
};
