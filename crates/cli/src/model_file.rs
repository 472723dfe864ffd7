//! The text of a model: a file, stdin, or a demo model that is built in.

mod kind;

use crate::demo_models;
use crate::exit::Failure;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Read up to here, so that a device or a dump does not fill the memory. The language has a smaller limit.
const MAX_BYTES: u64 = 64 * 1024 * 1024;
/// What UTF-16 begins with, as some editors and shells on Windows write it.
const UTF_16: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];

/// A model that was read, whatever it says.
#[derive(Debug)]
pub(crate) struct ModelFile {
    /// As messages call it.
    pub(crate) name: String,
    pub(crate) text: String,
}

impl ModelFile {
    /// Reads a file; `-` is stdin. The name of a demo model stands for it unless there is a file of that name.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        if let Some(demo) = find_demo(path) {
            return Ok(demo);
        }
        let name = if is_stdin(path) {
            "<stdin>".to_owned()
        } else {
            path.display().to_string()
        };
        let bytes = bytes(path).map_err(|error| {
            Failure::configuration(format_args!("cannot read {name}")).caused_by(&error)
        })?;
        if bytes.len() as u64 > MAX_BYTES {
            let what = format_args!("{name} has more than {MAX_BYTES} bytes, which no model has");
            return Err(Failure::configuration(what));
        }
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Self { name, text }),
            Err(error) => Err(not_utf8(
                &name,
                error.as_bytes(),
                error.utf8_error().valid_up_to(),
            )),
        }
    }

    /// The kind of file that the text seems to be, if it is not TOML.
    pub(crate) fn other_kind(&self) -> Option<&'static str> {
        kind::of(&self.text)
    }
}

/// Whether the name stands for stdin.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// A folder of that name, such as one that holds the model, is in nobody's way.
fn find_demo(path: &Path) -> Option<ModelFile> {
    let name = path.to_str()?;
    let text = &demo_models::find(name)?.text;
    let is_free = path.is_dir() || !path.exists();
    is_free.then(|| ModelFile {
        name: format!("demo model {name}"),
        text: text.clone(),
    })
}

fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if is_stdin(path) {
        let mut limited = io::stdin().lock().take(MAX_BYTES + 1);
        limited.read_to_end(&mut bytes)?;
    } else {
        let mut limited = File::open(path)?.take(MAX_BYTES + 1);
        limited.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

fn not_utf8(name: &str, bytes: &[u8], offset: usize) -> Failure {
    let before = bytes.get(..offset).unwrap_or_default();
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let failure = Failure::configuration(format_args!("{name} is not UTF-8")).because(
        format_args!("the byte at offset {offset}, in line {line}, begins no character"),
    );
    if UTF_16.iter().any(|mark| bytes.starts_with(mark)) {
        failure.help("it looks like UTF-16; save it as UTF-8")
    } else {
        failure.help("a model is text in UTF-8; save it as such")
    }
}
