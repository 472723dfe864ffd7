//! Many rows from a file, each through the model.

use super::{Rows, words};

fn tree(id: &str, owner: &str) -> String {
    format!("{{\"UserId\": \"{owner}\", \"TreeId\": \"{id}\", \"TreeName\": \"T\"}}\n")
}

#[test]
fn refused_lines_are_told_and_kept_and_the_others_created() {
    let rows = Rows::with_persons(0);
    let input = [
        tree("a", "ada"),
        tree("byron", "ada"),
        "{\"UserId\": \"ada\", \"TreeName\": \"\", \"Colour\": 1}\n".to_owned(),
        "not JSON\n".to_owned(),
        "\n".to_owned(),
        tree("b", "nobody"),
        tree("c", "ada"),
    ];
    let mut bytes = input.concat().into_bytes();
    bytes.extend(b"\"\xff\"\n");
    rows.sandbox.write("trees.jsonl", &bytes);
    let line = "create Tree --file trees.jsonl --refused again.jsonl --output jsonl";
    let outcome = rows
        .run(line)
        .failed(255, "5 of 7 lines refused; 2 rows of Tree created");
    for words in [
        "error: line 2: Conflict",
        "error: line 3: Validation: Tree is refused",
        "`TreeName` must not be empty",
        "`Colour` is no attribute of it",
        "error: line 4: ",
        "error: line 6: ",
        "error: line 8: not UTF-8",
        "help: mend the lines in again.jsonl",
    ] {
        assert!(
            outcome.stderr.contains(words),
            "no {words} in {}",
            outcome.stderr
        );
    }
    assert_eq!(outcome.stdout.lines().count(), 2, "{outcome:?}");
    let kept = std::fs::read(rows.sandbox.path().join("again.jsonl")).unwrap();
    let mut expected: Vec<u8> = [&input[1], &input[2], &input[3], &input[5]]
        .map(String::as_str)
        .concat()
        .into_bytes();
    expected.extend(b"\"\xff\"\n");
    assert_eq!(
        String::from_utf8_lossy(&kept),
        String::from_utf8_lossy(&expected)
    );
    let trees = rows.json("query trees_of_user UserId=ada");
    assert_eq!(trees["rows"].as_array().unwrap().len(), 3, "{trees}");
    rows.run("verify").succeeded();

    // Another try, with the lines that were mended.
    rows.sandbox
        .write("mended.jsonl", tree("d", "ada") + &tree("e", "ada"));
    let again = rows
        .run("create Tree --file mended.jsonl --refused again.jsonl")
        .succeeded();
    assert_eq!(again.stderr, "2 rows of Tree created\n");
    assert_eq!(again.stdout, "");
    let kept = std::fs::read(rows.sandbox.path().join("again.jsonl")).unwrap();
    assert!(kept.is_empty());
}

#[test]
fn rows_come_from_stdin_and_as_an_array() {
    let rows = Rows::with_persons(0);
    let array = format!("[\n{},\n{}]", tree("a", "ada"), tree("b", "ada"));
    for line in ["create Tree --file -", "create Tree - --dry-run"] {
        let outcome = rows.sandbox.feed(&words(line), array.as_bytes());
        if line.contains("dry-run") {
            // What only the write finds out is not seen.
            assert!(
                outcome.stderr.contains("nothing was written"),
                "{outcome:?}"
            );
        } else {
            let outcome = outcome.succeeded();
            assert_eq!(outcome.stderr, "2 rows of Tree created\n");
        }
    }
    let trees = rows.json("query trees_of_user UserId=ada");
    assert_eq!(trees["rows"].as_array().unwrap().len(), 3, "{trees}");
}

#[test]
fn the_first_refusal_can_be_the_end() {
    let rows = Rows::with_persons(0);
    let input = tree("a", "ada") + &tree("b", "nobody") + &tree("c", "ada");
    rows.sandbox.write("trees.jsonl", &input);
    let line = "create Tree --file trees.jsonl --refused rest.jsonl --stop";
    let outcome = rows
        .run(line)
        .failed(255, "1 of 3 lines refused; 1 row of Tree created");
    assert!(
        outcome.stderr.contains("1 line was not tried"),
        "{outcome:?}"
    );
    let rest = std::fs::read_to_string(rows.sandbox.path().join("rest.jsonl")).unwrap();
    assert_eq!(rest, tree("b", "nobody") + &tree("c", "ada"));
}

#[test]
fn nothing_of_the_input_is_overwritten() {
    let rows = Rows::with_persons(0);
    rows.sandbox.write("trees.jsonl", tree("a", "ada"));
    rows.run("create Tree --file trees.jsonl --refused ./trees.jsonl")
        .failed(2, "is the input itself");
    let kept = std::fs::read_to_string(rows.sandbox.path().join("trees.jsonl")).unwrap();
    assert_eq!(kept, tree("a", "ada"));
    rows.run("create Tre --file trees.jsonl")
        .failed(2, "did you mean `Tree`?");
    rows.run("create Tree --file nowhere")
        .failed(255, "cannot read nowhere");
    rows.run("create Tree UserId=ada --file trees.jsonl")
        .failed(2, "cannot be used with");
    rows.run("create Tree UserId=ada TreeName=x --stop")
        .failed(2, "--refused and --stop are for many rows");
    rows.sandbox.write("empty", "");
    rows.run("create Tree --file empty")
        .failed(255, "there is no row in the input");
}

#[test]
fn all_rows_are_created_when_the_reader_of_the_output_has_enough() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;
    let rows = Rows::with_persons(0);
    let input: String = (0..600).map(|n| tree(&format!("t{n}"), "ada")).collect();
    rows.sandbox.write("trees.jsonl", input);
    let line = "create Tree --file trees.jsonl --output jsonl";
    let mut command = rows.sandbox.command();
    command.args(words(line));
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut first).unwrap();
    drop(stdout);
    let code = crate::sandbox::wait(&mut child);
    let mut stderr = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut stderr)
        .unwrap();
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stderr.contains("600 rows of Tree created"), "{stderr}");
    let trees = rows.run("query trees_of_user UserId=ada --all --output jsonl");
    assert_eq!(trees.succeeded().stdout.lines().count(), 601);
}
