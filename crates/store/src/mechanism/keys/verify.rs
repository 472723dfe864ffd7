//! Whether a stored row stands where its values lead, in the table and in every index.

use crate::pattern::respell_key_times;
use crate::record::{self, show_value};
use crate::scope::Scope;
use crate::verify::{
    FactSink, LocalRemedy, NoteKind, StatedRow, Topic, ViolationKind, state_local,
};
use std::collections::BTreeSet;

/// States keys and discriminators that are not what the row gives, and old layouts.
pub(crate) fn state(row: &StatedRow<'_>, scope: &Scope, facts: &mut dyn FactSink) {
    if let Some(layout) = row.layout {
        let message = format!("it stands in the layout `{layout}`, which is read and not written");
        let remedy = LocalRemedy::None;
        state_local(facts, Topic::Keys, row, NoteKind::Layout, &message, remedy);
        return;
    }
    if respell_key_times(scope, &mut row.record.clone()) {
        let message = "a time in its key is spelled otherwise than the model writes it: `monotable adopt` writes it anew";
        let remedy = LocalRemedy::None;
        state_local(facts, Topic::Keys, row, NoteKind::Time, message, remedy);
    }
    let entity = scope.entity(row.record.entity);
    // A row that does not say whose it is cannot be written for anybody.
    let rewrite = if scope.model().keeps_history(row.record.entity) || !row.says_tenant {
        LocalRemedy::None
    } else {
        LocalRemedy::Rewrite
    };
    if let Ok(wanted) = scope.row_address(row.record)
        && wanted != *row.address
    {
        let message = format!("its values give the key {wanted}, and it stands elsewhere");
        let kind = ViolationKind::Keys;
        state_local(facts, Topic::Keys, row, kind, &message, LocalRemedy::None);
        return;
    }
    let missing = entity
        .is
        .iter()
        .find(|known| row.item.get(&known.attribute.value).is_none());
    if let Some(missing) = missing {
        let message = format!(
            "`{}` is missing, which tells it from other rows",
            missing.attribute.value
        );
        state_local(
            facts,
            Topic::Keys,
            row,
            ViolationKind::Keys,
            &message,
            rewrite,
        );
    }
    let Ok(wanted) = scope.encode(row.record) else {
        return;
    };
    let table = scope.model().table(row.address.table());
    let names = table.index_attributes().map(|name| name.value.as_str());
    let names: BTreeSet<_> = names.collect();
    let wrong = names
        .into_iter()
        .find(|name| wanted.get(name) != row.item.get(name));
    if let Some(name) = wrong {
        let (stored, given) = (show_value(row.item.get(name)), show_value(wanted.get(name)));
        let message = format!(
            "`{name}` is {stored}, and the values of the row give {given}: an index does not find the row where it should"
        );
        state_local(
            facts,
            Topic::Keys,
            row,
            ViolationKind::Keys,
            &message,
            rewrite,
        );
        return;
    }
    let (set, remove) = record::find_rewrites(scope.compiled(), row.record, row.item, &wanted);
    let names = set.iter().map(|(name, _)| name).chain(&remove);
    let names: Vec<_> = names.map(|name| format!("`{name}`")).collect();
    if missing.is_none() && !names.is_empty() {
        let message = format!("{} would be written otherwise today", names.join(", "));
        state_local(
            facts,
            Topic::Keys,
            row,
            NoteKind::Spelling,
            &message,
            rewrite,
        );
    }
}
