import { didYouMean, error, information, quoted, warning } from './define.js';

/** `GG3xxx`: the topology is correct, but has no projection, or an unexpected one. */
export const schemaCodes = {
  GG3001: error(
    'type-name-collision',
    'Nodes “{one}” and “{other}” would both become the type {type}.',
    'Rename one of them, for example {other}_2, or use one id for both.',
  ),
  GG3002: error(
    'reserved-type-name',
    'Node “{node}” would become the type {type}, a name that GraphQL reserves.',
    'Rename the node, for example {node}_record.',
  ),
  GG3003: error(
    'derived-name-collision',
    'Node “{node}” would become the type {type}, which is already derived from “{of}”.',
    'Rename the node, for example {node}_record.',
  ),
  GG3004: error(
    'operation-name-collision',
    'The edges to “{one}” and “{other}” would both become the {kind} {operation}.',
    "Name one of them on its edge: { operation: 'otherName' }.",
  ),
  GG3005: error(
    'argument-clash',
    '{operation} would get the argument “{argument}” twice, as {one} and as {other}.',
    'Declare it identically in both places, or list the arguments on the edge itself.',
  ),
  GG3006: error(
    'result-clash',
    '{operation} would return both {one} and {other}.',
    "Give the edges one result, or give one of them another name: { operation: 'otherName' }.",
  ),
  GG3007: error(
    'union-member-not-an-object',
    '“{node}” is {kind}, so it cannot be a member of the union {union}.',
    'Race nodes that become object types.',
  ),
  GG3008: error(
    'invalid-graphql-name',
    '“{name}” cannot be a GraphQL name: {reason}.',
    'A name uses letters A–Z, digits and _, begins with a letter or one _, and not with two.',
  ),
  GG3009: warning(
    'name-begins-with-digit',
    '“{node}” begins with a digit, which GraphQL does not allow; it becomes {type}.',
    'Begin the id with a letter to choose the name yourself.',
  ),
  GG3010: information(
    'no-query',
    'The topology has no PROCESS edge. GraphQL requires a query, so the SDL has the placeholder Query._empty.',
    'To add a query, add an edge such as (root)-[:PROCESS]->(read_it).',
  ),
  GG3011: error(
    'race-over-fold',
    'The race to “{race}” has a branch that reaches the FOLD into “{fold}”; racing branches may not change data.',
    'A losing branch would already have changed something. Fold after the race: (a | b)-[:RACE]->(c)-[:FOLD]->(d).',
  ),
  GG3012: warning('setting-without-meaning', '“{property}” has no effect on a {edge} edge.', '{expected}'),
  GG3013: error(
    'type-in-wrong-position',
    '{name} cannot be used in {position}.',
    ({ position }: { position: string }) =>
      position === 'an argument'
        ? 'Use a scalar, an enum, an input, or an object type, which is replaced by its input.'
        : 'Use the object type itself.',
  ),
  GG3014: error(
    'union-name-collision',
    'The union of the race to “{target}” would be called {union}, which is already the name of {taken}.',
    "Give the union another name on its edge: { union: 'OtherName' }.",
  ),
  GG3015: error(
    'union-named-twice',
    'The races to “{target}” make one union, which is named both {one} and {other}.',
    'Name it on one of the edges, or identically on all of them.',
  ),
  GG3016: error(
    'race-target-not-an-object',
    '“{target}” is {kind}, so a union cannot replace it.',
    'Race to a node that becomes an object type.',
  ),
  GG3017: information(
    'defaults-differ',
    'The argument “{argument}” of {operation} has two defaults, {one} and {other}; neither is used.',
    'List the arguments on the edge itself to choose a default.',
  ),
  GG3018: error(
    'layer-name-collision',
    'The topology has a {name}, but a layer of the server has one with the same name.',
    "Rename the node, or give the edge another operation: { operation: 'otherName' }.",
  ),
  GG3019: information(
    'fork-never-fires',
    ({ subscriptions, sources }: { subscriptions: readonly string[]; sources: string | undefined }) =>
      sources === undefined
        ? `The topology has no FOLD, so no mutation fires the ${listed('subscription', subscriptions)}.`
        : `No FOLD leads to “${sources}”, so no mutation fires the ${listed('subscription', subscriptions)}.`,
    ({ suggestion }: { suggestion: string | undefined }) =>
      suggestion === undefined
        ? 'Fold into that node, write a resolver for the subscription, or call server.publish().'
        : `Did you mean “${suggestion}”, which a FOLD leads to?`,
  ),
  GG3020: information(
    'race-with-one-branch',
    '“{branch}” is the only branch of the race to “{target}”, so it always wins; the union {union} has one member.',
    'Add a branch: ({branch} | other)-[:RACE]->({target}).',
  ),
  GG3021: information(
    'node-out-of-reach',
    ({ node, others }: { node: string; others: number }) =>
      others === 0
        ? `No operation uses “${node}”: no edge leads to it, and no used type refers to it.`
        : `No operation uses “${node}” and ${others} other nodes: no edge leads to them, and no used type refers to them.`,
    'Add an edge to it, use its type, or remove it.',
  ),
  GG3022: warning(
    'process-type-clash',
    '“{name}” is {one} in {place}, but {other} in {otherPlace}.',
    'PROCESS edges lead from one to the other: use one type along the chain, or two names.',
  ),
  GG3023: information(
    'argument-as-json',
    '“{argument}” of type {type} is too deep for a query string; the REST route of {operation} takes it as JSON text.',
    ({ argument }: { argument: string }) =>
      `Callers write ?${argument}={…}. Give the query flat arguments, or make it a FOLD: its arguments are a JSON body.`,
  ),
  GG3024: warning(
    'node-misspelt',
    'No operation uses “{node}”, and an edge names the undeclared node “{undeclared}”: one of them is probably misspelt.',
    'Write {undeclared} here, or {node} at the edge.',
  ),
  GG3025: error(
    'api-too-large',
    'The API would have {total} arguments, union members and sources, from {declared} in the topology; {largest} alone has {size}.',
    'Insert a node between the sources and the targets, or list the needed arguments on the edge.',
  ),
  GG3026: information(
    'source-without-arguments',
    '“{source}” gives the operation no arguments, because {reason}.',
    ({ source, type, kind }: { source: string; type: string; kind: string }) => {
      if (kind === 'interface') return 'Declare its fields on the edge.';
      return kind === 'object'
        ? `Give “${source}” the label Input to add its fields, or declare them on the edge.`
        : `Declare an argument of the type ${type} on the edge.`;
    },
  ),
  GG3027: information(
    'argument-declared-twice',
    'Both the edge and its source “{source}” declare the argument “{argument}”.',
    'Remove one of them. The description, the tags and the access of the edge apply.',
  ),
  GG3028: warning(
    'one-of-as-arguments',
    'Callers may give several fields of “{source}”, because each becomes an argument of its own.',
    'Declare one argument of its type on the edge, such as by: {type}!.',
  ),
  GG3029: information(
    'policy-without-effect',
    '“{word}” has no effect on {type} edges ({count} in this topology).',
    ({ word }: { word: string }) =>
      /ms$/i.test(word)
        ? 'Write it on a RACE edge. The server limits the time of each operation: limits: { timeout: 30000 }.'
        : 'Write it on a RACE edge. Of other operations, a resolver decides what happens after a failure.',
  ),
  GG3030: error('type-not-returned', '{type} is {kind}, so it cannot be {position}.', ({ kind }: { kind: string }) =>
    kind === 'an input'
      ? 'An input is never returned. Use a node without the label Input, perhaps with the same fields.'
      : 'A problem is thrown, never returned. Use a node without the label Problem.',
  ),
  GG3031: error(
    'endless-input',
    '{input} can never have a value: {path} requires another {input}.',
    'Remove one “!” on the way, or make the field a list.',
  ),
  GG3032: information(
    'fold-of-required-fields',
    ({ source, fields }: { source: string; fields: readonly string[] }) =>
      `FOLD makes every field of “${source}” optional, including the required ${quoted(fields)}.`,
    ({ source, isShared }: { source: string; isShared: boolean }) =>
      isShared
        ? `“${source}” is also used as an object type: declare another node with the label Input, and fold from that.`
        : `Give “${source}” the label Input, so that its “!” and its defaults apply to callers.`,
  ),
  GG3037: error(
    'settings-disagree',
    'The edges of {operation} set “{setting}” to both {one} and {other}.',
    'Set it on one of the edges, or identically on all of them.',
  ),
  GG3038: error(
    'invalid-route',
    '“{route}” cannot be a route: {reason}.',
    () =>
      "A route is a method and a path, such as 'PUT /books/{isbn}', in which each {name} is an argument of the operation.",
  ),
  GG3039: error('route-taken', 'The route {route} matches requests of {taken}.', 'Change the path of one of them.'),
  GG3040: error(
    'unknown-setting',
    '“{word}” has no effect on a {type} edge.',
    'Remove it, or compile without --strict, which reports every word without effect.',
  ),
  GG3033: error(
    'required-argument-deprecated',
    '“{argument}” is required, so it cannot be deprecated.',
    'Callers must be able to omit it: make it nullable, or give it a default.',
  ),
  GG3034: error(
    'constraints-differ',
    'The argument “{argument}” of {operation} has different constraints in two places.',
    'Declare the same constraints in both places, or list the arguments on the edge itself.',
  ),
  GG3050: warning(
    'event-never-complete',
    ({ event, fields, mutation, result }: LackingEvent) =>
      `An event of “${mutation}” cannot be completed: its result ${result} lacks ${quoted(fields)}, which ${event} requires.`,
    ({ event, fields, result }: LackingEvent) =>
      `Add ${fields.length === 1 ? 'the field' : 'the fields'} to ${result}, remove “!”, or write a resolver for ${event}.${fields[0]}.`,
  ),
  GG3051: warning(
    'event-filter-never-matches',
    ({ argument, subscription, results }: DeadFilter) =>
      `With the argument “${argument}”, “${subscription}” never delivers an event: ${results.join(' and ')} ${results.length === 1 ? 'has' : 'have'} no such field.`,
    'Add “{argument}” to the result of the mutation, or rename the argument to match one of its fields.',
  ),
  GG3063: error(
    'page-argument-taken',
    '{operation} has an argument “{argument}”, which pagination adds.',
    'Remove the argument: pagination adds first, after, last and before.',
  ),
  GG3064: error(
    'page-of-lists',
    '{operation} returns a list of lists, which cannot be divided into pages.',
    'Return a flat list: returns: [Book!]!.',
  ),
  GG3065: error(
    'unknown-default-field',
    'The default fields of {place} are wrong: {reason}',
    'Name fields of the result, with dots for those of objects in it: id, author.name.',
  ),
  GG3066: warning(
    'null-never-returned',
    '“null” has no effect: {operation} returns {type}, which is never null.',
    ({ nullable }: { nullable: string }) => `Remove it, or let the result be null: returns: ${nullable}.`,
  ),
  GG3067: warning(
    'page-of-single-result',
    '{operation} returns one {type}, but “page” makes it a list with pages.',
    'Remove “page”, or declare the list: returns: [{type}!]!.',
  ),
  GG3068: error(
    'old-name-taken',
    '{coordinate} cannot be served as “{taken}”, too: the name is taken.',
    'Remove @renamedFrom, or rename the other part.',
  ),
  GG3070: warning(
    'list-of-single-reads',
    'A client that follows “{field}” from the list “{list}” calls “{read}” once for each {owner}.',
    'Add a field “{target}” to {owner}, whose resolver can be a batch, or a query with a list of ids.',
  ),
  GG3095: error(
    'file-misplaced',
    '{place} cannot hold a file: {reason}.',
    'Make it an argument of a FOLD edge, or a field of an Input node that is one.',
  ),
  GG3096: error(
    'list-of-files',
    '“{name}” would be a list of files, whose number the server cannot know before it has read all of them.',
    'Declare an argument for each file, or let clients call the mutation once for each.',
  ),
  GG3097: error(
    'optional-among-files',
    '{operation} takes several files, so “{argument}” must be required: a resolver could not know whether it will arrive.',
    'Write {argument}: File!, or take the file in a mutation of its own.',
  ),
  GG3060: error(
    'unknown-problem',
    ({ name, isType }: { name: string; isType: boolean }) =>
      isType ? `${name} is not a declared error.` : `There is no declared error ${name}.`,
    didYouMean('Declare it as a node: (out_of_stock: Problem { status: 409 }).'),
  ),
  GG3061: error(
    'reserved-problem-field',
    'The declared error “{node}” cannot have a field “{field}”.',
    ({ field }: { field: string }) =>
      field === 'status'
        ? 'Its status is a number: status: 409.'
        : 'Problem details (RFC 9457) or JavaScript errors already have a member of that name; choose another one.',
  ),
  GG3062: error(
    'problem-as-source',
    '“{node}” is a declared error, so a {edge} edge cannot begin at it.',
    'Name it in the setting “throws” of the operation: throws: [OutOfStock].',
  ),
  GG3090: error(
    'quorum-out-of-range',
    ({ race, quorum, branches }: { race: string; quorum: number; branches: number }) =>
      `${race} cannot have a quorum of ${quorum}: ${quorum < 2 ? 'the result of one branch is no agreement' : `its race has ${branches} ${branches === 1 ? 'branch' : 'branches'}`}.`,
    'Write a number from 2 to the number of branches, or remove the setting.',
  ),
  GG3091: information(
    'timeout-after-deadline',
    'The time of a branch, {timeoutMs} ms, has no effect: the deadline of {race} is {deadlineMs} ms.',
    'Write a shorter timeoutMs or a longer deadlineMs, or remove timeoutMs.',
  ),
  GG3110: error(
    'fallback-without-query',
    '“{node}” cannot be an end of a fallback: {reason}.',
    'Lead one PROCESS edge to it, or take a node of its own.',
  ),
  GG3111: error(
    'fallback-unfit',
    '{query} cannot be the fallback of {operation}: {reason}.',
    'A fallback has the same result, gets the same arguments, and throws no other declared errors.',
  ),
  GG3112: error('fallback-circle', '{operation} would be its own fallback: {path}.', 'Remove one of these VENT edges.'),
  GG3113: error(
    'two-fallbacks',
    '{operation} has two fallbacks, {one} and {other}.',
    'Make {other} the fallback of {one}.',
  ),
  GG3114: information(
    'arguments-of-several-edges',
    'The edges of {operation} form one operation: it has the arguments {arguments}, which no edge gives alone.',
    'Give each edge a name of its own (operation: “name”), or declare all arguments on one edge.',
  ),
  GG3115: warning(
    'chain-of-one-step',
    'No other operation gives an id that {operation} takes, so its chain has only one step.',
    'Remove “chain: true”, or take an id that another operation returns.',
  ),
  GG3116: error(
    'chain-with-files',
    '{operation} cannot be the goal of a chain: it takes files, and the inputs of chains are JSON.',
    'Remove “chain: true”.',
  ),
  GG3117: warning(
    'durable-without-chain',
    '“durable: true” has no effect on {operation}, which is not the goal of a chain.',
    'Add “chain: true”, or remove “durable: true”.',
  ),
  GG3118: error(
    'undo-unfit',
    '{undo} cannot undo {operation}: {reason}.',
    'Name a mutation whose arguments are ids of the result, or arguments of {operation} with the same names.',
  ),
  GG3119: warning(
    'policy-without-run',
    '“{setting}” has no effect on {operation}, which is a step of no durable chain.',
    'Remove it, or add “chain: true, durable: true” to the goal of a chain with this step.',
  ),
  GG3120: error(
    'unknown-awaited-event',
    '{operation} waits for “{event}”, which no FORK edge publishes.',
    didYouMean('Name the subscription of a FORK edge.'),
  ),
  GG3121: error(
    'chain-name-taken',
    'The chain {operation} cannot have the name “{taken}” in GraphQL: something else has it.',
    'Rename the node or the operation that has this name.',
  ),
  GG3122: error(
    'awaited-event-without-id',
    '{operation} waits for {event}, whose events have no id that an earlier step of the chain {chain} gives.',
    'Add the id to the event, for example “orderId: ID!” for an order that an earlier step returns.',
  ),
  GG3123: error(
    'unknown-partition-field',
    'The events of {subscription} cannot be partitioned by “{field}”: it is not a scalar field of all of them.',
    didYouMean('Name a field of the event that is one scalar or enum, such as its id.'),
  ),
  GG3124: warning(
    'partition-by-guarded-field',
    'The ids of the events of {subscription} depend on “{field}”, which not all subscribers may read.',
    'Name another field, or require the access of the field on the edge.',
  ),
};

type LackingEvent = Record<'event' | 'mutation' | 'result', string> & { fields: readonly string[] };
type DeadFilter = Record<'argument' | 'subscription', string> & { results: readonly string[] };

/** `subscription a`, `subscriptions a and b`, `12 subscriptions`. */
function listed(what: string, names: readonly string[]): string {
  if (names.length > 3) return `${names.length} ${what}s`;
  const [last] = names.slice(-1);
  return names.length === 1 ? `${what} ${last}` : `${what}s ${names.slice(0, -1).join(', ')} and ${last}`;
}
