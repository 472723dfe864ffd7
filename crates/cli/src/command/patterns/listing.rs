//! What is shown of an access pattern.

use super::example::ExampleCommand;
use monotable_model::model::{Access, Mode, Model, Way};
use monotable_model::plan::{PlanParameter, Reach, ReadPlan, Spread};
use serde::Serialize;

/// An access pattern for people and programs.
#[derive(Debug, Serialize)]
pub(super) struct PatternEntry {
    name: String,
    about: Option<String>,
    parameters: Vec<ParameterEntry>,
    /// The entities of its rows.
    returns: Vec<String>,
    /// There is at most one row.
    one: bool,
    /// References whose rows come along.
    follows: Vec<String>,
    /// The most rows of a page.
    limit: Option<usize>,
    /// A command to paste.
    example: String,
}

/// A parameter of a pattern.
#[derive(Debug, Serialize)]
pub(super) struct ParameterEntry {
    pub(super) name: String,
    kind: String,
    given_as: GivenAs,
    pub(super) required: bool,
}

/// How much of a parameter is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum GivenAs {
    Value,
    /// The rows whose values begin so.
    Beginning,
    /// `NAME.from` and `NAME.to`.
    Range,
}

impl PatternEntry {
    pub(super) fn new(
        model: &Model,
        access: &Access,
        plan: &ReadPlan,
        example: &ExampleCommand<'_>,
    ) -> Self {
        let names = |names: &[monotable_model::span::Name]| {
            names.iter().map(|name| name.value.clone()).collect()
        };
        let returns = access.returns.iter();
        let known: Vec<_> = plan
            .parameters
            .iter()
            .filter(|known| !known.is_refused)
            .collect();
        let entry = |parameter: &&PlanParameter| ParameterEntry::new(parameter, plan);
        let parameters: Vec<_> = known.iter().map(entry).collect();
        let is_required = |parameter: &PlanParameter| is_required(parameter, plan);
        Self {
            name: access.name.value.clone(),
            about: access.notes.about.clone(),
            returns: returns
                .map(|id| model.entity(*id).name.value.clone())
                .collect(),
            one: access.one || matches!(access.way, Way::Get { .. } | Way::Through { .. }),
            follows: names(&access.follow),
            limit: access.limit,
            example: example.render(access, &known, is_required),
            parameters,
        }
    }
}

impl ParameterEntry {
    fn new(parameter: &PlanParameter, plan: &ReadPlan) -> Self {
        Self {
            name: parameter.name.clone(),
            kind: parameter.kind.to_string(),
            given_as: match parameter.mode {
                Mode::Plain | Mode::Optional => GivenAs::Value,
                Mode::Open => GivenAs::Beginning,
                Mode::Range => GivenAs::Range,
            },
            required: is_required(parameter, plan),
        }
    }

    /// What a user has to know beside the kind.
    fn describe(&self) -> String {
        let name = &self.name;
        let how = match (self.given_as, self.required) {
            (GivenAs::Value, true) => return "required".to_owned(),
            (GivenAs::Value, false) => return "optional".to_owned(),
            (GivenAs::Beginning, _) => return "required, the beginning of the value".to_owned(),
            (GivenAs::Range, true) => "both required",
            (GivenAs::Range, false) => "each optional",
        };
        format!("a range: {name}.from and {name}.to, both included, {how}")
    }
}

/// The ends of a range may be left out, unless days between them are read one by one.
fn is_required(parameter: &PlanParameter, plan: &ReadPlan) -> bool {
    match parameter.mode {
        Mode::Plain | Mode::Open => true,
        Mode::Optional => false,
        Mode::Range => match &plan.reach {
            Reach::Query(step) => matches!(
                &step.key.partition.spread,
                Spread::Days { parameter: name } if *name == parameter.name
            ),
            _ => false,
        },
    }
}

/// All patterns as text, with an empty line between two.
pub(super) fn render(entries: &[PatternEntry]) -> String {
    let texts: Vec<_> = entries.iter().map(render_entry).collect();
    texts.join("\n")
}

fn render_entry(entry: &PatternEntry) -> String {
    let amount = if entry.one { "at most one" } else { "rows of" };
    let mut text = format!("{}: {amount} {}\n", entry.name, entry.returns.join(", "));
    if let Some(about) = &entry.about {
        text.push_str(&format!("  {about}\n"));
    }
    let width = |text: fn(&ParameterEntry) -> &str| {
        let lengths = entry
            .parameters
            .iter()
            .map(|known| text(known).chars().count());
        lengths.max().unwrap_or_default()
    };
    let (names, kinds) = (width(|known| &known.name), width(|known| &known.kind));
    for parameter in &entry.parameters {
        let ParameterEntry { name, kind, .. } = parameter;
        let how = parameter.describe();
        text.push_str(&format!("    {name:names$}  {kind:kinds$}  {how}\n"));
    }
    if !entry.follows.is_empty() {
        let follows = entry.follows.join(", ");
        text.push_str(&format!("  the rows that {follows} names come along\n"));
    }
    if let Some(limit) = entry.limit {
        text.push_str(&format!("  at most {limit} rows of a page\n"));
    }
    text.push_str(&format!("  $ {}\n", entry.example));
    text
}
