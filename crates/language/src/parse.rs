//! From text back to values.
//!
//! First forwards: for each part, at which bytes it can begin, by simulating its automaton from all those
//! bytes at once. That is linear in the text. Then backwards from the end: each part takes the latest start
//! that is possible, and other starts are only tried if a variable used twice got two values.

use super::pattern::{Assignment, Part, Pattern};

/// Starts tried while reading backwards; only texts with very many readings come near it.
const TRIED_STARTS: usize = 100_000;

/// The values by which `pattern` renders `text`. If there are several readings, one of them.
#[must_use]
pub fn parse(pattern: &Pattern, text: &str) -> Option<Assignment> {
    let parts = pattern.parts();
    if let Some(plain) = plainly(parts, text) {
        return Some(plain);
    }
    let starts = starts_of_parts(parts, text.as_bytes());
    let last = starts.get(parts.len())?;
    if !last.get(text.len()).copied().unwrap_or(false) {
        return None;
    }
    Reading {
        parts,
        text,
        starts: &starts,
    }
    .backwards()
}

/// The reading in which each value ends where the literal after it first comes. Most templates are read so; if its
/// values are none of the languages, there may be another.
fn plainly(parts: &[Part], text: &str) -> Option<Assignment> {
    let mut values = Assignment::new();
    let mut rest = text;
    let mut parts = parts.iter().peekable();
    while let Some(part) = parts.next() {
        if let Part::Literal(literal) = part {
            rest = rest.strip_prefix(literal.as_str())?;
            continue;
        }
        let end = match parts.peek() {
            None => rest.len(),
            Some(Part::Literal(literal)) => rest.find(literal.as_str())?,
            Some(_) => return None,
        };
        let (value, after) = rest.split_at(end);
        rest = after;
        let (Part::Variable { language, .. } | Part::Free(language)) = part else {
            return None;
        };
        if !language.accepts(value) {
            return None;
        }
        if let Part::Variable { id, .. } = part
            && values
                .insert(*id, value.to_owned())
                .is_some_and(|known| known != value)
        {
            return None;
        }
    }
    rest.is_empty().then_some(values)
}

/// `starts[k][at]`: the parts before `k` can render exactly `text[..at]`.
fn starts_of_parts(parts: &[Part], text: &[u8]) -> Vec<Vec<bool>> {
    let mut first = vec![false; text.len() + 1];
    if let Some(mark) = first.first_mut() {
        *mark = true;
    }
    let mut starts = vec![first];
    for part in parts {
        let ends = starts
            .last()
            .map(|begin| ends_of_part(part, begin, text))
            .unwrap_or_default();
        starts.push(ends);
    }
    starts
}

fn ends_of_part(part: &Part, begin: &[bool], text: &[u8]) -> Vec<bool> {
    match part {
        Part::Literal(literal) => ends_of_literal(literal.as_bytes(), begin, text),
        Part::Variable { language, .. } | Part::Free(language) => {
            let automaton = language.automaton();
            let mut active: Vec<u32> = Vec::new();
            let mut ends = Vec::with_capacity(begin.len());
            for (at, starts) in begin.iter().enumerate() {
                if *starts && !active.contains(&0) {
                    active.push(0);
                }
                ends.push(automaton.any_accepts(&active));
                if let Some(byte) = text.get(at) {
                    active = automaton.next(&active, *byte);
                }
            }
            ends
        }
    }
}

fn ends_of_literal(literal: &[u8], begin: &[bool], text: &[u8]) -> Vec<bool> {
    let mut ends = vec![false; begin.len()];
    for (at, _) in begin.iter().enumerate().filter(|(_, starts)| **starts) {
        let fits = text.get(at..).is_some_and(|rest| rest.starts_with(literal));
        if fits && let Some(mark) = ends.get_mut(at + literal.len()) {
            *mark = true;
        }
    }
    ends
}

struct Reading<'a> {
    parts: &'a [Part],
    text: &'a str,
    starts: &'a [Vec<bool>],
}

/// A part that was given the text `start..end`, and how far down other starts were tried.
struct Choice {
    start: usize,
    end: usize,
}

impl<'a> Reading<'a> {
    /// Chooses starts from the last part to the first, with an explicit stack of choices.
    fn backwards(&self) -> Option<Assignment> {
        let mut chosen: Vec<Choice> = Vec::new();
        let mut end = self.text.len();
        let mut below = end + 1;
        for _ in 0..TRIED_STARTS {
            let Some(index) = self.parts.len().checked_sub(chosen.len() + 1) else {
                return Some(self.values(&chosen));
            };
            match self.start_below(index, end, below, &chosen) {
                Some(start) => {
                    chosen.push(Choice { start, end });
                    end = start;
                    below = end + 1;
                }
                None => {
                    let last = chosen.pop()?;
                    end = last.end;
                    below = last.start;
                }
            }
        }
        None
    }

    /// The latest start before `below` from which part `index` renders the text up to `end`.
    fn start_below(
        &self,
        index: usize,
        end: usize,
        below: usize,
        chosen: &[Choice],
    ) -> Option<usize> {
        let possible = self.starts.get(index)?;
        let part = self.parts.get(index)?;
        (0..below.min(end + 1)).rev().find(|start| {
            possible.get(*start).copied().unwrap_or(false)
                && self
                    .text
                    .get(*start..end)
                    .is_some_and(|value| self.fits(part, value, chosen))
        })
    }

    fn fits(&self, part: &Part, value: &str, chosen: &[Choice]) -> bool {
        match part {
            Part::Literal(literal) => literal == value,
            Part::Free(language) => language.accepts(value),
            Part::Variable { id, language } => {
                self.known(*id, chosen).is_none_or(|known| known == value)
                    && language.accepts(value)
            }
        }
    }

    /// The value that a later occurrence of the variable was given.
    fn known(&self, id: u32, chosen: &[Choice]) -> Option<&'a str> {
        let later = self.parts.iter().rev().zip(chosen);
        let mut same = later
            .filter(|(part, _)| matches!(part, Part::Variable { id: other, .. } if *other == id));
        same.next()
            .and_then(|(_, choice)| self.text.get(choice.start..choice.end))
    }

    fn values(&self, chosen: &[Choice]) -> Assignment {
        let parts = self.parts.iter().rev().zip(chosen);
        parts
            .filter_map(|(part, choice)| match part {
                Part::Variable { id, .. } => self
                    .text
                    .get(choice.start..choice.end)
                    .map(|value| (*id, value.to_owned())),
                Part::Literal(_) | Part::Free(_) => None,
            })
            .collect()
    }
}
