#!/usr/bin/env node
import { existsSync } from 'node:fs';
import nodeModule from 'node:module';

// Keeps the compiled code of the program from run to run, which saves a part of every start. Node.js works without it
// if the folder cannot be written, and respects NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE.
const { XDG_CACHE_HOME, LOCALAPPDATA, HOME } = process.env;
const caches = XDG_CACHE_HOME || LOCALAPPDATA || HOME;
// Making a folder in a missing one may never end, in `/proc` for example.
if (caches && existsSync(caches)) {
  nodeModule.enableCompileCache?.(`${caches}/${caches === HOME ? '.cache/' : ''}gg-svc`);
}

await import('./process.js');
