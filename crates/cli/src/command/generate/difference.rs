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
            format!("`{}...`", beginning.trim())
        }
        Some(line) => format!("`{}`", line.trim()),
    }
}
