//! Words that name revisions, among the words of a key.

use monotable_store::At;

/// The words of the key, and those that name revisions: these have no `=`. A JSON object is a key.
pub(crate) fn split(words: Vec<String>) -> (Vec<String>, Vec<String>) {
    words
        .into_iter()
        .partition(|word| word.contains('=') || word.trim_start().starts_with('{'))
}

/// The revision that a word names.
pub(super) fn at(word: &str) -> At {
    match word {
        "head" | "HEAD" => At::Head,
        time if begins_with_day(time) => At::Time(time.to_owned()),
        revision => At::Revision(revision.to_owned()),
    }
}

/// Whether it begins as `2026-01-23` does, which no ULID or UUID can.
fn begins_with_day(word: &str) -> bool {
    let mut bytes = word.bytes();
    let mut fits = |wanted: u8| match (wanted, bytes.next()) {
        (b'-', found) => found == Some(b'-'),
        (_, found) => found.is_some_and(|found| found.is_ascii_digit()),
    };
    b"0000-00-00".iter().all(|wanted| fits(*wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn revisions_are_told_from_keys_and_times() {
        let words = [
            "userId=u1",
            "head",
            "date=2026-01-23",
            "2026-01-23T09:00:00Z",
        ];
        let (key, revisions) = split(words.map(str::to_owned).into());
        assert_eq!(key, ["userId=u1", "date=2026-01-23"]);
        assert_eq!(revisions, ["head", "2026-01-23T09:00:00Z"]);
        let (key, _) = split(vec![r#"{"userId": "u1"}"#.to_owned()]);
        assert_eq!(key.len(), 1);

        assert_eq!(at("head"), At::Head);
        let time = "2026-01-23T09:00:00Z";
        assert_eq!(at(time), At::Time(time.to_owned()));
        for revision in [
            "01KFN2M8A0X5C2V7Q9R4T6W8YZ",
            "2026",
            "019a9bcd-0000-7000-8000-000000000000",
        ] {
            assert_eq!(at(revision), At::Revision(revision.to_owned()));
        }
    }
}
