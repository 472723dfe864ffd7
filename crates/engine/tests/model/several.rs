//! Batches and transactions in the model.

use crate::concrete::{ItemWrite, Key, Transaction};
use crate::database::{Claim, Database, projected};
use crate::outcome::{Failure, Outcome, sorted};
use crate::path::Path;
use crate::value::KeyPart;
use monotable_item::Item;
use std::collections::{BTreeMap, BTreeSet};

/// How long a token counts, in seconds.
const TOKEN_SECONDS: u64 = 600;

type Place = (&'static str, Vec<KeyPart>);

impl Database {
    pub fn batch_get(&self, keys: &[Key], projection: Option<&[Path]>) -> Result<Outcome, Failure> {
        let mut found: BTreeMap<String, Vec<Item>> = BTreeMap::new();
        let mut seen: BTreeSet<Place> = BTreeSet::new();
        // A request names its tables in a map: they are looked at by name.
        for table_name in keys.iter().map(|key| key.table).collect::<BTreeSet<_>>() {
            let table = self.table(table_name)?;
            let items = found.entry(table_name.to_owned()).or_default();
            for key in keys.iter().filter(|key| key.table == table_name) {
                let place = table.check_key(&key.key)?;
                let item = table.items.get(&place);
                items.extend(item.map(|item| projected(item, projection)));
                if !seen.insert((table_name, place)) {
                    return Err(Failure::invalid());
                }
            }
        }
        let found = found
            .into_iter()
            .map(|(table, items)| (table, sorted(items)));
        Ok(Outcome::Found(found.collect()))
    }

    pub fn batch_write(&mut self, writes: &[ItemWrite]) -> Result<Outcome, Failure> {
        let mut effects = BTreeMap::new();
        for table_name in writes
            .iter()
            .map(|write| write.table)
            .collect::<BTreeSet<_>>()
        {
            let table = self.table(table_name)?;
            for write in writes.iter().filter(|write| write.table == table_name) {
                let place = table.prepare(write)?;
                let new = table.evaluate(write, &place)?.new;
                if effects.insert((table_name, place), new).is_some() {
                    return Err(Failure::invalid());
                }
            }
        }
        for ((table, place), new) in effects {
            self.store(table, place, new);
        }
        Ok(Outcome::Done)
    }

    pub fn transact_get(&self, gets: &[(Key, Option<Vec<Path>>)]) -> Result<Outcome, Failure> {
        let mut seen = BTreeSet::new();
        let mut reasons = Vec::new();
        let mut items = Vec::new();
        for (key, projection) in gets {
            let table = self.table(key.table)?;
            let Ok(place) = table.check_key(&key.key) else {
                reasons.push(("ValidationError".to_owned(), None));
                continue;
            };
            let item = table.items.get(&place);
            items.push(item.map(|item| projected(item, projection.as_deref())));
            reasons.push(("None".to_owned(), None));
            if !seen.insert((key.table, place)) {
                return Err(Failure::invalid());
            }
        }
        refuse_any(reasons)?;
        Ok(Outcome::Items(items))
    }

    pub fn transact_write(&mut self, transaction: &Transaction) -> Result<Outcome, Failure> {
        if let Some(token) = &transaction.token {
            self.sent.insert(token.clone(), transaction.clone());
        }
        let places = self.prepare_all(transaction)?;
        let request = format!("{:?}", transaction.actions);
        if let Some(token) = &transaction.token
            && let Some(claim) = self
                .tokens
                .get(token)
                .filter(|claim| claim.until > self.now)
        {
            return if claim.request == request {
                Ok(Outcome::Done)
            } else {
                Err(Failure {
                    code: "IdempotentParameterMismatchException",
                    ..Failure::default()
                })
            };
        }
        let mut reasons = Vec::new();
        let mut effects = Vec::new();
        for ((write, old_on_failure), place) in transaction.actions.iter().zip(places) {
            match self.table(write.table)?.evaluate(write, &place) {
                Ok(effect) => {
                    reasons.push(("None".to_owned(), None));
                    effects.push((write.table, place, effect.new));
                }
                Err(failure) if failure.code == "ConditionalCheckFailedException" => {
                    let item = failure.item.filter(|_| *old_on_failure);
                    reasons.push(("ConditionalCheckFailed".to_owned(), item));
                }
                Err(_) => reasons.push(("ValidationError".to_owned(), None)),
            }
        }
        refuse_any(reasons)?;
        for (table, place, new) in effects {
            self.store(table, place, new);
        }
        if let Some(token) = &transaction.token {
            let until = self.now + TOKEN_SECONDS;
            self.tokens.insert(token.clone(), Claim { request, until });
        }
        Ok(Outcome::Done)
    }

    /// Some mistakes refuse the request, others cancel the transaction.
    fn prepare_all(&self, transaction: &Transaction) -> Result<Vec<Vec<KeyPart>>, Failure> {
        let mut reasons = Vec::new();
        let mut places = Vec::new();
        let mut seen = BTreeSet::new();
        for (write, _) in &transaction.actions {
            let table = self.table(write.table)?;
            match table.prepare(write) {
                Ok(place) => {
                    reasons.push(("None".to_owned(), None));
                    places.push(place.clone());
                    if !seen.insert((write.table, place)) {
                        return Err(Failure::invalid());
                    }
                }
                Err(failure)
                    if table.check_key(&write.subject).is_ok() && table.updates_key(write) =>
                {
                    return Err(failure);
                }
                Err(_) => reasons.push(("ValidationError".to_owned(), None)),
            }
        }
        refuse_any(reasons)?;
        Ok(places)
    }
}

/// After the first action that breaks a rule the others have no reasons.
fn refuse_any(mut reasons: Vec<(String, Option<Item>)>) -> Result<(), Failure> {
    let invalid = reasons
        .iter()
        .position(|(code, _)| code == "ValidationError");
    if let Some(invalid) = invalid {
        for reason in &mut reasons[invalid + 1..] {
            *reason = ("None".to_owned(), None);
        }
    }
    if reasons.iter().any(|(code, _)| code != "None") {
        Err(Failure::cancelled(reasons))
    } else {
        Ok(())
    }
}
