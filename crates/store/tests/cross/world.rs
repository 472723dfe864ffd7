//! A store on the embedded engine, and what a cell does to it.

use crate::case::{Case, REPOSITORY};
use crate::finding::Finding;
use crate::items::{Items, text};
use crate::path::Step;
use monotable_api::{DynamoExt, PutItemInput, ScanInput};
use monotable_engine::Engine;
use monotable_item::Item;
use monotable_model::model::Model;
use monotable_store::{
    AnyOperation, At, Attach, Carry, Create, Delete, Detach, Error, MoveRow, NoteKind, Options,
    Parent, Put, RepairMode, Retry, Revert, Store, SweepMode, Update, Verification, VerifyOptions,
};
use std::sync::Arc;
use std::time::Duration;

/// The time of all stores, in microseconds, and as things say it.
const NOW: i64 = 1_763_467_200_000_000;
pub(crate) const SECOND: &str = "2025-11-18T12:00:00";

pub(crate) struct World {
    pub(crate) engine: Arc<Engine>,
    pub(crate) store: Store,
}

/// The model of a case, as it is written today or in an old layout.
pub(crate) fn model(case: &Case, layout: Option<&str>) -> Result<Model, String> {
    let text = case.design.text(layout);
    let reading = monotable_model::read(&text);
    reading.model.ok_or_else(|| {
        let errors: Vec<_> = reading
            .diagnostics
            .iter()
            .map(|known| format!("{known:?}"))
            .collect();
        format!("{}\n{text}", errors.join("\n"))
    })
}

impl World {
    /// An empty store.
    pub(crate) async fn new(model: &Model) -> Self {
        let engine = Arc::new(Engine::in_memory().unwrap());
        let retry = Retry {
            base: Duration::ZERO,
            cap: Duration::ZERO,
            ..Retry::default()
        };
        let store = Store::new(model.clone(), Arc::clone(&engine))
            .with_clock(|| NOW)
            .with_retry(retry);
        store.setup().await.unwrap();
        Self { engine, store }
    }

    /// A store with these items.
    pub(crate) async fn with(model: &Model, items: &Items) -> Self {
        let world = Self::new(model).await;
        world.load(items).await;
        world
    }

    pub(crate) async fn load(&self, items: &Items) {
        for item in &items.0 {
            let put = PutItemInput::new("Main", item.clone());
            self.engine.put_item(put).await.unwrap();
        }
    }

    pub(crate) async fn items(&self) -> Items {
        let output = self.engine.scan(ScanInput::new("Main")).await.unwrap();
        let mut items: Vec<Item> = output
            .items
            .unwrap_or_default()
            .into_iter()
            .map(|item| item.to_item())
            // The store's own items differ from store to store.
            .filter(|item| !text(item, "PK").starts_with("monotable#"))
            .collect();
        items.sort_by_key(|item| (text(item, "PK").to_owned(), text(item, "SK").to_owned()));
        Items(items)
    }

    /// Does all steps; the first that is refused is the finding.
    pub(crate) async fn run(&mut self, when: &str, steps: &[Step]) -> Result<(), Finding> {
        for step in steps {
            let done = self.step(step).await;
            done.map_err(|error| {
                let class = format!("{when}: {} is refused as {:?}", name(step), error.kind());
                Finding::new(class, error.to_string())
            })?;
        }
        Ok(())
    }

    async fn step(&mut self, step: &Step) -> Result<(), Error> {
        match self.call(step).await? {
            Some((operation, options)) => {
                self.store.run(operation, options).await?;
            }
            None => match step {
                Step::Reload => self.reload().await?,
                Step::Damage(damages) => self.damage(damages).await,
                Step::Adopt => {
                    let options = VerifyOptions::new();
                    self.store.adopt(&options, RepairMode::Write).await?;
                }
                _ => {
                    self.store.convert().await?;
                }
            },
        }
        Ok(())
    }

    /// The operation of a step, if it is one.
    pub(crate) async fn call(&self, step: &Step) -> Result<Option<(AnyOperation, Options)>, Error> {
        Ok(match step {
            Step::Call(operation) => Some((operation.clone(), Options::default())),
            Step::Token(operation, token) => {
                let options = Options {
                    token: Some((*token).to_owned()),
                    ..Options::default()
                };
                Some((operation.clone(), options))
            }
            Step::Revert => Some((self.revert().await?, Options::default())),
            Step::Reload | Step::Convert | Step::Damage(_) | Step::Adopt => None,
        })
    }

    /// A revert to the oldest revision that has a thing.
    async fn revert(&self) -> Result<AnyOperation, Error> {
        let key = Item::new().with("repoId", REPOSITORY);
        let log = self.store.log("things", key.clone()).oldest_first().await?;
        let first = log.rows.first().map(|row| row.text("revId").to_owned());
        Ok(AnyOperation::Revert(Revert {
            repository: "things".to_owned(),
            key,
            to: At::Revision(first.unwrap_or_default()),
            values: Item::new().with("reason", "reverted"),
            parent: Parent::Head,
        }))
    }

