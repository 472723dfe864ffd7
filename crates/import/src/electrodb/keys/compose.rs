//! One index of one entity: prefixes, labels, values, casing.

use super::super::Identity;
use crate::document::{Node, Value};
use crate::error::ImportError;
use monotable_sketch::{Field, Template, name_attribute};

/// Why an index has no templates.
pub(super) enum Unsayable {
    /// The schema is wrong.
    Wrong(ImportError),
    /// ElectroDB does something that a template cannot.
    Code(String),
}

impl From<ImportError> for Unsayable {
    fn from(error: ImportError) -> Self {
        Self::Wrong(error)
    }
}

pub(super) struct Composer<'d> {
    pub(super) schema: &'d Node,
    pub(super) identity: &'d Identity<'d>,
    pub(super) index: &'d Node,
}

/// What is done to the letters of a key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Casing {
    Lower,
    Upper,
    None,
}

/// A part of a key: a label and the attribute after it.
struct Composite {
    label: String,
    attribute: Option<String>,
}

impl Composer<'_> {
    /// The templates of partition key and sort key.
    pub(super) fn compose(&self) -> Result<(Template, Option<Template>), Unsayable> {
        let pk = self.index.need("pk")?;
        let sk = self.index.get("sk");
        let (entity_first, postfix) = self.sort_prefix()?;
        let mut pk_prefix = format!("${}", self.identity.service);
        if sk.is_none() {
            pk_prefix.push_str(&entity_first);
            pk_prefix.push_str(&postfix);
        }
        if let Some(scope) = self.index.get("scope").and_then(Node::as_text) {
            pk_prefix = format!("{pk_prefix}_{scope}");
        }
        let partition = self.key(pk, &pk_prefix, "")?;
        let sort = sk.map(|sk| self.key(sk, &entity_first, &postfix));
        Ok((partition, sort.transpose()?))
    }

    /// What stands before the values of a sort key, and behind them.
    fn sort_prefix(&self) -> Result<(String, String), ImportError> {
        let collection = self.collection()?;
        let own = format!("{}_{}", self.identity.entity, self.identity.version);
        let is_clustered = self.index.get("type").and_then(Node::as_text) == Some("clustered");
        let own = if collection.is_empty() {
            format!("${own}")
        } else {
            format!("#{own}")
        };
        Ok(if is_clustered {
            (collection, own)
        } else {
            (format!("{collection}{own}"), String::new())
        })
    }

    /// `$collection`, or `$collection#sub` of nested ones.
    fn collection(&self) -> Result<String, ImportError> {
        let Some(collection) = self.index.get("collection") else {
            return Ok(String::new());
        };
        if let Value::List(names) = &collection.value {
            let names: Result<Vec<&str>, ImportError> = names.iter().map(Node::text).collect();
            return Ok(format!("${}", names?.join("#")));
        }
        Ok(format!("${}", collection.text()?))
    }

    fn key(&self, part: &Node, prefix: &str, postfix: &str) -> Result<Template, Unsayable> {
        let casing = read_casing(part)?;
        let (composites, is_custom) = self.composites(part)?;
        let number = is_custom && self.is_one_number(&composites);
        let cast = part.get("cast").and_then(Node::as_text);
        if cast == Some("number") || (number && cast != Some("string")) {
            return Err(Unsayable::Code(
                "it is stored as a number, and keys of a model are texts".to_owned(),
            ));
        }
        let mut template = Template::default();
        if !is_custom {
            template.push_text(&casing.apply(prefix));
        }
        for composite in &composites {
            let label = if is_custom {
                composite.label.clone()
            } else {
                format!("#{}_", composite.label)
            };
            template.push_text(&casing.apply(&label));
            if let Some(attribute) = &composite.attribute {
                template.push_field(self.field(attribute, casing)?);
            }
        }
        if !is_custom {
            template.push_text(&casing.apply(postfix));
        }
        Ok(template)
    }

    /// The composites of a part, and whether a template of the schema's own says how they are put together.
    fn composites(&self, part: &Node) -> Result<(Vec<Composite>, bool), ImportError> {
        if let Some(template) = part.get("template") {
            return Ok((parse_template(template)?, true));
        }
        let names = part.need("composite")?.list()?;
        let names: Result<Vec<&str>, ImportError> = names.iter().map(Node::text).collect();
        let names = names?;
        // A field that is an attribute itself is stored as it is.
        if let [only] = names.as_slice()
            && part.get("field").and_then(Node::as_text) == Some(only)
        {
            let composite = Composite {
                label: String::new(),
                attribute: Some((*only).to_owned()),
            };
            return Ok((vec![composite], true));
        }
        let composites = names.into_iter().map(|name| {
            let attribute = self.attribute(name);
            let label = attribute.and_then(|node| node.get("label")?.as_text());
            Composite {
                label: label.unwrap_or(name).to_owned(),
                attribute: Some(name.to_owned()),
            }
        });
        Ok((composites.collect(), false))
    }

    fn attribute(&self, name: &str) -> Option<&Node> {
        self.schema.get("attributes")?.get(name)
    }

    fn is_one_number(&self, composites: &[Composite]) -> bool {
        let [Composite { label, attribute }] = composites else {
            return false;
        };
        let kind = attribute
            .as_ref()
            .and_then(|name| self.attribute(name)?.get("type")?.as_text());
        label.is_empty() && kind == Some("number")
    }

    /// The place of a value.
    fn field(&self, name: &str, casing: Casing) -> Result<Field, Unsayable> {
        let attribute = self.attribute(name).ok_or_else(|| {
            self.index.error(format!(
                "{name:?} is in the key and no attribute of the entity"
            ))
        })?;
        let kind = attribute
            .get("type")
            .and_then(Node::as_text)
            .unwrap_or("string");
        let mut field = Field::plain(name_attribute(name));
        if let Some(padding) = attribute.get("padding") {
            let width = padding.need("length")?.as_scalar().unwrap_or_default();
            let width: u32 = width
                .parse()
                .map_err(|_| padding.error("`length` is a whole number"))?;
            if padding.need_text("char")? != "0" || kind != "number" {
                return Err(Unsayable::Code(format!(
                    "{name:?} is padded, and a template pads numbers with zeros only"
                )));
            }
            field = field.format(format!("{width:02}"));
        }
        let is_lettered = matches!(kind, "string")
            || attribute
                .get("type")
                .is_some_and(|kind| kind.list().is_ok());
        if is_lettered {
            match casing {
                Casing::Lower => field = field.format("lower"),
                Casing::Upper => field = field.format("upper"),
                Casing::None => {}
            }
        }
        Ok(field)
    }
}

