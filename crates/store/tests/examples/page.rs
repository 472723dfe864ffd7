//! The models of docs/model.md.

/// A model of the page.
pub(crate) struct Example {
    /// Where it stands: `docs/model.md:123`.
    pub(crate) place: String,
    pub(crate) text: String,
}

/// Every whole model, and every part together with the model that it is appended to.
pub(crate) fn examples() -> Vec<Example> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/model.md");
    let page = std::fs::read_to_string(path).unwrap();
    let mut examples = Vec::new();
    let mut base = String::new();
    let mut lines = page.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let Some(mark) = line.strip_prefix("```toml ") else {
            continue;
        };
        let block = lines.by_ref().map(|(_, line)| line);
        let block: Vec<_> = block.take_while(|line| *line != "```").collect();
        let block = block.join("\n") + "\n";
        let text = match mark {
            "base" => {
                base.clone_from(&block);
                block
            }
            "model" => block,
            "part" => format!("{base}\n{block}"),
            _ => continue,
        };
        let place = format!("docs/model.md:{}", number + 1);
        examples.push(Example { place, text });
    }
    assert!(
        examples.len() > 20,
        "the page has {} models",
        examples.len()
    );
    examples
}
