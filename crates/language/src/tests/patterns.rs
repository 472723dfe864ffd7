//! Verdicts about random patterns against all small values.

use super::super::{
    Assignment, Clash, Part, Pattern, Verdict, ambiguity_of_pair, meet, parse, render,
};
use super::tree::{Tree, value};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::cell::Cell;
use std::collections::HashMap;

/// One to two patterns over the variables 0, 1, 2.
#[derive(Clone, Debug)]
struct Side {
    languages: Vec<Tree>,
    patterns: Vec<Vec<Piece>>,
}

#[derive(Clone, Debug)]
enum Piece {
    Text(String),
    Variable(usize),
}

fn piece() -> impl Strategy<Value = Piece> {
    prop_oneof![
        2 => "[ab#1]{1,2}".prop_map(Piece::Text),
        1 => Just(Piece::Text("#".to_owned())),
        3 => (0usize..3).prop_map(Piece::Variable),
    ]
}

fn side(patterns: usize) -> impl Strategy<Value = Side> {
    let pieces = proptest::collection::vec(proptest::collection::vec(piece(), 1..5), patterns);
    (proptest::collection::vec(value(), 3), pieces).prop_map(|(languages, patterns)| Side {
        languages,
        patterns,
    })
}

impl Side {
    fn patterns(&self) -> Vec<Pattern> {
        let languages: Vec<_> = self.languages.iter().map(Tree::language).collect();
        let part = |piece: &Piece| match piece {
            Piece::Text(text) => Part::Literal(text.clone()),
            Piece::Variable(index) => Part::Variable {
                id: u32::try_from(*index).unwrap(),
                language: languages[*index].clone(),
            },
        };
        self.patterns
            .iter()
            .map(|pieces| Pattern::new(pieces.iter().map(part).collect()))
            .collect()
    }

    fn used(&self) -> Vec<usize> {
        let uses = |index: &usize| {
            self.patterns
                .iter()
                .flatten()
                .any(|piece| matches!(piece, Piece::Variable(other) if other == index))
        };
        (0..3).filter(uses).collect()
    }

    /// All assignments of small values.
    fn assignments(&self) -> Vec<Assignment> {
        let used = self.used();
        let longest = if used.len() > 2 { 2 } else { 3 };
        let mut all = vec![Assignment::new()];
        for index in used {
            let words = self.languages[index].words(longest);
            let id = u32::try_from(index).unwrap();
            let extended = all.iter().flat_map(|known| {
                words.iter().map(move |word| {
                    let mut next = known.clone();
                    next.insert(id, word.clone());
                    next
                })
            });
            all = extended.collect();
        }
        all
    }

    /// Do all values belong to the languages, by the definition of the trees?
    fn allows(&self, assignment: &Assignment) -> bool {
        let belongs = |(id, value): (&u32, &String)| self.languages[*id as usize].matches(value);
        assignment.len() == self.used().len() && assignment.iter().all(belongs)
    }
}

fn texts(patterns: &[Pattern], assignment: &Assignment) -> Vec<String> {
    patterns
        .iter()
        .map(|pattern| render(pattern, assignment))
        .collect()
}

fn run<S: Strategy>(cases: u32, strategy: S, test: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let config = Config {
        failure_persistence: None,
        ..Config::with_cases(cases)
    };
    TestRunner::new(config).run(&strategy, test).unwrap();
}

const CASES: u32 = 1500;

fn check_clash(left: &Side, right: &Side, clash: &Clash) -> Result<(), TestCaseError> {
    prop_assert_eq!(&texts(&left.patterns(), &clash.left), &clash.texts);
    prop_assert_eq!(&texts(&right.patterns(), &clash.right), &clash.texts);
    prop_assert!(
        left.allows(&clash.left) && right.allows(&clash.right),
        "{:?}",
        clash
    );
    Ok(())
}

#[derive(Default)]
struct Tally {
    proven: Cell<u32>,
    refuted: Cell<u32>,
    not_proven: Cell<u32>,
}

impl Tally {
    fn add<T>(&self, verdict: &Verdict<T>) {
        let counter = match verdict {
            Verdict::Proven => &self.proven,
            Verdict::Refuted(_) => &self.refuted,
            Verdict::NotProven(_) => &self.not_proven,
        };
        counter.set(counter.get() + 1);
    }

    fn report(&self, what: &str) {
        let (proven, refuted, not_proven) =
            (self.proven.get(), self.refuted.get(), self.not_proven.get());
        println!("{what}: {proven} proven, {refuted} refuted, {not_proven} not proven");
        assert!(not_proven * 20 <= CASES, "more than 5 % are not proven");
    }
}

#[test]
fn ambiguity_agrees_with_brute_force() {
    let tally = Tally::default();
    run(CASES, (1usize..3).prop_flat_map(side), |side| {
        let patterns = side.patterns();
        let verdict = ambiguity_of_pair(&patterns);
        tally.add(&verdict);
        match verdict {
            Verdict::Proven => {
                let mut seen: HashMap<Vec<String>, Assignment> = HashMap::new();
                for assignment in side.assignments() {
                    let other = seen.insert(texts(&patterns, &assignment), assignment.clone());
                    prop_assert!(other.is_none(), "{:?} and {:?}", assignment, other);
                }
            }
            Verdict::Refuted(clash) => {
                prop_assert_ne!(&clash.left, &clash.right);
                check_clash(&side, &side, &clash)?;
            }
            Verdict::NotProven(_) => {}
        }
        Ok(())
    });
    tally.report("ambiguity");
}

#[test]
fn meet_agrees_with_brute_force() {
    let tally = Tally::default();
    run(
        CASES,
        (1usize..3).prop_flat_map(|count| (side(count), side(count))),
        |(left, right)| {
            let (lefts, rights) = (left.patterns(), right.patterns());
            let verdict = meet(&lefts, &rights);
            tally.add(&verdict);
            match verdict {
                Verdict::Proven => {
                    let seen: HashMap<Vec<String>, Assignment> = left
                        .assignments()
                        .into_iter()
                        .map(|values| (texts(&lefts, &values), values))
                        .collect();
                    for values in right.assignments() {
                        let other = seen.get(&texts(&rights, &values));
                        prop_assert!(other.is_none(), "{:?} and {:?}", other, values);
                    }
                }
                Verdict::Refuted(clash) => check_clash(&left, &right, &clash)?,
                Verdict::NotProven(_) => {}
            }
            Ok(())
        },
    );
    tally.report("meet");
}

/// Every rendered text can be read, and gives back its values if the pattern is not ambiguous.
#[test]
fn parse_reads_what_render_writes() {
    run(300, side(1), |side| {
        let patterns = side.patterns();
        let unambiguous = ambiguity_of_pair(&patterns).is_proven();
        for assignment in side.assignments().into_iter().step_by(7).take(100) {
            let text = render(&patterns[0], &assignment);
            let parsed = parse(&patterns[0], &text);
            prop_assert_eq!(
                parsed.as_ref().map(|values| render(&patterns[0], values)),
                Some(text)
            );
            prop_assert!(parsed.as_ref().is_some_and(|values| side.allows(values)));
            if unambiguous {
                prop_assert_eq!(parsed, Some(assignment));
            }
        }
        Ok(())
    });
}
