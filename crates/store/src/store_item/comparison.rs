//! Whether the model writes keys as the rows of the store were written.

use super::templates::{Recorded, Templates, attribute, is_of_index, read, set_of};
use super::{ATTEMPTS, Found, open, write};
use crate::draft::{Action, Blame, Demand, Edit, Write};
use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::reader::Reader;
use crate::request::{self, Clauses, ItemWrite, WriteVerb};
use monotable_api::Error as ServiceError;
use monotable_item::AttributeValue;
use std::collections::BTreeSet;

/// How many templates are recorded by one request: an expression of DynamoDB has 4 KB at most.
const AT_ONCE: usize = 50;

/// Adds templates that rows of the store may have.
pub(crate) async fn record_templates(
    reader: &Reader<'_>,
    templates: &Recorded,
) -> Result<(), Interrupt> {
    open(reader).await?;
    add(reader, templates).await.map(drop)
}

/// Says that rows have no other template than this one any more, if nobody has recorded others since.
pub(crate) async fn replace_templates(
    reader: &Reader<'_>,
    name: &str,
    known: BTreeSet<String>,
    text: &str,
) -> Result<(), Interrupt> {
    let Some(address) = reader.addressing().locate_store_item() else {
        return Ok(());
    };
    let attribute = attribute(name);
    let mut edit = Edit::default();
    edit.set.insert(attribute.clone(), set_of(text));
    let known = Some(AttributeValue::Ss(known));
    let change = Action::new(Write::Update(edit))
        .demand(Demand::Present, Blame::Changed)
        .demand(Demand::is(attribute, known), Blame::Changed);
    write(reader, &address, change).await
}

/// Refuses to write with templates that rows of the store do not have.
pub(crate) async fn compare(reader: &Reader<'_>) -> Result<(), Interrupt> {
    let templates = Templates::new(reader.model());
    for _ in 0..ATTEMPTS {
        let item = match open(reader).await? {
            Found::Item(item) => item,
            Found::Denied => break,
            // What needs the table will say that it is missing.
            Found::NoTable => return Ok(()),
        };
        let recorded = read(&item);
        refuse_changed(&templates, &recorded)?;
        let missing = missing(&templates, &recorded);
        if missing.is_empty() || add(reader, &missing).await? {
            break;
        }
    }
    reader.runtime.own.set_compared(true);
    Ok(())
}

/// Refuses a model that would not find rows or guards of the store, whatever it says of indexes.
pub(crate) async fn refuse_lost_keys(reader: &Reader<'_>) -> Result<(), Interrupt> {
    let Found::Item(item) = open(reader).await? else {
        return Ok(());
    };
    let mut recorded = read(&item);
    recorded.retain(|name, _| !is_of_index(name));
    Ok(refuse_changed(&Templates::new(reader.model()), &recorded)?)
}

/// Rows under keys that the model does not know would not be found, and guards under them would guard nothing.
fn refuse_changed(templates: &Templates, recorded: &Recorded) -> Result<(), Error> {
    for (name, written) in &templates.0 {
        let known = recorded.get(name).into_iter().flatten();
        let mut lost = known.filter(|old| **old != written.text && !written.others.contains(*old));
        if let Some(old) = lost.next() {
            let new = &written.text;
            return Err(Error::integrity(format!(
                "`{name}` was written with the key template `{old}`, and the model says `{new}`: what is stored would not \
                 be found. Declare the old template as a layout and run `verify --convert`; or, if what is stored can be \
                 thrown away, begin with new tables. Nothing was written"
            )));
        }
    }
    Ok(())
}

/// What the model writes and the item does not say.
fn missing(templates: &Templates, recorded: &Recorded) -> Recorded {
    let templates = templates.0.iter().filter(|(name, written)| {
        let known = recorded.get(*name);
        known.is_none_or(|known| !known.contains(&written.text))
    });
    templates
        .map(|(name, written)| (name.clone(), BTreeSet::from([written.text.clone()])))
        .collect()
}

/// Adds templates to those of the item. False: the item is gone.
async fn add(reader: &Reader<'_>, missing: &Recorded) -> Result<bool, Interrupt> {
    let Some(address) = reader.addressing().locate_store_item() else {
        return Ok(true);
    };
    let table = reader.model().table(address.table());
    let missing: Vec<_> = missing.iter().collect();
    for chunk in missing.chunks(AT_ONCE) {
        let mut clauses = Clauses {
            condition: Some("attribute_exists(#pk)".to_owned()),
            ..Clauses::default()
        };
        clauses
            .names
            .insert("#pk".to_owned(), table.hash.value.clone());
        let mut parts = Vec::new();
        for (position, (name, texts)) in chunk.iter().enumerate() {
            parts.push(format!("#t{position} :t{position}"));
            clauses
                .names
                .insert(format!("#t{position}"), attribute(name));
            let texts = AttributeValue::Ss((*texts).clone());
            clauses.values.insert(format!(":t{position}"), texts);
        }
        let write = ItemWrite {
            address: &address,
            verb: WriteVerb::Update(format!("ADD {}", parts.join(", "))),
            clauses,
        };
        let request = || request::write(reader.model(), write.clone());
        match reader.steps.call(request).await.result {
            // Who may not write it does not record anything.
            Ok(_) | Err(ServiceError::AccessDeniedException { .. }) => {}
            Err(ServiceError::ConditionalCheckFailedException { .. }) => return Ok(false),
            Err(error) => return Err(Error::service(error).into()),
        }
    }
    Ok(true)
}
