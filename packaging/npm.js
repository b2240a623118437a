#!/usr/bin/env node
// Starts the program of this platform, which is in a package of its own that npm has installed next to this one.
"use strict";

const { spawnSync } = require("node:child_process");

const name = `@hookrules/${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/rules${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(`rules: the package ${name} is not installed: npm leaves it out with --omit=optional, and on a platform without a binary`);
  process.exit(2);
}
const { status, signal, error } = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (error) {
  console.error(`rules: ${program} cannot be started: ${error.message}`);
  process.exit(2);
}
if (signal) process.kill(process.pid, signal);
process.exit(status ?? 2);
