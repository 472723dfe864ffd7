//! A program that does to files what its standard input says, one command per line.
//!
//! Every command is answered with `ok` or the error, so that whoever drives it knows how far it is:
//!
//! ```text
//! create NAME                write NAME OFFSET TEXT       rename NAME NAME
//! open NAME                  append NAME TEXT             remove NAME
//! open-to-append NAME        resize NAME SIZE             copy NAME NAME
//! empty NAME                 sync NAME
//! ```

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufRead, Write};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

/// Runs the commands of `input` below `directory`, until it ends.
///
/// # Errors
///
/// When the input cannot be read or an answer cannot be written.
pub fn run(directory: PathBuf, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut script = Script {
        directory,
        files: HashMap::new(),
    };
    for line in input.lines() {
        match script.command(&line?) {
            Ok(()) => writeln!(output, "ok")?,
            Err(error) => writeln!(output, "{error}")?,
        }
        output.flush()?;
    }
    Ok(())
}

struct Script {
    directory: PathBuf,
    files: HashMap<String, File>,
}

impl Script {
    fn command(&mut self, line: &str) -> io::Result<()> {
        let words: Vec<&str> = line.split(' ').collect();
        match words.as_slice() {
            ["create", name] => self.keep(name, File::create_new(self.path(name))?),
            ["open", name] => {
                let opened = File::options().write(true).open(self.path(name))?;
                self.keep(name, opened)
            }
            ["open-to-append", name] => {
                let opened = File::options().append(true).open(self.path(name))?;
                self.keep(name, opened)
            }
            // Creates too, as `File::create` does.
            ["empty", name] => self.keep(name, File::create(self.path(name))?),
            ["resize", name, size] => self.file(name)?.set_len(number(size)?),
            ["write", name, offset, text] => self
                .file(name)?
                .write_all_at(text.as_bytes(), number(offset)?),
            ["append", name, text] => (&mut self.file(name)?).write_all(text.as_bytes()),
            ["sync", name] => self.file(name)?.sync_data(),
            ["rename", from, to] => fs::rename(self.path(from), self.path(to)),
            ["remove", name] => {
                self.files.remove(*name);
                fs::remove_file(self.path(name))
            }
            ["copy", from, to] => fs::copy(self.path(from), self.path(to)).map(|_| ()),
            _ => Err(io::Error::other(format!("no such command: {line}"))),
        }
    }

    fn keep(&mut self, name: &str, file: File) -> io::Result<()> {
        self.files.insert(name.to_owned(), file);
        Ok(())
    }

    fn file(&self, name: &str) -> io::Result<&File> {
        let file = self.files.get(name);
        file.ok_or_else(|| io::Error::other(format!("{name} is not open")))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }
}

fn number(text: &str) -> io::Result<u64> {
    text.parse().map_err(io::Error::other)
}
