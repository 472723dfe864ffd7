//! Whether a command printed what the page shows.
//!
//! A line `...` of the page stands for any lines, and `...` within a line for any text. A time of the page stands for itself and for every time around
//! now. An id that was made at random is learned where the page shows it first: from then on it must be that id, and commands of the page
//! that name it are given the real one.

use regex_lite::{Captures, Regex};
use std::collections::BTreeMap;
use std::time::SystemTime;

const TIME: &str = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+0000)";
const UUID: &str = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const ULID: &str = r"[0-7][0-9A-HJKMNP-TV-Z]{25}";

/// How long before a test an item may have been written: the sample data of the demo is made when it starts.
const RECENT_SECONDS: i64 = 3600;

/// Ids of a page, and what they are in this run.
pub(crate) struct Likeness {
    special: Regex,
    time: Regex,
    real: BTreeMap<String, String>,
}

impl Likeness {
    pub(crate) fn new() -> Self {
        let special = format!(r"(\.\.\.)|({TIME})|\b({UUID})\b|\b({ULID})\b");
        Self {
            special: Regex::new(&special).unwrap(),
            time: Regex::new(&format!("^{TIME}$")).unwrap(),
            real: BTreeMap::new(),
        }
    }

    /// A command of the page, with the ids of this run.
    pub(crate) fn fill_in(&self, command: &str) -> String {
        let replace = |found: &Captures<'_>| {
            let text = &found[0];
            self.real.get(text).map_or(text, String::as_str).to_owned()
        };
        self.special.replace_all(command, replace).into_owned()
    }

    /// What was printed, with the ids of the page as far as they are known.
    pub(crate) fn as_on_page(&self, printed: &str) -> String {
        let mut text = printed.to_owned();
        for (page, real) in &self.real {
            text = text.replace(real, page);
        }
        text
    }

    /// Whether these lines are what the page shows; ids are learned if they are.
    pub(crate) fn accept(&mut self, page: &[String], printed: &[&str]) -> bool {
        let learned = self.match_lines(page, printed, &self.real);
        let is_alike = learned.is_some();
        if let Some(learned) = learned {
            self.real = learned;
        }
        is_alike
    }

    fn match_lines(
        &self,
        page: &[String],
        printed: &[&str],
        real: &BTreeMap<String, String>,
    ) -> Option<BTreeMap<String, String>> {
        let Some((first, page_rest)) = page.split_first() else {
            return printed.is_empty().then(|| real.clone());
        };
        if first.trim() == "..." {
            let mut rests = (0..=printed.len()).map(|skipped| &printed[skipped..]);
            return rests.find_map(|rest| self.match_lines(page_rest, rest, real));
        }
        let (line, printed_rest) = printed.split_first()?;
        let learned = self.match_line(first, line, real)?;
        self.match_lines(page_rest, printed_rest, &learned)
    }

    fn match_line(
        &self,
        page: &str,
        printed: &str,
        real: &BTreeMap<String, String>,
    ) -> Option<BTreeMap<String, String>> {
        if page == printed {
            return Some(real.clone());
        }
        let mut pattern = String::from("^");
        let mut open = Vec::new();
        let mut end = 0;
        for found in self.special.captures_iter(page) {
            let whole = found.get(0)?;
            pattern.push_str(&regex_lite::escape(&page[end..whole.start()]));
            end = whole.end();
            let text = whole.as_str();
            if found.get(1).is_some() {
                pattern.push_str(".*");
            } else if let Some(known) = real.get(text) {
                pattern.push_str(&regex_lite::escape(known));
            } else {
                let kinds = [(2, TIME), (3, UUID), (4, ULID)];
                let (_, kind) = kinds
                    .into_iter()
                    .find(|(group, _)| found.get(*group).is_some())?;
                pattern.push_str(&format!("({kind})"));
                open.push(text);
            }
        }
        pattern.push_str(&regex_lite::escape(&page[end..]));
        pattern.push('$');
        let found = Regex::new(&pattern).unwrap().captures(printed)?;
        let mut learned = real.clone();
        for (group, text) in (1..).zip(open) {
            let value = &found[group];
            if !self.time.is_match(text) {
                let known = learned.insert(text.to_owned(), value.to_owned());
                if known.is_some_and(|known| known != value) {
                    return None;
                }
            } else if text != value && !is_recent(value) {
                return None;
            }
        }
        Some(learned)
    }
}

fn is_recent(time: &str) -> bool {
    let time: jiff::Timestamp = time.replace("+0000", "Z").parse().unwrap();
    let now = jiff::Timestamp::try_from(SystemTime::now()).unwrap();
    (now.as_second() - time.as_second()).abs() < RECENT_SECONDS
}
