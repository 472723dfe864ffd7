//! Each way to rows as requests.

use super::super::sentence::assigned_template;
use super::condition::{Asked, index_name, key_attributes};
use super::filter::filter;
use super::given::{Given, Known};
use super::pattern_request::{Operation, PatternRequest, Repeat, RequestValue};
use super::plan::PatternPlan;
use super::{segments, snapshots, through, walk};
use monotable_model::model::{
    Access, AccessId, Assigned, EntityId, Key, Model, Order, TableId, Way,
};

/// Adds the requests of a pattern; the answer is the numbers of those that answer its rows.
pub(super) fn add(
    plan: &mut PatternPlan,
    model: &Model,
    access: &Access,
    known: &Known,
) -> Vec<usize> {
    match &access.way {
        Way::Get { table, key } => vec![plan.push(get(model, access, *table, key, known))],
        Way::Query { table, key } => vec![plan.push(query(model, access, *table, key, known))],
        Way::Through { entity, claim } => through::add(plan, model, *entity, *claim, known),
        Way::Union(patterns) => {
            let known = with_set(model, access, known, &[]);
            let parts = patterns.iter();
            parts
                .flat_map(|id| add(plan, model, model.pattern(*id), &known))
                .collect()
        }
        Way::Steps(patterns) => add_steps(plan, model, access, patterns, known),
        Way::Walk(walks) => walk::add(plan, model, walks, known),
        Way::Resolve(path) => segments::add(plan, model, *path),
        Way::Diff(repository) => snapshots::add(plan, model, *repository, known),
        Way::Pointer { attributes, .. } => {
            let names: Vec<_> = attributes.iter().map(|name| name.value.as_str()).collect();
            add_pointer(plan, model, access, &names, known)
        }
    }
}

fn purpose(model: &Model, access: &Access) -> String {
    let names: Vec<_> = access
        .returns
        .iter()
        .map(|id| model.entity(*id).name.value.as_str())
        .collect();
    match names.as_slice() {
        [one] => format!("Rows of `{one}`."),
        many => format!("Rows of `{}`.", many.join("`, `")),
    }
}

fn get(model: &Model, access: &Access, table: TableId, key: &Key, known: &Known) -> PatternRequest {
    let asked = Asked {
        model,
        table,
        returns: &access.returns,
        known,
    };
    let physical = &model.table(table).physical;
    let mut request = PatternRequest::new(Operation::GetItem, physical, purpose(model, access));
    request.purpose = request.purpose.replacen("Rows of", "The row of", 1);
    request.key = asked.whole(key);
    request.consistent = access.consistent;
    add_projection(&mut request, model, access);
    request
}

fn query(
    model: &Model,
    access: &Access,
    table: TableId,
    key: &Key,
    known: &Known,
) -> PatternRequest {
    let asked = Asked {
        model,
        table,
        returns: &access.returns,
        known,
    };
    let condition = asked.condition(key);
    let table = model.table(table);
    let mut request =
        PatternRequest::new(Operation::Query, &table.physical, purpose(model, access));
    request.index = index_name(table, key.place);
    request.key_condition = Some(condition.expression);
    request.names = condition.names;
    request.values = condition.values;
    request.variants = condition.variants;
    request.repeat = condition.repeat;
    request.backwards = access.order == Order::Descending;
    request.consistent = access.consistent;
    let (hash, range) = key_attributes(table, key.place);
    let keys: Vec<_> = std::iter::once(hash).chain(range).collect();
    if let Some(filter) = filter(access, model, &keys) {
        request.filter = Some(filter.expression);
        request.names.extend(filter.names);
        request.values.extend(filter.values);
    }
    request.limit = limit(access);
    add_projection(&mut request, model, access);
    request
}

/// Two are enough to see that there is more than one; but a limit counts rows before they are left out.
fn limit(access: &Access) -> Option<usize> {
    let whole = access.filter.is_none() && access.drops.is_empty();
    access.limit.or((access.one && whole).then_some(2))
}

