//! All tables, read side by side in segments, as facts.

use super::unknown::describe_unknown;
use super::{Content, Inspection, VerifyOptions};
use crate::address;
use crate::error::Error;
use crate::find::move_of_item;
use crate::mechanism::Statements;
use crate::request::{Attributes, ScanPage, Segment};
use crate::store::Store;
use crate::token;
use crate::verify::{
    FactSink, Facts, Fields, Job, MovingRow, Position, Sorter, StatedRow, SubjectKey, Topic,
    Unfinished, UnfinishedKind, encode,
};
use futures_util::stream::{FuturesUnordered, StreamExt};
use monotable_item::{EncodedItem, Item};
use monotable_model::model::TableId;

/// Into how many segments each table is divided.
const SEGMENTS: u32 = 4;

/// How many unknown items are listed.
const LISTED: usize = 1000;

/// Facts on their way to the sorter.
struct Sink {
    sorter: Sorter,
    error: Option<Error>,
}

impl FactSink for Sink {
    fn state(&mut self, topic: Topic, subject: Fields, rank: u8, fields: Fields) {
        let subject = SubjectKey {
            topic,
            key: subject.into_bytes(),
        };
        if let Err(error) = self.sorter.push(&encode(&subject, rank, &fields)) {
            self.error.get_or_insert(error);
        }
    }
}

/// A page of a segment, as it came.
struct SegmentPage {
    segment: usize,
    table: TableId,
    items: Vec<EncodedItem>,
    next: Position,
}

impl Inspection<'_> {
    /// Reads all tables, and sorts the facts.
    pub(super) async fn read_tables(&mut self) -> Result<(), Error> {
        let store = self.store;
        let options = self.options.clone();
        let options = &options;
        let tables = store.model().stored_tables();
        let count = tables.len() * SEGMENTS as usize;
        // The fingerprint is of the whole model: it is made only where a job is kept.
        let fingerprint = options.job_place().map(|_| store.job_fingerprint());
        let mut job = Job::new(fingerprint.unwrap_or_default(), count);
        let mut sink = Sink {
            sorter: options.sorter("facts"),
            error: None,
        };
        if let Some(place) = options.job_place() {
            job = Job::load(&**place, job)?;
            sink.sorter.resume(job.runs.clone(), job.made);
        }
        let mut open = FuturesUnordered::new();
        for (segment, position) in job.segments.iter().enumerate() {
            if let Some(table) = tables.get(segment / SEGMENTS as usize)
                && *position != Position::End
            {
                open.push(store.read_page(segment, *table, position.clone()));
            }
        }
        while let Some(page) = open.next().await {
            let page = page?;
            for item in &page.items {
                self.state_item(page.table, item, &mut sink, &mut job);
            }
            if let Some(error) = sink.error.take() {
                return Err(error);
            }
            if let Some(position) = job.segments.get_mut(page.segment) {
                *position = page.next.clone();
            }
            if sink.sorter.is_full() {
                sink.sorter.spill()?;
                save(options, &mut job, &sink.sorter)?;
            }
            if page.next != Position::End {
                open.push(store.read_page(page.segment, page.table, page.next));
            }
        }
        if options.job_place().is_some() {
            sink.sorter.spill()?;
            save(options, &mut job, &sink.sorter)?;
        }
        let read = &mut self.verification;
        read.rows = job.rows;
        read.guards = job.guards;
        read.unknown = job.unknown;
        read.unknown_items = job.unknown_items;
        for moving in &job.moving {
            let mut tables = store.model().tables();
            let table = tables.find(|(_, table)| table.name.value == moving.table);
            let address = table.and_then(|(table, _)| {
                let addressing = self.neutral.addressing();
                addressing.locate_item(table, &moving.key.to_item())
            });
            self.moving.extend(address);
        }
        self.facts = Facts::new(sink.sorter.finish()?);
        Ok(())
    }

    fn state_item(&mut self, table: TableId, item: &EncodedItem, sink: &mut Sink, job: &mut Job) {
        let item = item.to_item();
        let Some(located) = self.tenants.locate(table, &item) else {
            return;
        };
        let key = located.address.partition_key();
        if address::is_reserved(key) {
            if address::is_token(key) && token::is_expired(&self.neutral, &item) {
                self.tokens.push(located.address.clone());
                self.verification.unfinished.push(Unfinished {
                    what: UnfinishedKind::Token,
                    entity: "token".to_owned(),
                    key: located.address.to_string(),
                    message: "it names no call any more, and can be deleted".to_owned(),
                });
            }
            return;
        }
        if !located.is_asked {
            return;
        }
        match &located.content {
            Content::Row {
                record,
                layout,
                says_tenant,
            } => {
                let row = StatedRow {
                    address: &located.address,
                    record,
                    item: &item,
                    layout: layout.as_deref(),
                    says_tenant: *says_tenant,
                };
                job.rows += 1;
                if move_of_item(&located.scope, record.entity, &item).is_some() {
                    job.moving.push(MovingRow {
                        table: self.store.model().table(table).name.value.clone(),
                        key: EncodedItem::from(&located.address.key(self.store.model())),
                    });
                }
                let guards = self.statements.state(&row, &located.scope, sink);
                job.guards += u64::from(guards);
            }
            Content::Other => {
                if state_other(&self.statements, &located, &item, sink) {
                    job.guards += 1;
                    return;
                }
                job.unknown += 1;
                if job.unknown_items.len() < LISTED {
                    let described = describe_unknown(&located, &self.statements, &item);
                    job.unknown_items.push(described);
                }
            }
        }
    }
}

fn state_other(
    statements: &Statements,
    located: &super::LocatedItem,
    item: &Item,
    sink: &mut Sink,
) -> bool {
    statements.state_item(&located.address, item, &located.scope, sink)
}

/// Keeps how far the tables were read, together with the facts that were written.
fn save(options: &VerifyOptions, job: &mut Job, sorter: &Sorter) -> Result<(), Error> {
    let Some(place) = options.job_place() else {
        return Ok(());
    };
    let (runs, made) = sorter.runs();
    job.runs = runs.to_vec();
    job.made = made;
    job.save(&**place)
}

impl Store {
    /// Reads the next page of a segment, strongly.
    async fn read_page(
        &self,
        segment: usize,
        table: TableId,
        position: Position,
    ) -> Result<SegmentPage, Error> {
        let page = ScanPage {
            table,
            attributes: Attributes::All,
            after: match position {
                Position::After(key) => Some(key),
                Position::Start | Position::End => None,
            },
            segment: Some(Segment {
                index: u32::try_from(segment).unwrap_or(0) % SEGMENTS,
                total: SEGMENTS,
            }),
        };
        let (items, last) = self.scan_page(page).await?;
        Ok(SegmentPage {
            segment,
            table,
            items,
            next: match last {
                Some(last) => Position::After(last),
                None => Position::End,
            },
        })
    }
}
