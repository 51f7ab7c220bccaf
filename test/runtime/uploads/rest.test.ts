import { describe, expect, it, vi } from 'vitest';
import { createGqlServer, type GqlServerOptions } from '../../../src/index.js';
import type { GgFile } from '../../../src/runtime/uploads/uploaded-file.js';

const source = `
(root)-[:PROCESS]->(stored { id: ID!, text: String! })
(new: Input { title: String!, tags: [String!], picture: File! })
(new)-[:FOLD { operation: 'add' }]->(stored)
(root)-[:FOLD { operation: 'store', id: ID!, sizes: [Int!], file: File! }]->(stored)
(root)-[:FOLD { operation: 'both', front: File!, back: File! }]->(stored)
(root)-[:FOLD { operation: 'maybe', note: String, file: File }]->(stored)
`;

interface Args {
  readonly id: string;
  readonly sizes?: readonly number[];
  readonly file: GgFile;
}

async function describeFile(file: GgFile): Promise<string> {
  const { filename, mediaType } = await file.head();
  return `${filename} ${mediaType} ${Buffer.from(await file.bytes()).toString()}`;
}

function server(more: Partial<GqlServerOptions> = {}, mutations: object = {}) {
  return createGqlServer({
    topologies: [{ name: 'uploads.gg', source }],
    ...more,
    resolvers: {
      Mutation: {
        add: async (_: unknown, { input }: { input: { title: string; tags?: string[]; picture: GgFile } }) => ({
          id: input.title,
          text: `${JSON.stringify(input.tags)} ${await describeFile(input.picture)}`,
        }),
        store: async (_: unknown, { id, sizes, file }: Args) => ({
          id,
          text: `${JSON.stringify(sizes)} ${await describeFile(file)}`,
        }),
        both: async (_: unknown, { front, back }: { front: GgFile; back: GgFile }) => {
          const texts = await Promise.all([describeFile(back), describeFile(front)]);
          return { id: '1', text: texts.join(' | ') };
        },
        maybe: async (_: unknown, { note, file }: { note?: string; file?: GgFile }) => ({
          id: '1',
          text: `${note} ${file && (await describeFile(file))}`,
        }),
        ...mutations,
      },
    },
  });
}

type Part = readonly [name: string, value: string | Blob, filename?: string];

function form(...parts: readonly Part[]): FormData {
  const made = new FormData();
  for (const [name, value, filename] of parts) {
    if (typeof value === 'string') made.append(name, value);
    else made.append(name, value, filename);
  }
  return made;
}

const blob = (text: string, type = 'text/plain') => new Blob([text], { type });

