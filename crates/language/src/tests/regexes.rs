//! Regular expressions as models write them.

use super::super::Language;

#[test]
fn anchors_are_allowed_at_the_ends_only() {
    assert!(Language::from_regex("^ab$").unwrap().accepts("ab"));
    assert!(Language::from_regex("^(a|b)$").unwrap().accepts("b"));
    assert!(Language::from_regex("^").unwrap().accepts(""));
    let problem = Language::from_regex("a^b").unwrap_err();
    assert_eq!((problem.start, problem.end), (1, 2));
    assert_eq!(Language::from_regex("^a|b$").unwrap_err().start, 0);
    assert_eq!(Language::from_regex(r"a\bc").unwrap_err().start, 1);
}

#[test]
fn errors_carry_their_place() {
    let problem = Language::from_regex("ab[c").unwrap_err();
    assert_eq!(problem.start, 2);
    assert!(problem.message.contains("unclosed"), "{problem}");
    assert!(Language::from_regex(&"(".repeat(200)).is_err());
    assert!(Language::from_regex(&"a".repeat(3000)).is_err());
}

#[test]
fn unicode_classes_and_case() {
    let word = Language::from_regex(r"\w+").unwrap();
    assert!(word.accepts("straße") && word.accepts("日本") && !word.accepts("a b"));
    assert!(
        Language::from_regex("(?i)straSSe")
            .unwrap()
            .accepts("STRAsse")
    );
    assert!(
        Language::from_regex(".").unwrap().accepts("😀")
            && !Language::from_regex(".").unwrap().accepts("\n")
    );
    assert!(Language::from_regex(r"(?-u:\d)").unwrap().accepts("7"));
    assert!(
        !Language::from_regex(r"\p{Greek}{1,64}")
            .unwrap()
            .can_contain('a')
    );
    assert!(
        Language::from_regex(r"\p{Greek}{1,64}")
            .unwrap()
            .can_contain('λ')
    );
}

/// Expressions that explode when made deterministic stay usable.
#[test]
fn hard_expressions_stay_bounded() {
    let hard = Language::from_regex("[ab]*a[ab]{20}").unwrap();
    assert!(hard.accepts(&format!("ba{}", "b".repeat(20))) && !hard.accepts(&"b".repeat(30)));
    assert!(!hard.is_empty());
    let _ = super::super::is_subset(&hard, &hard.concat(&Language::literal("a")));
    let _ = super::super::overlap(&hard, &hard.concat(&hard));
    assert!(
        Language::from_regex(r"(\w{1,500}|\p{L}{3,400}){1,200}")
            .unwrap()
            .accepts("abc")
    );
}
