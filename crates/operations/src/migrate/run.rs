//! The phases that a run does.

use super::journal::Journal;
use crate::backup::BackupWriter;
use crate::error::Error;
use jiff::Timestamp;
use monotable_api::{CreateBackupInput, DynamoExt};
use monotable_item::{AttributeValue, EncodedItem, Item};
use monotable_migrate::{DifferenceKind, Finding, PhaseName, Plan, RowSizes, SideBySide, Work};
use monotable_model::model::TableId;
use monotable_store::{PlannedPlace, RepairMode, RepairScope, SetupScope, Store, VerifyOptions};
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeSet, HashSet};
use std::hash::{Hash, Hasher};
use std::path::Path;

/// How many rows that are refused are named.
const NAMED: usize = 20;

/// How often what is left is tried again, if others write meanwhile.
const ROUNDS: usize = 4;

/// Is told which phase is under way, and how many items it has read.
pub type MigrationWatch<'w> = &'w (dyn Fn(PhaseName, u64) + Send + Sync);

/// Whether programs of the old version still run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OldPrograms {
    /// They do: only what they bear is done.
    Running,
    /// They have ended.
    Stopped,
}

/// How a migration is run.
#[derive(Clone, Debug)]
pub struct MigrationOptions<'o> {
    /// Whether programs of the old version still run.
    pub old_programs: OldPrograms,
    /// The folder for the backup; none if there is one already.
    pub backup: Option<&'o Path>,
    /// The name of a backup that the target makes of each table, beside the one in the folder: it shows one moment. None if
    /// nobody but the run writes.
    pub on_demand: Option<&'o str>,
    /// Whether what only the old version knows is deleted at the end.
    pub cleans_up: bool,
    /// How the tables are verified.
    pub verify: VerifyOptions,
    /// The time, for the backup.
    pub now: Timestamp,
}

/// What the new version finds in the rows, before anything is written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MigrationInspection {
    /// Items that were read.
    pub items: u64,
    /// Rows that would be written anew.
    pub due: u64,
    /// Rows that the new version refuses, with the reason.
    pub refused: Vec<String>,
}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MigrationReport {
    /// Rows, guards and counters that were written.
    pub written: u64,
    /// Items that were deleted.
    pub deleted: u64,
    /// The phases that are done.
    pub phases: Vec<PhaseName>,
    /// The ARNs of backups that the target has made.
    pub backups: Vec<String>,
    /// Programs of the old version have to end before it goes on.
    pub waits_for_switch: bool,
}

/// Takes a store from one version of its model to another.
pub struct Migrator<'m> {
    old: &'m Store,
    new: &'m Store,
    plan: &'m Plan,
}

impl<'m> Migrator<'m> {
    /// Both versions of the model on the same DynamoDB, and the plan that leads from one to the other.
    #[must_use]
    pub const fn new(old: &'m Store, new: &'m Store, plan: &'m Plan) -> Self {
        Self { old, new, plan }
    }

    /// Reads every row with the new version, and writes nothing.
    pub async fn inspect(&self, watch: MigrationWatch<'_>) -> Result<MigrationInspection, Error> {
        let mut found = MigrationInspection::default();
        let mut places = TakenPlaces::default();
        let may_clash = self.may_clash();
        let forgotten = self.forgotten_entities();
        for table in self.common_tables() {
            let name = self.new.model().table(table).physical.clone();
            let mut after = None;
            loop {
                let page = self
                    .new
                    .rewrite_page(table, after, RepairMode::Plan)
                    .await?;
                found.items += page.items;
                found.due += page.rows.planned.len() as u64;
                found.refused.extend(page.rows.left);
                for item in page.unknown {
                    let known = self.old.read_image(Some(&name), &item);
                    if let Some(image) =
                        known.filter(|known| !forgotten.contains(&known.row.entity))
                    {
                        let entity = &image.row.entity;
                        let key = describe_key(self.old, &name, &item);
                        found
                            .refused
                            .push(format!("{entity} {key}: the new version does not know it"));
                    }
                }
                if may_clash {
                    found.refused.extend(
                        page.places
                            .into_iter()
                            .filter_map(|place| places.take(place)),
                    );
                }
                watch(PhaseName::Inspect, found.items);
                after = page.next;
                if after.is_none() {
                    break;
                }
            }
        }
        Ok(found)
    }

