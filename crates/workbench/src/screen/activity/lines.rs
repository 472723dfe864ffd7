//! One line for each call. A call opens into the requests that it sent and the items that it wrote, each with its declaration.

use super::tiles::show_milliseconds;
use super::{NumberedCall, Wish};
use crate::activity::CallRecord;
use crate::context::{Context, OpenModel};
use crate::key_owner::{KeyOwner, KeyReader};
use crate::ledger::{Deed, RequestRecord, WrittenItem};
use crate::part::icon::icon;
use crate::part::key::{self, Side};
use crate::part::mark;
use crate::recognition::find_mechanism;
use crate::time::show_time;
use crate::value::{counted, show_units};
use maud::{Markup, html};
use monotable_model::model::{KeyPlace, TableId};

/// The calls as a table, one of them opened.
pub(super) fn table(wish: &Wish, calls: &[NumberedCall], models: &[OpenModel]) -> Markup {
    html! {
        table class="grid" {
            thead { tr {
                th scope="col" { "Time" } th scope="col" { "Call" } th scope="col" class="opt" { "Caller" }
                th scope="col" class="num opt" { "Requests" } th scope="col" class="num" { "Read" } th scope="col" class="num" { "Write" }
                th scope="col" class="num opt" { "ms" } th scope="col" { "Result" }
            } }
            tbody {
                @for (number, call) in calls {
                    @let is_open = wish.chosen == Some(*number);
                    @let to = wish.address(&wish.kind, (!is_open).then_some(*number));
                    (line(call, Some(to.to_string()), is_open))
                    @if is_open { tr class="inner" { td colspan="8" { (inside(call, models)) } } }
                }
            }
        }
    }
}

fn line(call: &CallRecord, to: Option<String>, is_open: bool) -> Markup {
    let name = html! {
        span class="faint" { (call.model.as_deref().unwrap_or("DynamoDB")) } " " b { (call.operation) } " "
        code { (call.subject) } " " span class="mute" { (call.row) }
    };
    html! {
        tr aria-current=[is_open.then_some("true")] {
            td { (show_time(call.at)) }
            td {
                @match to {
                    Some(to) => a class="call" href=(to) aria-expanded=(is_open) data-keep { (name) },
                    None => (name),
                }
            }
            td class="opt mute" { (call.caller) }
            td class="num opt" { (show_number(call.sent)) }
            td class="num" { (show_amount(call.read)) }
            td class="num" { (show_amount(call.write)) }
            td class="num opt" { (show_milliseconds(call.took)) }
            td { (result(call)) }
        }
    }
}

fn show_amount(units: f64) -> String {
    if units > 0.0 {
        show_units(units)
    } else {
        "–".to_owned()
    }
}

fn show_number(count: usize) -> String {
    match count {
        0 => "–".to_owned(),
        count => count.to_string(),
    }
}

fn result(call: &CallRecord) -> Markup {
    html! {
        @match &call.refused {
            None => span class="status-ok row" { (icon("check")) "ok" },
            Some(refused) => span class="badge err" { (refused) },
        }
    }
}

/// The last calls, for Home.
pub(crate) fn recent(context: &Context<'_>) -> Markup {
    if context.rest.demands_proof() {
        return html! {};
    }
    let calls = context.bench.activity().list(6, |_| true);
    html! {
        section class="block" aria-label="Recent calls" {
            h2 { "Recent calls" span class="grow" {} a class="mute" href="/ui/activity" { "All activity" } }
            div class="frame" {
                @if calls.is_empty() {
                    p class="pad mute" { "None yet. Calls of the DynamoDB API, of the REST API and of this page appear here." }
                } @else {
                    table class="grid calls" { tbody { @for (_, call) in &calls { (brief(call)) } } }
                }
            }
        }
    }
}

fn brief(call: &CallRecord) -> Markup {
    html! {
        tr {
            td { (show_time(call.at)) }
            td class="fills" { span class="faint" { (call.model.as_deref().unwrap_or("DynamoDB")) } " " b { (call.operation) } " " code { (call.subject) } " " span class="mute" { (call.row) } }
            td class="opt mute num" { (show_units(call.read)) " read, " (show_units(call.write)) " write" }
            td { (result(call)) }
        }
    }
}

