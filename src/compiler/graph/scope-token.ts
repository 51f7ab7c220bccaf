/** Why a text cannot be a scope, to follow “it”; undefined if it can (`scope-token` of RFC 6749, section 3.3). */
export function whyInvalidScope(scope: string): string | undefined {
  if (scope === '') return 'is empty';
  if (/\s/.test(scope)) return 'has a blank in it';
  const [other] = /[^!#-[\]-~]/u.exec(scope) ?? [];
  return other === undefined ? undefined : `has ${JSON.stringify(other)} in it`;
}
