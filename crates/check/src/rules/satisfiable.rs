//! Conditions on an index: for which words of an enum they can hold.
//!
//! A predicate is evaluated with three values: true, false and unknown. What is not an enum or a flag of the row
//! is unknown. So what is found to be impossible is impossible.

use super::{Report, Subject};
use monotable_expr::predicate::{Operand, Path, Tree};
use monotable_expr::tree::{Comparator, Predicate as Node};
use monotable_item::ValueView;
use monotable_language::Language;
use monotable_model::diagnostic::{Code, Diagnostic};
use monotable_model::model::{Entity, Kind, Predicate};
use std::collections::BTreeMap;

/// Combinations of words that are looked at; with more of them nothing is narrowed.
const MOST: usize = 4096;

/// What is known of a row: its enums and flags as texts.
type Known<'k> = BTreeMap<&'k str, String>;

/// Reports conditions that always hold or never do.
pub(super) fn check(subject: &Subject<'_>, report: &mut Report) {
    for (id, entity) in subject.model.stored() {
        for when in entity.keys.iter().filter_map(|key| key.when.as_ref()) {
            let outcomes = outcomes(entity, when);
            let never =
                !outcomes.is_empty() && outcomes.iter().all(|(_, outcome)| *outcome == Some(false));
            let always =
                !outcomes.is_empty() && outcomes.iter().all(|(_, outcome)| *outcome == Some(true));
            if never || always {
                let message = if never {
                    "this never holds: the entity is never in the index"
                } else {
                    "this always holds: the condition says nothing"
                };
                report.entity(
                    id,
                    Diagnostic::new(Code::BadPredicate, when.span(), message),
                );
            }
        }
    }
}

/// For each enum and flag that a condition speaks of, the texts for which it can hold.
pub(super) fn narrowed(entity: &Entity, when: &Predicate) -> Vec<(String, Language)> {
    let outcomes = outcomes(entity, when);
    let mut possible: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (known, outcome) in &outcomes {
        for (name, word) in known {
            let words = possible.entry((*name).to_owned()).or_default();
            if *outcome != Some(false) && !words.contains(word) {
                words.push(word.clone());
            }
        }
    }
    possible
        .into_iter()
        .map(|(name, words)| {
            let words: Vec<_> = words.iter().map(String::as_str).collect();
            (name, Language::one_of(&words))
        })
        .collect()
}

/// Every combination of words, and what the condition is then.
fn outcomes<'e>(entity: &'e Entity, when: &Predicate) -> Vec<(Known<'e>, Option<bool>)> {
    let mut combinations: Vec<Known<'e>> = vec![Known::new()];
    let mut seen: Vec<&str> = Vec::new();
    for path in when.parsed().paths() {
        let Some(name) = plain_name(path) else {
            continue;
        };
        let Some(attribute) = entity.attribute(name).filter(|_| !seen.contains(&name)) else {
            continue;
        };
        let words: Vec<String> = match &attribute.kind {
            Kind::Enum(words) => words.iter().map(|word| word.word.clone()).collect(),
            Kind::Boolean => vec!["true".to_owned(), "false".to_owned()],
            _ => continue,
        };
        if !attribute.is_always_present() {
            continue;
        }
        seen.push(&attribute.name.value);
        combinations = combinations
            .iter()
            .flat_map(|known| {
                words.iter().map(move |word| {
                    let mut known = known.clone();
                    known.insert(&attribute.name.value, word.clone());
                    known
                })
            })
            .collect();
        if combinations.len() > MOST {
            return Vec::new();
        }
    }
    if seen.is_empty() {
        return Vec::new();
    }
    combinations
        .into_iter()
        .map(|known| {
            let outcome = evaluate(when.parsed().tree(), &known);
            (known, outcome)
        })
        .collect()
}

fn plain_name(path: &Path) -> Option<&str> {
    (path.root().is_none() && path.steps().len() == 1).then(|| path.first_name())?
}

/// True, false, or not known. Trees are not deep: `expr` limits their operators.
fn evaluate(tree: &Tree, known: &Known<'_>) -> Option<bool> {
    match tree {
        Node::All(parts) => {
            let parts: Vec<_> = parts.iter().map(|part| evaluate(part, known)).collect();
            match (parts.contains(&Some(false)), parts.contains(&None)) {
                (true, _) => Some(false),
                (false, unknown) => (!unknown).then_some(true),
            }
        }
        Node::Any(parts) => {
            let parts: Vec<_> = parts.iter().map(|part| evaluate(part, known)).collect();
            match (parts.contains(&Some(true)), parts.contains(&None)) {
                (true, _) => Some(true),
                (false, unknown) => (!unknown).then_some(false),
            }
        }
        Node::Not(inner) => evaluate(inner, known).map(|value| !value),
        Node::Compare {
            comparator,
            left,
            right,
        } => {
            let (left, right) = (text(left, known)?, text(right, known)?);
            match comparator {
                Comparator::Equal => Some(left == right),
                Comparator::NotEqual => Some(left != right),
                _ => None,
            }
        }
        Node::In {
            operand,
            candidates,
        } => {
            let operand = text(operand, known)?;
            let candidates: Option<Vec<_>> = candidates
                .iter()
                .map(|candidate| text(candidate, known))
                .collect();
            Some(candidates?.contains(&operand))
        }
        Node::Exists(path) => known.contains_key(plain_name(path)?).then_some(true),
        Node::NotExists(path) => known.contains_key(plain_name(path)?).then_some(false),
        _ => None,
    }
}

fn text(operand: &Operand, known: &Known<'_>) -> Option<String> {
    match operand {
        Operand::Path(path) => known.get(plain_name(path)?).cloned(),
        Operand::Value(literal) => match literal.value() {
            ValueView::S(text) => Some(text.to_owned()),
            ValueView::Bool(flag) => Some(flag.to_string()),
            _ => None,
        },
        Operand::Size(_) => None,
    }
}
