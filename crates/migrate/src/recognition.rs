//! Which entities of one version have the rows of an entity of the other.
//!
//! It follows what a store makes of an item: an entity whose discriminators fit has the row before one that only its key tells, and
//! partition and sort key are each held against a template. Rows are taken apart by what the discriminators can say of them; within such
//! a group the languages of the keys decide. A split asks this of rows of the old version, a merge of rows of the new one.

mod forms;
mod groups;

use crate::difference::RowExample;
use crate::example::Examples;
use forms::{Form, list_forms};
pub(crate) use groups::list_texts;
use groups::{DiscriminatorVerdict, Group, list_groups};
use monotable_language::{Language, Pattern, Verdict, is_subset, overlap, parse};
use monotable_model::model::{Entity, EntityId, Kind, Model};
use monotable_model::shape::{Variables, Vocabulary};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Who has the rows of an entity in the other version.
pub(crate) struct Recognition {
    /// Entities that have such rows, in the order of their model.
    pub(crate) takers: Vec<EntityId>,
    pub(crate) verdict: RecognitionVerdict,
}

/// By how many entities rows are recognised.
#[derive(Clone)]
pub(crate) enum RecognitionVerdict {
    /// Each row by exactly one.
    ByOne,
    /// This row by none.
    ByNone(RowExample),
    /// This row by several, which are named.
    BySeveral(RowExample, Vec<String>),
    /// It is not known, for this reason.
    NotProven(String),
}

impl RecognitionVerdict {
    const fn rank(&self) -> u8 {
        match self {
            Self::ByOne => 0,
            Self::NotProven(_) => 1,
            Self::ByNone(_) | Self::BySeveral(..) => 2,
        }
    }

    /// The worse of two.
    pub(crate) fn and(self, other: Self) -> Self {
        if other.rank() > self.rank() {
            other
        } else {
            self
        }
    }
}

/// Says which entities of `to` have the rows of an entity of `from`.
pub(crate) fn recognise(from: &Model, id: EntityId, to: &Model) -> Recognition {
    let rows = Rows {
        model: from,
        id,
        entity: from.entity(id),
        words: Vocabulary::of(from),
    };
    let mut found = Recognition {
        takers: Vec::new(),
        verdict: RecognitionVerdict::ByOne,
    };
    let (all, _) = rows.patterns(&Group::default());
    let mut forms = list_forms(to, &from.table(rows.entity.table).name.value);
    forms.retain(|form| form.may_meet(&all));
    let Some(groups) = list_groups(rows.entity, &forms) else {
        found.takers = forms.iter().map(|form| form.id).collect();
        let why = "there are too many words that tell its rows apart".to_owned();
        found.verdict = RecognitionVerdict::NotProven(why);
        return found;
    };
    for group in groups {
        let (takers, verdict) = rows.judge(&group, &forms);
        found.takers.extend(takers);
        found.verdict = found.verdict.and(verdict);
    }
    found.takers.sort();
    found.takers.dedup();
    found
}

/// The rows of an entity.
struct Rows<'m> {
    model: &'m Model,
    id: EntityId,
    entity: &'m Entity,
    words: Vocabulary<'m>,
}

impl Rows<'_> {
    /// The keys of rows of a group, with the variables in them.
    fn patterns(&self, group: &Group) -> (Vec<Pattern>, Variables) {
        let mut variables = Variables::default();
        for attribute in &self.entity.attributes {
            if let Some(Some(word)) = group.get(&attribute.stored) {
                let shown = Language::literal(written_word(&attribute.kind, word));
                variables.narrow(&attribute.name.value, shown);
            }
        }
        let primary = self.entity.primary();
        let patterns = primary
            .map(|key| forms::list_patterns(key, self.id, &self.words, &mut variables))
            .unwrap_or_default();
        (patterns, variables)
    }

    fn judge(&self, group: &Group, forms: &[Form<'_>]) -> (Vec<EntityId>, RecognitionVerdict) {
        let (patterns, variables) = self.patterns(group);
        let view = GroupRows {
            rows: self,
            group,
            languages: patterns.iter().map(Pattern::language).collect(),
            patterns,
            variables,
        };
        let mut takers: Vec<&Form<'_>> = Vec::new();
        let mut verdict = RecognitionVerdict::ByOne;
        for telling in [DiscriminatorVerdict::This, DiscriminatorVerdict::ByKey] {
            let told = forms.iter().filter(|form| form.tell(group) == telling);
            let told: Vec<_> = told.filter(|form| form.may_meet(&view.patterns)).collect();
            verdict = verdict.and(view.find_clash(&told));
            takers.extend(told);
            if matches!(view.judge_cover(&takers), RecognitionVerdict::ByOne) {
                let ids = takers.iter().map(|form| form.id).collect();
                return (ids, verdict);
            }
        }
        let unknown = forms.iter().filter(|form| {
            form.tell(group) == DiscriminatorVerdict::Unknown && form.may_meet(&view.patterns)
        });
        let unknown: Vec<_> = unknown.collect();
        let verdict = match unknown.first() {
            Some(form) => {
                takers.extend(unknown.iter().copied());
                let name = &form.entity.name.value;
                let why =
                    format!("rows may hold anything in the attributes by which {name} is told");
                verdict.and(RecognitionVerdict::NotProven(why))
            }
            None => verdict.and(view.judge_cover(&takers)),
        };
        let ids = takers.iter().map(|form| form.id).collect();
        (ids, verdict)
    }
}

