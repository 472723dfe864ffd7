use std::ffi::{CStr, OsStr, c_int};
use std::os::fd::RawFd;
use std::os::unix::ffi::OsStringExt;
use std::sync::{Arc, OnceLock};

use libc::ssize_t;
use monotable_faultlog::{Deed, Event};

use crate::descriptor::{Status, appends, bytes, path_of, position};
use crate::fault::{Faults, Operation, Strike};
use crate::log::Log;
use crate::stop::{errno, failure, stop};
use crate::trace::Trace;
use crate::watched::{WatchedFile, WatchedFiles};

/// What the environment asked for, and what was seen since.
pub(crate) struct Shim {
    /// Absolute, without symbolic links and without a slash at its end.
    directory: Vec<u8>,
    skips_sync: bool,
    faults: Faults,
    log: Log,
    files: WatchedFiles,
    trace: Option<Trace>,
}

/// Where a write begins.
pub(crate) enum Start {
    Position,
    Offset(i64),
}

impl Shim {
    /// The shim of this process, unless there is no directory to watch.
    pub(crate) fn get() -> Option<&'static Self> {
        static SHIM: OnceLock<Option<Shim>> = OnceLock::new();
        SHIM.get_or_init(Self::from_environment).as_ref()
    }

    fn from_environment() -> Option<Self> {
        let directory = std::env::var_os("FAULTSHIM_DIR")?;
        let Some(log) = std::env::var_os("FAULTSHIM_LOG") else {
            stop("FAULTSHIM_DIR is set, but FAULTSHIM_LOG is not");
        };
        let skip_sync = std::env::var_os("FAULTSHIM_SKIP_SYNC");
        Some(Self {
            skips_sync: skip_sync.is_some_and(|value| value == "1"),
            ..Self::watching(&directory, &log)
        })
    }

    fn watching(directory: &OsStr, log: &OsStr) -> Self {
        Self {
            directory: resolve(directory),
            skips_sync: false,
            faults: Faults::from_environment(),
            log: Log::create(log),
            files: WatchedFiles::default(),
            trace: std::env::var_os("FAULTSHIM_TRACE").map(|path| Trace::create(&path)),
        }
    }

    /// Opens a file that may exist already; tells creating it apart from finding it.
    pub(crate) fn open_or_create(&self, flags: c_int, open: impl Fn(c_int) -> RawFd) -> RawFd {
        if flags & libc::O_CREAT == 0 {
            return open(flags);
        }
        if flags & libc::O_EXCL != 0 {
            return self.create(|| open(flags));
        }
        // Others may create and delete it between the attempts. The bound is for a symbolic link to
        // nothing, which exists and does not.
        for _ in 0..100 {
            let found = open(flags & !libc::O_CREAT);
            if found >= 0 || errno() != libc::ENOENT {
                return found;
            }
            let created = self.create(|| open(flags | libc::O_EXCL));
            if created >= 0 || errno() != libc::EEXIST {
                return created;
            }
        }
        open(flags)
    }

    fn create(&self, open: impl FnOnce() -> RawFd) -> RawFd {
        let _order = self.trace.as_ref().map(Trace::lock);
        let is_inside = |descriptor| self.is_inside(descriptor);
        let descriptor = self.files.create(open, is_inside, &self.log);
        if let Some(trace) = &self.trace
            && descriptor >= 0
            && self.is_inside(descriptor)
        {
            self.trace_descriptor(trace, descriptor, Deed::Create);
        }
        descriptor
    }

    /// Records a write, then lets it happen.
    pub(crate) fn write(
        &self,
        descriptor: RawFd,
        start: Start,
        length: usize,
        write: impl FnOnce(usize) -> ssize_t,
    ) -> ssize_t {
        let Some(file) = self.watched_file(descriptor) else {
            return write(length);
        };
        let written = match self.faults.strike(Operation::Write) {
            Some(Strike::Fail(errno)) => return failure(errno) as ssize_t,
            Some(Strike::Short) => length / 2,
            None => length,
        };
        let _order = self.trace.as_ref().map(Trace::lock);
        let mut changes = file.lock();
        let event = writing(&file, descriptor, start, written as u64);
        self.log.record(&event);
        *changes += 1;
        let answer = write(written);
        if let (Some(trace), Ok(length), Event::Writing { offset, .. }) =
            (&self.trace, u64::try_from(answer), event)
        {
            let mut bytes = bytes(descriptor, offset, offset + length);
            bytes.resize(usize::try_from(length).unwrap_or(0), 0);
            let deed = Deed::Write { offset, bytes };
            self.trace_descriptor(trace, descriptor, deed);
        }
        answer
    }

    fn trace_descriptor(&self, trace: &Trace, descriptor: RawFd, deed: Deed) {
        let path = path_of(descriptor).unwrap_or_default();
        let path = path
            .strip_prefix(self.directory.as_slice())
            .unwrap_or(&path);
        let path = path.strip_prefix(b"/").unwrap_or(path);
        let inode = Status::of(descriptor).map_or(0, |status| status.inode);
        trace.record(path.to_vec(), inode, deed);
    }

    /// Lets a name be made, changed or removed, and records it if that went well.
    pub(crate) fn change_name(
        &self,
        path: &CStr,
        deed: Deed,
        change: impl FnOnce() -> c_int,
    ) -> c_int {
        let Some(name) = self.name_of(path) else {
            return change();
        };
        if let Some(Strike::Fail(errno)) = self.faults.strike(Operation::Name) {
            return failure(errno);
        }
        let Some(trace) = &self.trace else {
            return change();
        };
        let _order = trace.lock();
        let answer = change();
        if answer == 0 {
            trace.record(name, 0, deed);
        }
        answer
    }

    /// A path in the watched directory, without the directory.
    pub(crate) fn name_of(&self, path: &CStr) -> Option<Vec<u8>> {
        let below = path.to_bytes().strip_prefix(self.directory.as_slice())?;
        below.strip_prefix(b"/").map(<[u8]>::to_vec)
    }

    /// Whether opening a file to write to it fails.
    pub(crate) fn strike_open(&self, path: &CStr, flags: c_int) -> Option<c_int> {
        let writes = flags & libc::O_CREAT != 0 || flags & libc::O_ACCMODE != libc::O_RDONLY;
        if !writes || self.name_of(path).is_none() {
            return None;
        }
        match self.faults.strike(Operation::Name) {
            Some(Strike::Fail(errno)) => Some(errno),
            Some(Strike::Short) | None => None,
        }
    }

    /// Records another size, then lets it happen.
    pub(crate) fn resize(
        &self,
        descriptor: RawFd,
        to: i64,
        resize: impl FnOnce() -> c_int,
    ) -> c_int {
        let (Some(file), Ok(to)) = (self.watched_file(descriptor), u64::try_from(to)) else {
            return resize();
        };
        if let Some(Strike::Fail(errno)) = self.faults.strike(Operation::Truncate) {
            return failure(errno);
        }
        let _order = self.trace.as_ref().map(Trace::lock);
        let mut changes = file.lock();
        let from = size(descriptor);
        self.log.record(&Event::Resizing {
            file: file.number,
            from,
            to,
            old: bytes(descriptor, to, from),
        });
        *changes += 1;
        let answer = resize();
        if let (0, Some(trace)) = (answer, &self.trace) {
            self.trace_descriptor(trace, descriptor, Deed::Resize { size: to });
        }
        answer
    }

    /// Lets a sync happen, then records it. Directories take part in the faults only.
    pub(crate) fn sync(&self, descriptor: RawFd, sync: impl FnOnce() -> c_int) -> c_int {
        let file = self.watched_file(descriptor);
        if file.is_none() && !self.is_watched_directory(descriptor) {
            return sync();
        }
        // Read before the sync begins: changes during the sync may have come too late for it.
        let changes = file.as_ref().map_or(0, |file| *file.lock());
        let strike = self.faults.strike(Operation::Sync);
        let _order = self.trace.as_ref().map(Trace::lock);
        let answer = match strike {
            Some(Strike::Fail(errno)) => failure(errno),
            _ if self.skips_sync => return 0,
            Some(Strike::Short) | None => sync(),
        };
        if let (0, Some(trace)) = (answer, &self.trace) {
            self.trace_descriptor(trace, descriptor, Deed::Sync);
        }
        if let Some(file) = file {
            self.record_sync(&file, changes, answer);
        }
        answer
    }

    fn record_sync(&self, file: &WatchedFile, changes: u64, answer: c_int) {
        let file = file.number;
        if answer == 0 {
            self.log.record(&Event::Synced { file, changes });
        } else {
            let reason = errno();
            self.log.record(&Event::SyncFailed { file, changes });
            failure(reason);
        }
    }

    /// Whether the descriptor is that of a file below the watched directory.
    pub(crate) fn watches(&self, descriptor: RawFd) -> bool {
        self.watched_file(descriptor).is_some()
    }

    fn watched_file(&self, descriptor: RawFd) -> Option<Arc<WatchedFile>> {
        let status = Status::of(descriptor).filter(Status::is_file)?;
        if let Some(file) = self.files.find(&status) {
            return Some(file);
        }
        self.is_inside(descriptor)
            .then(|| self.files.watch(&status, &self.log))
    }

    fn is_watched_directory(&self, descriptor: RawFd) -> bool {
        let status = Status::of(descriptor);
        status.is_some_and(|status| status.is_directory()) && self.is_inside(descriptor)
    }

    fn is_inside(&self, descriptor: RawFd) -> bool {
        let path = path_of(descriptor).unwrap_or_default();
        let below = path.strip_prefix(self.directory.as_slice());
        below.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
    }
}

