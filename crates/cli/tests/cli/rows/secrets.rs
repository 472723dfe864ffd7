//! Secrets that are stored hashed: given, taken over from another system, and asked about.

use super::{Rows, words};

/// Of the text `U*U`.
const HASH: &str = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW";

fn asks(rows: &Rows, user: &str, text: &str) -> crate::sandbox::Outcome {
    let line = format!("check-secret User UserId={user} PasswordHash");
    rows.sandbox.feed(&words(&line), text.as_bytes())
}

#[test]
fn a_password_is_checked_by_the_exit_code_and_never_shown() {
    let rows = Rows::new();
    rows.run("create User UserId=ada Email=ada@example.com PasswordHash=engine")
        .succeeded();
    for text in ["engine", "engine\n", "engine\r\n"] {
        let yes = asks(&rows, "ada", text).succeeded();
        assert_eq!((yes.stdout.as_str(), yes.stderr.as_str()), ("", "yes\n"));
    }
    for (user, text) in [
        ("ada", "motor"),
        ("ada", "engine\n\n"),
        ("ada", ""),
        ("eve", "engine"),
    ] {
        let no = asks(&rows, user, text).failed(1, "no");
        assert_eq!((no.stdout.as_str(), no.stderr.as_str()), ("", "no\n"));
    }
    let line = words("check-secret User UserId=ada Email");
    rows.sandbox
        .feed(&line, b"engine")
        .failed(2, "`Email` is not a hashed attribute");
}

#[test]
fn a_hash_is_given_as_what_it_is() {
    let rows = Rows::new();
    let user = "User UserId=ada Email=ada@example.com";
    let refused = rows
        .run(&format!("create {user} PasswordHash={HASH}"))
        .failed(2, "looks like a bcrypt hash");
    assert!(refused.stderr.contains("--set-hash"), "{refused:?}");
    rows.run(&format!("create {user} --set-hash PasswordHash={HASH}"))
        .succeeded();
    asks(&rows, "ada", "U*U").succeeded();
    rows.run("update User UserId=ada --set PasswordHash=engine")
        .succeeded();
    asks(&rows, "ada", "U*U").failed(1, "no");
    rows.run(&format!(
        "update User UserId=ada --set-hash PasswordHash={HASH}"
    ))
    .succeeded();
    asks(&rows, "ada", "U*U").succeeded();
    rows.run("update User UserId=ada --set-hash PasswordHash=engine")
        .failed(2, "must be a text, or a bcrypt hash");
    rows.run(&format!(
        "create {user} PasswordHash=x --set-hash PasswordHash={HASH}"
    ))
    .failed(2, "PasswordHash is given twice");
}
