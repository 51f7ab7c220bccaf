using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = .books)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);

const books :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "node_modules/.work/worker.js")],
  # The first date with `node:fs`. Since 2026-08-04 the flag is on by default.
  compatibilityDate = "2025-09-15",
  compatibilityFlags = ["nodejs_compat"],
);
