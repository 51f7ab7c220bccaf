import { diagnose } from '../../../base/diagnostics/diagnostic.js';
import type { Span } from '../../../base/source/span.js';
import { isSubtype, printTypeRef, sameType } from '../../graph/type-ref.js';
import type { GqlField, GqlObjectType, GqlUnionType } from '../gql-schema.js';
import type { NodeTypes } from './project-nodes.js';
import type { ProjectionContext } from './type-projection.js';

/**
 * Checks that each type fits its interfaces (GG2033): it has their fields, with the same types or narrower ones, and
 * takes their arguments (GraphQL, September 2025, section 3.6.1). An interface that nothing implements is a warning
 * (GG2034), because no value can have it.
 */
export function checkInterfaces(
  { objects, interfaces }: NodeTypes,
  unions: readonly GqlUnionType[],
  { nodes, diagnostics }: ProjectionContext,
): void {
  if (interfaces === undefined) return;
  const all = [...interfaces, ...objects];
  const types = new Map(all.map((type) => [type.name, type]));
  const members = new Map(unions.map((union) => [union.name, union.members]));
  const fits: Fits = (name, wanted) =>
    name === wanted ||
    members.get(wanted)?.includes(name) === true ||
    types.get(name)?.interfaces?.includes(wanted) === true;
  for (const type of all) {
    for (const name of type.interfaces ?? []) {
      const report = ({ reason, remedy, wanted, own }: Misfit): void => {
        const span = own ?? nodes.get(type.name)?.settings?.get('implements')?.span ?? type.node?.span;
        if (span === undefined) throw new Error('invariant: a type of a topology has a node');
        const labels = wanted === undefined ? [] : [{ span: wanted, message: `${name} has it` }];
        const params = { type: type.name, interface: name, reason, remedy };
        diagnostics.push(diagnose('GG2033', params, span, { labels }));
      };
      if (name === type.name) {
        const remedy = 'Remove it from the lists of its interfaces.';
        report({ reason: 'it would implement itself', remedy });
      } else for (const wanted of types.get(name)?.fields ?? []) compare(type, wanted, fits, report);
    }
  }
  const implemented = new Set(objects.flatMap((type) => type.interfaces ?? []));
  for (const { name, node } of interfaces) {
    if (implemented.has(name) || node === undefined) continue;
    diagnostics.push(diagnose('GG2034', { node: node.id, type: name }, node.span));
  }
}

type Fits = (name: string, wanted: string) => boolean;

interface Misfit {
  readonly reason: string;
  readonly remedy: string;
  /** The place of the field in the interface, and in the type. */
  readonly wanted?: Span | undefined;
  readonly own?: Span | undefined;
}

function compare(type: GqlObjectType, wanted: GqlField, fits: Fits, reportAt: (misfit: Misfit) => void): void {
  const field = type.fields.find(({ name }) => name === wanted.name);
  const report = (reason: string, remedy: string) =>
    reportAt({ reason, remedy, wanted: wanted.span, own: field?.span });
  const wantedType = printTypeRef(wanted.type);
  if (field === undefined) {
    report(`it has no field “${wanted.name}”`, `Add ${wanted.name}: ${wantedType} to “${type.node?.id}”.`);
    return;
  }
  if (!isSubtype(field.type, wanted.type, fits)) {
    const reason = `its field “${field.name}” is ${printTypeRef(field.type)}, and not ${wantedType}`;
    report(reason, `Declare it as ${wantedType}, or as a narrower type.`);
  }
  const taken = new Map(field.arguments?.map((argument) => [argument.name, argument]));
  for (const argument of wanted.arguments ?? []) {
    const own = taken.get(argument.name);
    taken.delete(argument.name);
    if (own !== undefined && sameType(own.type, argument.type)) continue;
    const text = `${argument.name}: ${printTypeRef(argument.type)}`;
    report(`its field “${field.name}” does not take ${text}`, `Add the argument ${text}.`);
  }
  for (const { name: further, type: given, fallback } of taken.values()) {
    if (given.kind !== 'nonNull' || (fallback ?? null) !== null) continue;
    const reason = `its field “${field.name}” requires the argument “${further}”`;
    report(reason, 'Make the argument nullable, or give it a default.');
  }
}
