//! Rows that get another key: whether it is the same text after all, and whether two rows would get the same one.

use super::PairComparison;
use crate::difference::{Finding, RowExample};
use crate::example::{clashes, two_values};
use crate::recognition::list_texts;
use crate::renames::plain_text;
use monotable_language::{Assignment, Language, Pattern, Verdict, meet};
use monotable_model::model::{Attribute, Entity, Field, Format, Key, Kind, Source};
use monotable_model::shape::{Variables, Vocabulary, field_language, pattern_of};
use serde_json::{Value, json};

/// More ways to put words into a key are not tried.
const MOST_WAYS: usize = 256;

/// Whether both keys show the same texts, for every row that both entities have: the names of attributes may differ, and where
/// one version shows an attribute the other may have one of its words.
pub(super) fn shows_same_texts(pair: &PairComparison<'_, '_>, was: &Key, is: &Key) -> bool {
    let was_texts: Vec<_> = was
        .templates()
        .map(|template| plain_text(template, |_| None))
        .collect();
    let is_texts: Vec<_> = is
        .templates()
        .map(|template| pair.attributes.in_old_names(template))
        .collect();
    let old_ways = fill_in(
        was_texts,
        &list_constants(pair.pair.old, pair.pair.new, pair, Version::Old),
    );
    let new_ways = fill_in(
        is_texts,
        &list_constants(pair.pair.new, pair.pair.old, pair, Version::New),
    );
    old_ways.iter().any(|way| new_ways.contains(way))
}

#[derive(Clone, Copy)]
enum Version {
    Old,
    New,
}

/// Attributes of an entity that have one word in all rows that the other entity has, with the words that it may be.
fn list_constants(
    entity: &Entity,
    other: &Entity,
    pair: &PairComparison<'_, '_>,
    version: Version,
) -> Vec<(String, Vec<String>)> {
    let attributes = entity.attributes.iter().filter_map(|attribute| {
        let told = other
            .is
            .iter()
            .find(|known| known.attribute.value == attribute.stored);
        let is_paired = pair.attributes.pairs.iter().any(|known| match version {
            Version::Old => known.old.name.value == attribute.name.value,
            Version::New => known.new.name.value == attribute.name.value,
        });
        let words = match (told, &attribute.kind) {
            (Some(known), _) if known.read.len() == 1 => known.read.clone(),
            (Some(_), _) => return None,
            (None, Kind::Enum(words)) if !is_paired => {
                words.iter().map(|word| word.word.clone()).collect()
            }
            (None, _) => return None,
        };
        Some((format!("{{{}}}", attribute.name.value), words))
    });
    attributes.collect()
}

/// The texts of a key with every choice of words.
fn fill_in(texts: Vec<String>, constants: &[(String, Vec<String>)]) -> Vec<Vec<String>> {
    let mut ways = vec![texts];
    for (field, words) in constants {
        let is_shown = ways.iter().flatten().any(|text| text.contains(field));
        if !is_shown || ways.len() * words.len() > MOST_WAYS {
            continue;
        }
        let filled = ways.iter().flat_map(|way| {
            words.iter().map(|word| {
                let texts = way.iter().map(|text| text.replace(field, word));
                texts.collect::<Vec<_>>()
            })
        });
        ways = filled.collect();
    }
    ways
}

/// How a key shows an attribute.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Visibility {
    /// So that two values have two texts.
    Whole,
    /// Otherwise, or within something else.
    InPart,
    Not,
}

fn find_shown(key: &Key, name: &str) -> Visibility {
    let fields = key.templates().flat_map(|template| template.fields());
    let shown = fields.filter(|field| field.attributes().any(|shown| shown.value == name));
    let ways = shown.map(|field| {
        let is_whole = field.sources.len() == 1
            && field
                .formats
                .iter()
                .all(|format| matches!(format.value, Format::Pad(_)));
        if is_whole {
            Visibility::Whole
        } else {
            Visibility::InPart
        }
    });
    ways.fold(Visibility::Not, |best, way| match (best, way) {
        (Visibility::Whole, _) | (_, Visibility::Whole) => Visibility::Whole,
        _ => Visibility::InPart,
    })
}

