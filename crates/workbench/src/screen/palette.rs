//! What the palette finds: keys, rows, patterns, entities and screens.

use crate::address::Link;
use crate::context::{Context, OpenModel};
use crate::part::icon::icon;
use crate::reply;
use crate::screen::patterns::{find_sample_link, name_way};
use crate::value::{show_value, write_item};
use http::StatusCode;
use maud::{Markup, html};
use monotable_model::model::{KeyPlace, Mode};
use monotable_rest::Response;

/// So many results of a kind are offered.
const MOST: usize = 8;

/// A result.
struct Found {
    drawn: &'static str,
    text: String,
    about: String,
    to: Link,
}

/// The results for `?q=`, as options of a list box.
pub(crate) fn show(context: &Context<'_>, open: &OpenModel) -> Response {
    let words = context.words.get("q").unwrap_or_default().trim().to_owned();
    let groups = [
        ("This is a key", find_partitions(open, &words)),
        ("Rows", find_rows(open, &words)),
        ("Patterns", find_patterns(open, &words)),
        ("Entities", find_entities(open, &words)),
        ("Commands", find_commands(context, open, &words)),
        ("Screens", find_screens(context, open, &words)),
    ];
    let markup = html! {
        @for (title, found) in &groups {
            @if !found.is_empty() {
                div class="grp" role="presentation" { (title) }
                @for found in found { (option(found)) }
            }
        }
        @if groups.iter().all(|(_, found)| found.is_empty()) {
            p class="mute pad" { "Nothing is called like this in " (open.name) "." }
        }
    };
    reply::html(StatusCode::OK, markup)
}

fn option(found: &Found) -> Markup {
    html! {
        a class="opt" role="option" tabindex="-1" aria-selected="false" href=(found.to) {
            (icon(found.drawn)) span class="cut" { (found.text) } span class="r" { (found.about) }
        }
    }
}

fn has(text: &str, words: &str) -> bool {
    let text = text.to_lowercase();
    words
        .to_lowercase()
        .split_whitespace()
        .all(|word| text.contains(word))
}

/// Partitions with this key, or that begin like it.
fn find_partitions(open: &OpenModel, words: &str) -> Vec<Found> {
    if words.len() < 2 || !open.is_program {
        return Vec::new();
    }
    let mut found = Vec::new();
    for id in open.model().stored_tables() {
        let table = open.model().table(id);
        let indexes = table.indexes.iter().enumerate();
        let indexes =
            indexes.map(|(position, index)| (KeyPlace::Index(position), index.name.value.as_str()));
        for (place, name) in std::iter::once((KeyPlace::Primary, "table")).chain(indexes) {
            let partitions = open.census.partitions(id, place).into_iter().flatten();
            let fitting = partitions.filter(|(key, _)| key.starts_with(words));
            found.extend(fitting.take(3).map(|(key, mix)| {
                Found {
                    drawn: "rows",
                    text: format!("Partition {key}"),
                    about: format!("{name}, {} items", mix.total()),
                    to: open
                        .link(&["items", &table.name.value, name])
                        .with("partition", key),
                }
            }));
        }
    }
    found.truncate(MOST);
    found
}

/// Rows that were kept as samples and have this text in them.
fn find_rows(open: &OpenModel, words: &str) -> Vec<Found> {
    if words.len() < 2 || !open.is_program {
        return Vec::new();
    }
    // A key such as `USER#ada` is looked for by its id, too.
    let id = words.rsplit('#').next().unwrap_or(words);
    let rows = open.model().stored().flat_map(|(_, entity)| {
        open.census
            .samples(&entity.name.value)
            .iter()
            .map(move |row| (entity, row))
    });
    let fitting = rows.filter(|(_, row)| {
        row.values.iter().any(|(_, value)| {
            let text = show_value(value);
            text == id || has(&text, words)
        })
    });
    fitting
        .take(MOST)
        .map(|(entity, row)| Found {
            drawn: "grid",
            text: super::items::name_row(open, row),
            about: entity.name.value.clone(),
            to: open.link(&["entities", &entity.name.value]).with(
                "row",
                &write_item(&crate::part::grid::find_key(entity, row)),
            ),
        })
        .collect()
}

