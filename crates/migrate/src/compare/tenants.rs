//! How tenants are kept apart.

use super::{Comparison, Found, is_same};
use crate::difference::{DifferenceKind, Finding, RowExample, Work};
use crate::example::{Examples, fails};
use monotable_language::{Language, Verdict, overlap};
use monotable_model::model::{Model, Part, Tenant};
use monotable_model::shape::{Variables, Vocabulary, pattern};

/// Adds what differs between the tenants of two versions.
pub(super) fn compare(comparison: &Comparison<'_>, found: &mut Found) {
    let (old, new) = (comparison.old, comparison.new);
    let prefix = |tenant: &Tenant| (tenant.prefix.text.clone(), tenant.bare.clone());
    match (&old.tenant, &new.tenant) {
        (None, None) => {}
        (None, Some(tenant)) => compare_first(comparison, tenant, found),
        (Some(was), Some(is))
            if prefix(was) == prefix(is) && is_same(&was.attribute.kind, &is.attribute.kind) => {}
        _ => {
            let row = old
                .stored()
                .next()
                .map_or_else(RowExample::default, |(id, _)| Examples::new(old).row(id));
            let what = "its partition key begins otherwise than the new version expects";
            let counterexample = || fails(row.clone(), "any read", what);
            let remedy = "a prefix of tenants is added to a model without tenants, with `bare`; it is not changed or removed: copy the rows into another table by `dump` and `load`";
            found.add(
                DifferenceKind::Tenant,
                "[tenant]",
                "tenants have another prefix, or none any more",
                Finding::breaks(counterexample(), remedy),
                Finding::breaks(counterexample(), remedy),
            );
        }
    }
}

/// Tenants in a model that had none: all rows are of the tenant without a prefix.
fn compare_first(comparison: &Comparison<'_>, tenant: &Tenant, found: &mut Found) {
    let what = format!(
        "partition keys begin with `{}` from now on",
        tenant.prefix.text
    );
    let old = comparison.old;
    let first = || {
        old.stored()
            .next()
            .map_or_else(RowExample::default, |(id, _)| Examples::new(old).row(id))
    };
    let old_programs = Finding::breaks(
        fails(
            first(),
            "a program of the old version that starts",
            "the store remembers that its keys have a tenant's prefix, and refuses a model that writes none",
        ),
        "end programs of the old version before the switch",
    );
    let Some(bare) = &tenant.bare else {
        let reason = "no tenant has rows without a prefix, and a row does not say whose it is";
        let stored = Finding::breaks(
            fails(first(), "any read of the new version", reason),
            "name the tenant that has the rows of today: `bare = \"...\"` in [tenant]",
        );
        return found.add(
            DifferenceKind::Tenant,
            "[tenant]",
            what,
            stored,
            old_programs,
        );
    };
    let stored = match find_prefixed(comparison.old, comparison.new) {
        PrefixClash::Never => Finding::Backfill {
            work: Work::Templates,
            rows: Vec::new(),
            why: format!(
                "rows of today are those of the tenant `{bare}`, whose keys have no prefix: no key of the old version begins like that of another tenant, so no row changes; the store remembers the prefix"
            ),
            meanwhile: None,
        },
        PrefixClash::Row(row) => Finding::breaks_rows(
            fails(
                row,
                "any read of the new version",
                "its partition key begins like that of another tenant, who would see it",
            ),
            "choose a prefix that no key begins with",
        ),
        PrefixClash::Unknown(entity) => Finding::unproven(
            format!("the partition key of {entity} may begin like that of a tenant"),
            "choose a prefix that no key begins with",
        ),
    };
    found.add(
        DifferenceKind::Tenant,
        "[tenant]",
        what,
        stored,
        old_programs,
    );
}

enum PrefixClash {
    Never,
    Row(RowExample),
    Unknown(String),
}

/// Whether a partition key of the old version begins like that of a tenant of the new one.
fn find_prefixed(old: &Model, new: &Model) -> PrefixClash {
    let Some(tenants) = prefixes(new) else {
        return PrefixClash::Unknown("every entity".to_owned());
    };
    let prefixed = tenants.concat(&Language::any_text());
    let vocabulary = Vocabulary::of(old);
    for (id, entity) in old.stored() {
        for key in &entity.keys {
            let mut variables = Variables::default();
            let hash = pattern(&key.hash, id.index(), &vocabulary, &mut variables);
            match overlap(&hash.language(), &prefixed) {
                Verdict::Proven => {}
                Verdict::Refuted(text) => {
                    let mut row = Examples::new(old).row_at(id, key);
                    if let Some(first) = row.key.first_mut() {
                        *first = text;
                    }
                    row.values.clear();
                    return PrefixClash::Row(row);
                }
                Verdict::NotProven(_) => return PrefixClash::Unknown(entity.name.value.clone()),
            }
        }
    }
    PrefixClash::Never
}

/// The prefixes of tenants that have one.
fn prefixes(model: &Model) -> Option<Language> {
    let tenant = model.tenant.as_ref()?;
    let id = tenant.attribute.kind.language()?;
    let mut language = Language::empty_text();
    for part in &tenant.prefix.parts {
        language = match part {
            Part::Literal(text) => language.concat(&Language::literal(&text.value)),
            Part::Field(field) if field.formats.is_empty() => language.concat(&id),
            Part::Field(_) => return None,
        };
    }
    Some(language)
}
