//! What a condition says of each field of a key.

use super::Asked;
use crate::model::{Field, Format, Key, Mode, Part, Template};
use crate::span::Spanned;

/// The partition key, or the sort key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Hash,
    Range,
}

/// What stands in the condition where the key has a field.
#[derive(Clone, Debug)]
pub(super) struct Binding<'k> {
    pub(super) side: Side,
    pub(super) field: &'k Field,
    pub(super) said: Vec<Part>,
}

impl Binding<'_> {
    /// Whether a caller gives a part of it.
    pub(super) fn is_given(&self) -> bool {
        self.said.iter().any(|part| matches!(part, Part::Field(_)))
    }
}

pub(super) struct Bindings<'k> {
    pub(super) all: Vec<Binding<'k>>,
}

impl<'k> Bindings<'k> {
    /// None: the condition is not one on this key.
    pub(super) fn of(key: &'k Key, asked: &Asked) -> Option<Self> {
        if !key.further.is_empty() || !asked.further.is_empty() {
            return None;
        }
        let mut all = matched(Side::Hash, &key.hash, &asked.hash)?;
        if let Some(range) = &asked.range {
            all.extend(matched(Side::Range, key.range.as_ref()?, range)?);
        }
        Some(Self { all })
    }

    /// What is said of a field. On the other side of the key only a value as it is tells another form of it.
    pub(super) fn find(&self, side: Side, field: &Field) -> Option<(usize, &Binding<'k>)> {
        let named = || {
            let all = self.all.iter().enumerate();
            all.filter(|(_, binding)| binding.field.name() == field.name())
        };
        let alike = |binding: &Binding<'_>| formats(binding.field) == formats(field);
        named()
            .find(|(_, binding)| binding.side == side && alike(binding))
            .or_else(|| named().find(|(_, binding)| binding.side == side))
            .or_else(|| {
                named().find(|(_, binding)| alike(binding) || binding.field.formats.is_empty())
            })
    }
}

pub(super) fn formats(field: &Field) -> Vec<&Format> {
    field.formats.iter().map(|format| &format.value).collect()
}

/// Reads a condition by the template of a key: each field with what stands for it, up to where the condition ends.
fn matched<'k>(side: Side, template: &'k Template, asked: &Template) -> Option<Vec<Binding<'k>>> {
    let mut rest: Vec<Part> = asked.parts.clone();
    let mut found = Vec::new();
    let mut parts = template.parts.iter().peekable();
    while let Some(part) = parts.next() {
        if rest.is_empty() {
            break;
        }
        match part {
            Part::Literal(text) => match strip(&mut rest, &text.value) {
                Stripped::All => {}
                Stripped::Ended => break,
                Stripped::Differs => return None,
            },
            Part::Field(field) => {
                let next = parts.peek();
                let said = taken(&mut rest, field, next.copied())?;
                found.push(Binding { side, field, said });
            }
        }
    }
    rest.is_empty().then_some(found)
}

enum Stripped {
    All,
    /// The condition ends inside the text.
    Ended,
    Differs,
}

/// Takes a text from the beginning of what is left of a condition.
fn strip(rest: &mut Vec<Part>, text: &str) -> Stripped {
    let Some(Part::Literal(first)) = rest.first_mut() else {
        return Stripped::Differs;
    };
    if let Some(after) = first.value.strip_prefix(text) {
        if after.is_empty() {
            drop(rest.remove(0))
        } else {
            first.value = after.to_owned()
        }
        return Stripped::All;
    }
    let ends = text.starts_with(&first.value) && rest.len() == 1;
    if ends {
        rest.clear();
    }
    if ends {
        Stripped::Ended
    } else {
        Stripped::Differs
    }
}

/// Takes what stands for a field: the field itself, a constant up to the text that follows, or all that is left.
fn taken(rest: &mut Vec<Part>, field: &Field, next: Option<&Part>) -> Option<Vec<Part>> {
    match (rest.first()?.clone(), next) {
        (Part::Field(said), _) if said.name() == field.name() => Some(vec![rest.remove(0)]),
        (_, None) => Some(std::mem::take(rest)),
        (Part::Literal(text), Some(Part::Literal(next))) => {
            let (constant, after) = text.value.split_once(next.value.as_str())?;
            let after = format!("{}{after}", next.value);
            *rest.first_mut()? = Part::Literal(Spanned::new(after, text.span));
            let constant = Spanned::new(constant.to_owned(), text.span);
            Some(vec![Part::Literal(constant)])
        }
        _ => None,
    }
}

/// Whether it can end a condition only.
pub(super) const fn ends_condition(mode: Mode) -> bool {
    matches!(mode, Mode::Open | Mode::Range)
}
