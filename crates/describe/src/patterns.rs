//! Access patterns, each with the requests it becomes.

use super::anchor::{Place, anchor};
use super::block::Block;
use super::inline::Inline;
use super::requests::{self, json_text, list_sentences};
use super::{attributes, rules, sentence};
use monotable_model::model::{Access, AccessId, Mode, Model, TableId, Way};
use monotable_model::plan::{
    Listing, PlanParameter, PlannedRequest, Plans, Reach, ReadPlan, Spread, Variant, list_requests,
};

/// All access patterns, by table.
pub(crate) fn blocks(model: &Model) -> Vec<Block> {
    let mut blocks = vec![
        Block::heading(2, "patterns", "Access patterns"),
        Block::paragraph(
            "Each pattern is shown with the requests it becomes, in DynamoDB's JSON: what the AWS CLI takes and what \
             every SDK has under the same names.",
        ),
    ];
    let plans = Plans::new(model);
    for (position, table) in model.tables.iter().enumerate() {
        let of_table: Vec<_> = model
            .patterns()
            .filter(|(_, access)| home(model, access).is_some_and(|id| id.index() == position))
            .collect();
        if of_table.is_empty() {
            continue;
        }
        let name = &table.name.value;
        blocks.push(Block::heading(
            3,
            anchor(Place::PatternsOf, name),
            Inline::new().text("Patterns of table ").code(name),
        ));
        for (id, access) in of_table {
            blocks.extend(pattern(model, &plans, id, access));
        }
    }
    blocks
}

/// The table that a pattern reads, or reads first.
fn home(model: &Model, access: &Access) -> Option<TableId> {
    match &access.way {
        Way::Get { table, .. } | Way::Query { table, .. } => Some(*table),
        _ => access.returns.first().map(|id| model.entity(*id).table),
    }
}

fn pattern(model: &Model, plans: &Plans, id: AccessId, access: &Access) -> Vec<Block> {
    let name = &access.name.value;
    let mut blocks = vec![Block::Heading {
        level: 4,
        id: anchor(Place::Pattern, name),
        text: Inline::of_code(name),
        covers: sentence::covers(&access.notes),
    }];
    blocks.extend(sentence::about(&access.notes).map(Block::Paragraph));
    blocks.push(Block::Facts(facts(model, access)));
    let plan = plans.pattern(id);
    let listing = list_requests(plans, plan);
    if !plan.parameters.is_empty() {
        blocks.push(Block::table(
            format!("Parameters of {name}"),
            &["Parameter", "Kind", "Given as"],
            plan.parameters
                .iter()
                .map(|each| parameter(each, plan))
                .collect(),
        ));
    }
    blocks.extend(requests_of(model, &listing));
    let after = list_sentences(model, access, plan, &listing);
    let mut after: Vec<Inline> = after.iter().map(|said| said.as_str().into()).collect();
    after.extend(accepted(access));
    if !after.is_empty() {
        blocks.push(Block::List(after));
    }
    blocks
}

fn accepted(access: &Access) -> Vec<Inline> {
    rules::accepted(&access.accepts)
        .into_iter()
        .map(|finding| Inline::new().text("Accepted: ").then(finding))
        .collect()
}

fn facts(model: &Model, access: &Access) -> Vec<(String, Inline)> {
    let mut facts = vec![
        ("Way".to_owned(), way(model, access)),
        ("Returns".to_owned(), returns(model, access)),
    ];
    if !access.set.is_empty() {
        facts.push(("Gives on".to_owned(), sentence::assignments(&access.set)));
    }
    if let Some(layout) = &access.layout {
        facts.push(("Only in layout".to_owned(), Inline::of_code(&layout.value)));
    }
    facts
}

fn returns(model: &Model, access: &Access) -> Inline {
    let what = if access.one || matches!(access.way, Way::Get { .. } | Way::Through { .. }) {
        "at most one row of "
    } else {
        "rows of "
    };
    let mut returns = Inline::new()
        .text(what)
        .then(sentence::entities(model, &access.returns));
    if !access.follow.is_empty() {
        returns = returns
            .text("; the rows that ")
            .then(sentence::names(&access.follow))
            .text(" names come along");
    }
    if !access.only.is_empty() {
        returns = returns.text("; only ").then(sentence::names(&access.only));
    }
    returns
}

