import { compileSchema, type SchemaCheck } from '../../base/json-schema/compile-schema.js';
import type { JsonValue } from './json-value.js';
import { remember } from './maps.js';

/** A scalar that a topology may use without declaring it. Its values have one JSON form, which this table describes. */
export interface StandardScalar {
  /** The description in the artifacts. */
  readonly description: string;
  /** The address of its specification, if there is a stable one. */
  readonly specifiedBy?: string;
  /** The JSON Schema (2020-12) of a value. */
  readonly jsonSchema: ScalarSchema;
  /** A valid value, in the form in which a server answers it. */
  readonly example: JsonValue;
  /** The TypeScript type of the value that resolvers receive. */
  readonly given: string;
  /** The other TypeScript types that resolvers may return. */
  readonly returned?: string;
  /** Whether its JSON form is the text of a number, so that a literal may be a number. */
  readonly isDigits?: true;
  /** What the JSON Schema cannot say about a text. */
  readonly isValid?: (text: string) => boolean;
}

/** The words of JSON Schema that the table uses. */
export type ScalarSchema = {
  readonly type: ScalarJsonType | readonly ScalarJsonType[];
  readonly [word: string]: JsonValue;
} & {
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
};

type ScalarJsonType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array';

/** Whether a JSON value is valid for a scalar, as far as that is known without the implementation of the scalar. */
export function isStandardValue(scalar: StandardScalar, value: JsonValue): boolean {
  const check = remember(checks, scalar, () =>
    compileSchema({ ...scalar.jsonSchema, ...(scalar.isValid && { accepts: scalar.isValid }) }),
  );
  return check(value).length === 0;
}

/** Compiled for the first value: most topologies use few of the scalars. */
const checks = new WeakMap<StandardScalar, SchemaCheck>();

/** Whether values are written as JSON text wherever other scalars are plain text. */
export function isStructured({ jsonSchema: { type } }: StandardScalar): boolean {
  return type === 'object' || (Array.isArray(type) && type.includes('object'));
}

const rfc3339 = 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6';
const rfc8259 = 'https://www.rfc-editor.org/rfc/rfc8259';