    /// Whether two rows may get one key, or claim one value.
    fn may_clash(&self) -> bool {
        self.plan.differences.iter().any(|difference| {
            let is_placed = matches!(
                difference.kind,
                DifferenceKind::Key | DifferenceKind::Claim | DifferenceKind::Entity
            );
            is_placed && !matches!(difference.stored_rows, Finding::Works { .. })
        })
    }

    /// Entities of the old version that the new one does not have on purpose.
    fn forgotten_entities(&self) -> BTreeSet<String> {
        let differences = self.plan.differences.iter();
        let removed = differences.filter(|difference| {
            difference.kind == DifferenceKind::Entity
                && matches!(
                    difference.stored_rows,
                    Finding::Backfill {
                        work: Work::Deletion,
                        ..
                    }
                )
        });
        removed
            .map(|difference| difference.subject.clone())
            .collect()
    }

    /// How many rows entities have, and how large they are, by their names in the new version.
    pub async fn measure(&self) -> Result<RowSizes, Error> {
        let mut sizes = RowSizes::default();
        for table in self.common_tables() {
            let name = self.new.model().table(table).name.value.clone();
            let mut input = crate::backup::scan_table(&self.new.model().table(table).physical);
            loop {
                let (items, is_last) =
                    crate::backup::read_page(&self.new.sender(), &mut input).await?;
                for item in items {
                    let bytes = item.size() as u64;
                    sizes.items += 1;
                    sizes.bytes += bytes;
                    if let Some(image) = self.new.read_image(Some(&name), &item.to_item()) {
                        let known = sizes.entities.entry(image.row.entity).or_default();
                        known.0 += 1;
                        known.1 += bytes;
                    }
                }
                if is_last {
                    break;
                }
            }
        }
        Ok(sizes)
    }

    /// Does what is left of the migration, as far as programs of the old version allow it.
    pub async fn run(
        &self,
        journal: &mut Journal,
        options: &MigrationOptions<'_>,
        watch: MigrationWatch<'_>,
    ) -> Result<MigrationReport, Error> {
        if let Some(refusal) = self.plan.refusals.first() {
            return Err(Error::refused(
                format!("there is no way from the old version to the new one: {refusal}"),
                "`migrate plan` says what to change in the new version",
            ));
        }
        journal.reopen();
        let mut report = MigrationReport::default();
        if !journal.is_done(PhaseName::Inspect) {
            self.refuse_rows(watch).await?;
            self.finish(journal, PhaseName::Inspect, &mut report)?;
        }
        if !journal.is_done(PhaseName::Backup) {
            if let Some(name) = options.on_demand {
                report.backups = self.request_backups(name).await?;
            }
            if let Some(folder) = options.backup {
                let sender = self.old.sender();
                let writer = BackupWriter::new(self.old, &sender);
                let told = |items| watch(PhaseName::Backup, items);
                writer.write(folder, options.now, &told).await?;
            }
            self.finish(journal, PhaseName::Backup, &mut report)?;
        }
        if !journal.is_done(PhaseName::Prepare) {
            self.new.add_indexes(&|_| {}).await?;
            self.finish(journal, PhaseName::Prepare, &mut report)?;
        }
        if options.old_programs == OldPrograms::Running {
            if self.plan.backfills_beside() {
                report.written += self.rewrite(journal, PhaseName::Backfill, watch).await?;
                // It is done again whenever it is asked for: the old version goes on writing.
                report.phases.push(PhaseName::Backfill);
            }
            report.waits_for_switch = true;
            return Ok(report);
        }
        if !journal.is_done(PhaseName::Complete) {
            report.written += self.complete(journal, options, watch).await?;
            self.finish(journal, PhaseName::Complete, &mut report)?;
        }
        if !journal.is_done(PhaseName::Verify) {
            self.verify(options).await?;
            self.finish(journal, PhaseName::Verify, &mut report)?;
        }
        if options.cleans_up {
            report.deleted += self.clean_up(journal, watch).await?;
            report.phases.push(PhaseName::CleanUp);
        }
        Ok(report)
    }

