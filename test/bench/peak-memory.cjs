// Loaded into a process with --require: on leaving, the process notes the most memory it had at a time.
// `resourceUsage().maxRSS` would do, but on Linux a new process inherits it from the one that started it.

const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { isMainThread } = require('node:worker_threads');

if (isMainThread && process.env.GG_BENCH_PEAKS !== undefined) {
  process.on('exit', () => {
    writeFileSync(join(process.env.GG_BENCH_PEAKS, String(process.pid)), String(peak()));
  });
}

function peak() {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'));
    return Number(kilobytes) * 1024;
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}
