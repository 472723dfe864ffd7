//! Rights that rows give: who may do what is read from the table.

mod located;

use super::assigned_value;
use super::permission::Scope;
use crate::address::Address;
use crate::read;
use crate::record::{Conditions, Record};
use crate::session::{Interrupt, Session};
use located::Located;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{AccessId, Assigned, Grant, Part, Root, Source, Template};
use std::collections::BTreeMap;

/// What was found for a question, for the time of one call.
type Known = BTreeMap<(usize, String), Vec<Record>>;

/// Which of these rows the grants of the model allow.
pub(super) async fn allow(
    session: &Session,
    rows: &[Record],
    scope: Scope,
) -> Result<Vec<bool>, Interrupt> {
    let mut known = Known::new();
    let rows = &located::all(session, rows).await?;
    let mut allowed = Vec::new();
    for located in rows {
        let mut all = true;
        for (position, grant) in session.model().grants.iter().enumerate() {
            if all && grant.of.contains(&located.row.entity) {
                all = allows(session, (position, grant), located, scope, &mut known).await?;
            }
        }
        allowed.push(all);
    }
    Ok(allowed)
}

/// The right that a caller needs.
const fn right(scope: Scope) -> &'static str {
    match scope {
        Scope::Read => "READ",
        Scope::Create | Scope::Update => "WRITE",
        Scope::Delete => "DELETE",
    }
}

async fn allows(
    session: &Session,
    (position, grant): (usize, &Grant),
    located: &Located<'_>,
    scope: Scope,
    known: &mut Known,
) -> Result<bool, Interrupt> {
    let row = located.row;
    if spares(session, grant, row) {
        return Ok(true);
    }
    let names = texts(session, &row.values, &grant.allows);
    let mut restricted = false;
    for level in levels(session, grant, located) {
        let mut found = Vec::new();
        for asked in questions(session, grant, &level) {
            let key = (position, format!("{asked:?}"));
            if !known.contains_key(&key) {
                let rows = unguarded(session, grant.access, &asked).await?;
                known.insert(key.clone(), rows);
            }
            found.extend(known.get(&key).into_iter().flatten().cloned());
        }
        if found.is_empty() {
            continue;
        }
        restricted = true;
        let rights = || std::iter::once(right(scope)).chain(grant.all.as_deref());
        let gives = |row: &Record, name: &String| rights().any(|right| lists(row, name, right));
        let allowed = found
            .iter()
            .any(|row| names.iter().any(|name| gives(row, name)));
        if !allowed {
            return Ok(false);
        }
    }
    Ok(restricted || grant.allow_none)
}

/// Whether a grant is not asked for a row.
fn spares(session: &Session, grant: &Grant, row: &Record) -> bool {
    let conditions = Conditions::new(session.model(), &row.values, &session.around);
    let entity = session.entity(row.entity);
    let mut unless = grant.unless.iter();
    unless.any(|unless| conditions.holds(entity, unless) == Some(true))
}

/// Whether an attribute of a row lists a right.
fn lists(row: &Record, name: &str, right: &str) -> bool {
    match row.values.get(name) {
        Some(AttributeValue::L(rights)) => rights
            .iter()
            .any(|known| matches!(known, AttributeValue::S(known) if known == right)),
        Some(AttributeValue::Ss(rights)) => rights.contains(right),
        _ => false,
    }
}

/// What is asked for: the row itself, or each folder above it.
fn levels(session: &Session, grant: &Grant, located: &Located<'_>) -> Vec<Item> {
    let Some(id) = grant.above else {
        return vec![located.row.values.clone()];
    };
    let path = session.model().path(id);
    let folders = located.folders(id);
    let above = (1..=folders.len()).filter_map(|depth| folders.get(..depth));
    let levels = above.map(|above| {
        let level = located.row.values.clone();
        level.with(path.attribute.value.as_str(), above.join(&path.split))
    });
    levels.collect()
}

/// The parameters of the pattern: one set for each element of a list of the caller's.
fn questions(session: &Session, grant: &Grant, level: &Item) -> Vec<Item> {
    let mut all = vec![level.clone()];
    for assignment in &grant.set {
        let name = &assignment.name.value;
        let values = values(session, level, &assignment.value);
        let chosen = all.into_iter().flat_map(|known: Item| {
            values
                .iter()
                .map(move |value| known.clone().with(name.as_str(), value.clone()))
                .collect::<Vec<_>>()
        });
        all = chosen.collect();
    }
    all
}

fn values(session: &Session, known: &Item, assigned: &Assigned) -> Vec<AttributeValue> {
    if let Assigned::Template(template) = assigned
        && let Some(AttributeValue::L(elements)) = of_principal(session, template)
    {
        return elements;
    }
    assigned_value(session, known, assigned)
        .into_iter()
        .collect()
}

/// What a template that is only an attribute of the caller stands for.
fn of_principal(session: &Session, template: &Template) -> Option<AttributeValue> {
    let [part] = template.parts.as_slice() else {
        return None;
    };
    principal(session, part)
}

fn principal(session: &Session, part: &Part) -> Option<AttributeValue> {
    let Part::Field(field) = part else {
        return None;
    };
    let [
        Source::Path {
            root: Some(Root::Principal),
            names,
            ..
        },
    ] = field.sources.as_slice()
    else {
        return None;
    };
    let name = names.last()?;
    session.around.principal.get(&name.value).cloned()
}

/// The texts of a template, one for each element of a list of the caller's.
fn texts(session: &Session, known: &Item, template: &Template) -> Vec<String> {
    let mut all = vec![String::new()];
    for part in &template.parts {
        let pieces: Vec<String> = match (part, principal(session, part)) {
            (Part::Literal(literal), _) => vec![literal.value.clone()],
            (Part::Field(_), Some(AttributeValue::L(elements))) => elements
                .iter()
                .filter_map(|element| match element {
                    AttributeValue::S(text) => Some(text.clone()),
                    _ => None,
                })
                .collect(),
            (Part::Field(_), _) => {
                let piece = Template {
                    parts: vec![part.clone()],
                    ..template.clone()
                };
                let around = &session.around;
                crate::record::render(session.model(), known, &piece, around)
                    .into_iter()
                    .collect()
            }
        };
        let longer = all.iter().flat_map(|text| {
            pieces
                .iter()
                .map(move |piece| format!("{text}{piece}"))
                .collect::<Vec<_>>()
        });
        all = longer.collect();
    }
    all
}

/// Rows that give rights are read whatever the caller may see.
async fn unguarded(
    session: &Session,
    pattern: AccessId,
    known: &Item,
) -> Result<Vec<Record>, Interrupt> {
    let returns = &session.model().pattern(pattern).returns;
    let ours = |record: &Record| returns.contains(&record.entity);
    if let Some(address) = read::whole_key(session, pattern, known)? {
        let Address { table, .. } = address;
        let item = session.get(&address, true).await?;
        let record = item.and_then(|item| session.decode_view(table, item.view()));
        return Ok(record.filter(ours).into_iter().collect());
    }
    let Some(rows) = read::rows_of(session, pattern, known)? else {
        return Ok(Vec::new());
    };
    let table = rows.table;
    let items = session.all(&[rows]).await?.into_iter().flatten();
    let records = items.filter_map(|item| session.decode(table, &item));
    Ok(records.filter(ours).collect())
}