/// Two rows of an entity that get one key, or why it is not known whether there are any; none if each gets its own.
pub(super) fn find_lost_attribute(
    pair: &PairComparison<'_, '_>,
    was: &Key,
    is: &Key,
) -> Option<Finding> {
    let names = list_names(was);
    let mut is_known = true;
    let mut lost = None;
    for old in &pair.pair.old.attributes {
        if !names.contains(&old.name.value) || is_constant(pair, old) {
            continue;
        }
        let mut pairs = pair.attributes.pairs.iter();
        let new = pairs.find(|known| known.old.name.value == old.name.value);
        match new.map_or(Visibility::Not, |known| {
            find_shown(is, &known.new.name.value)
        }) {
            Visibility::Whole => {}
            Visibility::InPart => is_known = false,
            Visibility::Not => lost = lost.or(Some(old)),
        }
    }
    let shown = list_names(is);
    let others = pair.pair.new.attributes.iter();
    let others: Vec<_> = others
        .filter(|new| shown.contains(&new.name.value) && !is_shown_before(pair, &names, new))
        .collect();
    let lost = match lost {
        None if is_known => return None,
        Some(lost) if others.iter().all(|new| new.computed.is_none()) => lost,
        _ => return Some(unproven()),
    };
    if others.iter().any(|new| is_unique(pair.pair.new, new)) {
        return None;
    }
    if others.iter().any(|new| new.generated.is_some()) {
        return Some(unproven());
    }
    let Some([one, two]) = two_values(&lost.kind) else {
        return Some(unproven());
    };
    let row = |value: Value| {
        let given = [(lost.name.value.as_str(), value)];
        pair.old_rows.row_with(pair.pair.old_id, &given)
    };
    let (one, two) = (row(one), row(two));
    let key = new_key(pair, &one);
    if key.is_empty() || key != new_key(pair, &two) {
        return Some(unproven());
    }
    let what = format!(
        "both would stand under {key:?}: the new key does not show `{}`",
        lost.name.value
    );
    Some(Finding::breaks_rows(
        clashes((one, two), "the backfill", what),
        format!("let the new key show `{}`, too", lost.name.value),
    ))
}

fn unproven() -> Finding {
    Finding::unproven(
        "two rows may get the same key",
        "a run looks at the rows, and names two that would have one key",
    )
}

fn list_names(key: &Key) -> Vec<String> {
    let fields = key.templates().flat_map(|template| template.fields());
    let names = fields.flat_map(|field| field.attributes());
    names.map(|name| name.value.clone()).collect()
}

/// Whether all rows that both entities have hold one word in it.
fn is_constant(pair: &PairComparison<'_, '_>, old: &Attribute) -> bool {
    let mut told = pair.pair.new.is.iter();
    told.any(|known| known.attribute.value == old.stored && known.read.len() == 1)
}

fn is_shown_before(pair: &PairComparison<'_, '_>, names: &[String], new: &Attribute) -> bool {
    let mut pairs = pair.attributes.pairs.iter();
    pairs.any(|known| {
        known.new.name.value == new.name.value && names.contains(&known.old.name.value)
    })
}

/// Whether no two rows have the same value, because it alone is claimed.
fn is_unique(entity: &Entity, attribute: &Attribute) -> bool {
    let mut claims = entity.claims.iter();
    claims.any(|claim| claim.name.value == attribute.name.value && claim.when.is_none())
}

/// The key of a row of the old version in the new one.
fn new_key(pair: &PairComparison<'_, '_>, old: &RowExample) -> Vec<String> {
    let given = pair.attributes.pairs.iter().filter_map(|known| {
        let value = old.values.get(&known.old.name.value)?;
        Some((known.new.name.value.as_str(), value.clone()))
    });
    let given: Vec<_> = given.collect();
    pair.new_rows.row_with(pair.pair.new_id, &given).key
}

/// Two rows of different entities that get one key when the entities are merged, or why it is not known.
pub(super) fn find_common_key(pairs: &[PairComparison<'_, '_>]) -> Option<Finding> {
    let mut doubt = None;
    for (position, one) in pairs.iter().enumerate() {
        for two in pairs.iter().skip(position + 1) {
            if !is_moved(one) && !is_moved(two) {
                continue;
            }
            match judge_common_key(one, two) {
                Some(finding @ Finding::Breaks { .. }) => return Some(finding),
                found => doubt = doubt.or(found),
            }
        }
    }
    doubt
}