/// Rows of an entity of which the discriminators say the same.
struct GroupRows<'r, 'm> {
    rows: &'r Rows<'m>,
    group: &'r Group,
    patterns: Vec<Pattern>,
    languages: Vec<Language>,
    variables: Variables,
}

impl GroupRows<'_, '_> {
    /// A row that two entities have.
    fn find_clash(&self, told: &[&Form<'_>]) -> RecognitionVerdict {
        let mut verdict = RecognitionVerdict::ByOne;
        for (position, one) in told.iter().enumerate() {
            for other in told.iter().skip(position + 1) {
                if one.id != other.id {
                    verdict = verdict.and(self.judge_pair(one, other));
                }
            }
        }
        verdict
    }

    fn judge_pair(&self, one: &Form<'_>, other: &Form<'_>) -> RecognitionVerdict {
        let names = [one, other].map(|form| form.entity.name.value.clone());
        let mut fixed = Vec::new();
        for (at, language) in self.languages.iter().enumerate() {
            let (Some(a), Some(b)) = (one.languages.get(at), other.languages.get(at)) else {
                return RecognitionVerdict::ByOne;
            };
            if one.covers(at, self) && other.covers(at, self) {
                continue;
            }
            match overlap(&language.intersect(a), b) {
                Verdict::Proven => return RecognitionVerdict::ByOne,
                Verdict::Refuted(word) => fixed.push((at, word)),
                Verdict::NotProven(why) => return RecognitionVerdict::NotProven(why),
            }
        }
        match self.example(&fixed) {
            Some(row) => RecognitionVerdict::BySeveral(row, names.into()),
            None => {
                let [one, other] = names;
                RecognitionVerdict::NotProven(format!("{one} and {other} may both have such a row"))
            }
        }
    }

    /// Whether each row is one of these.
    fn judge_cover(&self, takers: &[&Form<'_>]) -> RecognitionVerdict {
        let nobody = || {
            RecognitionVerdict::NotProven("not every key is proved to be one of theirs".to_owned())
        };
        if takers.is_empty() {
            return self
                .example(&[])
                .map_or_else(nobody, RecognitionVerdict::ByNone);
        }
        let mut outside = None;
        for (at, language) in self.languages.iter().enumerate() {
            let others = |form: &&&Form<'_>| {
                let mut places = 0..self.languages.len();
                places.all(|place| place == at || form.covers(place, self))
            };
            let whole: Vec<_> = takers.iter().filter(others).collect();
            if whole.iter().any(|form| form.covers(at, self)) {
                return RecognitionVerdict::ByOne;
            }
            let exact = whole.iter().filter(|form| form.is_exact(at));
            let union = exact.filter_map(|form| form.languages.get(at).cloned());
            let union = union.reduce(|all, language| all.union(&language));
            match union.map(|union| is_subset(language, &union)) {
                Some(Verdict::Proven) => return RecognitionVerdict::ByOne,
                Some(Verdict::Refuted(word)) if whole.len() == takers.len() => {
                    outside = outside.or_else(|| self.example(&[(at, word)]));
                }
                _ => {}
            }
        }
        outside.map_or_else(nobody, RecognitionVerdict::ByNone)
    }

    /// A row of the group whose key has these texts at these places; none if they do not go together.
    fn example(&self, fixed: &[(usize, String)]) -> Option<RowExample> {
        let mut given: BTreeMap<&str, Value> = BTreeMap::new();
        for (at, text) in fixed {
            let values = parse(self.patterns.get(*at)?, text)?;
            for (name, variable) in self.variables.iter() {
                let Some(value) = values.get(&variable) else {
                    continue;
                };
                let attribute = self.rows.entity.attribute(name)?;
                let value = read_value(&attribute.kind, value)?;
                if given
                    .insert(name, value.clone())
                    .is_some_and(|known| known != value)
                {
                    return None;
                }
            }
        }
        for attribute in &self.rows.entity.attributes {
            let value = match self.group.get(&attribute.stored) {
                Some(Some(word)) => json!(word),
                Some(None) => Value::Null,
                None => continue,
            };
            given.insert(&attribute.name.value, value);
        }
        let given: Vec<_> = given.into_iter().collect();
        let row = Examples::new(self.rows.model).row_with(self.rows.id, &given);
        let is_there = fixed.iter().all(|(at, text)| {
            let shown = row.key.get(*at);
            shown.is_some_and(|shown| shown.ends_with(text))
        });
        is_there.then_some(row)
    }
}

/// The word that a key shows, of one in any spelling.
fn written_word<'w>(kind: &'w Kind, word: &'w str) -> &'w str {
    let Kind::Enum(words) = kind else {
        return word;
    };
    let known = words
        .iter()
        .find(|known| known.aliases.iter().any(|alias| alias == word));
    known.map_or(word, |known| known.word.as_str())
}

/// A text of a key as the value that shows it.
fn read_value(kind: &Kind, text: &str) -> Option<Value> {
    match kind {
        Kind::Integer(_) | Kind::Number(_) | Kind::Epoch => {
            text.parse::<i64>().ok().map(|number| json!(number))
        }
        Kind::Boolean => text.parse::<bool>().ok().map(|flag| json!(flag)),
        _ if text.trim().is_empty() => None,
        _ => Some(json!(text)),
    }
}
