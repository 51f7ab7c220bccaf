import { accessOf, accessOfClauses, joinAccess, lackingClauses, saysAccess, withoutOwner } from '../../graph/access.js';
import { appendTo } from '../../graph/maps.js';
import { baseName } from '../../graph/type-ref.js';
import type { GqlAccess, GqlField, GqlObjectType, GqlOperation } from '../gql-schema.js';
import type { NodeTypes } from './project-nodes.js';

/** Types, and the demands on callers that read anything of each, beside its owner. */
export interface TypeAccess {
  readonly nodeTypes: NodeTypes;
  readonly demands: ReadonlyMap<string, GqlAccess>;
}

/**
 * The types with what they demand of each other. What a type demands, its fields of other types demand as well, because
 * their selections read it. A type and its fields demand what its interfaces say of them, so that no object gives away
 * what an interface protects. A field of an interface demands what that field of any of its objects demands, because a
 * client may get each of them.
 */
export function withTypeAccess(types: NodeTypes): TypeAccess {
  const { interfaces = [], objects } = types;
  const isOpen = (type: GqlObjectType) => !saysAccess(type) && !type.fields.some(saysAccess);
  if (interfaces.every(isOpen) && objects.every(isOpen)) return { nodeTypes: types, demands: new Map() };
  const declared = new Map(interfaces.map((type) => [type.name, type]));
  const interfacesOf = (type: GqlObjectType) => type.interfaces?.flatMap((name) => declared.get(name) ?? []);
  const joinTypes = (type: GqlObjectType): GqlObjectType => ({
    ...type,
    ...(interfacesOf(type) ?? []).reduce<GqlAccess>(joinAccess, accessOf(type)),
  });
  const joined = { interfaces: interfaces.map(joinTypes), objects: objects.map(joinTypes) };
  const demands = demandsOfTypes([...joined.interfaces, ...joined.objects]);
  const closed = joined.objects.map((type) => {
    const own = interfacesOf(type);
    const selected = withFieldsOf(type, demands);
    return own === undefined ? selected : joinFields(selected, own);
  });
  const objectsOf = new Map<string, GqlObjectType[]>();
  for (const type of closed) {
    for (const name of type.interfaces ?? []) appendTo(objectsOf, name, withoutOwners(type));
  }
  const made = { ...types, objects: closed };
  if (interfaces.length === 0) return { nodeTypes: made, demands };
  const opened = joined.interfaces.map((type) =>
    joinFields(withFieldsOf(type, demands), objectsOf.get(type.name) ?? []),
  );
  return { nodeTypes: { ...made, interfaces: opened }, demands };
}

/** The demands on callers that read anything of each type, beside its owner; empty without any. */
export function demandsOfTypes(types: readonly GqlObjectType[]): ReadonlyMap<string, GqlAccess> {
  return new Map(types.filter(saysAccess).map((type) => [type.name, withoutOwner(type)]));
}

/** The operations, which demand what the types that they return demand. */
export function withResultAccess(
  operations: readonly GqlOperation[],
  demands: ReadonlyMap<string, GqlAccess>,
): readonly GqlOperation[] {
  return demands.size === 0 ? operations : operations.map((operation) => withDemand(operation, demands));
}

/** A type, whose fields demand what their types demand. */
function withFieldsOf(type: GqlObjectType, demands: ReadonlyMap<string, GqlAccess>): GqlObjectType {
  if (demands.size === 0) return type;
  const fields = type.fields.map((field) => withDemand(field, demands));
  return fields.every((field, at) => field === type.fields[at]) ? type : { ...type, fields };
}

function withDemand<Place extends GqlField | GqlOperation>(
  place: Place,
  demands: ReadonlyMap<string, GqlAccess>,
): Place {
  const demand = demands.get(place.page?.node ?? baseName(place.type));
  return demand === undefined ? place : { ...place, ...joinAccess(place, demand) };
}

/** The type, whose fields demand what the fields of the same name in other types demand, too. */
function joinFields(type: GqlObjectType, others: readonly GqlObjectType[]): GqlObjectType {
  const demands = new Map<string, GqlAccess>();
  for (const { fields } of others) {
    for (const field of fields) {
      if (saysAccess(field)) demands.set(field.name, joinAccess(demands.get(field.name) ?? {}, field));
    }
  }
  if (demands.size === 0) return type;
  const fields = type.fields.map((field): GqlField => {
    const demand = demands.get(field.name);
    // Each field has the demands of its type.
    if (demand === undefined) return field;
    if (demand.auth !== 'required') return { ...field, ...joinAccess(field, demand) };
    const lacking = lackingClauses(demand, type, field);
    return lacking.length === 0 ? field : { ...field, ...joinAccess(field, accessOfClauses(lacking)) };
  });
  return { ...type, fields };
}

/**
 * The fields of a type with everything that selecting them through an interface demands. Whose an object is, is
 * compared with the object itself: others of the interface may have no owner.
 */
function withoutOwners(type: GqlObjectType): GqlObjectType {
  const ofType = withoutOwner(type);
  return {
    ...type,
    fields: type.fields.map((field) => {
      const { owner: _, further: __, ...rest } = field;
      return { ...rest, ...accessOf(joinAccess(withoutOwner(field), ofType)) };
    }),
  };
}
