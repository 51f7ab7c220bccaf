/**
 * `gg-svc/channels`: the channels that connect nodes of a topology to files, HTTP services, processes, streams
 * and timers, and the types for writing one. `buildRuntimeIoProjectionLayer` is in `gg-svc`.
 *
 * @module channels
 */

export type { ChannelCall, ChannelDirection, RuntimeIoChannel } from './server/channels/binding/channel.js';
export { ChannelError, type ChannelFault } from './server/channels/channel-error.js';
export { type ChildProcessOptions, createChildProcessChannel } from './server/channels/child-process.js';
export { createHttpJsonChannel, type HttpJsonOptions } from './server/channels/http-json.js';
export { createJsonFileChannel, type JsonFileOptions } from './server/channels/json-file.js';
export { createJsonLinesChannel, type JsonLinesOptions } from './server/channels/json-lines.js';
export { createStreamChannel, type StreamOptions } from './server/channels/node-streams.js';
export { createTimerChannel, type Tick, type TimerOptions } from './server/channels/timer.js';
