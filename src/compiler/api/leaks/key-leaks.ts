import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import { baseName, nullable } from '../../graph/type-ref.js';
import type { GqlField, GqlObjectType } from '../../schema/gql-schema.js';
import { batchKeyOf } from '../batch-key.js';
import { type LeakRule, wordsOf } from './ways.js';

/** GG3084: a guarded key is the id of an object that callers may read, or a part of the cursors of a page. */
export const keyLeaks: LeakRule = function* (schema, ways) {
  // The key `authorId` of the field `author` is the field `id` of the author.
  for (const place of ways.places()) {
    const { owner, member } = place;
    if (owner === undefined || nullable(member.type).kind === 'list') continue;
    const target = ways.typeOf(baseName(member.type));
    const id = idOf(target);
    if (target === undefined || id === undefined) continue;
    const name = batchKeyOf(schema, owner, member)?.field;
    const key = owner.fields.find((one) => one.name === name);
    if (key === undefined || key.name === 'id') continue;
    const coordinate = `${owner.name}.${key.name}`;
    for (const leak of ways.leaks(place, key, target, id)) {
      const words = wordsOf(leak, `${target.name}.id is ${coordinate}`);
      yield diagnose('GG3084', { key: coordinate, ...words }, leak.span);
    }
  }
  // A cursor has the id of its item, and is no secret.
  for (const place of ways.places()) {
    for (const item of place.member.page === undefined ? [] : ways.typesOf(place.result)) {
      const key = `${item.name}.id`;
      for (const leak of ways.leaks(place, idOf(item) ?? {}, item))
        yield diagnose('GG3084', { key, ...wordsOf(leak, `cursor with ${key}`) }, leak.span);
    }
  }
};

function idOf(type: GqlObjectType | undefined): GqlField | undefined {
  return type?.fields.find(({ name }) => name === 'id');
}
