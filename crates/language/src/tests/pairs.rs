//! All pairs of a large model. Prints times, asserts only verdicts: run with `--release -- --nocapture`.

use super::super::{Language, Pattern, Verdict, ambiguity_of_pair, meet};
use std::time::Instant;

const TEMPLATES: usize = 150;

fn templates(tenant: bool) -> Vec<Vec<Pattern>> {
    let word = Language::text_without(&['#', '/'], 1);
    let site = Language::from_regex("[a-z0-9-]{1,40}").unwrap();
    let id = Language::from_regex("[A-Za-z0-9_-]{1,64}").unwrap();
    let uuid = Language::uuid();
    let start = || {
        if tenant {
            Pattern::default().variable(9, &site).literal("/")
        } else {
            Pattern::default()
        }
    };
    let rows = (0..TEMPLATES).map(|number| match number % 4 {
        0 => vec![
            start()
                .literal(&format!("docs{number}#"))
                .variable(1, &uuid),
            Pattern::default().literal("META"),
        ],
        1 => vec![
            start()
                .literal(&format!("tag{number}#"))
                .variable(1, &word)
                .literal("#")
                .variable(2, &word),
            Pattern::default().literal("tag#").variable(1, &word),
        ],
        2 => vec![
            start().literal("docs0#").variable(1, &uuid),
            Pattern::default()
                .literal(&format!("REV{number}#"))
                .variable(2, &Language::digits(8)),
        ],
        _ => vec![
            start().literal("PERSON#").variable(1, &id),
            Pattern::default()
                .literal("CHILD#")
                .variable(2, &id)
                .literal(&format!("#K{number}")),
        ],
    });
    rows.collect()
}

#[test]
fn all_pairs_of_a_large_model() {
    for tenant in [false, true] {
        let began = Instant::now();
        let templates = templates(tenant);
        let built = began.elapsed();
        let began = Instant::now();
        let (mut proven, mut refuted) = (0, 0);
        for (index, left) in templates.iter().enumerate() {
            for right in templates.iter().skip(index + 1) {
                match meet(left, right) {
                    Verdict::Proven => proven += 1,
                    Verdict::Refuted(_) => refuted += 1,
                    Verdict::NotProven(reason) => panic!("{reason}"),
                }
            }
        }
        let met = began.elapsed();
        let began = Instant::now();
        assert!(
            templates
                .iter()
                .all(|patterns| ambiguity_of_pair(patterns).is_proven())
        );
        println!(
            "tenant {tenant}: built in {built:?}, {} pairs met in {met:?} ({proven} proven, {refuted} refuted), ambiguity in {:?}",
            proven + refuted,
            began.elapsed()
        );
        assert_eq!(refuted, 0);
    }
}

/// Queries meet what they return: here most pairs that share a prefix have a witness.
#[test]
fn all_queries_of_a_large_model() {
    let word = Language::text_without(&['#', '/'], 1);
    for tenant in [false, true] {
        let templates = templates(tenant);
        let queries: Vec<Vec<Pattern>> = templates
            .iter()
            .map(|patterns| {
                vec![
                    patterns[0].clone(),
                    Pattern::default()
                        .literal("CHILD#")
                        .variable(7, &word)
                        .anything(),
                ]
            })
            .collect();
        let began = Instant::now();
        let (mut proven, mut refuted) = (0, 0);
        for query in &queries {
            for patterns in &templates {
                match meet(query, patterns) {
                    Verdict::Proven => proven += 1,
                    Verdict::Refuted(_) => refuted += 1,
                    Verdict::NotProven(reason) => panic!("{reason}"),
                }
            }
        }
        println!(
            "tenant {tenant}: queries in {:?} ({proven} proven, {refuted} refuted)",
            began.elapsed()
        );
        assert_eq!(refuted, 37 * 37);
    }
}
