//! The checker: what can be proved about a model, one rule in one file.
//!
//! Every rule looks at the whole model and reports what it finds, with a counterexample where there is one.
//! Findings that the model accepts are taken out at the end; an acceptance that nothing needed is an error.

mod acceptance;
mod ambiguous_key;
mod empty_key;
mod enforcement;
mod exposed_secret;
mod generated_key;
mod hot_partition;
mod index_attribute;
mod isolation;
mod key_order;
mod key_size;
mod left_behind;
mod missing_tenant;
mod mutable_key;
mod never_in_index;
mod never_set;
mod not_carried_out;
mod open_prefix;
mod reach;
mod refused_name;
mod reserved_key;
mod same_key;
mod satisfiable;
mod stranger;
mod subject;
mod transaction;
mod unguarded_claim;
mod witness;

pub(crate) use subject::{Condition, Subject};

use monotable_model::diagnostic::{Diagnostic, Findings};
use monotable_model::model::{AccessId, EntityId, Model};

/// Something that the rules found, and whom it concerns: who may accept it.
pub(crate) struct Finding {
    pub(crate) diagnostic: Diagnostic,
    pub(crate) owner: Owner,
}

/// Whose acceptance counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    Entity(EntityId),
    Access(AccessId),
    Model,
}

/// What the rules have found so far.
#[derive(Default)]
pub(crate) struct Report {
    findings: Vec<Finding>,
}

impl Report {
    pub(crate) fn entity(&mut self, id: EntityId, diagnostic: Diagnostic) {
        self.findings.push(Finding {
            diagnostic,
            owner: Owner::Entity(id),
        });
    }

    pub(crate) fn access(&mut self, id: AccessId, diagnostic: Diagnostic) {
        self.findings.push(Finding {
            diagnostic,
            owner: Owner::Access(id),
        });
    }

    pub(crate) fn model(&mut self, diagnostic: Diagnostic) {
        self.findings.push(Finding {
            diagnostic,
            owner: Owner::Model,
        });
    }
}

/// Proves what can be proved.
pub(crate) fn check(model: &Model, findings: &mut Findings) {
    let subject = Subject::new(model);
    let mut report = Report::default();
    let rules: &[fn(&Subject<'_>, &mut Report)] = &[
        satisfiable::check,
        stranger::check,
        open_prefix::check,
        unguarded_claim::check,
        never_in_index::check,
        key_order::check,
        ambiguous_key::check,
        mutable_key::check,
        hot_partition::check,
        missing_tenant::check,
        left_behind::check,
        enforcement::check,
        exposed_secret::check,
        same_key::check,
        empty_key::check,
        generated_key::check,
        key_size::check,
        index_attribute::check,
        transaction::check,
        isolation::check,
        reserved_key::check,
        never_set::check,
        refused_name::check,
        not_carried_out::check,
    ];
    for rule in rules {
        rule(&subject, &mut report);
    }
    acceptance::settle(model, report, findings);
}
