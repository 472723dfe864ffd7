//! One text in several forms of Unicode is one claim.
//!
//! `é` is one character or two, and `ａ` is an `a` of full width. Where a claim ignores case it ignores such differences
//! too: its guards stand under the form NFKC. Releases before this one left the form as it was given. Their guards are
//! looked for under the forms that programs write texts in.

use crate::model::{Assigned, Assignment, Field, Format, Key, Part, Template};
use crate::span::Spanned;

/// The forms in which a value may have been given to earlier releases: as it is given now, composed, decomposed.
const FORMER: [Option<Format>; 3] = [None, Some(Format::Nfc), Some(Format::Nfd)];

/// The key of a guard, with values in one form.
pub(super) fn normalise_key(mut key: Key) -> Key {
    normalise(&mut key.hash);
    key.range.iter_mut().for_each(normalise);
    key
}

/// The keys of guards that earlier releases wrote; none if they wrote those of today.
pub(super) fn former_keys(key: &Key) -> Vec<Key> {
    if !key.templates().any(is_normalised) {
        return Vec::new();
    }
    let former = FORMER.iter().map(|form| {
        let mut key = key.clone();
        set_form(&mut key.hash, form.as_ref());
        if let Some(range) = &mut key.range {
            set_form(range, form.as_ref());
        }
        key
    });
    former.collect()
}

/// The attributes of a guard, with values in one form.
pub(super) fn normalise_set(mut set: Vec<Assignment>) -> Vec<Assignment> {
    for assignment in &mut set {
        if let Assigned::Template(template) = &mut assignment.value {
            normalise(template);
        }
    }
    set
}

/// The attributes that guards of earlier releases have in place of those of today.
pub(super) fn former_sets(set: &[Assignment]) -> Vec<Vec<Assignment>> {
    let is_other =
        |assignment: &&Assignment| assignment.value.template().is_some_and(is_normalised);
    let others: Vec<_> = set.iter().filter(is_other).cloned().collect();
    if others.is_empty() {
        return Vec::new();
    }
    let former = FORMER.iter().map(|form| {
        let mut set = others.clone();
        for assignment in &mut set {
            if let Assigned::Template(template) = &mut assignment.value {
                set_form(template, form.as_ref());
            }
        }
        set
    });
    former.collect()
}

fn normalise(template: &mut Template) {
    set_form(template, Some(&Format::Nfkc));
}

fn is_normalised(template: &Template) -> bool {
    template.fields().any(ignores_case)
}

/// Whether case makes no difference, and the model says no form itself.
fn ignores_case(field: &Field) -> bool {
    let mut formats = field.formats.iter().map(|format| &format.value);
    let has_form = formats.clone().any(|format| *format == Format::Nfkc);
    !has_form && formats.any(|format| matches!(format, Format::Lower | Format::Upper))
}

/// Brings values into a form before anything else is done to them.
fn set_form(template: &mut Template, form: Option<&Format>) {
    let Some(form) = form else {
        return;
    };
    for part in &mut template.parts {
        if let Part::Field(field) = part
            && ignores_case(field)
        {
            let form = Spanned::new(form.clone(), field.span);
            field.formats.insert(0, form);
        }
    }
}
