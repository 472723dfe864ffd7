//! Templates of real designs, with the verdict a person would give.

use super::super::{
    Assignment, Clash, Language, Pattern, Verdict, ambiguity, ambiguity_of_pair, meet, parse,
    render,
};

fn text() -> Language {
    Language::nonempty_text()
}

fn word() -> Language {
    Language::text_without(&['#'], 1)
}

fn values(pairs: &[(u32, &str)]) -> Assignment {
    pairs
        .iter()
        .map(|(id, value)| (*id, (*value).to_owned()))
        .collect()
}

fn tag(key: &Language, value: &Language) -> Pattern {
    Pattern::default()
        .literal("tag#")
        .variable(1, key)
        .literal("#")
        .variable(2, value)
}

fn refuted(verdict: Verdict<Clash>) -> Clash {
    match verdict {
        Verdict::Refuted(clash) => clash,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_key_that_may_contain_its_delimiter_is_ambiguous() {
    let pattern = tag(&text(), &text());
    let clash = refuted(ambiguity(&pattern));
    assert_ne!(clash.left, clash.right);
    assert_eq!(render(&pattern, &clash.left), clash.texts[0]);
    assert_eq!(render(&pattern, &clash.right), clash.texts[0]);
    assert_eq!(clash.texts, ["tag#a##a"]);
    assert!(ambiguity(&tag(&word(), &text())).is_proven());
    assert!(ambiguity(&tag(&text(), &word())).is_proven());
}

#[test]
fn fixed_widths_need_no_delimiter() {
    let joined = Pattern::default()
        .variable(1, &Language::uuid())
        .variable(2, &text());
    assert!(ambiguity(&joined).is_proven());
    let reversed = Pattern::default()
        .variable(1, &text())
        .variable(2, &Language::date());
    assert!(ambiguity(&reversed).is_proven());
    let numbers = Pattern::default()
        .variable(1, &Language::natural())
        .variable(2, &Language::natural());
    assert!(ambiguity(&numbers).is_refuted());
}

#[test]
fn one_variable_in_both_keys_is_one_class() {
    let resource = Pattern::default().literal("Resource#").variable(1, &text());
    let both = [resource.clone(), resource.clone()];
    assert!(ambiguity_of_pair(&both).is_proven());
    assert!(meet(&both, &both).is_refuted());
    let edge = [
        resource.clone(),
        Pattern::default().literal("Resource#").variable(2, &text()),
    ];
    assert!(meet(&both, &edge).is_refuted());
    // Equal keys on the left, keys that always differ on the right.
    let numbered = [
        Pattern::default()
            .literal("Resource#x")
            .variable(1, &Language::natural()),
        Pattern::default()
            .literal("Resource#y")
            .variable(2, &Language::natural()),
    ];
    assert!(meet(&both, &numbered).is_proven());
    let finite = [
        Pattern::default()
            .literal("Resource#")
            .variable(1, &Language::one_of(&["a", "b"])),
        Pattern::default()
            .literal("Resource#")
            .variable(2, &Language::one_of(&["c", "d"])),
    ];
    assert!(meet(&both, &finite).is_proven());
}

#[test]
fn a_second_key_can_settle_what_the_first_leaves_open() {
    let open = tag(&text(), &text());
    let key = Pattern::default().literal("K#").variable(1, &text());
    assert!(ambiguity_of_pair(&[open.clone(), key]).is_proven());
    let other = Pattern::default().literal("K#").variable(3, &text());
    assert!(ambiguity_of_pair(&[open, other]).is_refuted());
    let twice = Pattern::default()
        .variable(1, &text())
        .literal("-")
        .variable(2, &text())
        .literal("-")
        .variable(1, &text());
    let second = Pattern::default().variable(2, &text());
    assert!(ambiguity_of_pair(&[twice, second]).is_proven());
}

fn person(id: &Language) -> Pattern {
    Pattern::default().literal("PERSON#").variable(1, id)
}

fn child(id: &Language) -> Pattern {
    person(id).literal("#CHILD#").variable(2, id)
}

#[test]
fn a_child_is_no_person_if_ids_exclude_the_delimiter() {
    assert!(meet(&[person(&word())], &[child(&word())]).is_proven());
    let clash = refuted(meet(&[person(&text())], &[child(&text())]));
    assert_eq!(clash.left, values(&[(1, "a#CHILD#a")]));
    assert_eq!(clash.right, values(&[(1, "a"), (2, "a")]));
}

#[test]
fn a_prefix_meets_everything_below_it() {
    let prefix = Pattern::default().literal("PERSON#").anything();
    assert!(meet(std::slice::from_ref(&prefix), &[person(&word())]).is_refuted());
    assert!(meet(std::slice::from_ref(&prefix), &[child(&word())]).is_refuted());
    let closed = person(&word()).literal("#CHILD#").anything();
    assert!(meet(std::slice::from_ref(&closed), &[person(&word())]).is_proven());
    assert!(meet(&[closed], &[child(&word())]).is_refuted());
    assert!(meet(&[prefix], &[Pattern::default().literal("PET#").anything()]).is_proven());
}

/// `n1` is also the beginning of `n10`.
#[test]
fn an_open_prefix_stops_inside_an_identifier() {
    let id = Language::literal("n").concat(&Language::natural());
    let open = Pattern::default()
        .literal("EDGE#")
        .variable(1, &id)
        .anything();
    let edge = Pattern::default()
        .literal("EDGE#")
        .variable(1, &id)
        .literal("#")
        .variable(2, &id);
    let clash = refuted(ambiguity(&open));
    assert_ne!(clash.left, clash.right);
    let closed = Pattern::default()
        .literal("EDGE#")
        .variable(1, &id)
        .literal("#")
        .anything();
    assert!(ambiguity(&closed).is_proven());
    assert!(meet(std::slice::from_ref(&open), std::slice::from_ref(&edge)).is_refuted());
    let n1 = Pattern::default().literal("EDGE#n1").anything();
    let n10 = Pattern::default().literal("EDGE#n10#").variable(2, &id);
    assert!(meet(&[n1], std::slice::from_ref(&n10)).is_refuted());
    assert!(meet(&[Pattern::default().literal("EDGE#n1#").anything()], &[n10]).is_proven());
}

#[test]
fn words_in_the_middle_tell_entities_apart() {
    let locale = Language::from_regex("[a-z]{2}(-[A-Z]{2})?").unwrap();
    let schema = |l: &Language, v: &Language| {
        Pattern::default()
            .variable(1, l)
            .literal("#SCHEMA#")
            .variable(2, v)
            .literal("#")
            .variable(3, v)
    };
    let class = |l: &Language, v: &Language| {
        let pattern = Pattern::default()
            .variable(1, l)
            .literal("#CLASSIFICATION#")
            .variable(2, v);
        pattern
            .literal("#")
            .variable(3, v)
            .literal("#")
            .variable(4, v)
    };
    assert!(meet(&[schema(&locale, &word())], &[class(&locale, &word())]).is_proven());
    assert!(meet(&[schema(&locale, &text())], &[class(&locale, &text())]).is_proven());
    assert!(meet(&[schema(&text(), &text())], &[class(&text(), &text())]).is_refuted());
    assert!(ambiguity(&class(&locale, &word())).is_proven());
    assert!(ambiguity(&class(&locale, &text())).is_refuted());
}

#[test]
fn an_optional_tenant_prefix() {
    let site = Language::from_regex("[a-z0-9-]{1,40}").unwrap();
    let prefix = site.concat(&Language::literal("/")).optional();
    let docs = |prefix: &Language, id: &Language| {
        Pattern::default()
            .variable(1, prefix)
            .literal("docs#")
            .variable(2, id)
    };
    let tags = Pattern::default()
        .variable(1, &prefix)
        .literal("tags#")
        .variable(2, &word());
    assert!(ambiguity(&docs(&prefix, &word())).is_proven());
    assert!(ambiguity(&docs(&prefix, &text())).is_proven());
    assert!(meet(&[docs(&prefix, &text())], &[tags]).is_proven());
    let any = text().concat(&Language::literal("/")).optional();
    assert!(ambiguity(&docs(&any, &text())).is_refuted());
}

#[test]
fn rendering_and_parsing() {
    let pattern = tag(&word(), &text());
    let assignment = values(&[(1, "color"), (2, "red#ish")]);
    assert_eq!(render(&pattern, &assignment), "tag#color#red#ish");
    assert_eq!(parse(&pattern, "tag#color#red#ish"), Some(assignment));
    assert_eq!(parse(&pattern, "tag#color"), None);
    let twice = Pattern::default()
        .variable(1, &text())
        .literal("-")
        .variable(1, &text());
    assert_eq!(parse(&twice, "a-a-a"), None);
    assert_eq!(parse(&twice, "a-b-a-b"), Some(values(&[(1, "a-b")])));
    let unicode = Pattern::default()
        .variable(1, &text())
        .literal("é")
        .variable(2, &word());
    assert_eq!(parse(&unicode, "ÿéé"), Some(values(&[(1, "ÿ"), (2, "é")])));
    assert_eq!(parse(&Pattern::default(), ""), Some(Assignment::new()));
    assert_eq!(parse(&Pattern::default(), "x"), None);
    let prefix = Pattern::default()
        .literal("A#")
        .variable(1, &word())
        .literal("#")
        .anything();
    assert_eq!(parse(&prefix, "A#x#y#z"), Some(values(&[(1, "x")])));
    let long = "x".repeat(2000);
    assert_eq!(
        parse(&tag(&word(), &text()), &format!("tag#k#{long}")).unwrap()[&2],
        long
    );
}

/// Counted values are respected in witnesses.
#[test]
fn witnesses_respect_lengths() {
    let long = Language::from_regex("[a-z]{30,64}").unwrap();
    let short = Language::from_regex("[a-z]{1,29}").unwrap();
    let one = |language: &Language| [Pattern::default().literal("A#").variable(1, language)];
    assert!(meet(&one(&long), &one(&short)).is_proven());
    let clash = refuted(meet(&one(&long), &one(&text())));
    assert_eq!(clash.left[&1].len(), 30);
    let joined = Pattern::default().variable(1, &long).variable(2, &long);
    let clash = refuted(ambiguity(&joined));
    assert!(long.accepts(&clash.left[&1]) && long.accepts(&clash.right[&2]));
}

#[test]
fn impossible_languages_prove_everything() {
    let none = Pattern::default().variable(1, &Language::nothing());
    assert!(ambiguity(&none).is_proven());
    assert!(meet(std::slice::from_ref(&none), std::slice::from_ref(&none)).is_proven());
    assert!(matches!(meet(&[none], &[]), Verdict::NotProven(_)));
    assert!(ambiguity(&Pattern::default()).is_proven());
    assert!(meet(&[Pattern::default()], &[Pattern::default()]).is_refuted());
}

/// Nothing is refuted with a word that may not be in the language.
#[test]
fn a_language_too_large_to_know_refutes_nothing() {
    let large = Language::from_regex("((a{1,900}b){3,900}c){5,900}").unwrap();
    assert!(!large.knows_its_words());
    let pattern = [Pattern::default().literal("A#").variable(1, &large)];
    assert!(matches!(meet(&pattern, &pattern), Verdict::NotProven(_)));
    let other = [Pattern::default()
        .literal("A#")
        .variable(1, &Language::literal("ab"))];
    assert!(!meet(&pattern, &other).is_refuted());
    let digits = [Pattern::default()
        .literal("A#")
        .variable(1, &Language::natural())];
    assert!(meet(&pattern, &digits).is_proven());
}

/// Two automata whose product is beyond the limit give up instead of hanging.
#[test]
fn products_are_bounded() {
    let a = Language::from_regex("[ab]*a[ab]{18}c").unwrap();
    let b = Language::from_regex("[ab]*b[ab]{17}d").unwrap();
    let left = Pattern::default()
        .variable(1, &a)
        .variable(2, &a)
        .variable(3, &a);
    let right = Pattern::default()
        .variable(1, &b)
        .variable(2, &a)
        .variable(1, &b);
    assert!(!meet(std::slice::from_ref(&left), std::slice::from_ref(&right)).is_refuted());
    assert!(!ambiguity(&left).is_refuted());
}
