//! The records of an object: lines, or more than one where a value in quotes goes on.

use flate2::read::MultiGzDecoder;
use monotable_api::InputCompressionType;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

/// The longest record, in bytes: an item of 400 KB takes several times as much as JSON. A longer one is read in parts, which
/// are no items.
const MOST_BYTES: u64 = 16 * 1024 * 1024;

/// Reads an object record by record.
pub(super) struct Records {
    input: BufReader<Box<dyn Read + Send>>,
}

impl Records {
    pub(super) fn new(file: File, compression: InputCompressionType) -> Self {
        let input: Box<dyn Read + Send> = match compression {
            InputCompressionType::Gzip => Box::new(MultiGzDecoder::new(BufReader::new(file))),
            InputCompressionType::None | InputCompressionType::Zstd => Box::new(file),
        };
        Self {
            input: BufReader::new(input),
        }
    }

    /// The next line with something in it, without its end; none at the end of the object.
    pub(super) fn next_line(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            let mut line = Vec::new();
            if self.read_line(&mut line)? == 0 {
                return Ok(None);
            }
            trim_end(&mut line);
            if !line.is_empty() {
                return Ok(Some(line));
            }
        }
    }

    /// The next record of CSV: a line, and the next ones while a value in quotes goes on.
    pub(super) fn next_row(&mut self) -> io::Result<Option<Vec<u8>>> {
        let Some(mut row) = self.next_line()? else {
            return Ok(None);
        };
        let is_open = |row: &[u8]| row.iter().filter(|byte| **byte == b'"').count() % 2 == 1;
        while is_open(&row) && (row.len() as u64) < MOST_BYTES {
            let mut line = Vec::new();
            if self.read_line(&mut line)? == 0 {
                break;
            }
            row.push(b'\n');
            trim_end(&mut line);
            row.extend(line);
        }
        Ok(Some(row))
    }

    fn read_line(&mut self, line: &mut Vec<u8>) -> io::Result<usize> {
        let mut input = self.input.by_ref().take(MOST_BYTES);
        input.read_until(b'\n', line)
    }
}

fn trim_end(line: &mut Vec<u8>) {
    while matches!(line.last(), Some(b'\n' | b'\r')) {
        line.pop();
    }
}
