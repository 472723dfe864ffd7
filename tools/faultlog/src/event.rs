/// The shim's name for one file within one log.
pub type FileNumber = u64;

/// One record of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A file got its number. Paths are not recorded: a rename does not change what a file is.
    Opened {
        /// Its number from here on.
        file: FileNumber,
        /// The device it is on.
        device: u64,
        /// Its inode on that device.
        inode: u64,
        /// Created by this open, so that nothing said earlier about the inode is about this file.
        created: bool,
    },
    /// A write is about to happen.
    Writing {
        /// The file written.
        file: FileNumber,
        /// Where the write begins; for appends, the end of the file.
        offset: u64,
        /// How many bytes the process asked to write.
        length: u64,
        /// The size of the file before the write.
        size: u64,
        /// The bytes replaced, without the zeros at their end.
        old: Vec<u8>,
    },
    /// A file is about to get another size.
    Resizing {
        /// The file resized.
        file: FileNumber,
        /// Its size before.
        from: u64,
        /// Its size afterwards.
        to: u64,
        /// The bytes cut off, without the zeros at their end.
        old: Vec<u8>,
    },
    /// A sync succeeded.
    Synced {
        /// The file synced.
        file: FileNumber,
        /// How many changes of the file were complete when the sync began; later ones are not covered.
        changes: u64,
    },
    /// A sync failed. The kernel then drops its dirty marks: no later sync covers these changes.
    SyncFailed {
        /// The file whose sync failed.
        file: FileNumber,
        /// How many changes of the file were complete when the sync began.
        changes: u64,
    },
}

pub(crate) const OPENED: u8 = 1;
pub(crate) const CREATED: u8 = 2;
pub(crate) const WRITING: u8 = 3;
pub(crate) const RESIZING: u8 = 4;
pub(crate) const SYNCED: u8 = 5;
pub(crate) const SYNC_FAILED: u8 = 6;
