//! A page of the documentation, as commands and what they print.
//!
//! In a block ```` ```console ```` a line that begins with `$ ` is a command, and the lines below it are its output. In a block ```` ```sh ````
//! every line is a command, and the page says nothing about its output. A command goes on in the next line after `\` and `|`, and as long as a
//! here document is open.

/// One command of a page.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) command: String,
    /// The lines that the page shows below the command; `None` in a block that shows no output.
    pub(crate) output: Option<Vec<String>>,
    /// Where the output begins and ends in the lines of the page.
    pub(crate) place: (usize, usize),
}

impl Step {
    /// The exit code that the page announces: `# exit code 254` behind the command, or else 0.
    pub(crate) fn exit_code(&self) -> i32 {
        let words = self.command.rsplit_once("# exit code ");
        words.map_or(0, |(_, code)| code.trim().parse().unwrap())
    }
}

/// The commands of a page, in order.
pub(crate) fn steps(text: &str) -> Vec<Step> {
    let lines: Vec<&str> = text.lines().collect();
    let mut steps = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let language = lines[at].strip_prefix("```").map(str::trim);
        at += 1;
        let Some(language) = language else { continue };
        let length = lines[at..].iter().position(|line| line.trim() == "```");
        let end = at + length.expect("a block that ends");
        match language {
            "console" => steps.extend(read_console(&lines, at, end)),
            "sh" => steps.extend(read_script(&lines, at, end)),
            _ => {}
        }
        at = end + 1;
    }
    steps
}

fn read_console(lines: &[&str], start: usize, end: usize) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut at = start;
    while at < end {
        let command = lines[at].strip_prefix("$ ");
        let command = command.unwrap_or_else(|| panic!("line {}: no command", at + 1));
        let (command, first) = read_command(command, lines, at, end);
        let is_next = |line: &&str| line.starts_with("$ ");
        let length = lines[first..end].iter().position(is_next);
        at = length.map_or(end, |length| first + length);
        let mut output = &lines[first..at];
        while let [shorter @ .., ""] = output {
            output = shorter;
        }
        steps.push(Step {
            command,
            output: Some(output.iter().map(ToString::to_string).collect()),
            place: (first, first + output.len()),
        });
    }
    steps
}

fn read_script(lines: &[&str], start: usize, end: usize) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut at = start;
    while at < end {
        let line = lines[at];
        if line.is_empty() || line.starts_with('#') {
            at += 1;
            continue;
        }
        let (command, next) = read_command(line, lines, at, end);
        at = next;
        steps.push(Step {
            command,
            output: None,
            place: (next, next),
        });
    }
    steps
}

/// The whole command that begins in a line, and the line behind it.
fn read_command(first: &str, lines: &[&str], at: usize, end: usize) -> (String, usize) {
    let mut command = first.to_owned();
    let mut next = at + 1;
    let mut last = first;
    while next < end && (last.ends_with('\\') || last.ends_with('|') || is_open(&command)) {
        last = lines[next];
        command.push('\n');
        command.push_str(last);
        next += 1;
    }
    (command, next)
}

/// A here document of which the last line is still to come.
fn is_open(command: &str) -> bool {
    let Some((_, after)) = command.split_once("<<'") else {
        return false;
    };
    let (word, _) = after.split_once('\'').unwrap();
    !command.lines().skip(1).any(|line| line == word)
}
