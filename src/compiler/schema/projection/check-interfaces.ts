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
  context: ProjectionContext,
): void {
  if (interfaces === undefined) return;
  const check = new InterfaceCheck([...objects, ...interfaces], unions, context);
  const implemented = new Set<string>();
  for (const type of objects) for (const name of type.interfaces ?? []) implemented.add(name);
  for (const type of [...interfaces, ...objects]) check.visit(type);
  for (const { name, node } of interfaces) {
    if (implemented.has(name) || node === undefined) continue;
    context.diagnostics.push(diagnose('GG2034', { node: node.id, type: name }, node.span));
  }
}

class InterfaceCheck {
  readonly #types: ReadonlyMap<string, GqlObjectType>;
  readonly #unions: ReadonlyMap<string, GqlUnionType>;

  constructor(
    types: readonly GqlObjectType[],
    unions: readonly GqlUnionType[],
    private readonly context: ProjectionContext,
  ) {
    this.#types = new Map(types.map((type) => [type.name, type]));
    this.#unions = new Map(unions.map((union) => [union.name, union]));
  }

  visit(type: GqlObjectType): void {
    for (const name of type.interfaces ?? []) {
      const wanted = this.#types.get(name);
      if (name === type.name) {
        const remedy = 'Remove it from the lists of its interfaces.';
        this.#report(type, name, 'it would implement itself', remedy, undefined);
      } else if (wanted !== undefined) {
        for (const field of wanted.fields) this.#compare(type, name, field);
      }
    }
  }

  #compare(type: GqlObjectType, name: string, wanted: GqlField): void {
    const field = type.fields.find((one) => one.name === wanted.name);
    const report = (reason: string, remedy: string) => {
      this.#report(type, name, reason, remedy, wanted.span, field?.span);
    };
    const wantedType = printTypeRef(wanted.type);
    if (field === undefined) {
      report(`it has no field “${wanted.name}”`, `Add ${wanted.name}: ${wantedType} to “${type.node?.id}”.`);
      return;
    }
    if (!isSubtype(field.type, wanted.type, this.#fits)) {
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

  readonly #fits = (name: string, wanted: string): boolean =>
    name === wanted ||
    this.#unions.get(wanted)?.members.includes(name) === true ||
    this.#types.get(name)?.interfaces?.includes(wanted) === true;

  #report(
    { name: type, node }: GqlObjectType,
    wanted: string,
    reason: string,
    remedy: string,
    wantedSpan: Span | undefined,
    ownSpan?: Span,
  ): void {
    const { nodes, diagnostics } = this.context;
    const span = ownSpan ?? nodes.get(type)?.settings?.get('implements')?.span ?? node?.span;
    if (span === undefined) throw new Error('invariant: a type of a topology has a node');
    const labels = wantedSpan === undefined ? [] : [{ span: wantedSpan, message: `${wanted} has it` }];
    diagnostics.push(diagnose('GG2033', { type, interface: wanted, reason, remedy }, span, { labels }));
  }
}
