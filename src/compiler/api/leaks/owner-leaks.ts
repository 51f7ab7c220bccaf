import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import { clausesOf } from '../../graph/access.js';
import { nullable } from '../../graph/type-ref.js';
import type { GqlAccess, GqlObjectType } from '../../schema/gql-schema.js';
import { isStored } from '../../schema/schema-index.js';
import { type LeakRule, type Place, wordsOf } from './ways.js';

/**
 * GG3086: a list, a page or a stream of objects with owners, whose length, cursors or times tell of the objects of
 * others. A single object is compared with the caller when it is read.
 */
export const ownerLeaks: LeakRule = function* (_, ways) {
  for (const place of ways.places()) {
    const { owner: parent, member, coordinate, result } = place;
    // The connections of pages belong to the operations and fields that return them.
    if (parent !== undefined && (parent.node === undefined || ownerOf(parent) !== undefined)) continue;
    if (ownerOf(member) !== undefined || !isMany(place)) continue;
    for (const type of ways.typesOf(result)) {
      const owner = ownerOf(type);
      if (owner === undefined || isFiltered(place, type)) continue;
      for (const leak of ways.leaks(place, { auth: 'required', owner })) {
        const name = parent === undefined ? member.name : coordinate;
        const params = { place: name, type: type.name, owner, path: wordsOf(leak, type.name).path };
        yield diagnose('GG3086', params, leak.span);
      }
    }
  }
};

function isMany({ member, owner }: Place): boolean {
  const isStream = owner === undefined && member.kind === 'subscription';
  return isStream || member.page !== undefined || nullable(member.type).kind === 'list';
}

/** Whether a store reads the rows: it reads only those of the caller, so that nothing tells of others. */
function isFiltered({ member, owner, result }: Place, type: GqlObjectType): boolean {
  const isRead = owner === undefined ? member.kind === 'query' : isStored(owner);
  return isRead && isStored(type) && result === type.name;
}

function ownerOf(place: GqlAccess): string | undefined {
  return clausesOf(place).find((clause) => clause.kind === 'owner')?.of;
}