fn is_moved(pair: &PairComparison<'_, '_>) -> bool {
    match (pair.pair.old.primary(), pair.pair.new.primary()) {
        (Some(was), Some(is)) => !shows_same_texts(pair, was, is),
        _ => true,
    }
}

fn judge_common_key(one: &PairComparison<'_, '_>, two: &PairComparison<'_, '_>) -> Option<Finding> {
    let (left, right) = (OldKeys::new(one)?, OldKeys::new(two)?);
    let clash = match meet(&left.patterns, &right.patterns) {
        Verdict::Proven => return None,
        Verdict::NotProven(_) => return Some(unproven()),
        Verdict::Refuted(clash) => clash,
    };
    let is_generated = |pair: &PairComparison<'_, '_>| {
        let shown = pair.pair.new.primary().map(list_names).unwrap_or_default();
        let mut known = pair.attributes.pairs.iter();
        known.any(|known| known.old.generated.is_some() && shown.contains(&known.new.name.value))
    };
    if is_generated(one) && is_generated(two) {
        // Such ids are the same only if a program has given them.
        return Some(unproven());
    }
    let rows = (left.row(one, &clash.left)?, right.row(two, &clash.right)?);
    if new_key(one, &rows.0) != new_key(two, &rows.1) {
        return Some(unproven());
    }
    let what = format!("both would stand under {:?}", new_key(one, &rows.0));
    Some(Finding::breaks_rows(
        clashes(rows, "the backfill", what),
        "let the new key show what tells the two entities apart",
    ))
}

/// The new keys of rows of an old entity.
struct OldKeys {
    patterns: Vec<Pattern>,
    variables: Variables,
}

impl OldKeys {
    fn new(pair: &PairComparison<'_, '_>) -> Option<Self> {
        let mut variables = Variables::default();
        let words = Vocabulary::of(pair.whole.old);
        let new_words = Vocabulary::of(pair.whole.new);
        let shown = |field: &Field| show_old(pair, field, (&words, &new_words));
        let key = pair.pair.new.primary()?;
        let patterns = key
            .templates()
            .map(|template| pattern_of(template, &mut variables, shown))
            .collect();
        Some(Self {
            patterns,
            variables,
        })
    }

    /// The row whose new key shows these values.
    fn row(&self, pair: &PairComparison<'_, '_>, values: &Assignment) -> Option<RowExample> {
        let mut given = Vec::new();
        for (name, variable) in self.variables.iter() {
            let mut pairs = pair.attributes.pairs.iter();
            let known = pairs.find(|known| known.new.name.value == name);
            if let (Some(known), Some(text)) = (known, values.get(&variable)) {
                let value = match known.old.kind {
                    Kind::Integer(_) | Kind::Number(_) => json!(text.parse::<i64>().ok()?),
                    _ => json!(text),
                };
                given.push((known.old.name.value.as_str(), value));
            }
        }
        Some(pair.old_rows.row_with(pair.pair.old_id, &given))
    }
}

/// What a field of the new key shows of rows of the old entity.
fn show_old(
    pair: &PairComparison<'_, '_>,
    field: &Field,
    (words, new_words): (&Vocabulary<'_>, &Vocabulary<'_>),
) -> Language {
    let mut renamed = field.clone();
    for source in &mut renamed.sources {
        let Source::Path {
            root: None, names, ..
        } = source
        else {
            continue;
        };
        let Some(first) = names.first_mut() else {
            continue;
        };
        let mut pairs = pair.attributes.pairs.iter();
        let known = pairs.find(|known| known.new.name.value == first.value);
        if let Some(known) = known {
            first.value.clone_from(&known.old.name.value);
            continue;
        }
        let stored = pair.pair.new.attribute(&first.value).map(|new| &new.stored);
        let texts = stored.and_then(|stored| list_texts(pair.pair.old, stored));
        let texts: Option<Vec<String>> = texts.and_then(|texts| texts.into_iter().collect());
        return match texts {
            Some(texts) if field.formats.is_empty() => {
                Language::one_of(&texts.iter().map(String::as_str).collect::<Vec<_>>())
            }
            _ => field_language(field, pair.pair.new_id.index(), new_words),
        };
    }
    field_language(&renamed, pair.pair.old_id.index(), words)
}