    fn finish(
        &self,
        journal: &mut Journal,
        phase: PhaseName,
        report: &mut MigrationReport,
    ) -> Result<(), Error> {
        report.phases.push(phase);
        journal.note_done(phase)
    }

    /// Has the target back each table up, if it can.
    async fn request_backups(&self, name: &str) -> Result<Vec<String>, Error> {
        let model = self.old.model();
        let mut arns = Vec::new();
        for id in model.stored_tables() {
            let input = CreateBackupInput::new(&model.table(id).physical, name);
            match self.old.sender().create_backup(input).await {
                Ok(made) => arns.extend(made.backup_details.and_then(|made| made.backup_arn)),
                Err(monotable_api::Error::UnknownOperationException { .. }) => break,
                Err(error) => return Err(Error::Service(error)),
            }
        }
        Ok(arns)
    }

    /// Ends a run that would leave rows which the new version refuses.
    async fn refuse_rows(&self, watch: MigrationWatch<'_>) -> Result<(), Error> {
        let found = self.inspect(watch).await?;
        if found.refused.is_empty() {
            return Ok(());
        }
        Err(refuse(
            &found.refused,
            "the new version refuses",
            "nothing was written",
        ))
    }

    async fn complete(
        &self,
        journal: &mut Journal,
        options: &MigrationOptions<'_>,
        watch: MigrationWatch<'_>,
    ) -> Result<u64, Error> {
        self.new
            .accept_templates(&self.accepted_templates())
            .await?;
        // Until `verify` finds nothing, the new version trusts no guard that is missing.
        if self.plan.has_work(&[Work::Guards, Work::Counters]) {
            self.new.mark_unadopted().await?;
        }
        let mut written = self.rewrite(journal, PhaseName::Complete, watch).await?;
        let mut left = Vec::new();
        // What others change meanwhile is looked at again.
        for _ in 0..ROUNDS {
            // Old templates that no row has any more are forgotten; rows that do not say whose they are are found by their owners.
            let converted = self.new.convert().await?;
            let scope = RepairScope::All;
            let repaired = self
                .new
                .repair(&options.verify, scope, RepairMode::Write)
                .await?;
            written += converted.written + repaired.written;
            left = converted.left.into_iter().chain(repaired.left).collect();
            if left.is_empty() {
                return Ok(written);
            }
        }
        Err(refuse(
            &left,
            "the new version cannot complete",
            "what was written stays; change them and run it again",
        ))
    }

    /// Writes every row of every table as the new version writes it.
    async fn rewrite(
        &self,
        journal: &mut Journal,
        phase: PhaseName,
        watch: MigrationWatch<'_>,
    ) -> Result<u64, Error> {
        let (mut written, mut items) = (0, 0);
        let mut left = Vec::new();
        for table in self.common_tables() {
            let name = format!(
                "{} {}",
                phase.name(),
                self.new.model().table(table).name.value
            );
            let mut after: Option<EncodedItem> = journal.place(&name);
            loop {
                let page = self
                    .new
                    .rewrite_page(table, after, RepairMode::Write)
                    .await?;
                written += page.rows.written;
                items += page.items;
                left.extend(page.rows.left);
                watch(phase, items);
                after = page.next;
                if after.is_none() {
                    break;
                }
                journal.note_place(&name, after.as_ref())?;
            }
            journal.note_place(&name, None)?;
        }
        if left.is_empty() {
            return Ok(written);
        }
        Err(refuse(
            &left,
            "the new version refuses",
            "what was written stays; change them and run it again",
        ))
    }

