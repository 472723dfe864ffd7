//! `value` templates: `user#${id}`, `${number:6:0}`.

use crate::document::Node;
use monotable_sketch::{Field, Template};

/// Values of values nest no deeper.
const MAX_DEPTH: usize = 8;

/// A template in the model's words, or why it has none.
pub(super) fn read(text: &str, fields: &Node) -> Result<Template, String> {
    let mut template = Template::default();
    append(&mut template, text, fields, 0)?;
    Ok(template)
}

fn append(template: &mut Template, text: &str, fields: &Node, depth: usize) -> Result<(), String> {
    if depth > MAX_DEPTH {
        return Err("its values refer to each other in a circle".to_owned());
    }
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        template.push_text(before);
        let Some((place, behind)) = after.split_once('}') else {
            return Err(format!("`${{{after}` has no `}}`"));
        };
        rest = behind;
        let mut parts = place.split(':');
        let name = parts.next().unwrap_or_default();
        if name.contains(['.', '[']) {
            return Err(format!(
                "`${{{place}}}` shows a part of an attribute, and a template shows whole ones"
            ));
        }
        let Some(field) = fields.get(name) else {
            return Err(format!("`${{{place}}}` names no field of the model"));
        };
        let value = field.get("value").and_then(Node::as_text);
        match (parts.next(), value) {
            (None, Some(value)) => append(template, value, fields, depth + 1)?,
            (None, None) => template.push_field(Field::plain(name)),
            (Some(width), _) => {
                let pad = parts.next().unwrap_or("0");
                let width: usize = width
                    .parse()
                    .map_err(|_| format!("`${{{place}}}` has a width that is no number"))?;
                if pad != "0" {
                    return Err(format!(
                        "`${{{place}}}` pads with {pad:?}, and a template pads numbers with zeros"
                    ));
                }
                template.push_field(Field::plain(name).format(format!("{width:02}")));
            }
        }
    }
    template.push_text(rest);
    Ok(())
}
