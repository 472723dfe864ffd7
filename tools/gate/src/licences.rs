//! Every dependency can be used under a licence on the list.

use spdx::{Expression, ParseMode};

use crate::metadata::{Metadata, Package};
use crate::problem::Problem;

/// Licences that ask for no more than keeping their notice. MPL-2.0 is left out on purpose: it asks
/// those who ship Monotable to offer source.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Checks every package of the lock file, those of other platforms and of tests included.
#[must_use]
pub fn check(metadata: &Metadata) -> Vec<Problem> {
    metadata.packages.iter().filter_map(refusal).collect()
}

fn refusal(package: &Package) -> Option<Problem> {
    let Some(licence) = &package.license else {
        return Some(problem(package, "declares no licence"));
    };
    // Lax, because old packages write `MIT/Apache-2.0`.
    match Expression::parse_mode(licence, ParseMode::LAX) {
        Ok(expression) if is_allowed(&expression) => None,
        Ok(_) => Some(problem(package, &format!("is licensed {licence}"))),
        Err(error) => Some(problem(
            package,
            &format!(
                "has a licence nobody can parse, {licence}: {}",
                error.reason
            ),
        )),
    }
}

fn is_allowed(expression: &Expression) -> bool {
    expression.evaluate(|requirement| ALLOWED.contains(&requirement.to_string().as_str()))
}

fn problem(package: &Package, what: &str) -> Problem {
    Problem::new(format!(
        "{} {} {what}: use another crate, or add the licence to ALLOWED in \
         tools/gate/src/licences.rs after reading what it asks of users",
        package.name, package.version
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planted::{Planted, messages};

    fn problems_with(licence: Option<&str>) -> Vec<Problem> {
        let planted = Planted::new().outside("crate-under-test", "1.0.0", &[]);
        check(&planted.licensed("crate-under-test", licence).metadata())
    }

    #[test]
    fn a_choice_needs_one_allowed_side() {
        assert_eq!(problems_with(Some("MIT OR GPL-3.0-only")), []);
        assert_eq!(problems_with(Some("LGPL-2.1-or-later OR Apache-2.0")), []);
        assert_eq!(problems_with(Some("Apache-2.0/MIT")), []);
    }

    #[test]
    fn a_conjunction_needs_both_sides() {
        assert_eq!(
            problems_with(Some("(MIT OR Apache-2.0) AND Unicode-3.0")),
            []
        );
        assert_eq!(problems_with(Some("MIT AND GPL-3.0-only")).len(), 1);
    }

    #[test]
    fn an_exception_is_a_licence_of_its_own() {
        assert_eq!(problems_with(Some("Apache-2.0 WITH LLVM-exception")), []);
        let other = "GPL-2.0-only WITH Classpath-exception-2.0";
        assert_eq!(problems_with(Some(other)).len(), 1);
    }

    #[test]
    fn copyleft_missing_and_unreadable_licences_fail() {
        let copyleft = messages(&problems_with(Some("MPL-2.0")));
        assert!(copyleft.contains("crate-under-test 1.0.0 is licensed MPL-2.0"));
        assert!(messages(&problems_with(None)).contains("declares no licence"));
        assert!(messages(&problems_with(Some("do what you like"))).contains("nobody can parse"));
    }
}
