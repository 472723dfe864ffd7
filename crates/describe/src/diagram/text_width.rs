//! How wide a text will be, without a font.

/// The width of a text in a usual sans-serif font, rather too wide than too narrow.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    text.chars().map(em).sum::<f64>() * size
}

fn em(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' | 'I' | '[' | ']' => 0.34,
        'f' | 't' | 'r' | '(' | ')' | '-' => 0.43,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.95,
        c if c.is_uppercase() => 0.74,
        c if c.is_ascii() => 0.61,
        _ => 1.0,
    }
}
