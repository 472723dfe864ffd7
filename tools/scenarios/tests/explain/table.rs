//! The table of requests: what each access pattern sends.

use super::{documents, samples, versions};
use monotable_item::Item;
use monotable_model::model::{Access, AccessId, AuditEvent, Mode, Model, Way};
use monotable_model::plan::{Plans, list_requests};
use monotable_store::{AnyOperation, Options, Query, Store};

const HEAD: &str = "\
# Requests of the access patterns

What each access pattern of five models sends, counted by `explain` on a few rows. `least` is what a program written by
hand needs for the same answer: a Get for a whole key, a Query for a partition, one request more for rows that come
along or for the row behind a guard, for a walk as many rounds as there are steps, and for what two revisions differ in
both snapshots and their rows of the log, and a write for rows whose reading is noted. The two agree, or the reason
stands there. Page by page it is one Query each.

`plan` is what the store works from, with its places open: `{TreeId}` is a parameter, `<read 1: TreeId>` what request 1 has
read, `<last>` the last character. A test asks every pattern, also without what may be left out, and holds each request
that is sent against the plan. Filters are no part of requests: the store decides them on the rows that it has read.

Made by `MONOTABLE_BLESS=1 cargo test -p monotable-scenarios --test explain`.
";

/// The whole page.
pub(crate) async fn of(models: &[&str]) -> String {
    let mut text = HEAD.to_owned();
    for name in models {
        let store = samples::store(name).await;
        text.push_str(&format!(
            "\n## {name}\n\n| pattern | requests | least | read units | plan |\n|---|---|---|---|---|\n"
        ));
        let model = store.model();
        let parameters = samples::parameters(name, &store).await;
        let plans = Plans::new(model);
        for (id, access) in model.patterns() {
            let pattern = &access.name.value;
            let parameters = given_to(name, &store, access, &parameters).await;
            let operation = AnyOperation::Query(Query {
                pattern: pattern.clone(),
                parameters,
                ..Query::default()
            });
            let explanation = store.explain(operation, Options::default()).await;
            let sent: Vec<_> = explanation
                .requests
                .iter()
                .map(|explained| explained.operation.to_string())
                .collect();
            if let Err(error) = &explanation.outcome {
                panic!("{pattern}: {error}");
            }
            let least = least(model, access);
            if let Some(least) = least {
                assert!(
                    sent.len() <= least,
                    "{pattern} sends {sent:?}, and {least} would do"
                );
            }
            let least = least.map_or("as many as steps".to_owned(), |least| least.to_string());
            let (read, _) = explanation.total();
            text.push_str(&format!(
                "| `{pattern}` | {} | {least} | {read} | {} |\n",
                counted(&sent),
                planned(&plans, id)
            ));
        }
    }
    text
}

/// What a pattern of a model is given: `all` is what its patterns are usually given.
pub(crate) async fn given_to(name: &str, store: &Store, access: &Access, all: &Item) -> Item {
    let mut parameters = match name {
        "formkiq" => documents::given(&access.name.value),
        _ => given(access, all),
    };
    if let Way::Diff(repository) = &access.way {
        // Revisions of that repository, the same one twice.
        let name = &store.model().repository(*repository).name.value;
        let head = versions::head(store, name).await;
        parameters.insert("from", head.as_str());
        parameters.insert("to", head.as_str());
    }
    parameters
}

/// Only what the pattern takes.
fn given(access: &Access, all: &Item) -> Item {
    let mut given = Item::new();
    for parameter in access
        .parameters
        .iter()
        .filter(|parameter| parameter.mode != Mode::Range)
    {
        if let Some(value) = all.get(&parameter.name) {
            given.insert(parameter.name.clone(), value.clone());
        }
    }
    given
}

/// The requests of a plan, each on a line of its own.
fn planned(plans: &Plans, id: AccessId) -> String {
    let listing = list_requests(plans, plans.pattern(id));
    let lines = listing.requests.iter().enumerate().map(|(at, request)| {
        let line = request.to_string().replace('|', "\\|");
        format!("{}. `{line}`", at + 1)
    });
    lines.collect::<Vec<_>>().join("<br>")
}

/// `GetItem 2, Query 1`.
fn counted(sent: &[String]) -> String {
    let mut names: Vec<&String> = Vec::new();
    for name in sent {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let counts = names.iter().map(|name| {
        let count = sent.iter().filter(|sent| sent == name).count();
        format!("{name} {count}")
    });
    counts.collect::<Vec<_>>().join(", ")
}

/// What a program written by hand would send; none where it depends on how far the rows lead.
fn least(model: &Model, access: &Access) -> Option<usize> {
    let own = match &access.way {
        Way::Get { .. } | Way::Query { .. } | Way::Pointer { .. } => 1,
        Way::Through { .. } => 2,
        Way::Diff(_) => 4,
        Way::Union(parts) => {
            let parts = parts.iter().map(|part| least(model, model.pattern(*part)));
            parts.sum::<Option<usize>>()?
        }
        _ => return None,
    };
    let followed = access
        .follow
        .iter()
        .map(|name| cost_of_following(model, access, &name.value));
    let ends = usize::from(asks_for_ends(model, access));
    Some(own + followed.sum::<usize>() + ends + usize::from(is_noted(model, access)))
}

/// Whether rows are relations between rows that can have tombstones: those are looked at, unless they are read anyway.
fn asks_for_ends(model: &Model, access: &Access) -> bool {
    access.returns.iter().any(|id| {
        let entity = model.entity(*id);
        let ends = entity.relation.iter();
        let ends = ends.flat_map(|relation| [&relation.from, &relation.to]);
        let mut targets = ends
            .filter_map(|name| entity.attribute(&name.value)?.reference.as_ref())
            .map(|reference| reference.target);
        targets.any(|target| {
            !model.entity(target).tombstone.is_empty() && !access.returns.contains(&target)
        })
    })
}

/// A row that is named by an id with a guard is found by the guard first.
fn cost_of_following(model: &Model, access: &Access, name: &str) -> usize {
    let mut entities = access.returns.iter().map(|entity| model.entity(*entity));
    let target = entities.find_map(|entity| entity.attribute(name)?.reference.as_ref());
    let Some(target) = target.map(|reference| model.entity(reference.target)) else {
        return 1;
    };
    let in_key = |id: &String| target.key_attributes().contains(&id.as_str());
    let is_guarded = target.id.as_ref().is_some_and(|id| {
        target
            .claims
            .iter()
            .any(|claim| claim.name.value == *id && !in_key(id))
    });
    1 + usize::from(is_guarded)
}

/// Whether reading the one row of a pattern is noted, by one write afterwards.
fn is_noted(model: &Model, access: &Access) -> bool {
    let one = access.one || matches!(access.way, Way::Get { .. } | Way::Through { .. });
    let mut audits = model.audits.iter();
    one && audits.any(|audit| {
        let watched = access
            .returns
            .iter()
            .any(|entity| audit.of.contains(entity));
        watched && audit.on.contains(&AuditEvent::Read)
    })
}
