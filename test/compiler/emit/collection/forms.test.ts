import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { schemaToCollection } from '../../../../src/compiler/emit/collection.js';
import type { GgFile } from '../../../../src/index.js';
import { directoryWith } from '../../../tools/cli/stand-in-io.js';
import { documentsOf, whileServed } from '../../../tools/workflows/served-example.js';
import { runNewman } from '../run-newman.js';

const source = readFileSync(new URL('../../../../golden/language-uploads/input.gg', import.meta.url), 'utf8');

describe('the forms of a collection', () => {
  test('send the file of the variable over REST and over GraphQL, and their answers fit', async () => {
    const received: string[] = [];
    const take = async (file: GgFile) => {
      const { filename } = await file.head();
      received.push(`${filename} ${(await file.bytes()).length}`);
    };
    const profile = { id: '1', name: 'Ada' };
    type Files = Readonly<Record<string, GgFile>>;
    const resolvers = {
      Query: { profile: () => profile },
      Mutation: {
        addProfile: async (_: unknown, { input }: { input: Files }) => {
          await take(input.picture as GgFile);
          return profile;
        },
        setAvatar: () => profile,
        checkPassport: async (_: unknown, { front, back }: Files) => {
          await Promise.all([take(front as GgFile), take(back as GgFile)]);
          return profile;
        },
        attach: async (_: unknown, { scan }: Files) => {
          await take(scan as GgFile);
          return profile;
        },
      },
    };
    const topologies = [{ name: 'uploads.gg', source }];
    const schema = documentsOf(topologies)?.schema;
    if (schema === undefined) throw new Error('the golden has errors');
    const file = join(directoryWith({}), 'ada.png');
    writeFileSync(file, 'PNG');
    const result = await whileServed({ topologies, resolvers }, (origin) =>
      runNewman(schemaToCollection(schema, 'Uploads', origin), [{ key: 'file', value: file }]),
    );
    expect(result).toEqual({ requests: 10, assertions: 30, failures: [] });
    expect(received).toEqual(Array.from({ length: 8 }, () => 'ada.png 3'));
  });
});
