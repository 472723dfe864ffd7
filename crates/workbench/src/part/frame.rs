//! The frame of every page: the bar at the top, the screens, and what the page may do.

use crate::asset;
use crate::context::{Context, OpenModel, PRINCIPAL_PREFIX};
use crate::mode::Mode;
use crate::part::icon::icon;
use crate::part::requests;
use crate::proof::Proof;
use crate::reply;
use crate::value::show_units;
use http::StatusCode;
use maud::{DOCTYPE, Markup, html};
use monotable_rest::Response;

/// The screens of the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tab {
    Home,
    Patterns,
    Items,
    Entities,
    Model,
    Repositories,
    Activity,
}

const TABS: [(Tab, &str, &str, &str); 7] = [
    (Tab::Home, "Home", "home", "h"),
    (Tab::Patterns, "Patterns", "play", "p"),
    (Tab::Items, "Items", "rows", "i"),
    (Tab::Entities, "Entities", "grid", "e"),
    (Tab::Model, "Model", "file", "m"),
    (Tab::Repositories, "Repositories", "branch", "r"),
    (Tab::Activity, "Activity", "pulse", "a"),
];

/// A whole page.
pub(crate) fn page(context: &Context<'_>, tab: Tab, title: &str, body: &Markup) -> Response {
    reply::html(StatusCode::OK, markup(context, tab, title, body))
}

/// A whole page as markup.
pub(crate) fn markup(context: &Context<'_>, tab: Tab, title: &str, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            (head(title))
            body data-mode=(name_mode(context.bench.mode())) {
                div id="app" data-calls=(context.events.calls) data-writes=(context.events.writes) data-models=(context.events.models) {
                    a class="skip" href="#main" { "To the content" }
                    (bar(context, tab))
                    main id="main" tabindex="-1" {
                        // Every page has a heading for readers who jump from one to the next.
                        @if !body.0.contains("<h1") { h1 class="vh" { (title) } }
                        (body)
                    }
                }
                (bottom(context, tab))
                (palette(context))
                div id="connection" class="connection" role="status" hidden {}
                div id="told" class="vh" role="status" {}
            }
        }
    }
}

/// The head of every document.
pub(crate) fn head(title: &str) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            title { (title) " · Monotable" }
            link rel="icon" href=(asset::address("logo.svg"));
            link rel="stylesheet" href=(asset::address("workbench.css"));
            script src=(asset::address("theme.js")) {}
            script type="module" src=(asset::address("main.js")) {}
            @for name in ["page.js", "keys.js", "palette.js", "drawer.js", "edit.js", "windows.js", "live.js", "signin.js"] {
                link rel="modulepreload" href=(asset::address(name));
            }
        }
    }
}

const fn name_mode(mode: Mode) -> &'static str {
    match mode {
        Mode::On => "on",
        Mode::ReadOnly => "read-only",
        Mode::Off => "off",
    }
}

fn bar(context: &Context<'_>, tab: Tab) -> Markup {
    html! {
        header class="top" {
            a class="brand" href="/ui/" aria-label="Home" {
                img src=(asset::address("logo.svg")) width="20" height="20" alt="";
            }
            span class="slash" aria-hidden="true" { "/" }
            (model_switch(context, tab))
            nav class="tabs" aria-label="Screens" {
                @for (known, name, _, key) in TABS {
                    a href=(tab_address(context, known)) aria-current=[(known == tab).then_some("page")] data-go=(key) { (name) }
                }
            }
            span class="grow" {}
            button type="button" class="find" data-palette {
                (icon("search")) span { "Search or jump" } span class="grow" {} kbd { "Ctrl K" }
            }
            (caller_switch(context))
            (target(context))
            @if context.bench.mode() == Mode::ReadOnly { span class="badge warn" { "read only" } }
            button type="button" class="icon drawer" data-panel aria-expanded="false" aria-label="Evidence" { (icon("panel")) }
            button type="button" class="icon" data-theme-switch aria-label="Light or dark" { (icon("theme")) }
        }
    }
}

/// Where the data is. Data elsewhere is named in full, with what has been used of it.
fn target(context: &Context<'_>) -> Markup {
    let place = context.bench.place();
    let Some(bill) = context.bench.bill() else {
        let word = place.split([' ', ',']).next().unwrap_or(place);
        return html! { span class="ctx tgt" title=(place) { span class="dot ok" {} (word) } };
    };
    let units = bill.total();
    html! {
        span class="ctx paid" title={ (place) ": " (requests::say_units(units.read, units.write)) " used since the server began" } {
            span class="dot ok" {} b class="cut" { (place.trim_start_matches("http://")) }
            span data-bill { (show_units(units.read + units.write)) " units, " (requests::dollars_exactly(units.read, units.write)) }
        }
    }
}

/// The address of a screen, of the model that is looked at or else the first one.
fn tab_address(context: &Context<'_>, tab: Tab) -> String {
    let segment = match tab {
        Tab::Home => return "/ui/".to_owned(),
        Tab::Activity => return "/ui/activity".to_owned(),
        Tab::Patterns => "patterns",
        Tab::Items => "items",
        Tab::Entities => "entities",
        Tab::Model => "model",
        Tab::Repositories => "repositories",
    };
    if let Some(open) = &context.open {
        return open.link(&[segment]).to_string();
    }
    let first = context.rest.models().next();
    let first = first.map(|model| model.name.as_str()).unwrap_or_default();
    crate::address::Link::new(&[first, segment]).to_string()
}

