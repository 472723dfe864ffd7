//! Looking at a predicate.

use monotable_expr::predicate::{Measure, Predicate, Relation, Root};
use monotable_expr::tree::{Comparator, PathStep};

const TEXT: &str = " NOT a.b[0] = 'x' AND (5 < size(principal.c) OR c IN ('p', d, 'q')) and contains ( now , 'e' )";

fn parse(text: &str) -> Predicate {
    Predicate::parse(text).unwrap()
}

#[test]
fn paths_have_root_steps_and_span() {
    let predicate = parse(TEXT);
    let found: Vec<_> = predicate
        .paths()
        .into_iter()
        .map(|path| (path.root(), path.first_name(), &TEXT[path.span().range()]))
        .collect();
    assert_eq!(
        found,
        [
            (None, Some("a"), "a.b[0]"),
            (Some(Root::Principal), Some("c"), "principal.c"),
            (None, Some("c"), "c"),
            (None, Some("d"), "d"),
            (Some(Root::Now), None, "now"),
        ]
    );
    let name = |name: &str| PathStep::Name(name.into());
    let paths = predicate.paths();
    assert_eq!(paths[0].steps(), [name("a"), name("b"), PathStep::Index(0)]);
    assert_eq!(paths[1].steps(), [name("c")]);
    assert_eq!(paths[0].document_path().unwrap().steps().len(), 2);
    assert!(paths[4].is_now() && paths[4].document_path().is_none());
}

#[test]
fn operators_and_conditions_have_spans() {
    let predicate = parse(TEXT);
    let texts: Vec<_> = predicate
        .operators()
        .iter()
        .map(|span| &TEXT[span.range()])
        .collect();
    assert_eq!(
        texts,
        [
            "NOT", "=", "AND", "<", "size", "OR", "IN", "and", "contains"
        ]
    );
    let conditions: Vec<_> = predicate
        .conditions()
        .into_iter()
        .map(|one| {
            (
                &TEXT[one.operator.range()],
                &TEXT[one.span.range()],
                one.condition.clone(),
            )
        })
        .collect();
    let texts: Vec<_> = conditions
        .iter()
        .map(|(operator, all, _)| (*operator, *all))
        .collect();
    assert_eq!(
        texts,
        [
            ("=", "a.b[0] = 'x'"),
            ("<", "5 < size(principal.c)"),
            ("IN", "c IN ('p', d, 'q')"),
            ("contains", "contains ( now , 'e' )"),
        ]
    );
    for (_, text, condition) in conditions {
        assert_eq!(parse(text).tree(), &condition);
    }
    assert_eq!(&TEXT[predicate.span().range()], TEXT.trim());
    let literal = predicate.comparisons()[0].literals[0].span();
    assert_eq!(&TEXT[literal.range()], "'x'");
    assert_eq!(literal.shifted(3).start, literal.start + 3);
}

#[test]
fn a_path_in_parentheses_has_a_span() {
    let text = "(a) . b = 1 AND ((c))[0] = 2";
    let predicate = parse(text);
    let spans: Vec<_> = predicate
        .paths()
        .iter()
        .map(|path| &text[path.span().range()])
        .collect();
    assert_eq!(spans, ["a) . b", "c))[0]"]);
}

/// Path, measure, relation and literals of each comparison.
fn comparisons(text: &str) -> Vec<(String, Measure, Relation, Vec<String>)> {
    let predicate = parse(text);
    let found = predicate.comparisons();
    found
        .iter()
        .map(|one| {
            let literals = one.literals.iter().map(ToString::to_string).collect();
            (one.path.to_string(), one.measure, one.relation, literals)
        })
        .collect()
}

#[test]
fn comparisons_put_the_path_left() {
    use Comparator::*;
    use Measure::{Size, Value};
    use Relation::*;
    for (text, path, measure, relation, literals) in [
        ("a = 'x'", "a", Value, Compare(Equal), vec!["'x'"]),
        ("5 < a", "a", Value, Compare(Greater), vec!["5"]),
        (
            "5 >= size(old.a)",
            "old.a",
            Size,
            Compare(LessOrEqual),
            vec!["5"],
        ),
        ("a <> true", "a", Value, Compare(NotEqual), vec!["true"]),
        ("a BETWEEN 1 AND 2", "a", Value, Between, vec!["1", "2"]),
        ("a BETWEEN b AND 2", "a", Value, Between, vec!["2"]),
        (
            "2 BETWEEN a AND 3",
            "a",
            Value,
            Compare(LessOrEqual),
            vec!["2"],
        ),
        (
            "2 BETWEEN 1 AND a",
            "a",
            Value,
            Compare(GreaterOrEqual),
            vec!["2"],
        ),
        ("a IN ('x', b, 'y')", "a", Value, In, vec!["'x'", "'y'"]),
        ("'x' IN ('y', a)", "a", Value, InListOf, vec!["'x'"]),
        ("begins_with(a, 'x')", "a", Value, BeginsWith, vec!["'x'"]),
        ("begins_with('x', a)", "a", Value, PrefixOf, vec!["'x'"]),
        ("contains(a, 'x')", "a", Value, Contains, vec!["'x'"]),
        ("contains('x', a)", "a", Value, ElementOf, vec!["'x'"]),
    ] {
        let literals = literals.into_iter().map(str::to_owned).collect();
        let expected = (path.to_owned(), measure, relation, literals);
        assert_eq!(comparisons(text), [expected], "{text}");
    }
    for text in [
        "a = b",
        "'x' = 'y'",
        "attribute_exists(a)",
        "attribute_type(a, 'S')",
        "a IN (b)",
    ] {
        assert_eq!(comparisons(text), [], "{text}");
    }
}
