//! The first difference of two texts.

const MOST: usize = 120;

/// Where two texts differ first, and what both say there; none if they are alike.
pub(super) fn find_difference(stored: &str, generated: &str) -> Option<String> {
    if stored == generated {
        return None;
    }
    let (mut stored, mut generated) = (stored.split('\n'), generated.split('\n'));
    let mut line = 1;
    loop {
        match (stored.next(), generated.next()) {
            (Some(one), Some(other)) if one == other => line += 1,
            (None, None) => return Some("they differ".to_owned()),
            (Some(one), Some(other)) if one.strip_suffix('\r') == Some(other) => {
                return Some(format!(
                    "line {line} ends in a carriage return; where Git puts it there, a line such as `db.ts text eol=lf` in .gitattributes keeps it from that"
                ));
            }
            (one, other) => {
                let (one, other) = (show_line(one), show_line(other));
                return Some(format!("line {line} is {one}, and should be {other}"));
            }
        }
    }
}

fn show_line(line: Option<&str>) -> String {
    match line {
        None => "not there".to_owned(),
        Some(line) if line.chars().count() > MOST => {
            let beginning: String = line.chars().take(MOST).collect();
            format!("`{beginning}...`")
        }
        Some(line) => format!("`{line}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_that_nobody_sees_is_told() {
        let found = find_difference("a\r\nb\r\n", "a\nb\n").unwrap_or_default();
        assert!(
            found.contains("line 1 ends in a carriage return"),
            "{found}"
        );
        let found = find_difference("a\n b\n", "a\nb\n").unwrap_or_default();
        assert_eq!(found, "line 2 is ` b`, and should be `b`");
        assert_eq!(find_difference("a\n", "a\n"), None);
    }
}
