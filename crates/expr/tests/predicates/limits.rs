//! The limits, on a stack a quarter of the usual size.

use monotable_expr::predicate::{MAX_PREDICATE_BYTES, Meaning, Predicate, Translation};

fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new()
        .stack_size(512 * 1024)
        .spawn(test)
        .unwrap()
        .join()
        .unwrap();
}

fn message(text: &str) -> String {
    Predicate::parse(text).unwrap_err().to_string()
}

#[test]
fn ten_megabytes_of_anything_are_refused() {
    on_a_small_stack(|| {
        for text in ["(", "NOT ", "size(", "a=1 AND (", "'", "a.", "[", "é"] {
            let text = text.repeat(10_000_000 / text.len());
            assert_eq!(
                message(&text),
                format!(
                    "a predicate has at most 16384 bytes, this one {}",
                    text.len()
                )
            );
        }
    });
}

#[test]
fn as_deep_as_the_text_is_long() {
    on_a_small_stack(|| {
        let most = |part: &str| part.repeat(MAX_PREDICATE_BYTES / part.len());
        assert_eq!(message(&most("(")), "expected a condition, found the end");
        assert_eq!(
            message(&most("NOT ")),
            "expected a condition, found the end"
        );
        let nots = format!("{}a=1", "NOT ".repeat(4000));
        let many = "a predicate has at most 300 operators and functions";
        assert_eq!(message(&nots), many);
        let deep = format!("{}a=1{}", "(".repeat(8000), ")".repeat(8000));
        assert_eq!(Predicate::parse(&deep).unwrap().to_string(), "a = 1");
        let turns = |pairs: usize| {
            let open = "a<b and (b<a or (".repeat(pairs);
            format!("{open}a<b{}", "))".repeat(pairs))
        };
        assert_eq!(message(&turns(75)), many);
        let predicate = Predicate::parse(&turns(74)).unwrap();
        assert_eq!(predicate.to_string().parse().as_ref(), Ok(&predicate));
        assert_eq!(predicate.paths().len(), 2 * 149);
        assert!(!predicate.matches(|_| None));
        let translated = predicate.to_condition(Meaning::attribute).unwrap();
        assert!(matches!(translated, Translation::Condition(_)));
    });
}

#[test]
fn dynamodbs_counts() {
    let list = |count: usize| format!("a IN ({})", vec!["1"; count].join(","));
    assert!(Predicate::parse(&list(100)).is_ok());
    assert_eq!(message(&list(101)), "IN takes at most 100 values, not 101");
    assert!(Predicate::parse(&format!("old.a{} = 1", ".b".repeat(31))).is_ok());
    assert_eq!(
        message(&format!("a{} = 1", ".b".repeat(32))),
        "a path has at most 32 steps, this one 33"
    );
}
