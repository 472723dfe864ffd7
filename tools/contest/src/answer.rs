//! The least of HTTP: where an answer ends, its status and its body.

use crate::failure::Failure;

/// A whole answer at the start of what was received.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Answer<'a> {
    pub(crate) status: u16,
    pub(crate) body: &'a [u8],
}

impl<'a> Answer<'a> {
    /// None as long as bytes are missing.
    pub(crate) fn read(received: &'a [u8]) -> Result<Option<Self>, Failure> {
        let Some(head_bytes) = end_of_head(received) else {
            return Ok(None);
        };
        let (head, rest) = received.split_at(head_bytes);
        let mut lines = head.split(|byte| *byte == b'\n');
        let status = lines
            .next()
            .and_then(status)
            .ok_or_else(|| unreadable(head))?;
        let length = lines
            .find_map(content_length)
            .ok_or_else(|| unreadable(head))?;
        Ok(rest.get(..length).map(|body| Self { status, body }))
    }
}

fn end_of_head(received: &[u8]) -> Option<usize> {
    const END: &[u8] = b"\r\n\r\n";
    memchr::memmem::find(received, END).map(|at| at + END.len())
}

/// The number in `HTTP/1.1 200 OK`.
fn status(line: &[u8]) -> Option<u16> {
    let digits = line.strip_prefix(b"HTTP/1.1 ")?.get(..3)?;
    str::from_utf8(digits).ok()?.parse().ok()
}

fn content_length(line: &[u8]) -> Option<usize> {
    const NAME: &[u8] = b"content-length:";
    let (name, value) = line.split_at_checked(NAME.len())?;
    if name.eq_ignore_ascii_case(NAME) {
        str::from_utf8(value).ok()?.trim().parse().ok()
    } else {
        None
    }
}

fn unreadable(head: &[u8]) -> Failure {
    let head = String::from_utf8_lossy(head);
    format!("an answer must have a status and a Content-Length, but its head was:\n{head}").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &[u8] = b"HTTP/1.1 200 OK\r\nDate: x\r\nContent-LENGTH: 5\r\n\r\nhello";

    #[test]
    fn an_answer_is_whole_with_its_last_byte() {
        for length in 0..WHOLE.len() {
            assert_eq!(Answer::read(&WHOLE[..length]).unwrap(), None, "{length}");
        }
        let whole = Answer::read(WHOLE).unwrap().unwrap();
        assert_eq!((whole.status, whole.body), (200, b"hello".as_slice()));
    }

    #[test]
    fn an_answer_of_unknown_length_is_refused() {
        for head in [
            "HTTP/1.1 200 OK\r\n\r\n",
            "ICY 200\r\ncontent-length: 0\r\n\r\n",
        ] {
            assert!(Answer::read(head.as_bytes()).is_err(), "{head}");
        }
    }
}
