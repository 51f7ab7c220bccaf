import { allOperations, type GqlSchema, type GqlSecurityScheme } from '../../../compiler/schema/gql-schema.js';
import type { Touch } from '../model/change.js';
import type { ChangeLevel } from '../model/change-level.js';
import { type Comparison, pairByKey, pairNames, placelessChange } from '../model/comparison.js';
import type { AuthSettings } from '../model/server-settings.js';

/** How callers authenticate, and how many items a page has at most: settings of the server, which have no place in topologies. */
export function* settingsChanges(comparison: Comparison) {
  const { before, after, settings } = comparison;
  yield* schemeChanges(before.schema, after.schema);
  if (settings === undefined) return;
  const [was, is] = settings;
  if (was.auth !== undefined && is.auth !== undefined) yield* authChanges(before.schema, was.auth, is.auth);
  if (was.pageSize === is.pageSize || !before.types.has('PageInfo')) return;
  const isLower = is.pageSize !== false && (was.pageSize === false || is.pageSize < was.pageSize);
  const textOf = (size: number | false) => (size === false ? 'any number of items' : `at most ${size} items`);
  const message = `Pages have ${textOf(is.pageSize)} instead of ${textOf(was.pageSize)}.`;
  const touch = { in: 'before', type: 'PageInfo' } as const;
  const level = isLower ? 'dangerous' : 'safe';
  yield placelessChange('page-limit-changed', 'server.limits.pageSize', message, touch, level);
}

/** The operations whose callers may have to authenticate. */
function authenticated(schema: GqlSchema, side: 'before' | 'after'): Touch {
  return { in: side, operations: allOperations(schema).filter(({ auth }) => auth !== undefined) };
}

function* schemeChanges(before: GqlSchema, after: GqlSchema) {
  // Where only one side has access settings, these are reported.
  if (before.security === undefined || after.security === undefined) return;
  const byName = (schemes: readonly GqlSecurityScheme[]) => new Map(schemes.map((one) => [schemeName(one), one]));
  const { removed, added } = pairByKey(byName(before.security), byName(after.security));
  for (const scheme of removed) {
    const message = `Callers can no longer authenticate with ${schemeText(scheme)}.`;
    const touch = authenticated(before, 'before');
    yield placelessChange('security-scheme-removed', schemeName(scheme), message, touch);
  }
  for (const scheme of added) {
    const message = `Callers can authenticate with ${schemeText(scheme)}.`;
    const touch = authenticated(after, 'after');
    yield placelessChange('security-scheme-added', schemeName(scheme), message, touch);
  }
}

function schemeName(scheme: GqlSecurityScheme): string {
  return scheme.type === 'bearer' ? 'Authorization: Bearer' : scheme.header;
}

function schemeText(scheme: GqlSecurityScheme): string {
  return scheme.type === 'bearer' ? 'a bearer token' : `a key in the header ${scheme.header}`;
}

/** The tokens and the keys that a server accepts. Added and removed ways to authenticate are schemes. */
function* authChanges(schema: GqlSchema, was: AuthSettings, is: AuthSettings) {
  const touch = authenticated(schema, 'before');
  const tightened = (name: string, message: string, level?: ChangeLevel) =>
    placelessChange('authentication-tightened', `server.auth.${name}`, message, touch, level);
  const loosened = (name: string, message: string) =>
    placelessChange('authentication-loosened', `server.auth.${name}`, message, touch);
  if (was.jwt !== undefined && is.jwt !== undefined) {
    for (const name of ['issuer', 'audience', 'algorithms', 'types'] as const) {
      // Access tokens have the type at+jwt unless others are given (RFC 9068).
      const usual = name === 'types' ? ['at+jwt'] : undefined;
      const [old, found] = [listOf(was.jwt[name]) ?? usual, listOf(is.jwt[name]) ?? usual];
      const place = `jwt.${name}`;
      const { removed, added } = pairNames(old, found);
      if (old === undefined && found !== undefined)
        yield tightened(place, `Only tokens with the ${name} ${found.join(', ')} are accepted.`);
      else if (old !== undefined && found === undefined)
        yield loosened(place, `The ${name} of tokens is not checked any more.`);
      else {
        if (removed.length > 0) yield tightened(place, `Tokens with the ${name} ${removed.join(', ')} are refused.`);
        if (added.length > 0) yield loosened(place, `Tokens with the ${name} ${added.join(', ')} are accepted.`);
      }
    }
    const [old, found] = [was.jwt, is.jwt].map(({ jwks, secretFrom }) => jwks ?? secretFrom);
    if (old !== found) {
      const message = 'The key set of tokens is another one: tokens that were signed with other keys are refused.';
      yield tightened('jwt.jwks', message, 'dangerous');
    }
  }
  if (was.apiKeys === undefined || is.apiKeys === undefined) return;
  const keysOf = ({ keys }: NonNullable<AuthSettings['apiKeys']>) => new Map(keys.map((key) => [key.sha256, key]));
  const keys = pairByKey(keysOf(was.apiKeys), keysOf(is.apiKeys));
  for (const { id } of keys.removed) yield tightened('apiKeys.keys', `A key of ${id} is refused.`);
  for (const { id } of keys.added) yield loosened('apiKeys.keys', `A key of ${id} was added.`);
  for (const [old, found] of keys.kept) {
    for (const name of ['scopes', 'roles'] as const) {
      const { removed, added } = pairNames(old[name], found[name]);
      const [lost, won] = [removed.join(', '), added.join(', ')];
      if (lost !== '') yield tightened('apiKeys.keys', `A key of ${old.id} no longer has the ${name} ${lost}.`);
      if (won !== '') yield loosened('apiKeys.keys', `A key of ${old.id} has the ${name} ${won}.`);
    }
  }
}

function listOf(value: string | readonly string[] | undefined): readonly string[] | undefined {
  return typeof value === 'string' ? [value] : value;
}

/** The directives of provenance and access: the SDL declares each only if something uses it. */
export function* directiveChanges({ before, after }: Comparison) {
  const { removed, added } = pairNames(directivesOf(before.schema), directivesOf(after.schema));
  for (const name of removed) {
    const message = `The directive ${name} was removed, because it is not used any more.`;
    yield placelessChange('directive-removed', name, message, { in: 'before', operations: [] });
  }
  for (const name of added) {
    const message = `The directive ${name} was added.`;
    yield placelessChange('directive-added', name, message, { in: 'after', operations: [] });
  }
}

function directivesOf(schema: GqlSchema): readonly string[] {
  const { objects, enums, scalars, inputs, interfaces = [], unions, security } = schema;
  const results = [...allOperations(schema), ...unions];
  const types = [...objects, ...enums, ...scalars, ...inputs, ...interfaces];
  return [
    ...(results.some(({ edges }) => edges.length > 0) ? ['@topology'] : []),
    ...(types.some(({ node }) => node !== undefined) ? ['@node'] : []),
    ...(security === undefined ? [] : ['@auth']),
    ...(results.some(({ open }) => open !== undefined) ? ['@open'] : []),
  ];
}
