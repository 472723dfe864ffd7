//! Two versions of a model compared: one file for each kind of difference.

mod attributes;
mod claims;
mod derived;
mod discriminators;
mod entities;
mod groups;
mod keys;
mod kinds;
mod layouts;
mod moves;
mod patterns;
mod presence;
mod references;
mod rules;
mod storage;
mod tables;
mod tenants;

use crate::difference::{Difference, DifferenceKind, Finding, Work};
use crate::example::Examples;
use crate::pairs::{Pair, Pairs};
use crate::renames::Renames;
use monotable_model::model::Model;

/// What differs between two versions of a model, in the order of the new one's parts.
#[must_use]
pub fn compare(old: &Model, new: &Model) -> Vec<Difference> {
    let comparison = Comparison {
        old,
        new,
        pairs: Pairs::new(old, new),
    };
    let mut found = Found::default();
    tables::compare(&comparison, &mut found);
    tenants::compare(&comparison, &mut found);
    entities::compare(&comparison, &mut found);
    for pair in &comparison.pairs.pairs {
        let pair = PairComparison::new(&comparison, *pair);
        discriminators::compare(&pair, &mut found);
        keys::compare(&pair, &mut found);
        attributes::compare(&pair, &mut found);
        references::compare(&pair, &mut found);
        claims::compare(&pair, &mut found);
        rules::compare_entity(&pair, &mut found);
    }
    derived::compare(&comparison, &mut found);
    rules::compare(&comparison, &mut found);
    patterns::compare(&comparison, &mut found);
    found.refuse_history(new);
    found.differences
}

/// The layouts of the new version that are the keys of the old one; empty if no key has changed, or one that has has none.
pub(crate) fn find_old_layouts(old: &Model, new: &Model) -> Vec<String> {
    let comparison = Comparison {
        old,
        new,
        pairs: Pairs::new(old, new),
    };
    let mut names = Vec::new();
    for pair in &comparison.pairs.pairs {
        match layouts::list_old_layouts(&PairComparison::new(&comparison, *pair)) {
            Some(found) => names.extend(found),
            None => return Vec::new(),
        }
    }
    names.sort();
    names.dedup();
    names
}

/// The patterns of the new version that do not find rows under the keys of the old one.
pub(crate) fn find_gaps(old: &Model, new: &Model) -> Vec<String> {
    let comparison = Comparison {
        old,
        new,
        pairs: Pairs::new(old, new),
    };
    let pairs = comparison.pairs.pairs.iter();
    let mut gaps: Vec<String> = pairs
        .flat_map(|pair| layouts::list_gaps(&PairComparison::new(&comparison, *pair)))
        .collect();
    gaps.sort();
    gaps.dedup();
    gaps
}

/// Both versions.
struct Comparison<'m> {
    old: &'m Model,
    new: &'m Model,
    pairs: Pairs<'m>,
}

/// Two entities with the same rows.
struct PairComparison<'c, 'm> {
    whole: &'c Comparison<'m>,
    pair: Pair<'m>,
    attributes: Renames<'m>,
    old_rows: Examples<'m>,
    new_rows: Examples<'m>,
}

impl<'c, 'm> PairComparison<'c, 'm> {
    fn new(whole: &'c Comparison<'m>, pair: Pair<'m>) -> Self {
        Self {
            whole,
            pair,
            attributes: Renames::new(pair),
            old_rows: Examples::new(whole.old),
            new_rows: Examples::new(whole.new),
        }
    }

    /// The entity as the new version calls it.
    fn name(&self) -> &'m str {
        &self.pair.new.name.value
    }
}

/// What was found so far.
#[derive(Default)]
struct Found {
    differences: Vec<Difference>,
}

impl Found {
    fn add(
        &mut self,
        kind: DifferenceKind,
        subject: impl Into<String>,
        what: impl Into<String>,
        stored_rows: Finding,
        old_programs: Finding,
    ) {
        self.differences.push(Difference {
            subject: subject.into(),
            kind,
            what: what.into(),
            stored_rows,
            old_programs,
        });
    }

    /// Rows of revisions never change, so a difference that needs them to be written anew is not possible.
    fn refuse_history(&mut self, new: &Model) {
        let keeps_history = |name: &String| {
            new.entity_named(name)
                .is_some_and(|(id, _)| new.keeps_history(id))
        };
        for difference in &mut self.differences {
            if let Finding::Backfill {
                work: Work::Rows,
                rows,
                ..
            } = &difference.stored_rows
                && let Some(name) = rows.iter().find(|name| keeps_history(name))
                && let Some((id, _)) = new.entity_named(name)
            {
                let row = Examples::new(new).row(id);
                let what =
                    "it is part of a revision, which never changes: a backfill leaves it as it is";
                let counterexample = crate::example::fails(row, "the backfill", what);
                let remedy = "declare what older revisions have: `?`, `alias` or a layout, and leave the rows as they are";
                difference.stored_rows = Finding::breaks(counterexample, remedy);
            }
        }
    }
}

/// Two values that are said alike, whatever their places in the files.
fn is_same<T: serde::Serialize>(a: &T, b: &T) -> bool {
    match (serde_json::to_value(a), serde_json::to_value(b)) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}