const dateText = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
const clockText = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?`;
const zoneText = String.raw`(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)`;
const localTime = String.raw`(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{3})?)?`;
const durationText = String.raw`^[+-]?P(?=.)(?:[+-]?\d+(?:[.,]\d+)?Y)?(?:[+-]?\d+(?:[.,]\d+)?M)?(?:[+-]?\d+(?:[.,]\d+)?W)?(?:[+-]?\d+(?:[.,]\d+)?D)?(?:T(?=.)(?:[+-]?\d+(?:[.,]\d+)?H)?(?:[+-]?\d+(?:[.,]\d+)?M)?(?:[+-]?\d+(?:[.,]\d+)?S)?)?$`;

/** Whether the text begins with a day that the Gregorian calendar has. */
function isCalendarDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  // The calendar repeats every 400 years, and `Date.UTC` takes years before 100 for those of the 20th century.
  return new Date(Date.UTC(2000 + (year % 400), month - 1, day)).getUTCDate() === day;
}

const uuidText = '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';

type Words = Omit<ScalarSchema, 'type'>;
type Rest = Partial<Omit<StandardScalar, 'description' | 'example' | 'jsonSchema'>>;

/** A scalar whose values are strings, which resolvers receive as they are, or only those that match an expression. */
function text(
  description: string,
  example: string,
  words: Words | RegExp = {},
  rest: Rest = {},
): StandardScalar {
  const limits = words instanceof RegExp ? { pattern: words.source } : words;
  return { description, jsonSchema: { type: 'string', ...limits }, example, given: 'string', ...rest };
}

function integer(description: string, example: number, words: Words = {}): StandardScalar {
  return { description, jsonSchema: { type: 'integer', ...safeRange, ...words }, example, given: 'number' };
}

function float(description: string, example: number, words: Words): StandardScalar {
  return { description, jsonSchema: { type: 'number', ...words }, example, given: 'number' };
}

const safeRange = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

/** A large integer: text, because a number of JSON loses digits; safe integers are accepted as numbers, too. */
function largeInteger(description: string): StandardScalar {
  const jsonSchema = { type: ['string', 'integer'], pattern: String.raw`^-?\d+$`, ...safeRange } as const;
  const example = '9007199254740993';
  return { description, jsonSchema, example, given: 'bigint', returned: 'number | string', isDigits: true };
}

function dateTime(description: string): StandardScalar {
  const words = { format: 'date-time', pattern: `^${dateText}[Tt]${clockText}${zoneText}$` };
  const rest = { specifiedBy: rfc3339, given: 'Date', returned: 'string | number', isValid: isCalendarDay };
  return text(description, '2024-01-31T09:30:00.000Z', words, rest);
}

const scalars: Readonly<Record<string, StandardScalar>> = {
  AccountNumber: text(
    'A bank account number: 5 to 17 letters and digits.',
    '000000012345',
    /^[a-zA-Z0-9]{5,17}$/,
  ),
  BigInt: largeInteger('An integer of any size, as text.'),
  Byte: text(
    'Bytes, as base64.',
    'aGVsbG8=',
    { format: 'byte', pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$' },
    {
      given: 'Uint8Array',
      returned: 'string',
      specifiedBy: 'https://www.rfc-editor.org/rfc/rfc4648#section-4',
    },
  ),
  CountryCode: text('A country as a code of ISO 3166-1 alpha-2.', 'NZ', /^[A-Z]{2}$/),
  CountryName: text('The short name of a country in ISO 3166-1.', 'New Zealand'),
  Cuid: text(
    'A collision-resistant identifier, first version.',
    'cjld2cyuq0000t3rmniod1foy',
    /^c[^\s-]{8,}$/,
  ),
  Cuid2: text(
    'A collision-resistant identifier, second version.',
    'dp71y53f6eykvl5g1393rmhl',
    /^[a-z][a-z0-9]{1,31}$/,
  ),
  Currency: text('A currency as a code of ISO 4217.', 'EUR', /^[A-Z]{3}$/),
  DID: text('A decentralized identifier.', 'did:example:123456789abcdefghi', /^did:[^:]+:.*$/, {
    specifiedBy: 'https://www.w3.org/TR/did-core/',
  }),
  Date: text(
    'A day of the calendar, without a time zone.',
    '2024-01-31',
    { format: 'date', pattern: `^${dateText}$` },
    { specifiedBy: rfc3339, returned: 'Date', isValid: isCalendarDay },
  ),
  DateTime: dateTime('A moment in time, answered in UTC with milliseconds.'),
  DateTimeISO: dateTime('A moment in time, answered in UTC with milliseconds, in the format of ISO 8601.'),
  Decimal: text('A decimal number with all its digits, as text.', '12.50', /^-?\d+(?:\.\d+)?$/, {
    returned: 'number | bigint | { toString(): string }',
    isDigits: true,
  }),
  DeweyDecimal: text('A class of the Dewey Decimal Classification.', '435.4357', /^[0-9]{1,3}(?:\.[0-9]+)?$/),
  Duration: text('A duration of ISO 8601.', 'P3DT12H30M', { pattern: durationText }),
  EmailAddress: text(
    'An email address.',
    'ada@example.com',
    { format: 'email', pattern: '^[^@ ]+@[^@ ]+$' },
    { specifiedBy: 'https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address' },
  ),
  GUID: text('A globally unique identifier.', '61306e95-1c08-4e0a-8272-5e4601fffa5e', {
    format: 'uuid',
    pattern: uuidText,
  }),
  GeoJSON: {
    description: 'A geographic object in the format GeoJSON.',
    specifiedBy: 'https://www.rfc-editor.org/rfc/rfc7946',
    jsonSchema: { type: 'object', properties: { type: { type: 'string' } }, required: ['type'] },
    example: { type: 'Point', coordinates: [174.7756, -41.2865] },
    given: '{ readonly type: string; readonly [name: string]: unknown }',
  },
  HSL: text('A colour in the notation hsl() of CSS.', 'hsl(79, 77%, 51%)', /^hsl\(.*\)$/),
  HSLA: text('A colour in the notation hsla() of CSS.', 'hsla(111, 59%, 47%, 0.5)', /^hsla\(.*\)$/),
  HexColorCode: text(
    'A colour as hexadecimal digits.',
    '#74b8fe',
    /^#(?:[A-Fa-f0-9]{6}|[A-Fa-f0-9]{3}|[A-Fa-f0-9]{8})$/,
  ),
  Hexadecimal: text('A hexadecimal number.', '11b369', /^[a-f0-9]+$/),
  IBAN: text('An international bank account number.', 'NL55INGB4789170233', /^[A-Z]{2}[0-9]{2}[A-Z0-9 ]+$/),
  IP: text('An IP address of version 4 or 6.', '192.0.2.1', { pattern: '^[0-9a-fA-F:.]+(?:/[0-9]+)?$' }),
  IPCPatent: text(
    'A class of the International Patent Classification.',
    'G06F 12/803',
    /^[A-H]\d{2}[A-Z] \d{1,2}\/\d{2,4}$/,
  ),
  IPv4: text('An IP address of version 4.', '192.0.2.1', { format: 'ipv4' }),
  IPv6: text('An IP address of version 6.', '2001:db8::8a2e:370:7334', { format: 'ipv6' }),
  ISBN: text('An ISBN with 10 or 13 digits.', '978-3-16-148410-0', /^[0-9A-Za-z :-]+$/),
  ISO8601Duration: text('A duration of ISO 8601.', 'P3DT12H30M', { pattern: durationText }),
  JSON: {
    description: 'Any JSON value.',
    specifiedBy: rfc8259,
    jsonSchema: { type: ['string', 'number', 'boolean', 'object', 'array'], items: {} },
    example: { any: 'value' },
    given: 'unknown',
  },
  JSONObject: {
    description: 'A JSON object.',
    specifiedBy: rfc8259,
    jsonSchema: { type: 'object', additionalProperties: true },
    example: { any: 'value' },
    given: '{ readonly [name: string]: unknown }',
  },
  JWT: text(
    'A JSON Web Token.',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
    /^[\w-]+\.[\w-]+\.[\w-]*$/,
    { specifiedBy: 'https://www.rfc-editor.org/rfc/rfc7519' },
  ),
  LCCSubclass: text('A subclass of the Library of Congress Classification.', 'KBM', /^[A-Z]{1,3}$/),
  Latitude: float('A latitude in degrees.', -41.2865, { minimum: -90, maximum: 90 }),
  LocalDate: text(
    'A day of the calendar, without a time zone.',
    '2024-01-31',
    { pattern: `^${dateText}$` },
    { isValid: isCalendarDay },
  ),
  LocalDateTime: text('A day and a time of day, in a time zone that is not given.', '2024-01-31T09:30:00', {
    pattern: `^${dateText}[Tt]${clockText}${zoneText}?$`,
  }),
  LocalEndTime: text('A time of day up to 24:00, without a time zone.', '24:00', {
    pattern: `^(?:${localTime}|${String.raw`24:00(?::00(?:\.000)?)?`})$`,
  }),
  LocalTime: text('A time of day, without a time zone.', '09:30:00', { pattern: `^${localTime}$` }),
  Locale: text('A language tag, with a country if needed.', 'mi-NZ', /^[A-Za-z0-9-]+$/, {
    specifiedBy: 'https://www.rfc-editor.org/rfc/rfc5646',
  }),
  Long: largeInteger('A large integer, as text.'),
  Longitude: float('A longitude in degrees.', 174.7756, { minimum: -180, maximum: 180 }),
  MAC: text(
    'The hardware address of a network device.',
    '5C:A1:29:FE:1E:C0',
    /^[0-9A-Fa-f]{2}[0-9A-Fa-f.:-]+$/,
  ),
  NegativeFloat: float('A number below zero.', -1.5, { exclusiveMaximum: 0 }),
  NegativeInt: integer('An integer below zero.', -1, { maximum: -1 }),
  NonEmptyString: text('A text with more than white space.', 'text', {
    minLength: 1,
    pattern: String.raw`\S`,
  }),
  NonNegativeFloat: float('A number that is not below zero.', 1.5, { minimum: 0 }),
  NonNegativeInt: integer('An integer that is not below zero.', 1, { minimum: 0 }),
  NonPositiveFloat: float('A number that is not above zero.', -1.5, { maximum: 0 }),
  NonPositiveInt: integer('An integer that is not above zero.', -1, { maximum: 0 }),
  ObjectID: text('The identifier of a document in MongoDB.', '5e5677d71bdc2ae76344968c', /^[A-Fa-f0-9]{24}$/),
  PhoneNumber: text('A telephone number.', '+6441234567', /^\+?[\d() -]+$/),
  Port: integer('A port of TCP or UDP.', 8080, { minimum: 0, maximum: 65535 }),
  PositiveFloat: float('A number above zero.', 1.5, { exclusiveMinimum: 0 }),
  PositiveInt: integer('An integer above zero.', 1, { minimum: 1 }),
  PostalCode: text('A postal code.', '60031', { minLength: 1 }),
  RGB: text('A colour in the notation rgb() of CSS.', 'rgb(127, 245, 160)', /^rgb\(.*\)$/),
  RGBA: text('A colour in the notation rgba() of CSS.', 'rgba(127, 245, 160, 0.5)', /^rgba\(.*\)$/),
  RoutingNumber: text('The routing number of a bank of the United States.', '111000025', /^\d{9}$/),
  SESSN: text('A Swedish personal number.', '194907011813', /^(?:\d{10}|\d{12})$/),
  SafeInt: integer('An integer that a number of JavaScript holds exactly.', 9007199254740991),
  SemVer: text('A version of Semantic Versioning.', '1.0.0-alpha.1', /^\d+\.\d+\.\d+(?:[-+].*)?$/, {
    specifiedBy: 'https://semver.org/spec/v2.0.0.html',
  }),
  Time: text(
    'A time of day with a time zone, answered in UTC.',
    '09:30:00Z',
    { format: 'time', pattern: `^${clockText}${zoneText}$` },
    { specifiedBy: rfc3339, returned: 'Date' },
  ),
  TimeZone: text('A time zone of the IANA database.', 'Pacific/Auckland', /^[A-Za-z0-9_+:/-]+$/, {
    specifiedBy: 'https://www.iana.org/time-zones',
  }),
  Timestamp: {
    ...integer('Milliseconds since 1970-01-01T00:00:00Z.', 1706693400000, {
      minimum: -8.64e15,
      maximum: 8.64e15,
    }),
    returned: 'Date',
  },
  ULID: text(
    'A sortable unique identifier.',
    '01J9GHQM8N5X4TQ3M1ZV9J6CBK',
    /^[0-7][0-9ABCDEFGHJKMNPQRSTVWXYZ]{25}$/,
    {
      specifiedBy: 'https://github.com/ulid/spec',
    },
  ),
  URL: text(
    'An absolute URL.',
    'https://example.com/',
    { format: 'uri', pattern: String.raw`^[A-Za-z][A-Za-z0-9+.-]*:\S+$` },
    { specifiedBy: 'https://url.spec.whatwg.org/', given: 'URL', returned: 'string' },
  ),
  USCurrency: text(
    'An amount of US dollars, in cents for resolvers.',
    '$10.00',
    /^\$[0-9]+(?:\.[0-9]{2})?$/,
    {
      given: 'number',
    },
  ),
  UUID: text(
    'A universally unique identifier.',
    '187fac1a-2efe-4d43-aa27-b7370cfd1407',
    { format: 'uuid', pattern: uuidText },
    { specifiedBy: 'https://www.rfc-editor.org/rfc/rfc9562' },
  ),
  UnsignedFloat: float('A number that is not below zero.', 1.5, { minimum: 0 }),
  UnsignedInt: integer('An integer that is not below zero.', 1, { minimum: 0 }),
  UtcOffset: text('The distance of a time zone from UTC.', '+03:00', /^[+-]?\d{2}:\d{2}$/),
};

/**
 * The standard scalars by name: those of the package `graphql-scalars`, which implements them at run time, and
 * `Decimal`. `Void` is left out, because it has no values. The compiler knows nothing else of the package.
 */
export const standardScalars: ReadonlyMap<string, StandardScalar> = new Map(Object.entries(scalars));
