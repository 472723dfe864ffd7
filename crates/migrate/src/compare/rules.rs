//! Rules, rights and operations: what programs do, and what they demand of rows.

use super::{Comparison, Found, PairComparison, is_same};
use crate::difference::{DifferenceKind, Finding};
use crate::example::{Examples, fails};
use monotable_model::model::{Model, Must};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const LOOKS: &str = "a run verifies the rows, and names those that break it";

/// Adds what differs between the rules of two entities.
pub(super) fn compare_entity(pair: &PairComparison<'_, '_>, found: &mut Found) {
    let (old, new) = (pair.pair.old, pair.pair.new);
    let texts = |rules: &[Must]| -> BTreeMap<String, String> {
        let rules = rules.iter();
        rules
            .map(|rule| (rule.name.value.clone(), rule.predicate.to_string()))
            .collect()
    };
    let (was, is) = (texts(&old.must), texts(&new.must));
    for (name, text) in is
        .iter()
        .filter(|(name, text)| was.get(*name) != Some(text))
    {
        found.add(
            DifferenceKind::Rule,
            format!("{}.must.{name}", pair.name()),
            format!("rows satisfy `{text}` from now on"),
            Finding::unproven("rows of the old version may break it", LOOKS),
            judge_rule(&was, name),
        );
    }
    for name in was.keys().filter(|name| !is.contains_key(*name)) {
        found.add(
            DifferenceKind::Rule,
            format!("{}.must.{name}", pair.name()),
            "the rule is gone",
            Finding::works("what it demanded is allowed"),
            Finding::unproven(
                "rows of the new version may break it",
                "end programs of the old version first",
            ),
        );
    }
    let programs = |entity: &monotable_model::model::Entity| {
        json!([
            entity.writes,
            entity.on_exists,
            entity.allow,
            entity.tombstone,
            entity.volume,
            entity.also_camel_case
        ])
    };
    if programs(old) != programs(new) {
        let proof = "it says what programs may do, and each does it as its version says; keys and values of rows are the same";
        let is_hidden =
            !is_same(&old.tombstone, &new.tombstone) || old.also_camel_case != new.also_camel_case;
        let finding = || {
            if is_hidden {
                Finding::unproven(
                    "rows are hidden, or read, by other attributes",
                    "end programs of the old version first",
                )
            } else {
                Finding::works(proof)
            }
        };
        found.add(
            DifferenceKind::Rule,
            pair.name(),
            "callers may do other things, or are shown other rows",
            finding(),
            finding(),
        );
    }
    if !is_same(&old.relation, &new.relation) || !is_same(&old.each, &new.each) {
        let row = pair.old_rows.row(pair.pair.old_id);
        let what = "its rows are written in another way by each version";
        let counterexample = fails(row, "any write", what);
        let remedy = "`relation` and `each` of an entity with rows are not migrated: declare a new entity, and move the rows by a program";
        found.add(
            DifferenceKind::Rule,
            pair.name(),
            "the relation, or the rows of one item, are declared otherwise",
            Finding::breaks(counterexample.clone(), remedy),
            Finding::breaks(counterexample, remedy),
        );
    }
}

fn judge_rule(was: &BTreeMap<String, String>, name: &str) -> Finding {
    if was.contains_key(name) {
        Finding::unproven(
            "rows of the new version may break the rule of the old one",
            "end programs of the old version first",
        )
    } else {
        Finding::works(
            "the old version does not know the rule; rows that it writes meanwhile may break it, which the last look finds",
        )
    }
}

/// Adds what differs between the sections of two models.
pub(super) fn compare(comparison: &Comparison<'_>, found: &mut Found) {
    let (old, new) = (comparison.old, comparison.new);
    for (name, is_structure) in [
        ("repositories", true),
        ("paths", true),
        ("carries", true),
        ("archives", true),
        ("grants", false),
        ("checks", false),
        ("moves", false),
        ("audits", false),
    ] {
        let (was, is) = (sections(old, name), sections(new, name));
        for (section, text) in &is {
            if was.get(section) != Some(text) {
                compare_section(
                    comparison,
                    (name, section, was.contains_key(section), is_structure),
                    found,
                );
            }
        }
        for section in was.keys().filter(|section| !is.contains_key(*section)) {
            compare_section(comparison, (name, section, true, is_structure), found);
        }
    }
    if !is_same(&old.isolation, &new.isolation) {
        let proof = "it says which partitions callers may touch; no row depends on it";
        found.add(
            DifferenceKind::Rule,
            "[isolation]",
            "callers may touch other partitions",
            Finding::works(proof),
            Finding::works(proof),
        );
    }
}

