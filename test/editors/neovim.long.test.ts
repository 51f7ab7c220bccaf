import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unpackDebian } from './programs.js';
import { createProject, documented } from './project.js';

// Neovim with the set-up of docs/editors.md, without a screen: one session that records what it sees.

interface Session {
  readonly version: string;
  readonly clients: readonly string[];
  readonly findings: readonly string[];
  readonly completions: readonly string[];
  readonly hover: string;
  readonly fixed: string;
  readonly renamed: string;
  readonly formatted: string;
  readonly captures: Readonly<Record<string, string>>;
  readonly problem?: string;
}

/** Drives the editor; every wait has an end. */
const script = `
local seen = {}
local function wait(what, test)
  if not vim.wait(120000, test, 50) then error('no ' .. what) end
end
local function text() return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n') end
local ok, problem = pcall(function()
  seen.version = tostring(vim.version())
  vim.cmd.edit(vim.env.GG_FILE)
  wait('client', function() return #vim.lsp.get_clients({ bufnr = 0 }) > 0 end)
  wait('findings', function() return #vim.diagnostic.get(0) > 0 end)
  seen.clients = vim.tbl_map(function(client) return client.name end, vim.lsp.get_clients({ bufnr = 0 }))
  seen.findings = vim.tbl_map(function(found) return found.code .. ' line ' .. (found.lnum + 1) end, vim.diagnostic.get(0))
  local client = vim.lsp.get_clients({ bufnr = 0 })[1]
  local function ask(method, line, column)
    vim.api.nvim_win_set_cursor(0, { line, column })
    local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
    return client:request_sync(method, params, 120000, 0).result
  end
  local items = ask('textDocument/completion', 3, 9)
  seen.completions = vim.tbl_map(function(item) return item.label end, items.items or items)
  vim.api.nvim_win_set_cursor(0, { 2, 10 })
  vim.lsp.buf.code_action({ apply = true, filter = function(action) return action.isPreferred end })
  wait('fix', function() return text():find('PROCESS { id', 1, true) ~= nil end)
  seen.fixed = text()
  wait('a clean file', function() return #vim.diagnostic.get(0) == 0 end)
  seen.hover = ask('textDocument/hover', 2, 34).contents.value
  vim.api.nvim_win_set_cursor(0, { 2, 34 })
  vim.lsp.buf.rename('person')
  wait('rename', function() return text():find('lead: Person', 1, true) ~= nil end)
  seen.renamed = text()
  vim.lsp.buf.format({ timeout_ms = 30000 })
  seen.formatted = text()
  seen.captures = vim.empty_dict()
  vim.treesitter.get_parser(0, 'gg'):parse(true)
  for name, place in pairs({ comment = { 0, 4 }, type = { 1, 10 }, id = { 1, 34 }, label = { 1, 42 }, key = { 1, 49 } }) do
    local at = vim.treesitter.get_captures_at_pos(0, place[1], place[2])
    seen.captures[name] = #at > 0 and at[1].capture or ''
  end
end)
if not ok then seen.problem = tostring(problem) end
vim.fn.writefile({ vim.json.encode(seen) }, vim.env.GG_REPORT)
vim.cmd('qall!')
`;

let folder = '';
let seen: Session;

beforeAll(() => {
  const { command, folder: files } = unpackDebian('forky', ['neovim']);
  const project = createProject();
  folder = project.folder;
  const config = join(project.home, '.config/nvim');
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, 'init.lua'), documented('Neovim', 'lua').join('\n'));
  const [build = ''] = documented('Neovim', 'console');
  cpSync('editors/tree-sitter-gg', join(folder, 'project/node_modules/gg-svc/editors/tree-sitter-gg'), {
    recursive: true,
  });
  const env = {
    PATH: process.env.PATH,
    HOME: project.home,
    VIMRUNTIME: join(files, 'usr/share/nvim/runtime'),
    GG_FILE: project.file,
    GG_REPORT: join(folder, 'report.json'),
  };
  const cwd = join(folder, 'project');
  const commands = build.replace(/^\$ /gm, '');
  const built = spawnSync('bash', ['-ec', commands], { cwd, env, encoding: 'utf8' });
  if (built.status !== 0) throw new Error(built.stderr);
  writeFileSync(join(folder, 'session.lua'), script);
  const [program, ...before] = command('nvim');
  const args = [...before, '--headless', '-c', `luafile ${join(folder, 'session.lua')}`];
  const { stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8', timeout: 300_000 });
  try {
    seen = JSON.parse(readFileSync(env.GG_REPORT, 'utf8'));
  } catch {
    throw new Error(`Neovim wrote no report: ${stderr}`);
  }
  if (seen.problem !== undefined) throw new Error(`${seen.problem}\n${stderr}\n${JSON.stringify(seen)}`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('Neovim with the documented set-up', () => {
  test('is a supported release', () => {
    expect(seen.version).toMatch(/^0\.1[1-9]|^[1-9]/);
  });

  test('attaches the language server and shows its findings', () => {
    expect(seen.clients).toEqual(['gg']);
    expect(seen.findings).toContain('GG2040 line 2');
  });

  test('completes edge types', () => {
    expect(seen.completions).toEqual(expect.arrayContaining(['PROCESS', 'FOLD', 'FORK', 'RACE']));
  });

  test('applies a fix', () => {
    expect(seen.fixed).toContain('(root)-[:PROCESS { id: ID! }]->(user: Record');
  });

  test('shows the type of a node', () => {
    expect(seen.hover).toContain('type User {');
  });

  test('renames a node and the types of fields', () => {
    expect(seen.renamed).toContain('->(person: Record { id: ID!, name: String! })');
    expect(seen.renamed).toContain('lead: Person!');
  });

  test('formats', () => {
    expect(seen.formatted).toContain('(root)-[:PROCESS]->(team { lead: Person! })');
  });

  test('colours with the tree-sitter grammar', () => {
    expect(seen.captures).toEqual({
      comment: 'comment.documentation',
      type: 'keyword',
      id: 'variable',
      label: 'type',
      key: 'property',
    });
  });
});
