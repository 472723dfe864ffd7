//! TagResource.

use super::Execute;
use super::redefinition;
use crate::engine::Core;
use crate::step::Step;
use crate::wording;
use monotable_api::{Error, Tag, TagResource, TagResourceInput, TagResourceOutput};
use std::sync::Arc;

impl Execute for TagResource {
    fn start(core: &Arc<Core>, input: TagResourceInput) -> Result<Step<TagResourceOutput>, Error> {
        let valid = input.validate()?;
        let tags = valid.tags;
        Ok(redefinition::start(
            core,
            valid.table,
            wording::resource_not_found,
            move |table| {
                let mut definition = Box::new(table.definition.clone());
                for tag in tags {
                    match definition
                        .tags
                        .iter_mut()
                        .find(|known| known.key == tag.key)
                    {
                        Some(known) => *known = tag,
                        None => definition.tags.push(tag),
                    }
                }
                Tag::check_count(definition.tags.len())?;
                Ok((definition, TagResourceOutput::default()))
            },
        ))
    }
}
