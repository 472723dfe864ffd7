//! Where items come from, and how the text is cut into items.
//!
//! Two forms are told apart by the first line: an array, or an object that goes on in the next line, is
//! cut by its brackets; otherwise each line is an item, so that one bad line does not hide the others.

mod document;

use crate::exit::Failure;
use document::Document;
use serde::de::IgnoredAny;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use tempfile::SpooledTempFile;

/// Longest text of one item, in bytes. An item of 400 KB is shorter, however it is written.
const MAX_TEXT: u64 = 16 * 1024 * 1024;
/// Input that can be read only once is kept in memory up to this many bytes, then in a file.
const MAX_MEMORY: usize = 8 * 1024 * 1024;

/// Input that can be read again.
pub(crate) struct Input {
    source: Box<dyn Rewind>,
    is_argument: bool,
}

trait Rewind: Read + Seek + Send {}

impl<T: Read + Seek + Send> Rewind for T {}

/// The text of an item.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ItemText {
    /// The line it begins on, from 1.
    pub(crate) line: u64,
    pub(crate) text: String,
}

/// Text that is no item.
#[derive(Debug)]
pub(crate) struct Unreadable {
    pub(crate) line: u64,
    pub(crate) what: String,
    /// The line as it was read; nothing if it could not be read at all.
    pub(crate) bytes: Vec<u8>,
}

impl Unreadable {
    fn new(line: u64, what: impl fmt::Display) -> Self {
        Self {
            line,
            what: what.to_string(),
            bytes: Vec::new(),
        }
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl Input {
    /// The item of the command line, stdin, or a file.
    pub(crate) fn open(item: Option<String>, file: Option<PathBuf>) -> Result<Self, Failure> {
        let (source, is_argument) = match (item, file) {
            (_, Some(file)) => (open_file(&file)?, false),
            (Some(text), None) if text != "-" => (spool(text.as_bytes(), "the item")?, true),
            (Some(_) | None, None) => (spool(io::stdin().lock(), "stdin")?, false),
        };
        Ok(Self {
            source,
            is_argument,
        })
    }

    /// A bad item on the command line is a mistake of usage, a bad one in a file is not.
    pub(crate) fn refuse(&self, what: impl fmt::Display) -> Failure {
        if self.is_argument {
            Failure::usage(what)
        } else {
            Failure::other(what)
        }
    }

    /// All items, from the beginning.
    pub(crate) fn items(&mut self) -> Result<Items<'_>, Failure> {
        let rewound = self.source.seek(SeekFrom::Start(0));
        rewound.map_err(|error| Failure::other("cannot read the input again").caused_by(&error))?;
        Ok(Items::new(BufReader::new(&mut self.source)))
    }
}

fn open_file(path: &Path) -> Result<Box<dyn Rewind>, Failure> {
    let name = path.display().to_string();
    let failed =
        |error: io::Error| Failure::other(format_args!("cannot read {name}")).caused_by(&error);
    let file = File::open(path).map_err(failed)?;
    // A pipe has a name too, and can be read only once.
    if file.metadata().map_err(failed)?.is_file() {
        Ok(Box::new(file))
    } else {
        spool(file, &name)
    }
}

fn spool(mut from: impl Read, name: &str) -> Result<Box<dyn Rewind>, Failure> {
    let mut spool = SpooledTempFile::new(MAX_MEMORY);
    let copied = io::copy(&mut from, &mut spool).and_then(|_| spool.flush());
    copied.map_err(|error| Failure::other(format_args!("cannot read {name}")).caused_by(&error))?;
    Ok(Box::new(spool))
}

/// The items of an input, in order.
pub(crate) struct Items<'a> {
    reader: BufReader<&'a mut Box<dyn Rewind>>,
    /// Lines read so far.
    line: u64,
    form: Form,
}

enum Form {
    Unknown,
    Lines,
    Document(Document),
    /// Nothing can be read any more.
    End,
}

impl<'a> Items<'a> {
    const fn new(reader: BufReader<&'a mut Box<dyn Rewind>>) -> Self {
        Self {
            reader,
            line: 0,
            form: Form::Unknown,
        }
    }

    /// The next line; none at the end.
    fn line(&mut self) -> Result<Option<String>, Unreadable> {
        self.line += 1;
        let mut bytes = Vec::new();
        let mut limited = (&mut self.reader).take(MAX_TEXT);
        let read = limited.read_until(b'\n', &mut bytes);
        match read {
            Ok(0) => Ok(None),
            Ok(length) if length as u64 >= MAX_TEXT => {
                Err(self.stop("longer than any item can be"))
            }
            Ok(_) => match String::from_utf8(bytes) {
                Ok(text) => Ok(Some(text)),
                Err(error) => Err(Unreadable {
                    line: self.line,
                    what: "not UTF-8".to_owned(),
                    bytes: error.into_bytes(),
                }),
            },
            Err(error) => Err(self.stop(format_args!("cannot be read: {error}"))),
        }
    }

    fn stop(&mut self, what: impl fmt::Display) -> Unreadable {
        self.form = Form::End;
        Unreadable::new(self.line, what)
    }

    /// Takes a line in; gives the item that it is, if each line is one.
    fn take(&mut self, line: String) -> Option<Result<ItemText, Unreadable>> {
        let text = line.trim_start_matches('\u{feff}');
        if let Form::Unknown = self.form {
            self.form = Form::of(text)?;
        }
        match &mut self.form {
            Form::Document(document) => {
                document.push(self.line, text);
                None
            }
            Form::Lines if text.trim().is_empty() => None,
            Form::Lines => Some(Ok(ItemText {
                line: self.line,
                text: text.to_owned(),
            })),
            Form::Unknown | Form::End => None,
        }
    }
}

impl Form {
    /// What the first line that is not empty says.
    fn of(line: &str) -> Option<Self> {
        match line.trim() {
            "" => None,
            line if line.starts_with('[') || is_unfinished(line) => {
                Some(Self::Document(Document::default()))
            }
            _ => Some(Self::Lines),
        }
    }
}

/// Whether the line is JSON that goes on in the next one.
fn is_unfinished(line: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(line).is_err_and(|error| error.is_eof())
}

impl Iterator for Items<'_> {
    type Item = Result<ItemText, Unreadable>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Form::Document(document) = &mut self.form
                && let Some(found) = document.next()
            {
                if found.is_err() {
                    self.form = Form::End;
                }
                return Some(found);
            }
            if let Form::End = self.form {
                return None;
            }
            match self.line() {
                Err(problem) => return Some(Err(problem)),
                Ok(Some(line)) => {
                    if let Some(found) = self.take(line) {
                        return Some(found);
                    }
                }
                Ok(None) => {
                    let Form::Document(document) = &self.form else {
                        return None;
                    };
                    let unfinished = document.unfinished();
                    self.form = Form::End;
                    return unfinished.map(Err);
                }
            }
        }
    }
}
