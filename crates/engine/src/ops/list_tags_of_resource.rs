//! ListTagsOfResource.

use super::Execute;
use crate::engine::Core;
use crate::step::Step;
use crate::wording;
use monotable_api::{Error, ListTagsOfResource, ListTagsOfResourceInput, ListTagsOfResourceOutput};
use std::sync::Arc;

impl Execute for ListTagsOfResource {
    fn start(
        core: &Arc<Core>,
        input: ListTagsOfResourceInput,
    ) -> Result<Step<ListTagsOfResourceOutput>, Error> {
        let name = input.validate()?.table;
        let catalog = core.published.catalog.load();
        let table = catalog
            .get(name.as_str())
            .ok_or_else(|| wording::resource_not_found(&name))?;
        Ok(Step::Done(ListTagsOfResourceOutput {
            tags: Some(table.definition.tags.clone()),
            next_token: None,
        }))
    }
}
