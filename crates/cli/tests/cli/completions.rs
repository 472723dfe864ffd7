//! Completions for each shell know our commands.

use crate::sandbox::Sandbox;

#[test]
fn every_shell_gets_the_commands() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = sandbox.run(&["completions", shell]).succeeded().stdout;
        for word in ["transact", "scan", "ddb-json", "describe", "deny-warnings"] {
            assert!(script.contains(word), "{word} for {shell}");
        }
    }
    sandbox
        .run(&["completions", "tcsh"])
        .failed(2, "possible values");
}

#[test]
fn bash_accepts_its_script() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "script",
        sandbox.run(&["completions", "bash"]).succeeded().stdout,
    );
    let mut bash = std::process::Command::new("bash");
    let status = bash.arg("-n").arg(sandbox.path().join("script")).status();
    assert!(status.unwrap().success());
}