async function post(
  target: ReturnType<typeof server>,
  path: string,
  body: FormData | string,
  headers: Readonly<Record<string, string>> = {},
) {
  const response = await target.fetch(new Request(`http://localhost${path}`, { method: 'POST', body, headers }));
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

describe('a mutation with a file over REST', () => {
  it('reads texts as in a query string, and the file with its name and media type', async () => {
    const sent = form(['id', '7'], ['sizes', '1'], ['sizes', '2'], ['file', blob('abc', 'image/png'), 'a.png']);
    expect(await post(server(), '/api/store', sent)).toEqual({
      status: 200,
      body: { id: '7', text: '[1,2] a.png image/png abc' },
    });
  });

  it('reads an input as JSON, with its file as a part of its own', async () => {
    const sent = form(['input', '{"title":"t","tags":["x"]}'], ['input.picture', blob('pic'), 'p.txt']);
    expect(await post(server(), '/api/add', sent)).toEqual({
      status: 200,
      body: { id: 't', text: '["x"] p.txt text/plain pic' },
    });
  });

  it('gives several files, in whatever order they arrive', async () => {
    const expected = { id: '1', text: 'b.txt text/plain back | f.txt text/plain front' };
    const [front, back] = [
      ['front', blob('front'), 'f.txt'],
      ['back', blob('back'), 'b.txt'],
    ] as const;
    expect((await post(server(), '/api/both', form(front, back))).body).toEqual(expected);
    expect((await post(server(), '/api/both', form(back, front))).body).toEqual(expected);
  });

  it('takes JSON, and forms without a file, if the file is optional', async () => {
    const headers = { 'content-type': 'application/json' };
    expect((await post(server(), '/api/maybe', '{"note":"n"}', headers)).body.text).toBe('n undefined');
    expect((await post(server(), '/api/maybe', form(['note', 'n']))).body.text).toBe('n undefined');
    const withFile = form(['file', blob('x'), 'x']);
    expect((await post(server(), '/api/maybe', withFile)).body.text).toBe('undefined x text/plain x');
    expect((await post(server(), '/api/maybe', '{"file":"eA=="}', headers)).body.detail).toBe(
      '“file” must be a file, as a part of multipart/form-data, not "eA==".',
    );
  });

  it.each<[string, string, readonly Part[], string]>([
    ['a missing file', '/api/store', [['id', '1']], '“file” is missing.'],
    ['a missing text', '/api/store', [['file', blob(''), 'f']], '“id” is missing.'],
    [
      'a missing second file',
      '/api/both',
      [['front', blob('x'), 'f']],
      'The form cannot be read: the file “back” is missing.',
    ],
    [
      'an unknown text',
      '/api/store',
      [
        ['id', '1'],
        ['ids', '1'],
        ['file', blob(''), 'f'],
      ],
      'There is no parameter “ids”. Did you mean “id”?',
    ],
    ['an unknown file', '/api/maybe', [['fil', blob(''), 'f']], 'There is no parameter “fil”. Did you mean “file”?'],
    [
      'a text in place of a file',
      '/api/store',
      [
        ['id', '1'],
        ['file', 'x'],
      ],
      '“file” must be a file: its part has no filename.',
    ],
    [
      'a file in place of a text',
      '/api/store',
      [
        ['id', blob('1'), 'id'],
        ['file', blob(''), 'f'],
      ],
      '“id” must be a text: its part has a filename.',
    ],
    [
      'a wrong text',
      '/api/store',
      [
        ['id', '1'],
        ['sizes', 'x'],
        ['file', blob(''), 'f'],
      ],
      '“sizes[0]” must be a 32-bit integer, not "x".',
    ],
    [
      'JSON that is none',
      '/api/add',
      [
        ['input', '{'],
        ['input.picture', blob(''), 'f'],
      ],
      '“input” is not JSON.',
    ],
    [
      'JSON that is no object',
      '/api/add',
      [
        ['input', '1'],
        ['input.picture', blob(''), 'f'],
      ],
      '“input” must be an object, not 1.',
    ],
    ['an input without its file', '/api/add', [['input', '{"title":"t"}']], '“input.picture” is missing.'],
    ['no input at all', '/api/add', [], '“input” is missing.'],
    ['an input without its text', '/api/add', [['input.picture', blob(''), 'f']], '“input.title” is missing.'],
    [
      'a text after a file',
      '/api/maybe',
      [
        ['file', blob(''), 'f'],
        ['note', 'n'],
      ],
      'The form cannot be read: the text “note” must precede the files.',
    ],
    [
      'a file that is given twice',
      '/api/maybe',
      [
        ['file', blob(''), 'f'],
        ['file', blob(''), 'f'],
      ],
      'The form cannot be read: “file” is given twice.',
    ],
    [
      'an unknown second file',
      '/api/maybe',
      [
        ['file', blob('x'.repeat(300_000)), 'f'],
        ['x', blob(''), 'f'],
      ],
      'The form cannot be read: no argument takes the file “x”.',
    ],
  ])('rejects %s with 400', async (_, path, parts, detail) => {
    const { status, body } = await post(server(), path, form(...parts));
    expect([status, body.detail]).toEqual([400, detail]);
  });

  it('lists every mistake in the texts', async () => {
    const { body } = await post(server(), '/api/store', form(['sizes', 'x'], ['y', '1']));
    expect(body.errors.map(({ detail }: { detail: string }) => detail)).toEqual([
      'There is no parameter “y”.',
      '“id” is missing.',
      '“sizes[0]” must be a 32-bit integer, not "x".',
      '“file” is missing.',
    ]);
  });

  it.each<[string, NonNullable<GqlServerOptions['limits']>, readonly Part[], string]>([
    ['a file', { fileBytes: 4 }, [['file', blob('12345'), 'f']], 'The file “file” has more than 4 bytes.'],
    ['the texts', { body: 4 }, [['note', '12345']], 'The form has texts of more than 4 bytes.'],
    [
      'the number of files',
      { files: 1 },
      [
        ['file', blob(''), 'f'],
        ['b', blob(''), 'f'],
      ],
      'The form has more than 1 files.',
    ],
  ])('is refused with 413 if %s is beyond the limit', async (_, limits, parts, detail) => {
    const { status, body } = await post(server({ limits }), '/api/maybe', form(...parts));
    expect([status, body]).toEqual([413, expect.objectContaining({ detail, code: 'UPLOAD_TOO_LARGE' })]);
  });

  it('is refused by its content-length before the body is read', async () => {
    const limits = { body: 10, files: 1, fileBytes: 10 };
    const { status, body } = await post(server({ limits }), '/api/maybe', 'x', {
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': '21',
    });
    expect([status, body.detail]).toEqual([413, 'The form has more than 20 bytes.']);
  });

  it('keeps the status of the file when the resolver wraps its error', async () => {
    const wrapping = server(
      { limits: { fileBytes: 4 } },
      {
        maybe: async (_: unknown, { file }: { file: GgFile }) => {
          await file.bytes().catch((cause: unknown) => {
            throw new Error('cannot store', { cause });
          });
        },
      },
    );
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    expect((await post(wrapping, '/api/maybe', form(['file', blob('12345'), 'f']))).status).toBe(413);
    vi.restoreAllMocks();
  });

  it.each([
    ['without a boundary', 'multipart/form-data', ''],
    [
      'without an end',
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\nabc',
    ],
    [
      'with a part without a name',
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data\r\n\r\nabc\r\n--b--',
    ],
    [
      'with a file without a name',
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; filename="f"\r\n\r\nabc\r\n--b--',
    ],
  ])('is refused with 400 %s', async (_, type, body) => {
    const answer = await post(server(), '/api/maybe', body, { 'content-type': type });
    expect([answer.status, answer.body.code]).toEqual([400, 'UPLOAD_INVALID']);
  });

  it('is refused for a page of another site unless it sends a preflight header', async () => {
    const foreign = { 'sec-fetch-site': 'cross-site' };
    const refused = await post(server(), '/api/maybe', form(['note', 'n']), foreign);
    expect([refused.status, refused.body.code]).toEqual([400, 'CSRF_PREVENTED']);
    const allowed = await post(server(), '/api/maybe', form(['note', 'n']), {
      ...foreign,
      'graphql-require-preflight': '1',
    });
    expect(allowed.status).toBe(200);
  });

  it('refuses a compressed form', async () => {
    const headers = { 'content-encoding': 'gzip' };
    expect((await post(server(), '/api/maybe', form(['note', 'n']), headers)).status).toBe(415);
  });
});
