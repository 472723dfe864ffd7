//! The JSON of an answer, written within the memory that was set aside for it.

use crate::memory::Share;
use crate::refusal::Refusal;
use monotable_api::{Error, OperationName, Response};
use std::io::{self, Write};

/// Most answers fit without growing.
const USUAL: usize = 2048;

/// Writes the answer. JSON can be several times as long as the items in it are by DynamoDB's count. If it is longer than was set
/// aside, and the rest is not there, a read is refused, to be tried again later; the answer of a write, which is
/// done, takes the rest all the same.
pub(crate) fn encode(
    output: &Response,
    operation: OperationName,
    share: &mut Option<Share>,
) -> Result<Vec<u8>, Refusal> {
    let limit = share.as_ref().map_or(usize::MAX, Share::bytes);
    let mut writer = Bounded {
        written: Vec::with_capacity(USUAL),
        limit,
    };
    match (output.write_json(&mut writer), share) {
        (Ok(()), _) => Ok(writer.written),
        (Err(_), Some(share)) => {
            drop(writer);
            write_longer(output, operation, share)
        }
        (Err(error), None) => Err(Error::internal(error).into()),
    }
}

/// Finds out how long the answer is, and writes it if there is memory for it.
fn write_longer(
    output: &Response,
    operation: OperationName,
    share: &mut Share,
) -> Result<Vec<u8>, Refusal> {
    let mut length = Length(0);
    output.write_json(&mut length).map_err(Error::internal)?;
    if !share.try_grow(length.0) {
        if is_read(operation) {
            return Err(Refusal::Busy);
        }
        share.resize(length.0);
    }
    let mut written = Vec::with_capacity(length.0);
    output.write_json(&mut written).map_err(Error::internal)?;
    Ok(written)
}

/// Whether nothing has changed, so that the request can be refused after it was carried out.
const fn is_read(operation: OperationName) -> bool {
    matches!(
        operation,
        OperationName::GetItem
            | OperationName::BatchGetItem
            | OperationName::TransactGetItems
            | OperationName::Query
            | OperationName::Scan
            | OperationName::GetRecords
    )
}

/// Takes so many bytes and no more.
struct Bounded {
    written: Vec<u8>,
    limit: usize,
}

impl Write for Bounded {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.written.len() + bytes.len() > self.limit {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        self.written.extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Counts bytes and keeps none.
struct Length(usize);

impl Write for Length {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