fn way(model: &Model, access: &Access) -> Inline {
    match &access.way {
        Way::Get { .. } => "one row by its whole key".into(),
        Way::Query { .. } => "rows of a partition".into(),
        Way::Through { entity, claim } => {
            let entity = model.entity(*entity);
            let claim = entity
                .claims
                .get(*claim)
                .map_or("", |claim| &claim.name.value);
            let name = format!("{}.{claim}", entity.name.value);
            Inline::new()
                .text("through the guard of ")
                .link(anchor(Place::Claim, &name), name)
        }
        Way::Union(patterns) => Inline::new()
            .text("the rows of ")
            .then(sentence::patterns(model, patterns))
            .text(", each once"),
        Way::Steps(patterns) => Inline::new()
            .text("in steps, each row feeds the next: ")
            .then(sentence::patterns(model, patterns)),
        Way::Walk(walks) => {
            let walks = walks.iter().map(|walk| {
                sentence::entity(model, walk.entity)
                    .text(" to ")
                    .code(&walk.end.value)
                    .then_some(
                        walk.filter
                            .as_ref()
                            .map(|filter| sentence::condition(" where", filter)),
                    )
            });
            Inline::new()
                .text("walks along ")
                .then(Inline::join(walks, " and "))
                .text(" until there is nothing new")
        }
        Way::Resolve(path) => {
            let name = &model.path(*path).name.value;
            Inline::new()
                .text("segment by segment along path ")
                .link(anchor(Place::Path, name), name)
        }
        Way::Diff(repository) => {
            let name = &model.repository(*repository).name.value;
            Inline::new()
                .text("what differs between two revisions of repository ")
                .link(anchor(Place::Repository, name), name)
        }
        Way::Pointer { entity, attributes } => Inline::new()
            .text("the key that ")
            .then(sentence::names(attributes))
            .text(" of ")
            .then(sentence::entity(model, *entity))
            .text(" hold"),
    }
}

fn parameter(parameter: &PlanParameter, plan: &ReadPlan) -> Vec<Inline> {
    let by_day = match &plan.reach {
        Reach::Query(step) => {
            let spread = &step.key.partition.spread;
            matches!(spread, Spread::Days { parameter: name } if *name == parameter.name)
        }
        _ => false,
    };
    let given = match parameter.mode {
        Mode::Plain => "a value".to_owned(),
        Mode::Optional => "a value, or nothing".to_owned(),
        Mode::Open => "a beginning".to_owned(),
        Mode::Range => {
            let ends = if by_day {
                "both needed"
            } else {
                "each may be left out"
            };
            let name = &parameter.name;
            format!("a range: `{name}.from` and `{name}.to`, both included, {ends}")
        }
    };
    vec![
        Inline::of_code(&parameter.name),
        attributes::kind(&parameter.kind),
        given.into(),
    ]
}

fn requests_of(model: &Model, listing: &Listing) -> Vec<Block> {
    let count = listing.requests.len();
    let mut blocks = Vec::new();
    for (position, request) in listing.requests.iter().enumerate() {
        let number = (count > 1).then_some(position + 1);
        blocks.push(Block::Paragraph(request_line(model, request, number)));
        blocks.push(Block::Code {
            language: "json",
            text: requests::json(request),
        });
        let variants: Vec<_> = request.variants.iter().map(variant).collect();
        if !variants.is_empty() {
            blocks.push(Block::List(variants));
        }
    }
    blocks
}

fn request_line(model: &Model, request: &PlannedRequest, number: Option<usize>) -> Inline {
    let number = number.map_or_else(String::new, |number| format!("{number}. "));
    let line = Inline::new()
        .strong(format!("{number}{}", request.operation.name()))
        .text(" ")
        .then(requests::purpose(model, &request.purpose).as_str().into());
    match requests::repeat(&request.repeat) {
        None => line,
        Some(repeat) => line.text(" Asked ").then(repeat.into()).text("."),
    }
}

fn variant(variant: &Variant) -> Inline {
    let names = variant.without.iter().map(Inline::of_code);
    let mut line = Inline::new()
        .text("Without ")
        .then(Inline::join(names, " and "))
        .text(": ")
        .code(&variant.key_condition);
    for value in variant.values.iter().filter(|value| value.name != ":pk") {
        let shown = json_text(&value.text.to_string());
        line = line.text(", ").code(&value.name).text(" is ").code(shown);
    }
    line
}
