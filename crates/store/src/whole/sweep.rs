//! What commits left that never finished, everywhere.

use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::operation::{SweepMode, SweepReport};
use crate::reader::OwnedReader;
use crate::repository::{self, CommitTrace, Sweeping, read_trace};
use crate::steps::Steps;
use crate::store::Store;
use monotable_item::Item;
use monotable_model::model::Repository;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// What a table says about the commits of a repository.
#[derive(Default)]
struct CommitTraces {
    /// What intents tell of the keys of their heads.
    intents: BTreeMap<String, Item>,
    /// The snapshots of each head.
    snapshots: BTreeMap<String, HeadSnapshots>,
}

/// The snapshots of one head.
#[derive(Default)]
struct HeadSnapshots {
    key: Item,
    /// How many items the partition of each revision has.
    items: BTreeMap<String, u64>,
    /// The revisions that have a row of the snapshot's entities. Items that the model does not know make no snapshot.
    revisions: BTreeSet<String>,
}

impl CommitTraces {
    fn add(&mut self, trace: CommitTrace) {
        match trace {
            CommitTrace::Intent { key } => {
                self.intents.insert(format!("{key:?}"), key);
            }
            CommitTrace::Snapshot {
                key,
                revision,
                is_row,
            } => {
                let head = self.snapshots.entry(format!("{key:?}")).or_default();
                head.key = key;
                if is_row {
                    head.revisions.insert(revision.clone());
                }
                *head.items.entry(revision).or_default() += 1;
            }
        }
    }
}

impl Store {
    /// Reads the whole table and sweeps what is so old: intents of every owner, and rows of revisions that neither the head
    /// nor the log nor an intent knows. [`SweepMode::List`] deletes nothing and tells what would be deleted: look at that
    /// first.
    pub async fn sweep_all(
        &self,
        repository: &str,
        older_than: Duration,
        mode: SweepMode,
    ) -> Result<SweepReport, Error> {
        let mut repositories = self.model().repositories.iter();
        let declared = repositories.find(|known| known.name.value == repository);
        let declared = declared
            .ok_or_else(|| Error::usage(format!("the model has no repository `{repository}`")))?;
        let traces = self.read_commit_traces(declared).await?;
        let sweeping = Sweeping { older_than, mode };
        let mut report = SweepReport::default();
        for key in traces.intents.into_values() {
            report.extend(self.sweep_intents(repository, key, sweeping).await?);
        }
        // What went with its intent is no orphan.
        let mut snapshots = traces.snapshots;
        for swept in &report.removed {
            if let Some(head) = snapshots.get_mut(&format!("{:?}", swept.owner)) {
                head.revisions.remove(&swept.revision);
            }
        }
        for head in snapshots.into_values() {
            report.extend(self.sweep_orphans(repository, head, sweeping).await?);
        }
        Ok(report)
    }

    async fn read_commit_traces(&self, declared: &Repository) -> Result<CommitTraces, Error> {
        let owned = OwnedReader::without_sending(self.scope_of_whole_tables());
        let reader = owned.reader();
        let mut traces = CommitTraces::default();
        for table in self.model().stored_tables() {
            self.scan(table, |item| {
                if let Some(trace) = read_trace(&reader, declared, table, &item) {
                    traces.add(trace);
                }
                Ok(())
            })
            .await?;
        }
        Ok(traces)
    }

    async fn sweep_intents(
        &self,
        repository: &str,
        key: Item,
        sweeping: Sweeping,
    ) -> Result<SweepReport, Error> {
        if sweeping.mode == SweepMode::Delete {
            return self.sweep(repository, key, sweeping.older_than).await;
        }
        let name = repository.to_owned();
        self.run_sweep(move |owned| async move {
            repository::sweep_intents(&owned.reader(), &name, &key, sweeping).await
        })
        .await
    }

    async fn sweep_orphans(
        &self,
        repository: &str,
        head: HeadSnapshots,
        sweeping: Sweeping,
    ) -> Result<SweepReport, Error> {
        let name = repository.to_owned();
        self.run_sweep(move |owned| async move {
            let mut snapshots = head.items;
            snapshots.retain(|revision, _| head.revisions.contains(revision));
            repository::sweep_orphans(&owned.reader(), &name, &head.key, &snapshots, sweeping).await
        })
        .await
    }

    async fn run_sweep<F>(
        &self,
        sweep: impl FnOnce(OwnedReader) -> F + Send + 'static,
    ) -> Result<SweepReport, Error>
    where
        F: Future<Output = Result<SweepReport, Interrupt>> + Send + 'static,
    {
        let scope = self.scope_of_whole_tables();
        let steps = Steps::direct(&self.executor);
        match sweep(OwnedReader::new(scope, steps)).await {
            Ok(report) => Ok(report),
            Err(Interrupt::Fail(error)) => Err(error),
            // Somebody else was there; the next sweep looks again.
            Err(Interrupt::Restart | Interrupt::RestartAvoiding(_)) => Ok(SweepReport::default()),
        }
    }
}
