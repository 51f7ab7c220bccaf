import { takeName } from '../../graph/names.js';
import type { GqlSchema } from '../../schema/gql-schema.js';

/**
 * Names that have a meaning in TypeScript: the reserved words and built-in types of the language, the globals of
 * ECMAScript with the utility types (`lib.es*.d.ts` of TypeScript 6), the globals that Node and browsers share, and
 * the single words that browsers add. A type of a topology does not get one of these names, because it would hide the
 * global in every file that imports it. A test compares the list with the declarations of the installed compiler.
 */
export const globalNames: ReadonlySet<string> = new Set(
  `
abstract accessor any arguments as asserts assert async await bigint boolean break case catch class const
constructor continue debugger declare default defer delete do else enum eval export extends false finally for
from function get global globalThis if implements import in infer instanceof interface intrinsic is keyof let
module namespace never new null number object of out override package private protected public readonly require
return satisfies set source static string super switch symbol this throw true try type typeof undefined unique
unknown using var void while with yield

AggregateError AggregateErrorConstructor Array ArrayBuffer ArrayBufferConstructor ArrayBufferLike ArrayBufferTypes
ArrayBufferView ArrayConstructor ArrayIterator ArrayLike AsyncDisposable AsyncDisposableStack
AsyncDisposableStackConstructor AsyncGenerator AsyncGeneratorFunction AsyncGeneratorFunctionConstructor
AsyncIterable AsyncIterableIterator AsyncIterator AsyncIteratorObject Atomics Awaited BigInt BigInt64Array
BigInt64ArrayConstructor BigIntConstructor BigIntToLocaleStringOptions BigUint64Array BigUint64ArrayConstructor
Boolean BooleanConstructor BuiltinIteratorReturn CallableFunction Capitalize ClassAccessorDecoratorContext
ClassAccessorDecoratorResult ClassAccessorDecoratorTarget ClassDecorator ClassDecoratorContext
ClassFieldDecoratorContext ClassGetterDecoratorContext ClassMemberDecoratorContext ClassMethodDecoratorContext
ClassSetterDecoratorContext ConcatArray ConstructorParameters DataView DataViewConstructor Date DateConstructor
DecoratorContext DecoratorMetadata DecoratorMetadataObject Disposable DisposableStack DisposableStackConstructor
Error ErrorConstructor ErrorOptions EvalError EvalErrorConstructor Exclude Extract FinalizationRegistry
FinalizationRegistryConstructor FlatArray Float16Array Float16ArrayConstructor Float32Array
Float32ArrayConstructor Float64Array Float64ArrayConstructor Function FunctionConstructor Generator
GeneratorFunction GeneratorFunctionConstructor IArguments ImportAssertions ImportAttributes ImportCallOptions
ImportMeta Infinity InstanceType Int16Array Int16ArrayConstructor Int32Array Int32ArrayConstructor Int8Array
Int8ArrayConstructor Intl Iterable IterableIterator Iterator IteratorObject IteratorObjectConstructor
IteratorResult IteratorReturnResult IteratorYieldResult JSON Lowercase Map MapConstructor MapIterator Math
MethodDecorator NaN NewableFunction NoInfer NonNullable Number NumberConstructor Object ObjectConstructor Omit
OmitThisParameter ParameterDecorator Parameters Partial Pick Promise PromiseConstructor PromiseConstructorLike
PromiseFulfilledResult PromiseLike PromiseRejectedResult PromiseSettledResult PromiseWithResolvers
PropertyDecorator PropertyDescriptor PropertyDescriptorMap PropertyKey Proxy ProxyConstructor ProxyHandler
RangeError RangeErrorConstructor Readonly ReadonlyArray ReadonlyMap ReadonlySet ReadonlySetLike Record
ReferenceError ReferenceErrorConstructor Reflect RegExp RegExpConstructor RegExpExecArray RegExpIndicesArray
RegExpMatchArray RegExpStringIterator Required ReturnType Set SetConstructor SetIterator SharedArrayBuffer
SharedArrayBufferConstructor String StringConstructor StringIterator SuppressedError SuppressedErrorConstructor
Symbol SymbolConstructor SyntaxError SyntaxErrorConstructor TemplateStringsArray Temporal ThisParameterType
ThisType TypeError TypeErrorConstructor TypedPropertyDescriptor URIError URIErrorConstructor Uint16Array
Uint16ArrayConstructor Uint32Array Uint32ArrayConstructor Uint8Array Uint8ArrayConstructor Uint8ClampedArray
Uint8ClampedArrayConstructor Uncapitalize Uppercase WeakKey WeakKeyTypes WeakMap WeakMapConstructor WeakRef
WeakRefConstructor WeakSet WeakSetConstructor decodeURI decodeURIComponent encodeURI encodeURIComponent escape
isFinite isNaN parseFloat parseInt unescape

AbortController AbortSignal BlobPropertyBag BroadcastChannel Buffer BufferConstructor BufferEncoding
ByteLengthQueuingStrategy CloseEvent CompressionStream CountQueuingStrategy CryptoKey CustomEvent DOMException
DecompressionStream ErrorEvent EventListener EventListenerObject EventSource EventTarget FormData MessageChannel
MessageEvent MessagePort NodeJS NodeModule NodeRequire PerformanceEntry PerformanceMark PerformanceMeasure
PerformanceObserver PerformanceObserverEntryList PerformanceResourceTiming PromiseRejectionEvent QuotaExceededError
ReadableByteStreamController ReadableStream ReadableStreamBYOBReader ReadableStreamBYOBRequest
ReadableStreamDefaultController ReadableStreamDefaultReader RequestInfo RequestInit ResponseInit StorageEvent
SubtleCrypto TextDecoder TextDecoderStream TextEncoder TextEncoderStream TransformStream
TransformStreamDefaultController URL URLPattern URLSearchParams WebAssembly WebSocket WritableStream
WritableStreamDefaultController WritableStreamDefaultWriter atob btoa console crypto fetch gc navigator
performance process queueMicrotask structuredClone

Algorithm Animatable Animation Attr Audio Blob Body Cache Client Clients Clipboard Comment Console Credential
Crypto Document Element Enumerator Event External File Gamepad Geolocation Headers Highlight History Image
Keyframe Location Lock Navigation Navigator Node Notification Option Performance Permissions Plugin Range Report
Request Response Sanitizer Scheduler Screen Selection Slottable Storage Text Touch Transferable Transformer
Window Worker Worklet
`
    .trim()
    .split(/\s+/),
);

