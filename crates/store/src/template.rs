//! What templates of the model show.

use crate::circumstances::Circumstances;
use crate::value;
use monotable_item::Item;
use monotable_model::compiled::{self, Shown, SourcePath};
use monotable_model::model::{Model, Root, Template};

/// The text of a template for a row with these values; none if something that it needs is not there.
pub(crate) fn render(
    model: &Model,
    values: &Item,
    template: &Template,
    circumstances: &Circumstances,
) -> Option<String> {
    let value = |path: &SourcePath<'_>| find_value(model, values, path, circumstances);
    compiled::render(template, value).ok()
}

/// The value that a place of a template shows.
pub(crate) fn find_value(
    model: &Model,
    values: &Item,
    path: &SourcePath<'_>,
    circumstances: &Circumstances,
) -> Option<Shown> {
    if path.root == Some(Root::Now) {
        return Some(Shown::One(circumstances.now_text()));
    }
    let first = *path.names.first()?;
    match path.root {
        None if path.names.len() == 1 => value::show(values.get(first)?),
        None if path.names.len() == 2 => {
            let row = circumstances.referred.get(first)?;
            value::show(row.get(path.names.get(1)?)?)
        }
        Some(Root::Setting) => value::show(&circumstances.setting(model, first)?),
        Some(Root::Principal) => value::show(circumstances.principal.get(first)?),
        Some(Root::Tenant) => {
            // A store that names no tenant is that of the one without a prefix.
            let bare = || model.tenant.as_ref()?.bare.as_ref();
            let tenant = circumstances.tenant.as_ref().or_else(bare)?;
            Some(Shown::One(if first == "prefix" {
                circumstances.tenant_prefix(model).to_owned()
            } else {
                tenant.clone()
            }))
        }
        // Of a move, an audit, an archive: the operation knows.
        None | Some(Root::Row | Root::Old | Root::Request | Root::Archive | Root::Now) => None,
    }
}
