//! The whole run.

use crate::arguments::{Arguments, Subject};
use crate::contest::{Contest, Length, Outcome};
use crate::failure::Failure;
use crate::get::Get;
use crate::load::{LoadTask, MILLION};
use crate::machine::Machine;
use crate::overhead;
use crate::pair::Pair;
use crate::put::{self, Target, Writes};
use crate::query::{LIMIT, Query};
use crate::report::{Line, Report};
use crate::stream;
use crate::volume;
use crate::workspace::{Loaded, Workspace};
use crate::writers::WRITERS;
use monotable_engine::Durability;

const READ_TARGET: f64 = 0.6;
const WRITE_TARGET: f64 = 0.7;
const GROWTH_TARGET: f64 = 1.5;
/// How many times as long a put with a stream may take.
const STREAM_TARGET: f64 = 1.5;
/// The longest that a commit may take during a load, in seconds.
const STALL_TARGET: f64 = 5.0;
/// What may be resident beside the cache.
const MEMORY_TARGET: u64 = 350 << 20;
/// A large load is compared with a million items, or with so large a part of it.
const VOLUME: u64 = 20;
const FEWEST: u64 = 1_000;
/// How many items are few.
const FEW: u64 = 10_000;

const GETS: Length = Length {
    blocks: 400,
    operations: 250,
};
const QUERIES: Length = Length {
    blocks: 400,
    operations: 50,
};

pub(crate) fn run(arguments: &Arguments) -> Result<Report, Failure> {
    let workspace = Workspace::open(arguments)?;
    let machine = Machine::inspect(workspace.path())?;
    let mut run = Run {
        arguments,
        workspace,
        lines: Vec::new(),
        notes: Vec::new(),
    };
    let plain = run.load("plain", arguments.items, false)?;
    run.plain(&plain)?;
    if arguments.wants(Subject::Load) {
        run.volume(&plain)?;
    }
    if arguments.wants(Subject::Indexed) {
        run.indexed()?;
    }
    if arguments.wants(Subject::Stream) {
        let outcome = stream::measure(&run.workspace, &plain.task)?;
        run.lines.push(Line::stream(&outcome, STREAM_TARGET));
    }
    if arguments.wants(Subject::Overhead) {
        run.overhead(&plain)?;
    }
    if arguments.wants(Subject::Memory) {
        let facts = &plain.facts;
        let most = arguments.cache_bytes + MEMORY_TARGET;
        let line = Line::memory(facts.resident_bytes, facts.peak_bytes, most);
        run.lines.push(line);
    }
    Ok(Report {
        machine,
        items: plain.task.dataset().description(),
        cache_mb: arguments.cache_bytes >> 20,
        lines: run.lines,
        notes: run.notes,
    })
}

struct Run<'a> {
    arguments: &'a Arguments,
    workspace: Workspace,
    lines: Vec<Line>,
    notes: Vec<String>,
}

impl Run<'_> {
    fn load(&mut self, name: &str, items: u64, indexes: bool) -> Result<Loaded, Failure> {
        let task = LoadTask {
            path: Default::default(),
            items,
            value_bytes: self.arguments.value_bytes,
            cache_bytes: self.arguments.cache_bytes,
            indexes,
        };
        let again = name == "plain" && self.arguments.wants(Subject::Memory);
        let loaded = self.workspace.loaded(name, task, again)?;
        self.notes.push(format!(
            "load of {items} items ({name}): {:.1} s",
            loaded.facts.seconds
        ));
        Ok(loaded)
    }

    /// Reads and writes of the table without indexes.
    fn plain(&mut self, loaded: &Loaded) -> Result<(), Failure> {
        let wanted = [Subject::Get, Subject::Query, Subject::Put];
        if !wanted.iter().any(|subject| self.arguments.wants(*subject)) {
            return Ok(());
        }
        let pair = Pair::open(&self.workspace, loaded, Durability::Sync)?;
        self.notes.push(format!(
            "on disk: {:.2} bytes for each byte of an item",
            pair.raw.disk_bytes()? as f64
                / (loaded.task.items * loaded.task.value_bytes as u64) as f64
        ));
        if self.arguments.wants(Subject::Get) {
            self.reads("get", &Get(&pair), GETS)?;
        }
        if self.arguments.wants(Subject::Query) {
            self.reads(&format!("query of {LIMIT} items"), &Query(&pair), QUERIES)?;
        }
        if self.arguments.wants(Subject::Put) {
            let fresh = put::plain(&pair, Target::Fresh)?;
            self.writes(
                format!("durable put, {WRITERS} writers"),
                &fresh,
                Some(WRITE_TARGET),
            );
            self.writes(
                "put of existing items",
                &put::plain(&pair, Target::Existing)?,
                None,
            );
        }
        Ok(())
    }

    fn indexed(&mut self) -> Result<(), Failure> {
        let loaded = self.load("indexed", self.arguments.items, true)?;
        let pair = Pair::open(&self.workspace, &loaded, Durability::Sync)?;
        let fresh = put::indexed(&pair, Target::Fresh)?;
        self.writes("put with two indexes", &fresh, Some(WRITE_TARGET));
        self.writes(
            "  of existing items",
            &put::indexed(&pair, Target::Existing)?,
            None,
        );
        Ok(())
    }

    /// How the load went, and reads of it against reads of a part of it.
    fn volume(&mut self, plain: &Loaded) -> Result<(), Failure> {
        self.lines.push(Line::load(&plain.facts, STALL_TARGET));
        self.notes.push(volume::describe(&plain.facts));
        let few = (self.arguments.items / VOLUME).clamp(FEWEST, MILLION);
        let few = self.load("part", few, false)?;
        for growth in volume::measure(plain, &few)? {
            self.lines.push(Line::volume(growth, GROWTH_TARGET));
        }
        Ok(())
    }

    fn overhead(&mut self, plain: &Loaded) -> Result<(), Failure> {
        let few = self.load("few", FEW.min(self.arguments.items), false)?;
        let large = Pair::open(&self.workspace, plain, Durability::Relaxed)?;
        let small = Pair::open(&self.workspace, &few, Durability::Relaxed)?;
        for growth in overhead::measure(&large, &small)? {
            let line = Line::growth(growth.name, &growth.large, &growth.small, GROWTH_TARGET);
            self.lines.push(line);
        }
        Ok(())
    }

    fn reads<C: Contest>(
        &mut self,
        name: &str,
        contest: &C,
        length: Length,
    ) -> Result<(), Failure> {
        let mut random = fastrand::Rng::with_seed(2);
        // The first blocks warm the caches and do not count.
        let warm_up = Length {
            blocks: length.blocks / 4,
            ..length
        };
        Outcome::default().extend(contest, warm_up, &mut random)?;
        let mut outcome = Outcome::default();
        outcome.extend(contest, length, &mut random)?;
        self.lines
            .push(Line::ratio(name, &outcome, Some(READ_TARGET)));
        Ok(())
    }

    fn writes(&mut self, name: impl Into<String>, writes: &Writes, least: Option<f64>) {
        let name = name.into();
        self.notes.push(format!(
            "{}: {:.1} writes to a group, raw {:.1}",
            name.trim(),
            writes.engine_group,
            writes.raw_group
        ));
        self.lines.push(Line::ratio(name, &writes.outcome, least));
    }
}