fn add_projection(request: &mut PatternRequest, model: &Model, access: &Access) {
    if access.only.is_empty() {
        return;
    }
    let mut placeholders = Vec::new();
    for (position, name) in access.only.iter().enumerate() {
        let attribute = access
            .returns
            .iter()
            .find_map(|id| model.entity(*id).attribute(&name.value));
        let stored = attribute.map_or(&name.value, |attribute| &attribute.stored);
        let placeholder = format!("#p{}", position + 1);
        request.names.push((placeholder.clone(), stored.clone()));
        placeholders.push(placeholder);
    }
    request.projection = Some(placeholders.join(", "));
}

/// What `set` gives; in steps also what rows before gave, by name.
fn with_set(model: &Model, access: &Access, known: &Known, before: &[(EntityId, usize)]) -> Known {
    let mut rows = known.clone();
    for (entity, request) in before {
        let row = model.entity(*entity);
        rows.add_row(row, &[*request]);
        // What is only in keys is not in the item; the caller has it.
        for parameter in &access.parameters {
            let attribute = row.attribute(&parameter.name);
            if attribute.is_some_and(|attribute| attribute.key_only) {
                rows.set(&parameter.name, Given::Parameter(parameter.name.clone()));
            }
        }
    }
    let mut all = rows.clone();
    for assignment in &access.set {
        let given = match &assignment.value {
            Assigned::Template(template) => rows.given_by(template),
            Assigned::Flag(flag) => Given::Text(flag.to_string()),
            Assigned::Number(number) => Given::Text(number.clone()),
        };
        all.set(&assignment.name.value, given);
    }
    all
}

fn add_steps(
    plan: &mut PatternPlan,
    model: &Model,
    access: &Access,
    patterns: &[AccessId],
    known: &Known,
) -> Vec<usize> {
    let mut before: Vec<(EntityId, usize)> = Vec::new();
    let mut rows: Vec<usize> = Vec::new();
    for (position, id) in patterns.iter().enumerate() {
        let pattern = model.pattern(*id);
        // The first step has no rows before it; `set` may already name the caller's own parameters.
        let own = match position {
            0 => first_step(model, access, known),
            _ => with_set(model, access, known, &before),
        };
        let first = plan.next();
        let found = add(plan, model, pattern, &own);
        if position > 0 {
            repeat_for(plan, first, &rows);
        }
        for entity in &pattern.returns {
            before.extend(found.iter().map(|request| (*entity, *request)));
        }
        rows = found;
    }
    rows
}

/// `set` speaks of rows that the first step has not read yet, so only constants and parameters count.
fn first_step(model: &Model, access: &Access, known: &Known) -> Known {
    let speaks_of_rows = |assigned: &Assigned| {
        let fields = assigned_template(assigned)
            .into_iter()
            .flat_map(|template| template.fields());
        fields.flat_map(|field| field.attributes()).any(|name| {
            let parameters = &access.parameters;
            !parameters
                .iter()
                .any(|parameter| parameter.name == name.value)
        })
    };
    let mut access = access.clone();
    access
        .set
        .retain(|assignment| !speaks_of_rows(&assignment.value));
    with_set(model, &access, known, &[])
}

/// Requests from `first` on are asked for each row, unless they say how often themselves.
fn repeat_for(plan: &mut PatternPlan, first: usize, rows: &[usize]) {
    for request in plan.requests.iter_mut().skip(first - 1) {
        if request.repeat == Repeat::Once {
            request.repeat = Repeat::EachRow { of: rows.to_vec() };
        }
    }
}

fn add_pointer(
    plan: &mut PatternPlan,
    model: &Model,
    access: &Access,
    attributes: &[&str],
    known: &Known,
) -> Vec<usize> {
    let Some(first) = access.returns.first() else {
        return Vec::new();
    };
    let table = model.table(model.entity(*first).table);
    let purpose = "The row whose whole key another row holds.";
    let mut request = PatternRequest::new(Operation::GetItem, &table.physical, purpose);
    let parts = std::iter::once(&table.hash).chain(&table.range);
    for (part, attribute) in parts.zip(attributes) {
        let given = known.get(attribute).map(|given| match given {
            Given::Parameter(name) => format!("{{{name}}}"),
            Given::Text(text) => text,
            Given::Read { attribute, .. } => format!("<read: {attribute}>"),
        });
        request
            .key
            .push(RequestValue::text(&part.value, given.unwrap_or_default()));
    }
    request.consistent = access.consistent;
    vec![plan.push(request)]
}
