//! A failing disk call at every place, one after another: the first call of a run fails, then in another run the second one, and so on.

use crate::bounded;
use crate::numbered;
use crate::preload::Shim;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// How many requests a run sends.
const REQUESTS: u64 = 90;
const PATIENCE: Duration = Duration::from_secs(120);

/// How a call fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallFault {
    /// The disk reports an error.
    Eio,
    /// The disk is full.
    Enospc,
    /// A write takes half of its bytes.
    Short,
}

impl CallFault {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Eio, Self::Enospc, Self::Short];

    const fn name(self) -> &'static str {
        match self {
            Self::Eio => "EIO",
            Self::Enospc => "ENOSPC",
            Self::Short => "SHORT",
        }
    }
}

/// What was tried and found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallCounts {
    /// Calls of a run without a fault.
    pub calls: u64,
    /// Runs with a fault.
    pub runs: u64,
    /// Runs in which the store did not open.
    pub failed_opens: u64,
    /// Runs in which a request failed.
    pub failed_requests: u64,
    /// Runs in which the fault had no effect that a caller saw.
    pub unseen: u64,
    /// Requests that were acknowledged in all runs.
    pub acknowledged: u64,
    /// What was promised and not kept.
    pub violations: Vec<String>,
}

impl fmt::Display for CallCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} calls in a run; {} runs with one failing call: {} failed to open, {} failed a request, {} went on",
            self.calls, self.runs, self.failed_opens, self.failed_requests, self.unseen
        )?;
        writeln!(f, "{} requests acknowledged", self.acknowledged)?;
        match self.violations.as_slice() {
            [] => write!(f, "no false acknowledgement"),
            violations => {
                writeln!(f, "BROKEN:")?;
                violations
                    .iter()
                    .try_for_each(|line| writeln!(f, "  {line}"))
            }
        }
    }
}

/// The child: opens a store, sends requests, and notes each before it is sent and after it is acknowledged.
///
/// # Errors
///
/// When the notes cannot be written.
pub fn run_child(store: &Path, notes: &Path) -> io::Result<()> {
    let mut notes = File::create(notes)?;
    let engine = match numbered::open(store) {
        Ok(engine) => engine,
        Err(error) => {
            writeln!(notes, "o{error}")?;
            return Ok(());
        }
    };
    for number in 0..REQUESTS {
        writeln!(notes, "s")?;
        match numbered::send(&engine, number) {
            Ok(()) => writeln!(notes, "a")?,
            Err(error) => {
                writeln!(notes, "e{error}")?;
                break;
            }
        }
        if number % numbered::SETTLES == numbered::SETTLES - 1 && engine.settle().is_err() {
            // Whatever failed in the background is told to the next writer.
            continue;
        }
    }
    engine.close();
    Ok(())
}

/// What a child noted.
#[derive(Default)]
struct Notes {
    sent: u64,
    acknowledged: u64,
    open_error: Option<String>,
    error: Option<String>,
}

impl Notes {
    fn read(path: &Path) -> io::Result<Self> {
        let mut notes = Self::default();
        for line in fs::read_to_string(path)?.lines() {
            match line.split_at_checked(1) {
                Some(("s", _)) => notes.sent += 1,
                Some(("a", _)) => notes.acknowledged += 1,
                Some(("o", error)) => notes.open_error = Some(error.into()),
                Some(("e", error)) => notes.error = Some(error.into()),
                // An error may have several lines.
                _ => {}
            }
        }
        Ok(notes)
    }
}

/// Runs of a program under the shim.
#[derive(Debug)]
pub struct Calls {
    program: PathBuf,
    folder: PathBuf,
    shim: Shim,
    /// What was found so far.
    pub counts: CallCounts,
}

impl Calls {
    /// In this folder; `program` is the torture command.
    ///
    /// # Errors
    ///
    /// When the shim cannot be built.
    pub fn new(program: &Path, folder: &Path) -> io::Result<Self> {
        Ok(Self {
            program: program.into(),
            folder: folder.into(),
            shim: Shim::build()?,
            counts: CallCounts::default(),
        })
    }

    /// Fails every `step`th call, each in a run of its own and with each fault.
    ///
    /// # Errors
    ///
    /// When the torture itself does not work.
    pub fn survey(&mut self, step: u64, mut tell: impl FnMut(&CallCounts)) -> io::Result<()> {
        self.run(None)?;
        let bytes = fs::read(self.folder.join("calls"))?;
        let bytes = bytes
            .try_into()
            .map_err(|_| io::Error::other("no calls were counted"))?;
        self.counts.calls = u64::from_le_bytes(bytes);
        for number in (1..=self.counts.calls).step_by(usize::try_from(step).unwrap_or(1)) {
            for fault in CallFault::ALL {
                self.run(Some((number, fault)))?;
                tell(&self.counts);
            }
        }
        Ok(())
    }

    /// One run, and what must hold after it.
    fn run(&mut self, fault: Option<(u64, CallFault)>) -> io::Result<()> {
        let (store, notes) = (self.folder.join("store"), self.folder.join("notes"));
        let log = self.folder.join("log");
        for path in [&store, &notes, &log] {
            let removed = if path.is_dir() {
                fs::remove_dir_all(path)
            } else {
                fs::remove_file(path)
            };
            match removed {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        fs::create_dir(&store)?;
        let mut command = Command::new(&self.program);
        command.args(["child", "calls"]).arg(&store).arg(&notes);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        self.shim.preload(&mut command, &store, &log);
        command.env("FAULTSHIM_CALLS", self.folder.join("calls"));
        if let Some((number, fault)) = fault {
            command.env("FAULTSHIM_NTH", format!("{number}:{}", fault.name()));
        }
        let mut child = command.spawn()?;
        bounded::wait(&mut child, PATIENCE)?;
        let status = child.wait()?;
        let what = fault.map_or("no fault".into(), |(number, fault)| {
            format!("call {number} with {}", fault.name())
        });
        if !status.success() {
            self.counts
                .violations
                .push(format!("{what}: the process ended with {status}"));
        }
        let notes = Notes::read(&notes)?;
        self.judge(&store, &what, fault.map(|(_, fault)| fault), &notes);
        Ok(())
    }

    fn judge(&mut self, store: &Path, what: &str, fault: Option<CallFault>, notes: &Notes) {
        let violation = numbered::find_violation(store, notes.acknowledged, notes.sent);
        if let Some(violation) = violation {
            self.counts.violations.push(format!("{what}: {violation}"));
        }
        let Some(fault) = fault else {
            if notes.acknowledged != REQUESTS {
                let error = notes.error.clone().or(notes.open_error.clone());
                self.counts
                    .violations
                    .push(format!("without a fault: {error:?}"));
            }
            return;
        };
        self.counts.runs += 1;
        self.counts.acknowledged += notes.acknowledged;
        match (&notes.open_error, &notes.error) {
            (Some(_), _) => self.counts.failed_opens += 1,
            (None, Some(_)) => self.counts.failed_requests += 1,
            (None, None) => self.counts.unseen += 1,
        }
        // A full disk is called by its name. What only one of fjall's threads was told, and is not so any more, nobody can say.
        if fault == CallFault::Enospc
            && let Some(error) = notes.open_error.as_ref().or(notes.error.as_ref())
            && !error.contains("disk full")
            && !error.contains("full or failing disk")
        {
            self.counts.violations.push(format!(
                "{what}: does not say that the disk is full: {error}"
            ));
        }
    }
}
