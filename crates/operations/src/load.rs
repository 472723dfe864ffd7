//! Rows of files, each created through the model: validated, with its guards and counters.
//!
//! A row whose key and values are there already counts as loaded, so a load that was killed can be run again. Rows whose key the
//! model generates are created with a token made of the file and the line, which the store knows for a day. The progress
//! file beside the input (`resume.rs`) spares a second run what the first one has done.
//!
//! The order of lines does not matter: rows that are refused because another row is missing are tried again when all
//! others have been, as long as that helps.

mod csv_rows;
mod input_row;
mod json_rows;
mod resume;

pub use input_row::{InputRow, InputRows, UnreadableCause, UnreadableRow};
pub use resume::Resume;

pub(crate) use csv_rows::write_record;

use crate::error::Error;
use futures_util::future::join_all;
use monotable_item::Item;
use monotable_model::model::Entity;
use monotable_store::{AnyOperation, AnyOutput, Attach, Create, ErrorKind, Get, Options, Store};

/// What became of a row.
#[derive(Debug)]
pub enum LoadFate {
    /// It was created.
    Created,
    /// It was there, with these values.
    There,
    /// The model or what is stored does not allow it.
    Refused(monotable_store::Error),
}

/// What a load did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoadReport {
    /// Rows that were created.
    pub created: u64,
    /// Rows that were there, with the same values, or that an earlier run has loaded.
    pub there: u64,
    /// Rows that were refused.
    pub refused: u64,
}

/// Is told what becomes of rows.
pub trait LoadSink {
    /// A row was refused, or could not be read, for good.
    fn refuse(&mut self, row: RefusedRow) -> Result<(), Error>;

    /// How far the load is.
    fn progress(&mut self, report: &LoadReport);
}

/// A row that was refused.
#[derive(Debug)]
pub struct RefusedRow {
    /// The line that it begins on, from 1.
    pub line: u64,
    /// As it was given.
    pub text: String,
    /// Why.
    pub why: RefusalCause,
}

/// Why a row was refused.
#[derive(Debug)]
pub enum RefusalCause {
    /// It is no row of the model.
    Unreadable(String),
    /// The store refused it.
    Store(monotable_store::Error),
}

/// Loads rows into a store.
#[derive(Debug)]
pub struct Loader<'l> {
    store: &'l Store,
    parallel: usize,
    dry_run: bool,
}

impl<'l> Loader<'l> {
    /// Loads into this store, one row after another.
    #[must_use]
    pub const fn new(store: &'l Store) -> Self {
        Self {
            store,
            parallel: 1,
            dry_run: false,
        }
    }

    /// Has so many rows under way at once.
    #[must_use]
    pub const fn parallel(mut self, rows: usize) -> Self {
        self.parallel = if rows == 0 { 1 } else { rows };
        self
    }

    /// Decides about every row, and writes nothing.
    #[must_use]
    pub const fn dry_run(mut self, dry_run: bool) -> Self {
        self.dry_run = dry_run;
        self
    }

    /// Loads all rows. An error of the service ends it; what was loaded is, and the next run goes on from there.
    pub async fn load(
        &self,
        rows: InputRows,
        resume: &mut Resume,
        sink: &mut (dyn LoadSink + Send),
    ) -> Result<LoadReport, Error> {
        let mut report = LoadReport {
            there: resume.done(),
            ..LoadReport::default()
        };
        let mut again = Vec::new();
        let mut unreadable_rows = Vec::new();
        let mut window = Vec::new();
        let mut read = 0;
        for row in rows {
            read += 1;
            if read <= resume.done() && !resume.is_open(read) {
                continue;
            }
            if read <= resume.done() {
                report.there -= 1;
            }
            match row {
                Ok(row) => window.push((read, row)),
                Err(unreadable) if unreadable.cause == UnreadableCause::Input => {
                    return Err(unreadable.into_error());
                }
                Err(unreadable) => {
                    report.refused += 1;
                    unreadable_rows.push(read);
                    sink.refuse(RefusedRow {
                        line: unreadable.line,
                        text: unreadable.text,
                        why: RefusalCause::Unreadable(unreadable.why),
                    })?;
                }
            }
            if window.len() >= self.parallel {
                let rows = std::mem::take(&mut window);
                again.extend(self.create_all(rows, resume, &mut report).await?);
                resume.note(read, list_open(&again, &unreadable_rows))?;
                sink.progress(&report);
            }
        }
        again.extend(self.create_all(window, resume, &mut report).await?);
        resume.note(read, list_open(&again, &unreadable_rows))?;
        self.create_refused(again, resume, &mut report, sink)
            .await?;
        sink.progress(&report);
        Ok(report)
    }

