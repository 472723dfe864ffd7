//! The server of the benchmark: a model, an access key, an issuer of tokens and the key of a program.

use super::arguments::RestArguments;
use super::bearer::{AUDIENCE, ISSUER, TokenKey};
use crate::answer::Answer;
use crate::client::exchange_bytes;
use crate::failure::Failure;
use crate::process::Process;
use crate::running::{Running, free_port};
use crate::signer::{ACCESS_KEY, SECRET_KEY};
use ring::digest::{SHA256, digest};
use serde_json::Value;
use std::fs;
use std::net::SocketAddr;
use std::process::{Command, Stdio};
use tempfile::TempDir;

const MODEL: &str = include_str!("../../../../models/yggdrasil/model.toml");
/// The key of the program that prepares what is measured.
const PROGRAM_KEY: &str = "contest-program";

/// A server that verifies signatures and tokens.
pub(super) struct RestServer {
    running: Running,
    pub(super) token_key: TokenKey,
}

impl RestServer {
    pub(super) fn start(arguments: &RestArguments) -> Result<Self, Failure> {
        let folder = TempDir::with_prefix("contest-rest-")?;
        let token_key = TokenKey::generate(arguments.algorithm)?;
        let path = folder.path();
        fs::write(path.join("model.toml"), MODEL)?;
        fs::write(path.join("jwks.json"), token_key.to_jwks().to_string())?;
        fs::write(path.join("auth.toml"), describe_callers(arguments))?;
        fs::write(
            path.join("credentials"),
            format!(
                "[default]\naws_access_key_id = {ACCESS_KEY}\naws_secret_access_key = {SECRET_KEY}\n"
            ),
        )?;
        let port = free_port()?;
        let program = match &arguments.monotable {
            Some(program) => std::path::absolute(program)?,
            None => std::env::current_exe()?.with_file_name("monotable"),
        };
        let mut command = Command::new(program);
        command
            .current_dir(path)
            .stdin(Stdio::null())
            .args(["serve", "model.toml", "--port", &port.to_string()])
            .args(["--credentials", "credentials", "--auth", "auth.toml"]);
        if arguments.in_memory {
            command.arg("--in-memory");
        } else {
            command.args(["--store", "store"]);
        }
        let running = Running::start_command(command, folder, port)?;
        Ok(Self { running, token_key })
    }

    pub(super) const fn address(&self) -> SocketAddr {
        self.running.address
    }

    pub(super) fn process(&self) -> Process {
        self.running.process()
    }

    pub(super) fn explain(&self, failure: &Failure) -> Failure {
        self.running.explain(failure)
    }

    /// A call of the program: the JSON of its answer.
    pub(super) fn call_as_program(
        &self,
        method: &str,
        path: &str,
        headers: &str,
        body: &str,
    ) -> Result<Value, Failure> {
        let headers = format!("x-api-key: {PROGRAM_KEY}\r\n{headers}");
        let request = write_request(self.address(), method, path, &headers, body);
        exchange_bytes(self.address(), &request, |answer: &Answer<'_>| {
            if !(200..300).contains(&answer.status) {
                let body = String::from_utf8_lossy(answer.body);
                return Err(format!("{method} {path}: {} {body}", answer.status).into());
            }
            Ok(serde_json::from_slice(answer.body)?)
        })
    }
}

/// All bytes of a request of the REST API. Each line of `headers` ends with a line break.
pub(super) fn write_request(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &str,
    body: &str,
) -> Vec<u8> {
    let body_headers = if body.is_empty() {
        String::new()
    } else {
        format!(
            "content-type: application/json\r\ncontent-length: {}\r\n",
            body.len()
        )
    };
    format!(
        "{method} /v1/yggdrasil/{path} HTTP/1.1\r\nhost: {address}\r\naccept: application/json\r\n{headers}{body_headers}\r\n{body}"
    )
    .into_bytes()
}

/// The file that says who may call.
fn describe_callers(arguments: &RestArguments) -> String {
    let hash = digest(&SHA256, PROGRAM_KEY.as_bytes());
    let hash: String = hash
        .as_ref()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!(
        "[[issuer]]\nissuer = \"{ISSUER}\"\naudience = [\"{AUDIENCE}\"]\nalgorithms = [\"{}\"]\njwks_file = \"jwks.json\"\n\n\
         [model.yggdrasil]\nprincipal = {{ UserId = \"sub\" }}\n\n\
         [[key]]\nname = \"program\"\nsha256 = \"{hash}\"\nprogram = true\n",
        arguments.algorithm.name()
    )
}
