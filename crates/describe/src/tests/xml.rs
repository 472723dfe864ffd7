//! A checker of well-formed XML, as much of it as the drawing uses.

/// Whether every element is closed in order and every `&` is an entity.
pub(super) fn check(text: &str) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        entities(&rest[..start])?;
        let end = rest[start..].find('>').ok_or("a tag without its end")? + start;
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            match open.pop() {
                Some(last) if last == name => {}
                last => return Err(format!("{name} closes {last:?}")),
            }
            continue;
        }
        let (tag, closed) = match tag.strip_suffix('/') {
            Some(tag) => (tag, true),
            None => (tag, false),
        };
        let name = tag
            .split_whitespace()
            .next()
            .ok_or("a tag without a name")?;
        attributes(&tag[name.len()..])?;
        if !closed {
            open.push(name);
        }
    }
    entities(rest)?;
    if open.is_empty() {
        Ok(())
    } else {
        Err(format!("{open:?} stay open"))
    }
}

fn attributes(text: &str) -> Result<(), String> {
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (name, value) = rest.split_once("=\"").ok_or(format!("no value: {rest}"))?;
        let end = value.find('"').ok_or("a value without its end")?;
        if name.trim().contains(char::is_whitespace) {
            return Err(format!("no name: {name}"));
        }
        entities(&value[..end])?;
        rest = value[end + 1..].trim_start();
    }
    Ok(())
}

fn entities(text: &str) -> Result<(), String> {
    for piece in text.split('&').skip(1) {
        let known = ["amp;", "lt;", "gt;", "quot;", "#39;"];
        if !known.iter().any(|entity| piece.starts_with(entity)) {
            return Err(format!("a bare &: {piece}"));
        }
    }
    Ok(())
}

#[test]
fn the_checker_sees_what_is_wrong() {
    assert!(check("<a b=\"c\"><d/>&amp;</a>").is_ok());
    assert!(check("<a><b></a></b>").is_err());
    assert!(check("<a>&</a>").is_err());
    assert!(check("<a b=c/>").is_err());
}