/// What a call sent and wrote.
fn inside(call: &CallRecord, models: &[OpenModel]) -> Markup {
    let written: Vec<&WrittenItem> = call
        .requests
        .iter()
        .filter(|request| !request.is_refused)
        .flat_map(|request| &request.written)
        .collect();
    let further: usize = call.requests.iter().map(|request| request.further).sum();
    html! {
        @if call.requests.is_empty() {
            @if call.sent > 0 { p class="mute" { "The requests of this call are no longer kept." } }
            @else { p class="mute" { "This call sent no request." } }
        }
        @if !written.is_empty() {
            div class="effs" { @for item in &written { (effect(item, call, models)) } }
            @if further > 0 { p class="faint sm" { "and " (further) " more" } }
        }
        @if !call.requests.is_empty() {
            ol class="sent" { @for request in &call.requests { li { (sentence(request)) } } }
        }
    }
}

fn sentence(request: &RequestRecord) -> Markup {
    let units: Vec<String> = request
        .units
        .iter()
        .map(|units| match (units.read > 0.0, units.write > 0.0) {
            (true, _) => format!("{} {} read", units.of, show_units(units.read)),
            (false, true) => format!("{} {} write", units.of, show_units(units.write)),
            (false, false) => units.of.clone(),
        })
        .collect();
    let count = request.written.len() + request.further;
    html! {
        b { (request.operation) } " "
        @if count > 1 { span class="mute" { "of " (counted(count, "item")) ", " } }
        span class="mute" { (units.join(", ")) }
        @if request.is_refused { " " span class="badge err" { "refused" } }
    }
}

fn effect(item: &WrittenItem, call: &CallRecord, models: &[OpenModel]) -> Markup {
    let (sign, class, word) = match item.deed {
        Deed::Put => ("+", "op add", "put"),
        Deed::Update => ("~", "op chg", "changed"),
        Deed::Delete => ("−", "op del", "deleted"),
    };
    let known = find_model(models, call, item);
    let Some((open, table)) = known else {
        return html! {
            div class="eff" {
                span class=(class) aria-label=(word) { (sign) }
                span class="cut" { code { (item.partition) @if let Some(sort) = &item.sort { " / " (sort) } } }
                span class="role" { (item.table) }
            }
        };
    };
    let owner = KeyReader::new(open.model()).read(table, &item.partition, item.sort.as_deref());
    let entity = match &owner {
        KeyOwner::Row(id) => Some(*id),
        _ => None,
    };
    html! {
        div class="eff" {
            span class=(class) aria-label=(word) { (sign) }
            span class="cut" {
                (name_owner(open, &owner)) " "
                (key::text(open, entity, KeyPlace::Primary, Side::Partition, &item.partition))
                @if let Some(sort) = &item.sort {
                    span class="faint" { " / " } (key::text(open, entity, KeyPlace::Primary, Side::Sort, sort))
                }
            }
            span class="role" { (say_why(open, &owner)) }
        }
    }
}

/// The model of a call; of a request of the DynamoDB API, the one that has the table.
fn find_model<'m>(
    models: &'m [OpenModel],
    call: &CallRecord,
    item: &WrittenItem,
) -> Option<(&'m OpenModel, Option<TableId>)> {
    let find_table = |open: &OpenModel| {
        let mut tables = open.model().tables();
        let found = tables.find(|(_, table)| table.physical == *item.table);
        found.map(|(id, _)| id)
    };
    match &call.model {
        Some(name) => {
            let open = models.iter().find(|open| open.name == *name)?;
            Some((open, find_table(open)))
        }
        None => models
            .iter()
            .find_map(|open| find_table(open).map(|table| (open, Some(table)))),
    }
}

fn name_owner(open: &OpenModel, owner: &KeyOwner) -> Markup {
    let name = |id| open.model().entity(id).name.value.as_str();
    html! {
        @match owner {
            KeyOwner::Row(id) => (mark::entity_link(open, name(*id))),
            KeyOwner::Guard { entity, .. } => span class={ "ent hollow " (open.hues.class(name(*entity))) } { span class="sw" {} (name(*entity)) },
            KeyOwner::Store => span class="ent e unknown dashed" { span class="sw" {} "of the store" },
            KeyOwner::Unknown => span class="ent e unknown dashed" { span class="sw" {} "unknown" },
        }
    }
}

/// The declaration that asks for such an item.
fn say_why(open: &OpenModel, owner: &KeyOwner) -> String {
    let name = |id| open.model().entity(id).name.value.as_str();
    match owner {
        KeyOwner::Row(id) => match find_mechanism(open.model(), *id) {
            Some((_, declaration)) => declaration,
            None => format!("entity.{}", name(*id)),
        },
        KeyOwner::Guard { entity, claim } => format!("entity.{}.unique.{claim}", name(*entity)),
        KeyOwner::Store | KeyOwner::Unknown => String::new(),
    }
}