    /// Tries rows again that may have been refused because another row was missing, as long as that creates any.
    async fn create_refused(
        &self,
        mut again: Vec<Postponed>,
        resume: &Resume,
        report: &mut LoadReport,
        sink: &mut (dyn LoadSink + Send),
    ) -> Result<(), Error> {
        loop {
            let before = again.len();
            let rows = std::mem::take(&mut again);
            for (number, row, _) in rows {
                again.extend(self.create_all(vec![(number, row)], resume, report).await?);
                sink.progress(report);
            }
            if again.is_empty() || again.len() == before {
                break;
            }
        }
        for (_, row, why) in again {
            report.refused += 1;
            sink.refuse(RefusedRow {
                line: row.line,
                text: row.text,
                why: RefusalCause::Store(why),
            })?;
        }
        Ok(())
    }

    /// Creates rows side by side; those that were refused.
    async fn create_all(
        &self,
        rows: Vec<(u64, InputRow)>,
        resume: &Resume,
        report: &mut LoadReport,
    ) -> Result<Vec<Postponed>, Error> {
        let created = rows.into_iter().map(async |(number, row)| {
            let fate = self.create(&row, number, resume).await;
            (number, row, fate)
        });
        let mut refused = Vec::new();
        for (number, row, fate) in join_all(created).await {
            match fate? {
                LoadFate::Created => report.created += 1,
                LoadFate::There => report.there += 1,
                LoadFate::Refused(why) => refused.push((number, row, why)),
            }
        }
        Ok(refused)
    }

    async fn create(
        &self,
        row: &InputRow,
        number: u64,
        resume: &Resume,
    ) -> Result<LoadFate, Error> {
        let store = match &row.tenant {
            Some(tenant) => self.store.tenant(tenant),
            None => self.store.clone(),
        };
        let model = store.model();
        let entity = model.entity_named(&row.entity).map(|(_, entity)| entity);
        let is_keyed = entity.is_none_or(|entity| has_key(entity, &row.values));
        let operation = create_operation(entity, &row.entity, row.values.clone());
        let options = Options {
            dry_run: self.dry_run,
            token: (!is_keyed && !self.dry_run)
                .then(|| resume.token(number))
                .flatten(),
            ..Options::default()
        };
        match store.run(operation, options).await {
            Ok(_) => Ok(LoadFate::Created),
            Err(error) if matches!(error.kind(), ErrorKind::Retryable | ErrorKind::Fatal) => {
                Err(Error::Store(error))
            }
            Err(error)
                if error.kind() == ErrorKind::Conflict
                    && is_keyed
                    && is_there(&store, row).await =>
            {
                Ok(LoadFate::There)
            }
            Err(error) => Ok(LoadFate::Refused(error)),
        }
    }
}

/// Rows that relate two others are attached, all others are created.
pub(crate) fn create_operation(entity: Option<&Entity>, name: &str, values: Item) -> AnyOperation {
    let name = name.to_owned();
    if entity.is_some_and(|entity| entity.relation.is_some()) {
        AnyOperation::Attach(Attach {
            entity: name,
            values,
        })
    } else {
        AnyOperation::Create(Create {
            entity: name,
            values,
        })
    }
}

/// The numbers of rows that a later run looks at again: none of them may be taken for one that is loaded.
fn list_open<'o>(again: &'o [Postponed], unreadable: &'o [u64]) -> impl Iterator<Item = u64> + 'o {
    let again = again.iter().map(|(number, _, _)| *number);
    again.chain(unreadable.iter().copied())
}

/// A row that was refused, with its number in the input and the reason.
type Postponed = (u64, InputRow, monotable_store::Error);

/// Whether a row says all of its key that the model would make up.
fn has_key(entity: &Entity, values: &Item) -> bool {
    let names = entity.key_attributes();
    names.iter().all(|name| {
        let is_made = entity.attribute(name).is_some_and(|attribute| {
            attribute.is_fresh() || attribute.position.is_some() || attribute.numbered.is_some()
        });
        !is_made || values.get(name).is_some()
    })
}

/// Whether there is a row with all values of this one.
async fn is_there(store: &Store, row: &InputRow) -> bool {
    let model = store.model();
    let Some((_, entity)) = model.entity_named(&row.entity) else {
        return false;
    };
    let mut key = Item::new();
    for name in entity.key_attributes() {
        if let Some(value) = row.values.get(name) {
            key.insert(name, value.clone());
        }
    }
    let get = AnyOperation::Get(Get {
        entity: row.entity.clone(),
        key,
    });
    let options = Options {
        consistent: true,
        ..Options::default()
    };
    match store.run(get, options).await {
        Ok(AnyOutput::Row(found)) => {
            let mut given = row.values.iter();
            given.all(|(name, value)| {
                is_hidden(entity, name) || found.values.get(name) == Some(value)
            })
        }
        _ => false,
    }
}

/// Whether a read does not show what was given.
fn is_hidden(entity: &Entity, name: &str) -> bool {
    let attribute = entity.attribute(name);
    attribute.is_some_and(|attribute| {
        attribute.secret.is_some() || attribute.hashed.is_some() || attribute.key_only
    })
}
