//! Rows of CSV, as RFC 4180 writes them: values may stand in quotes, and a quote in quotes is written twice.

/// The values of a row; none if a quote is not closed, or something follows one.
pub(super) fn values(row: &[u8], delimiter: u8) -> Option<Vec<Vec<u8>>> {
    let mut values = Vec::new();
    let mut rest = row;
    loop {
        let (value, behind) = match rest.strip_prefix(b"\"") {
            Some(quoted) => quoted_value(quoted)?,
            None => {
                let end = rest.iter().position(|byte| *byte == delimiter);
                let end = end.unwrap_or(rest.len());
                (rest.get(..end)?.to_vec(), rest.get(end..)?)
            }
        };
        values.push(value);
        match behind.split_first() {
            None => return Some(values),
            Some((byte, behind)) if *byte == delimiter => rest = behind,
            Some(_) => return None,
        }
    }
}

/// The value before its closing quote, and what is behind it.
fn quoted_value(mut rest: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut value = Vec::new();
    loop {
        let end = rest.iter().position(|byte| *byte == b'"')?;
        value.extend_from_slice(rest.get(..end)?);
        rest = rest.get(end + 1..)?;
        match rest.strip_prefix(b"\"") {
            Some(behind) => {
                value.push(b'"');
                rest = behind;
            }
            None => return Some((value, rest)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(row: &str, delimiter: u8) -> Option<Vec<String>> {
        let values = values(row.as_bytes(), delimiter)?.into_iter();
        Some(
            values
                .map(|value| String::from_utf8(value).unwrap())
                .collect(),
        )
    }

    #[test]
    fn values_stand_between_delimiters_and_in_quotes() {
        for (row, delimiter, expected) in [
            ("a,b,,d", b',', vec!["a", "b", "", "d"]),
            ("a;b,c;", b';', vec!["a", "b,c", ""]),
            (
                "\"a,b\",\"say \"\"hi\"\"\",\"\"",
                b',',
                vec!["a,b", "say \"hi\"", ""],
            ),
            ("\"two\nlines\",x", b',', vec!["two\nlines", "x"]),
            ("", b',', vec![""]),
        ] {
            let expected: Vec<String> = expected.into_iter().map(str::to_owned).collect();
            assert_eq!(texts(row, delimiter), Some(expected));
        }
        assert_eq!(texts("\"open", b','), None);
        assert_eq!(texts("\"a\"b,c", b','), None);
    }
}
