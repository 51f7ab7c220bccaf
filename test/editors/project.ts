import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The topology of the projects that editors open: one finding with a fix, and one line that is not formatted. */
const topology = `/// Reads a person.
(root)-[:PROCES { id: ID! }]->(user: Record { id: ID!, name: String! })
(root)-[:PROCESS]->(  team { lead: User! })
`;

/** A project in a new folder, in which `npx gg-svc` is the built program. Its `home` has no settings of any user. */
export function createProject(): { readonly folder: string; readonly home: string; readonly file: string } {
  const folder = mkdtempSync(join(tmpdir(), 'gg-svc-editor-'));
  const home = join(folder, 'home');
  const bin = join(folder, 'project/node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  mkdirSync(home);
  symlinkSync(join(process.cwd(), 'dist/tools/cli/gg-svc.js'), join(bin, 'gg-svc'));
  writeFileSync(join(folder, 'project/package.json'), '{ "private": true }');
  const file = join(folder, 'project/main.gg');
  writeFileSync(file, topology);
  return { folder, home, file };
}

/** The code blocks of a section of docs/editors.md in a language, in order. */
export function documented(section: string, language: string): string[] {
  const page = readFileSync('docs/editors.md', 'utf8');
  const text = page.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? '';
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, code = '']) => code);
}
