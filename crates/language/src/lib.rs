//! Regular languages, templates over them, and proofs about both.
//!
//! A key template such as `tag#{key}#{value}` is a regular language over bytes: its literals, and for each
//! placeholder the language of its type. The questions a model checker asks about templates are then
//! questions about automata, and each has one of three answers ([`Verdict`]): proven, refuted with a
//! concrete witness, or not proven.
//!
//! # The ideas
//!
//! **Automata over byte ranges.** A [`Language`] holds a trimmed automaton whose edges carry byte ranges.
//! It is deterministic and minimal unless that would grow too large. Text is UTF-8, so a character class is
//! a handful of byte sequences.
//!
//! **Lengths are intervals, never states.** `text(1..100)` is the loop "any text" plus the interval 1..=100
//! beside it, counted in characters. Such a pair is still exact for one class of characters. Where it is not
//! (two counted loops in a row) the automaton over-approximates: disjointness proofs stay sound, and words
//! are tested on an unrolled automaton that is used for nothing else.
//!
//! **Ambiguity by product.** Two readings of one text are two runs of automata over the same bytes. A
//! product that also remembers whether both runs entered and left a placeholder at the same byte decides
//! whether the placeholder's value is determined by the text.
//!
//! **Equations for repeated variables.** "Both sides render the same texts" is a system of word equations.
//! They are split where a delimiter must fall on the same byte on both sides; what is left of a single
//! variable on each side merges two variables into one class, whose automata are intersected. This is exact
//! for keys that use one attribute twice. What cannot be split is approximated by products, and a refutation
//! is only reported after its witness was rendered and compared.
//!
//! # Layout
//!
//! `automaton`, `builder`, `determinize`, `minimize`, `product`, `search`, `readable`, `length`: automata.
//! `regular`, `construct`, `compose`, `decide`, `words`, `regex`, `overlap`: languages.
//! `pattern`, `render`, `parse`: templates. `track`, `spans`: runs over templates. `system`, `classes`,
//! `simplify`, `split`, `substitute`, `attempt`, `enumerate`: equations. `meet`, `ambiguity`: the two questions.

mod ambiguity;
mod attempt;
mod automaton;
mod builder;
mod classes;
mod compose;
mod construct;
mod decide;
mod determinize;
mod enumerate;
mod length;
mod meet;
mod minimize;
mod overlap;
mod parse;
mod pattern;
mod product;
mod readable;
mod regex;
mod regular;
mod render;
mod search;
mod simplify;
mod spans;
mod split;
mod substitute;
mod system;
mod track;
mod verdict;
mod words;

#[cfg(test)]
mod tests;

pub use ambiguity::{ambiguity, ambiguity_of_pair};
pub use length::Length;
pub use meet::meet;
pub use overlap::{is_subset, overlap};
pub use parse::parse;
pub use pattern::{Assignment, Part, Pattern};
pub use regex::RegexProblem;
pub use regular::Language;
pub use render::render;
pub use verdict::{Clash, Verdict};
