import { define } from './define.js';
import { quoted } from './quoted.js';

/** `GG3xxx`: the topology is correct, but has no projection, or an unexpected one. */
export const schemaCodes = {
  GG3001: define<{ type: string; one: string; other: string }>({
    severity: 'error',
    name: 'type-name-collision',
    message: ({ type, one, other }) => `Nodes “${one}” and “${other}” would both become the type ${type}.`,
    hint: ({ other }) => `Rename one of them, for example ${other}_2, or use one id for both.`,
  }),
  GG3002: define<{ node: string; type: string }>({
    severity: 'error',
    name: 'reserved-type-name',
    message: ({ node, type }) =>
      `Node “${node}” would become the type ${type}, a name that GraphQL reserves.`,
    hint: ({ node }) => `Rename the node, for example ${node}_record.`,
  }),
  GG3003: define<{ node: string; type: string; of: string }>({
    severity: 'error',
    name: 'derived-name-collision',
    message: ({ node, type, of }) =>
      `Node “${node}” would become the type ${type}, which is already derived from “${of}”.`,
    hint: ({ node }) => `Rename the node, for example ${node}_record.`,
  }),
  GG3004: define<{ kind: string; operation: string; one: string; other: string }>({
    severity: 'error',
    name: 'operation-name-collision',
    message: ({ kind, operation, one, other }) =>
      `The edges to “${one}” and “${other}” would both become the ${kind} ${operation}.`,
    hint: () => "Name one of them on its edge: { operation: 'otherName' }.",
  }),
  GG3005: define<{ operation: string; argument: string; one: string; other: string }>({
    severity: 'error',
    name: 'argument-clash',
    message: ({ operation, argument, one, other }) =>
      `${operation} would get the argument “${argument}” twice, as ${one} and as ${other}.`,
    hint: () => 'Declare it identically in both places, or list the arguments on the edge itself.',
  }),
  GG3006: define<{ operation: string; one: string; other: string }>({
    severity: 'error',
    name: 'result-clash',
    message: ({ operation, one, other }) => `${operation} would return both ${one} and ${other}.`,
    hint: () => "Give the edges one result, or give one of them another name: { operation: 'otherName' }.",
  }),
  GG3007: define<{ node: string; kind: string; union: string }>({
    severity: 'error',
    name: 'union-member-not-an-object',
    message: ({ node, kind, union }) =>
      `“${node}” is ${kind}, so it cannot be a member of the union ${union}.`,
    hint: () => 'Race nodes that become object types.',
  }),
  GG3008: define<{ name: string; reason: string }>({
    severity: 'error',
    name: 'invalid-graphql-name',
    message: ({ name, reason }) => `“${name}” cannot be a GraphQL name: ${reason}.`,
    hint: () => 'A name uses letters A–Z, digits and _, begins with a letter or one _, and not with two.',
  }),
  GG3009: define<{ node: string; type: string }>({
    severity: 'warning',
    name: 'name-begins-with-digit',
    message: ({ node, type }) =>
      `“${node}” begins with a digit, which GraphQL does not allow; it becomes ${type}.`,
    hint: () => 'Begin the id with a letter to choose the name yourself.',
  }),
  GG3010: define({
    severity: 'information',
    name: 'no-query',
    message: () =>
      'The topology has no PROCESS edge. GraphQL requires a query, so the SDL has the placeholder Query._empty.',
    hint: () => 'To add a query, add an edge such as (root)-[:PROCESS]->(read_it).',
  }),
  GG3011: define<{ race: string; fold: string }>({
    severity: 'error',
    name: 'race-over-fold',
    message: ({ race, fold }) =>
      `The race to “${race}” has a branch that reaches the FOLD into “${fold}”; racing branches may not change data.`,
    hint: () =>
      'A losing branch would already have changed something. Fold after the race: (a | b)-[:RACE]->(c)-[:FOLD]->(d).',
  }),
  GG3012: define<{ property: string; edge: string; expected: string }>({
    severity: 'warning',
    name: 'setting-without-meaning',
    message: ({ property, edge }) => `“${property}” has no effect on a ${edge} edge.`,
    hint: ({ expected }) => expected,
  }),
  GG3013: define<{ name: string; position: string }>({
    severity: 'error',
    name: 'type-in-wrong-position',
    message: ({ name, position }) => `${name} cannot be used in ${position}.`,
    hint: ({ position }) =>
      position === 'an argument'
        ? 'Use a scalar, an enum, an input, or an object type, which is replaced by its input.'
        : 'Use the object type itself.',
  }),
  GG3014: define<{ target: string; union: string; taken: string }>({
    severity: 'error',
    name: 'union-name-collision',
    message: ({ target, union, taken }) =>
      `The union of the race to “${target}” would be called ${union}, which is already the name of ${taken}.`,
    hint: () => "Give the union another name on its edge: { union: 'OtherName' }.",
  }),
  GG3015: define<{ target: string; one: string; other: string }>({
    severity: 'error',
    name: 'union-named-twice',
    message: ({ target, one, other }) =>
      `The races to “${target}” make one union, which is named both ${one} and ${other}.`,
    hint: () => 'Name it on one of the edges, or identically on all of them.',
  }),
  GG3016: define<{ target: string; kind: string }>({
    severity: 'error',
    name: 'race-target-not-an-object',
    message: ({ target, kind }) => `“${target}” is ${kind}, so a union cannot replace it.`,
    hint: () => 'Race to a node that becomes an object type.',
  }),
  GG3017: define<{ operation: string; argument: string; one: string; other: string }>({
    severity: 'information',
    name: 'defaults-differ',
    message: ({ operation, argument, one, other }) =>
      `The argument “${argument}” of ${operation} has two defaults, ${one} and ${other}; neither is used.`,
    hint: () => 'List the arguments on the edge itself to choose a default.',
  }),
  GG3018: define<{ name: string }>({
    severity: 'error',
    name: 'layer-name-collision',
    message: ({ name }) =>
      `The topology has a ${name}, but a layer of the server has one with the same name.`,
    hint: () => "Rename the node, or give the edge another operation: { operation: 'otherName' }.",
  }),
  GG3019: define<{
    subscriptions: readonly string[];
    /** The nodes that the FORK starts at; undefined if the topology has no mutation at all. */
    sources: string | undefined;
    suggestion: string | undefined;
  }>({
    severity: 'information',
    name: 'fork-never-fires',
    message: ({ subscriptions, sources }) =>
      sources === undefined
        ? `The topology has no FOLD, so no mutation fires the ${listed('subscription', subscriptions)}.`
        : `No FOLD leads to “${sources}”, so no mutation fires the ${listed('subscription', subscriptions)}.`,
    hint: ({ suggestion }) =>
      suggestion === undefined
        ? 'Fold into that node, write a resolver for the subscription, or call server.publish().'
        : `Did you mean “${suggestion}”, which a FOLD leads to?`,
  }),
  GG3020: define<{ target: string; branch: string; union: string }>({
    severity: 'information',
    name: 'race-with-one-branch',
    message: ({ target, branch, union }) =>
      `“${branch}” is the only branch of the race to “${target}”, so it always wins; the union ${union} has one member.`,
    hint: ({ branch, target }) => `Add a branch: (${branch} | other)-[:RACE]->(${target}).`,
  }),
  GG3021: define<{
    node: string;
    /** The number of further nodes that the finding is about. */
    others: number;
  }>({
    severity: 'information',
    name: 'node-out-of-reach',
    message: ({ node, others }) =>
      others === 0
        ? `No operation uses “${node}”: no edge leads to it, and no used type refers to it.`
        : `No operation uses “${node}” and ${others} other nodes: no edge leads to them, and no used type refers to them.`,
    hint: () => 'Add an edge to it, use its type, or remove it.',
  }),
  GG3022: define<{ name: string; one: string; place: string; other: string; otherPlace: string }>({
    severity: 'warning',
    name: 'process-type-clash',
    message: ({ name, one, place, other, otherPlace }) =>
      `“${name}” is ${one} in ${place}, but ${other} in ${otherPlace}.`,
    hint: () => 'PROCESS edges lead from one to the other: use one type along the chain, or two names.',
  }),
  GG3023: define<{ argument: string; type: string; operation: string }>({
    severity: 'information',
    name: 'argument-as-json',
    message: ({ argument, type, operation }) =>
      `“${argument}” of type ${type} is too deep for a query string; the REST route of ${operation} takes it as JSON text.`,
    hint: ({ argument }) =>
      `Callers write ?${argument}={…}. Give the query flat arguments, or make it a FOLD: its arguments are a JSON body.`,
  }),
  GG3024: define<{ node: string; undeclared: string }>({
    severity: 'warning',
    name: 'node-misspelt',
    message: ({ node, undeclared }) =>
      `No operation uses “${node}”, and an edge names the undeclared node “${undeclared}”: one of them is probably misspelt.`,
    hint: ({ node, undeclared }) => `Write ${undeclared} here, or ${node} at the edge.`,
  }),
  GG3025: define<{ total: number; declared: number; largest: string; size: number }>({
    severity: 'error',
    name: 'api-too-large',
    message: ({ total, declared, largest, size }) =>
      `The API would have ${total} arguments, union members and sources, from ${declared} in the topology; ${largest} alone has ${size}.`,
    hint: () =>
      'Insert a node between the sources and the targets, or list the needed arguments on the edge.',
  }),
  GG3030: define<{ type: string; kind: string; position: string }>({
    severity: 'error',
    name: 'type-not-returned',
    message: ({ type, kind, position }) => `${type} is ${kind}, so it cannot be ${position}.`,
    hint: ({ kind }) =>
      kind === 'an input'
        ? 'An input is never returned. Use a node without the label Input, perhaps with the same fields.'
        : 'A problem is thrown, never returned. Use a node without the label Problem.',
  }),
  GG3031: define<{ input: string; path: string }>({
    severity: 'error',
    name: 'endless-input',
    message: ({ input, path }) => `${input} can never have a value: ${path} requires another ${input}.`,
    hint: () => 'Remove one “!” on the way, or make the field a list.',
  }),
  GG3032: define<{ source: string; fields: readonly string[]; isShared: boolean }>({
    severity: 'information',
    name: 'fold-of-required-fields',
    message: ({ source, fields }) =>
      `FOLD makes every field of “${source}” optional, including the required ${quoted(fields)}.`,
    hint: ({ source, isShared }) =>
      isShared
        ? `“${source}” is also used as an object type: declare another node with the label Input, and fold from that.`
        : `Give “${source}” the label Input, so that its “!” and its defaults apply to callers.`,
  }),
  GG3037: define<{ operation: string; setting: string; one: string; other: string }>({
    severity: 'error',
    name: 'settings-disagree',
    message: ({ operation, setting, one, other }) =>
      `The edges of ${operation} set “${setting}” to both ${one} and ${other}.`,
    hint: () => 'Set it on one of the edges, or identically on all of them.',
  }),
  GG3038: define<{ route: string; reason: string }>({
    severity: 'error',
    name: 'invalid-route',
    message: ({ route, reason }) => `“${route}” cannot be a route: ${reason}.`,
    hint: () =>
      "A route is a method and a path, such as 'PUT /books/{isbn}', in which each {name} is an argument of the operation.",
  }),
  GG3039: define<{ route: string; taken: string }>({
    severity: 'error',
    name: 'route-taken',
    message: ({ route, taken }) => `The route ${route} matches requests of ${taken}.`,
    hint: () => 'Change the path of one of them.',
  }),
  GG3040: define<{ word: string; type: string }>({
    severity: 'error',
    name: 'unknown-setting',
    message: ({ word, type }) => `“${word}” has no effect on a ${type} edge.`,
    hint: () => 'Remove it, or compile without --strict, which reports every word without effect.',
  }),
  GG3033: define<{ argument: string }>({
    severity: 'error',
    name: 'required-argument-deprecated',
    message: ({ argument }) => `“${argument}” is required, so it cannot be deprecated.`,
    hint: () => 'Callers must be able to omit it: make it nullable, or give it a default.',
  }),
  GG3034: define<{ operation: string; argument: string }>({
    severity: 'error',
    name: 'constraints-differ',
    message: ({ operation, argument }) =>
      `The argument “${argument}” of ${operation} has different constraints in two places.`,
    hint: () => 'Declare the same constraints in both places, or list the arguments on the edge itself.',
  }),
  GG3050: define<{ event: string; fields: readonly string[]; mutation: string; result: string }>({
    severity: 'warning',
    name: 'event-never-complete',
    message: ({ event, fields, mutation, result }) =>
      `An event of “${mutation}” cannot be completed: its result ${result} lacks ${quoted(fields)}, which ${event} requires.`,
    hint: ({ event, fields, result }) =>
      `Add ${fields.length === 1 ? 'the field' : 'the fields'} to ${result}, remove “!”, or write a resolver for ${event}.${fields[0]}.`,
  }),
  GG3051: define<{ argument: string; subscription: string; results: readonly string[] }>({
    severity: 'warning',
    name: 'event-filter-never-matches',
    message: ({ argument, subscription, results }) =>
      `With the argument “${argument}”, “${subscription}” never delivers an event: ${results.join(' and ')} ${results.length === 1 ? 'has' : 'have'} no such field.`,
    hint: ({ argument }) =>
      `Add “${argument}” to the result of the mutation, or rename the argument to match one of its fields.`,
  }),
  GG3063: define<{ operation: string; argument: string }>({
    severity: 'error',
    name: 'page-argument-taken',
    message: ({ operation, argument }) =>
      `${operation} has an argument “${argument}”, which pagination adds.`,
    hint: () => 'Remove the argument: pagination adds first, after, last and before.',
  }),
  GG3064: define<{ operation: string }>({
    severity: 'error',
    name: 'page-of-lists',
    message: ({ operation }) => `${operation} returns a list of lists, which cannot be divided into pages.`,
    hint: () => 'Return a flat list: returns: [Book!]!.',
  }),
  GG3070: define<{ list: string; owner: string; field: string; read: string; target: string }>({
    severity: 'warning',
    name: 'list-of-single-reads',
    message: ({ list, owner, field, read }) =>
      `A client that follows “${field}” from the list “${list}” calls “${read}” once for each ${owner}.`,
    hint: ({ owner, target }) =>
      `Add a field “${target}” to ${owner}, whose resolver can be a batch, or a query with a list of ids.`,
  }),
  GG3060: define<{ name: string; isType: boolean; suggestion: string | undefined }>({
    severity: 'error',
    name: 'unknown-problem',
    message: ({ name, isType }) =>
      isType ? `${name} is not a declared error.` : `There is no declared error ${name}.`,
    hint: ({ suggestion }) =>
      suggestion === undefined
        ? 'Declare it as a node: (out_of_stock: Problem { status: 409 }).'
        : `Did you mean ${suggestion}?`,
  }),
  GG3061: define<{ node: string; field: string }>({
    severity: 'error',
    name: 'reserved-problem-field',
    message: ({ node, field }) => `The declared error “${node}” cannot have a field “${field}”.`,
    hint: ({ field }) =>
      field === 'status'
        ? 'Its status is a number: status: 409.'
        : 'Problem details (RFC 9457) or JavaScript errors already have a member of that name; choose another one.',
  }),
  GG3062: define<{ node: string; edge: string }>({
    severity: 'error',
    name: 'problem-as-source',
    message: ({ node, edge }) => `“${node}” is a declared error, so a ${edge} edge cannot begin at it.`,
    hint: () => 'Name it in the setting “throws” of the operation: throws: [OutOfStock].',
  }),
};

/** `subscription a`, `subscriptions a and b`, `12 subscriptions`. */
function listed(what: string, names: readonly string[]): string {
  if (names.length > 3) return `${names.length} ${what}s`;
  const [last] = names.slice(-1);
  return names.length === 1 ? `${what} ${last}` : `${what}s ${names.slice(0, -1).join(', ')} and ${last}`;
}
