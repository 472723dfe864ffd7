//! Marks of entities: a filled square is a row, a hollow one a guard, a striped one a row that only a mechanism writes.

use crate::census::Mix;
use crate::context::OpenModel;
use crate::hue::Hues;
use crate::recognition::{Role, find_mechanism};
use maud::{Markup, html};

/// The square of an entity and its name.
pub(crate) fn entity(hues: &Hues, name: &str) -> Markup {
    html! {
        span class={ "ent " (hues.class(name)) } { span class="sw" {} (name) }
    }
}

/// The square of an entity and its name, which leads to its rows.
pub(crate) fn entity_link(open: &OpenModel, name: &str) -> Markup {
    html! {
        a class={ "ent " (open.hues.class(name)) } href=(open.link(&["entities", name])) {
            span class="sw" {} (name)
        }
    }
}

/// How the edge of an item is drawn: for rows that only mechanisms write, and for guards, it is broken.
pub(crate) fn edge_class(open: &OpenModel, role: &Role) -> String {
    let hue = role
        .entity()
        .map_or("e unknown", |name| open.hues.class(name));
    match role {
        Role::Guard { .. } => format!("{hue} hollow"),
        Role::Row(row) if is_of_mechanism(open, &row.entity) => format!("{hue} striped"),
        Role::Unknown | Role::Own => "e unknown dashed".to_owned(),
        Role::Row(_) => hue.to_owned(),
    }
}

fn is_of_mechanism(open: &OpenModel, entity: &str) -> bool {
    let found = open.model().entity_named(entity);
    found.is_some_and(|(id, _)| find_mechanism(open.model(), id).is_some())
}

/// What an item is, with its mark.
pub(crate) fn role(open: &OpenModel, role: &Role) -> Markup {
    html! {
        span class={ "ent " (edge_class(open, role)) } { span class="sw" {} (role.name()) }
    }
}

/// The parts of a whole as one coloured bar. Its widths are those of a drawing, so that no style stands in the markup.
/// Of several bars, the one of the largest whole fills its place.
pub(crate) fn mix(hues: &Hues, mix: &Mix, class: &str, largest: usize) -> Markup {
    let parts = mix.parts();
    if parts.is_empty() {
        return html! {};
    }
    let total = mix.total().max(1);
    let mut x = 0;
    let mut bars = Vec::new();
    for (name, entity, count) in &parts {
        let width = (count * 1000 / total).max(12);
        let class = entity.map_or("e unknown", |entity| hues.class(entity));
        bars.push((class, x, width, *name, *count));
        x += width;
    }
    let label: Vec<String> = parts
        .iter()
        .map(|(name, _, count)| format!("{count} {name}"))
        .collect();
    // A small whole stays visible: its bar is never shorter than a tenth of its place.
    let room = (x * largest.max(1) / total).clamp(x, x.max(1) * 10).max(1);
    html! {
        svg class={ "bar-mix " (class) } viewBox={ "0 0 " (room) " 10" } preserveAspectRatio="none" role="img"
            aria-label=(label.join(", ")) {
            @for (class, x, width, _, _) in bars {
                rect class=(class) x=(x) y="0" width=(width.saturating_sub(4).max(4)) height="10" {}
            }
        }
    }
}