fn model_switch(context: &Context<'_>, tab: Tab) -> Markup {
    let segment = match tab {
        Tab::Home | Tab::Activity | Tab::Patterns => "patterns",
        Tab::Items => "items",
        Tab::Entities => "entities",
        Tab::Model => "model",
        Tab::Repositories => "repositories",
    };
    let open = context.open.as_ref();
    html! {
        details class="menu" {
            summary class="switch" {
                @match open {
                    None => "All models",
                    Some(open) => { (open.name) (badge(open.proof.as_deref())) }
                }
                (icon("down"))
            }
            div class="menu-list" {
                a class="li" href="/ui/" { "All models" }
                @for model in context.rest.models() {
                    a class="li" href=(crate::address::Link::new(&[&model.name, segment]))
                        aria-current=[open.is_some_and(|open| open.name == model.name).then_some("true")] { (model.name) }
                }
            }
        }
    }
}

/// Whether a model is proved.
pub(crate) fn badge(proof: Option<&Proof>) -> Markup {
    let Some(proof) = proof else {
        return html! {};
    };
    let tally = proof.tally();
    html! {
        @if tally.errors > 0 {
            span class="badge err" { (crate::value::counted(tally.errors, "error")) }
        } @else if tally.warnings > 0 {
            span class="badge warn" { (crate::value::counted(tally.warnings, "warning")) }
        } @else {
            span class="badge ok" { (icon("check")) "proved" }
        }
    }
}

fn caller_switch(context: &Context<'_>) -> Markup {
    let Some(open) = &context.open else {
        return html! {};
    };
    let model = open.model();
    if model.principal.is_empty() && model.tenant.is_none() {
        return html! {};
    }
    html! {
        details class="menu right" {
            summary class="ctx" { "as " b { (open.caller().unwrap_or_else(|| "the program".to_owned())) } (icon("down")) }
            form class="menu-list pad" method="get" {
                (caller_fields(open))
                div class="row" {
                    button class="btn s pri" type="submit" { "Look as this caller" }
                    a class="btn s ghost" href=(crate::address::Link::new(&[&open.name, "patterns"])) { "As the program" }
                }
                p class="faint sm" { "Every call then has this caller's rights." }
            }
        }
    }
}

fn caller_fields(open: &OpenModel) -> Markup {
    let given = |name: &str| {
        let mut carried = open.carried().iter();
        let found = carried.find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str()).unwrap_or_default()
    };
    let model = open.model();
    html! {
        @for attribute in &model.principal {
            @let name = format!("{PRINCIPAL_PREFIX}{}", attribute.name.value);
            label class="field" {
                span class="lab" { (attribute.name.value) " " span class="faint" { (attribute.kind) } }
                input class="in mono" name=(name) value=(given(&name)) autocomplete="off";
            }
        }
        @if let Some(tenant) = &model.tenant {
            label class="field" {
                span class="lab" { "Tenant " span class="faint" { (tenant.attribute.name.value) } }
                input class="in mono" name="tenant" value=(given("tenant")) autocomplete="off";
            }
        }
    }
}

/// Five screens at the bottom of narrow windows.
fn bottom(context: &Context<'_>, tab: Tab) -> Markup {
    let narrow = [
        Tab::Home,
        Tab::Patterns,
        Tab::Items,
        Tab::Model,
        Tab::Activity,
    ];
    html! {
        nav class="bnav" aria-label="Screens" {
            @for (known, name, drawn, _) in TABS {
                @if narrow.contains(&known) {
                    a href=(tab_address(context, known)) aria-current=[(known == tab).then_some("page")] {
                        (icon(drawn)) (name)
                    }
                }
            }
        }
    }
}

fn palette(context: &Context<'_>) -> Markup {
    let model = match &context.open {
        Some(open) => Some(open.name.as_str()),
        None => context
            .rest
            .models()
            .next()
            .map(|model| model.name.as_str()),
    };
    let address = model.map(|model| match &context.open {
        Some(open) => open.link(&["find"]),
        None => crate::address::Link::new(&[model, "find"]),
    });
    html! {
        dialog id="palette" class="dialog pal" aria-label="Search or jump" data-find=[address.map(|link| link.to_string())] {
            div class="q" {
                (icon("search"))
                input id="palette-words" type="search" role="combobox" aria-expanded="true" aria-controls="palette-list"
                    aria-label="Search patterns, entities, rows and keys" placeholder="Paste any key, id or pattern" autocomplete="off" spellcheck="false";
                kbd { "Esc" }
            }
            div id="palette-list" class="res" role="listbox" aria-label="Results" {}
            div class="df sm faint" { kbd { "↑" } kbd { "↓" } "choose" kbd { "↵" } "open" span class="grow" {} "Paste any key, id or pattern" }
        }
        dialog id="shortcuts" class="dialog" aria-label="Keys" {
            div class="dh" { h1 { "Keys" } }
            div class="body" tabindex="0" role="group" aria-label="Content" {
                dl class="shortcuts" {
                    @for (keys, what) in SHORTCUTS { dt { @for key in *keys { kbd { (key) } " " } } dd { (what) } }
                }
            }
            div class="df" { span class="grow" {} button type="button" class="btn" data-close { "Close" } }
        }
        dialog id="dialog" class="dialog" aria-label="Dialog" {}
    }
}

const SHORTCUTS: &[(&[&str], &str)] = &[
    (&["Ctrl K"], "search or jump"),
    (
        &["g", "h p i e m r a"],
        "go to a screen: Home, Patterns, Items, Entities, Model, Repositories, Activity",
    ),
    (&["/"], "filter the list"),
    (&["↑", "↓", "←", "→"], "move in lists and grids"),
    (&["Enter"], "open, or change a cell"),
    (&["Esc"], "close, or give up a change"),
    (&["Ctrl Enter"], "run the pattern"),
    (&["Ctrl S"], "apply the changes"),
    (&["y"], "copy as"),
    (&["?"], "all keys"),
];