    /// All items by way of a backup in an empty store.
    async fn reload(&mut self) -> Result<(), Error> {
        let mut backup = Vec::new();
        self.store.backup(&mut backup).await?;
        let new = Self::new(self.store.model()).await;
        new.store.restore(backup.as_slice()).await?;
        *self = new;
        Ok(())
    }

    /// The items as something else has left them, behind the store's back.
    async fn damage(&mut self, damages: &[fn(&mut Vec<Item>)]) {
        let mut items = self.items().await;
        for damage in damages {
            damage(&mut items.0);
        }
        *self = Self::with(self.store.model(), &items).await;
    }

    /// What commits that were cut off have left goes.
    pub(crate) async fn sweep(&self) -> Result<(), Error> {
        if !self.store.model().repositories.is_empty() {
            let mode = SweepMode::Delete;
            self.store.sweep_all("things", Duration::ZERO, mode).await?;
        }
        Ok(())
    }

    /// What verify finds: violations, unknown items and operations that have not ended.
    pub(crate) async fn verify(&self) -> Vec<Finding> {
        match self.verification().await {
            Ok(known) => [violations(&known), unfinished(&known)].concat(),
            Err(finding) => vec![finding],
        }
    }

    async fn verification(&self) -> Result<Verification, Finding> {
        let verified = self.store.verify().await;
        verified.map_err(|error| Finding::new("verify fails", error.to_string()))
    }

    /// Whether verify finds what contradicts the model.
    pub(crate) async fn has_violations(&self) -> bool {
        let known = self.verification().await;
        known.is_ok_and(|known| !violations(&known).is_empty())
    }

    /// Whether verify finds an operation that was begun and has not ended.
    pub(crate) async fn has_unfinished(&self) -> bool {
        let known = self.verification().await;
        known.is_ok_and(|known| !known.unfinished.is_empty())
    }

    /// Whether verify notes something of this kind.
    pub(crate) async fn has_note(&self, kind: NoteKind) -> bool {
        let known = self.verification().await;
        known.is_ok_and(|known| known.notes.iter().any(|note| note.kind == kind))
    }

    /// What verify and every mechanism's own judge find.
    pub(crate) async fn judge(&self, case: &Case) -> Vec<Finding> {
        let items = self.items().await;
        let mut findings = self.verify().await;
        for mechanism in &case.mechanisms {
            mechanism.judge(&items, &mut findings);
        }
        findings
    }
}

fn violations(verification: &Verification) -> Vec<Finding> {
    let mut findings = Vec::new();
    for violation in &verification.violations {
        let class = format!("verify: {} of {}", violation.wrong.name(), violation.entity);
        findings.push(Finding::new(class, violation.to_string()));
    }
    if verification.unknown > 0 {
        let detail = format!("{} of them", verification.unknown);
        findings.push(Finding::new("verify: unknown items", detail));
    }
    findings
}

fn unfinished(verification: &Verification) -> Vec<Finding> {
    let unfinished = verification.unfinished.iter().map(|known| {
        let class = format!(
            "verify: unfinished {} of {}",
            known.what.name(),
            known.entity
        );
        Finding::new(class, known.to_string())
    });
    unfinished.collect()
}

fn name(step: &Step) -> String {
    match step {
        Step::Call(operation) => operation_name(operation),
        Step::Token(operation, _) => format!("{} with a token", operation_name(operation)),
        Step::Revert => "a revert".to_owned(),
        Step::Reload => "a reload".to_owned(),
        Step::Convert => "a convert".to_owned(),
        Step::Damage(_) => "a damage".to_owned(),
        Step::Adopt => "an adopt".to_owned(),
    }
}

pub(crate) fn operation_name(operation: &AnyOperation) -> String {
    match operation {
        AnyOperation::Create(Create { entity, .. }) => format!("a create of {entity}"),
        AnyOperation::Put(Put { entity, .. }) => format!("a put of {entity}"),
        AnyOperation::Update(Update { entity, .. }) => format!("an update of {entity}"),
        AnyOperation::Delete(Delete { entity, .. }) => format!("a delete of {entity}"),
        AnyOperation::Attach(Attach { .. }) => "an attach".to_owned(),
        AnyOperation::Detach(Detach { .. }) => "a detach".to_owned(),
        AnyOperation::MoveRow(MoveRow { name, .. }) => format!("the move {name}"),
        AnyOperation::Transact(_) => "a transaction".to_owned(),
        AnyOperation::CommitAll(_) => "a commit".to_owned(),
        AnyOperation::Carry(Carry { .. }) => "a carry".to_owned(),
        _ => "a call".to_owned(),
    }
}