/** The names that the emitted module declares itself. */
const ownNames: ReadonlySet<string> = new Set(
  `
Arguments ArgumentsOf BatchKeys BatchResolver BatchResolverOf CompleteResolvers Context Element ElementKey
Field FieldArguments FieldResolver FieldResolvers Given GraphQLResolveInfo GraphQLScalarType Key Keys KeysOf
Lacking Member MutationArguments MutationResolvers MutationResults Name NeededMutations NeededQueries
NoArguments ObjectTypes Paged Parent Paths Payload QueryArguments QueryResolvers QueryResults Resolver
Resolvers Rest Result RowNames RowResolvers Rows StoreTables Streams SubscriptionArguments SubscriptionPayloads
SubscriptionResolver SubscriptionResolvers Type TypeResolver UnionTypes Value
`
    .trim()
    .split(/\s+/),
);

/**
 * Gives each type of a schema its TypeScript name: its own, unless TypeScript, the platform or the emitted module
 * uses that name. Then the suffix is `Type`, followed by `_` until the name is unique.
 */
export function typeNames(schema: GqlSchema): (name: string) => string {
  const { objects, interfaces = [], inputs, enums, scalars, unions, problems = [] } = schema;
  const types = [objects, interfaces, inputs, enums, scalars, unions, problems].flat();
  const all = types.map(({ name }) => name);
  const taken = new Set([...all, ...globalNames, ...ownNames]);
  const renamed = new Map<string, string>();
  for (const name of all) {
    if (globalNames.has(name) || ownNames.has(name)) renamed.set(name, takeName(taken, `${name}Type`));
  }
  return (name) => renamed.get(name) ?? name;
}
