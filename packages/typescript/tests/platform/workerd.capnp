# The worker of workerd.mjs, with the core as a module that is compiled when the worker is loaded.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "outside", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);

const worker :Workerd.Worker = (
  modules = [
    (name = "workerd.mjs", esModule = embed "workerd.mjs"),
    (name = "core.wasm", wasm = embed "core.wasm"),
  ],
  compatibilityDate = "2026-01-01",
  globalOutbound = "outside",
);