    async fn verify(&self, options: &MigrationOptions<'_>) -> Result<(), Error> {
        let found = self.new.verify_with(&options.verify).await?;
        if found.violations.is_empty() {
            return Ok(());
        }
        let violations: Vec<_> = found.violations.iter().map(ToString::to_string).collect();
        Err(refuse(
            &violations,
            "verify finds",
            "what was written stays; mend them and run it again",
        ))
    }

    async fn clean_up(
        &self,
        journal: &mut Journal,
        watch: MigrationWatch<'_>,
    ) -> Result<u64, Error> {
        let (mut deleted, mut after) = (0, None);
        for table in self.common_tables() {
            loop {
                let page = self
                    .new
                    .forget_page(self.old, table, after, RepairMode::Write)
                    .await?;
                deleted += page.items;
                watch(PhaseName::CleanUp, deleted);
                after = page.next;
                if after.is_none() {
                    break;
                }
            }
        }
        self.new
            .setup_within(SetupScope::Everything, &|_| {})
            .await?;
        journal.note_done(PhaseName::CleanUp)?;
        Ok(deleted)
    }

    /// The tables of the new version that the old one has, too: those that are new have no rows.
    fn common_tables(&self) -> Vec<TableId> {
        let new = self.new.model();
        let mut tables = new.stored_tables();
        tables.retain(|id| {
            let mut known = self.old.model().tables();
            known.any(|(_, table)| table.physical == new.table(*id).physical)
        });
        tables
    }

    /// The names of key templates of which it is proved that they show the same texts.
    fn accepted_templates(&self) -> Vec<String> {
        let differences = self.plan.differences.iter();
        let proved = differences.filter(|difference| {
            matches!(
                difference.kind,
                DifferenceKind::Key | DifferenceKind::Tenant
            ) && matches!(
                difference.stored_rows,
                Finding::Backfill {
                    work: Work::Templates,
                    ..
                }
            )
        });
        proved
            .map(|difference| difference.subject.clone())
            .collect()
    }

    /// Whether the plan lets programs of both versions run at once.
    #[must_use]
    pub fn runs_beside(&self) -> bool {
        !matches!(self.plan.side_by_side, SideBySide::Apart { .. })
    }
}

/// The places that rows and guards would have, by their hashes: there may be very many.
#[derive(Default)]
struct TakenPlaces(HashSet<u64>);

impl TakenPlaces {
    /// Says why a row cannot have a place that another one has.
    fn take(&mut self, planned: PlannedPlace) -> Option<String> {
        let mut hasher = DefaultHasher::new();
        planned.place.hash(&mut hasher);
        let is_free = self.0.insert(hasher.finish());
        (!is_free).then(|| {
            let PlannedPlace { row, place } = planned;
            format!("{row}: another row would have {place}, too")
        })
    }
}

/// The key of an item, as people read it.
fn describe_key(store: &Store, table: &str, item: &Item) -> String {
    let mut tables = store.model().tables();
    let Some((_, table)) = tables.find(|(_, known)| known.physical == table) else {
        return String::new();
    };
    let names = std::iter::once(&table.hash).chain(&table.range);
    let texts = names.filter_map(|name| match item.get(&name.value) {
        Some(AttributeValue::S(text)) => Some(text.clone()),
        Some(AttributeValue::N(number)) => Some(number.to_string()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join(" / ")
}

/// An error that names rows.
fn refuse(rows: &[String], what: &str, help: &str) -> Error {
    let count = rows.len();
    let (noun, mut named) = (
        if count == 1 { "row" } else { "rows" },
        rows.iter().take(NAMED).cloned().collect::<Vec<_>>(),
    );
    if count > NAMED {
        named.push("and others".to_owned());
    }
    Error::refused(format!("{what} {count} {noun}: {}", named.join("; ")), help)
}
