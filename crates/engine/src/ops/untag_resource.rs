//! UntagResource.

use super::Execute;
use super::redefinition;
use crate::engine::Core;
use crate::step::Step;
use crate::wording;
use monotable_api::{Error, UntagResource, UntagResourceInput, UntagResourceOutput};
use std::sync::Arc;

impl Execute for UntagResource {
    fn start(
        core: &Arc<Core>,
        input: UntagResourceInput,
    ) -> Result<Step<UntagResourceOutput>, Error> {
        let valid = input.validate()?;
        let keys = valid.keys;
        Ok(redefinition::start(
            core,
            valid.table,
            wording::resource_not_found,
            move |table| {
                let mut definition = Box::new(table.definition.clone());
                definition
                    .tags
                    .retain(|tag| !tag.key.as_ref().is_some_and(|key| keys.contains(key)));
                Ok((definition, UntagResourceOutput::default()))
            },
        ))
    }
}
