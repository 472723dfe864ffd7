//! A change that is refused because the row has changed meanwhile: both versions, and what can be done.

use crate::address::Words;
use crate::context::OpenModel;
use crate::part::grid::find_key;
use crate::screen::items;
use crate::value::{parse_item, show_value, write_value};
use maud::{Markup, html};
use monotable_item::AttributeValue;
use monotable_store::wire::read_value;
use monotable_store::{AnyOperation, AnyOutput, ErrorKind, Get, Options, Row, Trace};

/// An attribute that somebody else has changed.
struct Difference<'w> {
    name: &'w str,
    given: &'w str,
    now: Option<AttributeValue>,
}

/// Both versions of the attributes that the reader wants to change and somebody else has changed; none if that is not why the
/// change was refused.
pub(crate) async fn show(open: &OpenModel, words: &Words, trace: &Trace) -> Option<Markup> {
    let error = trace.outcome.as_ref().err()?;
    let is_update = words.get("do") == Some("update");
    if !is_update || error.kind() != ErrorKind::Conflict {
        return None;
    }
    let row = read_row(open, words).await?;
    let shown = words.under("was.");
    let differences: Vec<Difference<'_>> = shown
        .filter_map(|(name, text)| {
            let was = read_value(name, text).ok();
            let now = row.get(name).cloned();
            (was != now).then_some(Difference {
                name,
                given: words.get(&format!("set.{name}")).unwrap_or_default(),
                now,
            })
        })
        .collect();
    if differences.is_empty() {
        return None;
    }
    Some(html! {
        div class="note warn conflict" role="alert" {
            b { "Conflict: " (row.entity) " " (items::name_row(open, &row)) " has changed since you opened it." }
            @for difference in &differences {
                p {
                    code { (difference.name) } " is now "
                    @match &difference.now { Some(now) => b { (show_value(now)) }, None => span class="faint" { "not there" } }
                    ". You gave " b { (difference.given) } "."
                }
            }
            p { "Nothing was written." }
            div class="row" {
                button type="button" class="btn s" data-keep-mine {
                    "Keep mine"
                    @for difference in &differences {
                        data hidden value=(difference.now.as_ref().map(write_value).unwrap_or_default()) data-name=(difference.name) {}
                    }
                }
                button type="button" class="btn s" data-discard { "Take theirs" }
            }
        }
    })
}

async fn read_row(open: &OpenModel, words: &Words) -> Option<Row> {
    let (_, entity) = open.model().entity_named(words.get("of")?)?;
    let get = Get {
        entity: entity.name.value.clone(),
        key: words.get("key").and_then(parse_item)?,
    };
    let options = Options::default();
    match open.store.run(AnyOperation::Get(get), options).await {
        Ok(AnyOutput::Row(row)) if !find_key(entity, &row).is_empty() => Some(row),
        _ => None,
    }
}