fn writing(file: &WatchedFile, descriptor: RawFd, start: Start, length: u64) -> Event {
    let size = size(descriptor);
    let offset = match start {
        // Linux appends then even where an offset is given.
        _ if appends(descriptor) => size,
        Start::Position => position(descriptor),
        // A negative offset fails and changes nothing.
        Start::Offset(offset) => u64::try_from(offset).unwrap_or(size),
    };
    let end = size.min(offset.saturating_add(length));
    Event::Writing {
        file: file.number,
        offset,
        length,
        size,
        old: bytes(descriptor, offset, end),
    }
}

fn size(descriptor: RawFd) -> u64 {
    match Status::of(descriptor) {
        Some(status) => status.size,
        None => stop("a watched file has no size"),
    }
}

/// The directory as the kernel names it in the paths of descriptors.
fn resolve(directory: &OsStr) -> Vec<u8> {
    match std::fs::canonicalize(directory) {
        Ok(path) => path.into_os_string().into_vec(),
        Err(error) => stop(&format!("FAULTSHIM_DIR cannot be watched: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::io::Write;
    use std::os::fd::AsRawFd;
    use std::path::PathBuf;

    use tempfile::TempDir;

    use super::*;

    struct Watched {
        root: TempDir,
        shim: Shim,
        file: File,
    }

    impl Watched {
        fn new() -> Self {
            let root = tempfile::tempdir().unwrap();
            let log = root.path().join("log");
            Self {
                shim: Shim::watching(root.path().as_os_str(), log.as_os_str()),
                file: File::create(root.path().join("file")).unwrap(),
                root,
            }
        }

        fn log(&self) -> Vec<Event> {
            let path: PathBuf = self.root.path().join("log");
            monotable_faultlog::read(&fs::read(path).unwrap()).unwrap()
        }

        /// A write of one byte that looks around before it happens.
        fn write(&self, look: impl FnOnce()) {
            let descriptor = self.file.as_raw_fd();
            self.shim.write(descriptor, Start::Position, 1, |_| {
                look();
                (&self.file).write(b"x").unwrap() as ssize_t
            });
        }

        fn sync(&self, during: impl FnOnce()) {
            self.shim.sync(self.file.as_raw_fd(), || {
                during();
                0
            });
        }
    }

    #[test]
    fn a_change_is_recorded_before_it_is_made() {
        let watched = Watched::new();
        watched.write(|| {
            let recorded = watched.log();
            assert!(matches!(recorded.last(), Some(Event::Writing { .. })));
            assert_eq!(watched.file.metadata().unwrap().len(), 0);
        });
        assert_eq!(watched.file.metadata().unwrap().len(), 1);
    }

    #[test]
    fn nobody_else_changes_the_file_until_the_change_is_made() {
        let watched = Watched::new();
        watched.write(|| ());
        let status = Status::of(watched.file.as_raw_fd()).unwrap();
        let file = watched.shim.files.find(&status).unwrap();
        watched.write(|| assert!(file.is_locked()));
        assert!(!file.is_locked());
    }

    #[test]
    fn a_sync_is_recorded_after_it_returned_and_covers_what_was_complete_before_it() {
        let watched = Watched::new();
        watched.write(|| ());
        watched.sync(|| {
            watched.write(|| ());
            let recorded = watched.log();
            assert!(
                !recorded
                    .iter()
                    .any(|event| matches!(event, Event::Synced { .. }))
            );
        });
        let synced = Event::Synced {
            file: 1,
            changes: 1,
        };
        assert_eq!(watched.log().last(), Some(&synced));
    }

    #[test]
    fn a_created_file_is_not_the_removed_one_that_had_its_inode() {
        let watched = Watched::new();
        watched.write(|| ());
        watched.shim.create(|| watched.file.as_raw_fd());
        watched.write(|| ());
        let recorded = watched.log();
        let opened: Vec<_> = recorded
            .iter()
            .filter_map(|event| match event {
                Event::Opened { file, created, .. } => Some((*file, *created)),
                _ => None,
            })
            .collect();
        assert_eq!(opened, [(1, false), (2, true)]);
        assert!(matches!(
            recorded.last(),
            Some(Event::Writing { file: 2, .. })
        ));
    }
}