fn find_patterns(open: &OpenModel, words: &str) -> Vec<Found> {
    let model = open.model();
    let by_name = model
        .patterns()
        .filter(|(_, access)| has(&access.name.value, words));
    let mut found: Vec<Found> = by_name
        .map(|(_, access)| Found {
            drawn: "play",
            text: access.name.value.clone(),
            about: name_way(model, access).to_owned(),
            to: find_sample_link(open, access),
        })
        .take(MOST)
        .collect();
    // A key or an id fills in patterns that take one value of its kind.
    if let Some((entity, id)) = name_id(open, words) {
        let taking = model.patterns().filter_map(|(_, access)| {
            let mut required = access
                .parameters
                .iter()
                .filter(|parameter| parameter.mode == Mode::Plain);
            let (only, more) = (required.next()?, required.next());
            (more.is_none() && only.name == entity).then_some((access, &only.name))
        });
        found.extend(taking.take(MOST).map(|(access, name)| {
            Found {
                drawn: "play",
                text: format!("{} {name} = {id}", access.name.value),
                about: name_way(model, access).to_owned(),
                to: open
                    .link(&["patterns", &access.name.value])
                    .with(&format!("p.{name}"), &id),
            }
        }));
    }
    found
}

/// The attribute and its value that a text such as `USER#ada` names, by the first entity that has such a row.
fn name_id(open: &OpenModel, words: &str) -> Option<(String, String)> {
    let id = words.rsplit('#').next().filter(|id| !id.is_empty())?;
    open.model().stored().find_map(|(_, entity)| {
        let own = entity.id.as_deref()?;
        let mut rows = open.census.samples(&entity.name.value).iter();
        rows.any(|row| row.text(own) == id)
            .then(|| (own.to_owned(), id.to_owned()))
    })
}

/// What can be done with what the words name: new rows, a delete, looking as somebody.
fn find_commands(context: &Context<'_>, open: &OpenModel, words: &str) -> Vec<Found> {
    if words.len() < 2 {
        return Vec::new();
    }
    let may_write = |id| crate::screen::entities::may_write(context, open, id);
    let mut found = Vec::new();
    for (id, entity) in open.model().stored() {
        let name = &entity.name.value;
        if may_write(id) && entity.writes.create && has(&format!("new {name}"), words) {
            found.push(Found {
                drawn: "plus",
                text: format!("New {name}"),
                about: "a form from its types".to_owned(),
                to: open.link(&["entities", name]).with("new", "1"),
            });
        }
    }
    if let Some((attribute, id)) = name_id(open, words) {
        let mut principal = open.model().principal.iter();
        if principal.any(|known| known.name.value == attribute) {
            let name = format!("{}{attribute}", crate::context::PRINCIPAL_PREFIX);
            found.push(Found {
                drawn: "home",
                text: format!("Look as {attribute} {id}"),
                about: "checks the rules of the model".to_owned(),
                to: Link::new(&[&open.name, "patterns"]).with(&name, &id),
            });
        }
        found.extend(find_delete(context, open, &id));
    }
    found.truncate(MOST);
    found
}

/// The delete of the row that an id names, as a dry run.
fn find_delete(context: &Context<'_>, open: &OpenModel, id: &str) -> Option<Found> {
    open.model().stored().find_map(|(entity_id, entity)| {
        let own = entity.id.as_deref()?;
        let mut rows = open.census.samples(&entity.name.value).iter();
        let row = rows.find(|row| row.text(own) == id)?;
        let may = crate::screen::entities::may_write(context, open, entity_id);
        (may && entity.writes.delete).then(|| Found {
            drawn: "trash",
            text: format!("Delete {} {id}", entity.name.value),
            about: "dry run first".to_owned(),
            to: open.link(&["entities", &entity.name.value]).with(
                "delete",
                &write_item(&crate::part::grid::find_key(entity, row)),
            ),
        })
    })
}

fn find_entities(open: &OpenModel, words: &str) -> Vec<Found> {
    let entities = open
        .model()
        .stored()
        .filter(|(_, entity)| has(&entity.name.value, words));
    entities
        .take(MOST)
        .map(|(_, entity)| Found {
            drawn: "grid",
            text: entity.name.value.clone(),
            about: "rows".to_owned(),
            to: open.link(&["entities", &entity.name.value]),
        })
        .collect()
}

fn find_screens(context: &Context<'_>, open: &OpenModel, words: &str) -> Vec<Found> {
    let screens = [
        ("Home", Link::new(&[]), "home"),
        ("Items", open.link(&["items"]), "rows"),
        ("Model", open.link(&["model"]), "file"),
        ("Keys and relations", open.link(&["model", "keys"]), "file"),
        ("Repositories", open.link(&["repositories"]), "branch"),
        ("Activity", Link::new(&["activity"]), "pulse"),
    ];
    let screens = screens.into_iter().filter(|(name, _, _)| has(name, words));
    let mut found: Vec<Found> = screens
        .map(|(name, to, drawn)| Found {
            drawn,
            text: name.to_owned(),
            about: "screen".to_owned(),
            to,
        })
        .collect();
    let others = context
        .rest
        .models()
        .filter(|model| has(&model.name, words) && model.name != open.name);
    found.extend(others.map(|model| Found {
        drawn: "file",
        text: model.name.clone(),
        about: "model".to_owned(),
        to: Link::new(&[&model.name, "patterns"]),
    }));
    found
}