fn compare_section(
    comparison: &Comparison<'_>,
    (list, section, was_there, is_structure): (&str, &str, bool, bool),
    found: &mut Found,
) {
    let subject = format!("[{list}: {section}]");
    if is_structure && was_there {
        let row = comparison
            .old
            .stored()
            .next()
            .map(|(id, _)| Examples::new(comparison.old).row(id));
        let counterexample = fails(
            row.unwrap_or_default(),
            "any program",
            format!(
                "rows of {list} are laid out by this section, and each version lays them out otherwise"
            ),
        );
        let remedy = format!(
            "a change of {list} with rows is not migrated: declare a new section, and move the rows by a program"
        );
        return found.add(
            DifferenceKind::Rule,
            subject,
            "it lays rows out in another way",
            Finding::breaks(counterexample.clone(), remedy.clone()),
            Finding::breaks(counterexample, remedy),
        );
    }
    let stored = if list == "checks" {
        Finding::unproven("rows of the old version may break it", LOOKS)
    } else {
        Finding::works("it says what programs do; no stored row depends on it")
    };
    let old_programs =
        Finding::works("each program does what its version says; rows keep their keys and values");
    found.add(
        DifferenceKind::Rule,
        subject,
        "programs of each version do it as their model says",
        stored,
        old_programs,
    );
}

/// The sections of a list, by name, with names in the place of positions.
fn sections(model: &Model, list: &str) -> BTreeMap<String, Value> {
    let all = match list {
        "repositories" => serde_json::to_value(&model.repositories),
        "paths" => serde_json::to_value(&model.paths),
        "carries" => serde_json::to_value(&model.carries),
        "archives" => serde_json::to_value(&model.archives),
        "grants" => serde_json::to_value(&model.grants),
        "checks" => serde_json::to_value(&model.checks),
        "moves" => serde_json::to_value(&model.moves),
        _ => serde_json::to_value(&model.audits),
    };
    let Ok(Value::Array(all)) = all else {
        return BTreeMap::new();
    };
    let named = all.into_iter().map(|mut section| {
        if let Some(fields) = section.as_object_mut() {
            fields.remove("notes");
        }
        let name = section
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned();
        name_positions(model, "", &mut section);
        (name, section)
    });
    named.collect()
}

/// Puts names where lists of the model are referred to by position: those of one model mean nothing in another.
fn name_positions(model: &Model, key: &str, value: &mut Value) {
    match value {
        Value::Array(elements) => elements
            .iter_mut()
            .for_each(|element| name_positions(model, key, element)),
        Value::Object(fields) => fields
            .iter_mut()
            .for_each(|(key, field)| name_positions(model, key, field)),
        Value::Number(number) => {
            let position = number
                .as_u64()
                .and_then(|number| usize::try_from(number).ok());
            let entity = |position: usize| {
                model
                    .entities
                    .get(position)
                    .map(|entity| entity.name.value.clone())
            };
            let pattern = |position: usize| {
                model
                    .access
                    .get(position)
                    .map(|access| access.name.value.clone())
            };
            let named = position.and_then(|position| match key {
                "access" | "pattern" | "Absent" | "carries" => pattern(position),
                "above" | "path" => model
                    .paths
                    .get(position)
                    .map(|path| path.name.value.clone()),
                "repository" | "from" | "into" => model
                    .repositories
                    .get(position)
                    .map(|known| known.name.value.clone()),
                _ => entity(position),
            });
            if let Some(named) = named {
                *value = Value::String(named);
            }
        }
        _ => {}
    }
}
