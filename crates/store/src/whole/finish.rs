//! Operations that were begun and have not ended, ended.

use super::repair::Repaired;
use super::verify::{Content, Inspection, VerifyOptions};
use crate::error::Error;
use crate::mark::{self, Begun};
use crate::repository;
use crate::store::Store;
use crate::verify::{Candidate, FieldReader, Told, UnfinishedKind};
use monotable_item::Item;
use std::time::Duration;

/// A commit that began so long ago is not under way any more.
const COMMIT_TIME: Duration = Duration::from_secs(60 * 60);

impl Store {
    /// Ends what verify lists as unfinished: a marked delete or move is called again, what is left of a commit is swept, and
    /// rows of tokens that name no call any more are deleted.
    pub async fn finish(&self, options: &VerifyOptions) -> Result<Repaired, Error> {
        let mut repaired = Repaired::default();
        let mut inspection = Inspection::open(self, options).await?;
        while let Some(found) = inspection.next().await? {
            for candidate in found {
                let Told::Unfinished(what) = candidate.told else {
                    continue;
                };
                match inspection.finish(what, &candidate).await {
                    Ok(true) => repaired.written += 1,
                    Ok(false) => {}
                    Err(error) => repaired
                        .left
                        .push(format!("{}: {error}", candidate.address)),
                }
            }
        }
        for address in std::mem::take(&mut inspection.tokens) {
            repaired.written += u64::from(inspection.delete_token(&address).await?);
        }
        inspection.close()?;
        Ok(repaired)
    }
}

impl Store {
    /// Says what [`Store::finish`] would end, and writes nothing.
    pub async fn plan_finish(&self, options: &VerifyOptions) -> Result<Repaired, Error> {
        let found = self.verify_with(options).await?;
        let planned = found.unfinished.iter();
        let planned = planned.map(|begun| {
            let (what, entity, key) = (begun.what.name(), &begun.entity, &begun.key);
            format!("end the {what} of {entity} {key}")
        });
        Ok(Repaired {
            planned: planned.collect(),
            ..Repaired::default()
        })
    }
}

impl Inspection<'_> {
    /// Ends one operation. False: it has ended meanwhile.
    async fn finish(&mut self, what: UnfinishedKind, candidate: &Candidate) -> Result<bool, Error> {
        let Some(item) = self.store.stored(&candidate.address).await? else {
            return Ok(false);
        };
        let located = self.tenants.locate(candidate.address.table(), &item);
        let Some(located) = located else {
            return Ok(false);
        };
        let Content::Row { record, .. } = &located.content else {
            return Ok(false);
        };
        let store = match &located.scope.circumstances.tenant {
            Some(tenant) => self.store.tenant(tenant.as_str()),
            None => self.store.without_tenant(),
        };
        let entity = located.scope.entity(record.entity);
        let mut key = Item::new();
        for name in entity.key_attributes() {
            if let Some(value) = record.values.get(name) {
                key.insert(name, value.clone());
            }
        }
        match what {
            UnfinishedKind::Delete => {
                store.delete(&entity.name.value, key).await?;
            }
            UnfinishedKind::Move => {
                let mark = located.scope.profile(record.entity).deleting.as_ref();
                let begun = mark.and_then(|mark| mark::read(&item, mark));
                let Some(Begun::Move { name, set }) = begun else {
                    return Ok(false);
                };
                store.move_row(&name, key, set).await?;
            }
            UnfinishedKind::Commit => {
                let mut subject = FieldReader(&candidate.subject.key);
                let position = subject
                    .number()
                    .and_then(|number| usize::try_from(number).ok());
                let head = subject.address(&self.neutral);
                let repositories = &self.neutral.model().repositories;
                let repository = position.and_then(|position| repositories.get(position));
                let (Some(repository), Some(head)) = (repository, head) else {
                    return Ok(false);
                };
                let Some(owner) = repository::key_of_head(&located.scope, repository, &head) else {
                    return Ok(false);
                };
                store
                    .sweep(&repository.name.value, owner, COMMIT_TIME)
                    .await?;
            }
            UnfinishedKind::Token => {}
        }
        Ok(true)
    }
}
