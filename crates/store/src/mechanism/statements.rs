//! What all mechanisms together state of stored rows, and how what they state is judged.

use super::claims::verify::GuardShapes;
use super::collections::verify::Ownership;
use super::history::verify::ReadIntent;
use super::references::verify::Lookups;
use super::{
    checks, claims, collections, counters, derived, each, history, keys, numbers, paths,
    references, relations, singles, tombstones, values,
};
use crate::address::Address;
use crate::scope::Scope;
use crate::verify::{FactSink, Findings, StatedRow, Subject, Topic, judge_rows};
use monotable_item::Item;
use monotable_model::model::Model;

/// What the mechanisms know of a model to state facts about its rows.
#[derive(Debug)]
pub(crate) struct Statements {
    guards: GuardShapes,
    lookups: Lookups,
    ownership: Ownership,
    read_intent: ReadIntent,
}

impl Statements {
    pub(crate) fn new(model: &Model, read_intent: ReadIntent) -> Self {
        Self {
            guards: GuardShapes::new(model),
            lookups: Lookups::new(model),
            ownership: Ownership::new(model),
            read_intent,
        }
    }

    /// States everything that a row says. True: it also guards a value.
    pub(crate) fn state(
        &self,
        row: &StatedRow<'_>,
        scope: &Scope,
        facts: &mut dyn FactSink,
    ) -> bool {
        values::verify::state(row, scope, facts);
        keys::verify::state(row, scope, facts);
        numbers::verify::state(row, scope, facts);
        references::verify::state(row, scope, &self.lookups, facts);
        relations::verify::state(row, scope, facts);
        counters::verify::state(row, scope, facts);
        each::verify::state(row, scope, facts);
        derived::verify::state(row, scope, facts);
        paths::verify::state(row, scope, facts);
        checks::verify::state(row, scope, facts);
        collections::verify::state(row, scope, &self.ownership, facts);
        tombstones::verify::state(row, scope, facts);
        history::verify::state(row, scope, self.read_intent, facts);
        singles::verify::state(row, scope, facts);
        claims::verify::state(row, scope, &self.guards, facts)
    }

    /// States what an item says that is no row of an entity. True: it guards a value.
    pub(crate) fn state_item(
        &self,
        address: &Address,
        item: &Item,
        scope: &Scope,
        facts: &mut dyn FactSink,
    ) -> bool {
        claims::verify::state_item(address, item, scope, &self.guards, facts)
    }

    pub(crate) const fn guards(&self) -> &GuardShapes {
        &self.guards
    }
}

/// Judges what all rows say about one subject.
pub(crate) fn judge(subject: &mut Subject<'_>, findings: &mut Findings<'_>) {
    match subject.key().topic {
        Topic::Values | Topic::Keys | Topic::Tombstones => judge_rows(subject, findings),
        Topic::Numbers => numbers::verify::judge(subject, findings),
        Topic::Claims => claims::verify::judge(subject, findings),
        Topic::References => references::verify::judge(subject, findings),
        Topic::Relations => relations::verify::judge(subject, findings),
        Topic::Counters => counters::verify::judge(subject, findings),
        Topic::Each => each::verify::judge(subject, findings),
        Topic::Derived => derived::verify::judge(subject, findings),
        Topic::Paths => paths::verify::judge(subject, findings),
        Topic::Checks => checks::verify::judge(subject, findings),
        Topic::Collections => collections::verify::judge(subject, findings),
        Topic::History => history::verify::judge(subject, findings),
        Topic::Singles => singles::verify::judge(subject, findings),
    }
}