impl Casing {
    fn apply(self, text: &str) -> String {
        match self {
            Self::Lower => text.to_lowercase(),
            Self::Upper => text.to_uppercase(),
            Self::None => text.to_owned(),
        }
    }
}

fn read_casing(part: &Node) -> Result<Casing, ImportError> {
    let Some(casing) = part.get("casing") else {
        return Ok(Casing::Lower);
    };
    match casing.text()? {
        "lower" | "default" => Ok(Casing::Lower),
        "upper" => Ok(Casing::Upper),
        "none" => Ok(Casing::None),
        other => Err(casing.error(format!(
            "a casing is lower, upper, none or default, and {other:?} is there"
        ))),
    }
}

/// A template of the schema's own: `USER#${id}`.
fn parse_template(node: &Node) -> Result<Vec<Composite>, ImportError> {
    let mut composites = Vec::new();
    let mut rest = node.text()?;
    while let Some((label, after)) = rest.split_once("${") {
        let Some((name, behind)) = after.split_once('}') else {
            return Err(node.error("`${` has no `}`"));
        };
        composites.push(Composite {
            label: label.to_owned(),
            attribute: Some(name.to_owned()),
        });
        rest = behind;
    }
    if !rest.is_empty() {
        composites.push(Composite {
            label: rest.to_owned(),
            attribute: None,
        });
    }
    Ok(composites)
}
