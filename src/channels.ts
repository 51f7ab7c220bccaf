/**
 * `gg-svc/channels`: the channels that connect nodes of a topology to files, HTTP services, processes, streams
 * and timers, and the types for writing one. `buildRuntimeIoProjectionLayer` is in `gg-svc`.
 *
 * @module channels
 */

export {
  type ChannelCall,
  type ChannelDirection,
  ChannelError,
  type ChannelFault,
  type RuntimeIoChannel,
} from './runtime/server/channels/binding/channel.js';
export {
  type ChildProcessOptions,
  createChildProcessChannel,
} from './runtime/server/channels/transports/child-process.js';
export {
  createHttpJsonChannel,
  type HttpJsonOptions,
} from './runtime/server/channels/transports/http-json.js';
export {
  createJsonFileChannel,
  type JsonFileOptions,
} from './runtime/server/channels/transports/json-file.js';
export {
  createJsonLinesChannel,
  type JsonLinesOptions,
} from './runtime/server/channels/transports/json-lines.js';
export {
  createStreamChannel,
  type StreamOptions,
} from './runtime/server/channels/transports/node-streams.js';
export {
  createTimerChannel,
  type Tick,
  type TimerOptions,
} from './runtime/server/channels/transports/timer.js';
