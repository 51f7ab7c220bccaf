import { didYouMean, error, given, warning } from './define.js';

/** `GG5xxx`: the API is sound, but it cannot be run as asked. */
export const runtimeCodes = {
  GG5001: error(
    'resolvers-unloadable',
    'The resolvers in {path} cannot be loaded: {reason}.',
    given('The module exports an object: export default { Query: { readUser: (parent, args) => … } }.'),
  ),
  GG5002: error(
    'resolver-without-field',
    'There is a resolver for {coordinate}, but the schema has no such field or type.',
    didYouMean(),
  ),
  GG5003: error(
    'port-unavailable',
    'Cannot listen on port {port}: {reason}.',
    'Pass another port with --port, or --port 0 for a free one.',
  ),
  GG5004: error('peer-missing', 'The package {module} is not installed.', 'Install it: {install}'),
  GG5005: error('resolver-of-wrong-kind', 'The resolver for {coordinate} must be {expected}.'),
  GG5006: error('channel-without-node', 'A channel names the unknown node {node}.', didYouMean()),
  GG5007: error(
    'channel-without-operation',
    "The node {node} has a channel with the direction '{direction}', but {missing}.",
    'Bind the node at the other end of the edge, or give the channel another direction.',
  ),
  GG5008: error(
    'channel-twice',
    "The node {node} has two channels for the direction '{way}'.",
    'A node has at most one channel for each direction. Remove one of them.',
  ),
  GG5009: error(
    'operation-with-two-channels',
    '{operation} has several channels: at {nodes}.',
    'Put the channel at the target of the edge, or at only one of its sources.',
  ),
  GG5010: error('channel-of-wrong-kind', 'The channel of the node {node} is invalid: {problem}.'),
  GG5011: error('channel-failed', 'The channel of the node {node} ({transport}) failed: {reason}.'),
  GG5012: error('channel-timeout', 'The channel of the node {node} ({transport}) timed out: {reason}.'),
  GG5013: error(
    'channel-data-unreadable',
    'The channel of the node {node} ({transport}) returned an unusable value: {reason}.',
  ),
  GG5014: error('channel-overrun', 'The channel of the node {node} ({transport}) is overloaded: {reason}.'),
  GG5015: error(
    'event-not-written',
    'The change was made, but its event could not be written to the node {node} ({transport}): {reason}.',
    'Do not repeat the mutation: the change was made.',
  ),
  GG5016: error(
    'channels-unloadable',
    'The channels in {path} cannot be loaded: {reason}.',
    given('Export a list of channels, or a function that returns one: export default [createTimerChannel({ … })];'),
  ),
  GG5040: error('project-file-unreadable', 'The project file {path} cannot be read: {reason}.', given()),
  GG5041: error('project-file-unknown-key', '{path} has the unknown key “{key}”.', didYouMean()),
  GG5042: error(
    'project-file-wrong-value',
    ({ path, key, expected }: { path: string; key: string; expected: string }) =>
      key === '' ? `${path} must ${expected}.` : `In ${path}, “${key}” must ${expected}.`,
  ),
  GG5043: error(
    'project-file-twice',
    'There are two project files: {one} and {other}.',
    'Remove one of them, or choose one with --config.',
  ),
  GG5050: error(
    'authenticator-missing',
    '{coordinate} has {setting}, but the server does not authenticate its callers.',
    'Set server.auth in the project file, or pass the option authenticate.',
  ),
  GG5051: error(
    'context-unloadable',
    'The context module {path} cannot be used: {reason}.',
    given('The module exports a function: export default (request, caller) => ({ user: caller.principal });'),
  ),
  GG5060: error(
    'studio-token-missing',
    'The studio of a server in production needs a token.',
    'Set GG_SVC_STUDIO_TOKEN to a random string of at least 16 characters.',
  ),
  GG5061: error(
    'studio-token-short',
    'The token of the studio has {length} characters; it must have at least {minimum}.',
    'Make one with: openssl rand -hex 16',
  ),
  GG5062: warning(
    'studio-hides-path',
    'The studio answers all paths below /_gg, so {path} is not served.',
    'Change the path, or turn the studio off with --no-studio.',
  ),
  GG5064: error(
    'site-over-foreign-file',
    'gg-svc docs would overwrite {path}, which it did not write.',
    'Choose another directory with -o, or remove the file.',
  ),
  GG5065: error(
    'no-changelog',
    'Cannot write a changelog of the tags {pattern}: {reason}.',
    'Pass another pattern with --tags, or --no-tags for a site without a changelog.',
  ),
  GG5066: error(
    'picture-not-drawn',
    'The picture {path} cannot be drawn: {reason}.',
    'An SVG needs no package and no fonts: use the extension .svg.',
  ),
  GG5067: error(
    'drill-address-missing',
    '{setting} has an address that the command line does not name.',
    'Name an address for tests: --broker or --database. A drill cuts connections and writes, so it uses no other one.',
  ),
  GG5068: error(
    'drill-in-memory',
    'Events in memory reach only the clients of their own process, and a drill runs two.',
    'Pass --broker with the address of a broker for tests, such as redis://127.0.0.1:6379.',
  ),
  GG5069: error(
    'drill-without-events',
    'No call of this topology publishes events that a drill can follow: {reason}.',
    'A drill needs a FOLD edge with a FORK edge behind it, which example inputs can call: see gg-svc test.',
  ),
  GG5070: error(
    'drill-server-not-started',
    'A server of the drill did not start: {reason}',
    'Start it with gg-svc serve. The tables of a database come from gg-svc migrate apply.',
  ),
  GG5071: error(
    'drill-address-unusable',
    'A drill cannot use {address}: {reason}.',
    'Addresses are redis://…, nats://… and postgres://…, without TLS, and for SQLite the path of a file.',
  ),
  GG5073: error(
    'too-few-partitions',
    'The log {log} has more partitions than this process, which has {count}.',
    'Give events.partitions the number of the other processes. It can only grow.',
  ),
  GG5085: error(
    'token-not-signed',
    'Cannot sign a token: {reason}.',
    given('Set server.auth.jwt with “issuer”, “audience” and “secretFrom”: the environment variable with the secret.'),
  ),
};
