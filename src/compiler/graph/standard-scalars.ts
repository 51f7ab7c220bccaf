import { compileSchema } from '../../base/json-schema/compile-schema.js';
import type { Limits } from '../../base/json-schema/limits.js';
import { defined } from '../../base/values/defined.js';
import type { JsonValue } from './json-value.js';
import { perObject } from './maps.js';

/** A scalar that a topology may use without declaring it. Its values have one JSON form, which this table describes. */
export interface StandardScalar {
  readonly description: string;
  /** The address of its specification, if there is a stable one. */
  readonly specifiedBy?: string;
  /** The JSON Schema (2020-12) of a value. */
  readonly jsonSchema: ScalarSchema;
  /** A valid value, in the form in which a server answers it. */
  readonly example: JsonValue;
  /** The TypeScript type of the value that resolvers receive. */
  readonly given: string;
  /** The TypeScript type of the value that clients send over REST, if it has no JSON form. */
  readonly sent?: string;
  /** The expected value, for messages to callers. Default: a value such as the example. */
  readonly expected?: string;
  /** The other TypeScript types that resolvers may return. */
  readonly returned?: string;
  /** Whether its JSON form is the text of a number, so that a literal may be a number. */
  readonly isDigits?: true;
  /** The rules of a text that JSON Schema cannot express. */
  readonly isValid?: (text: string) => boolean;
}

/** The words of JSON Schema that the table uses. */
export type ScalarSchema = Limits & {
  readonly type: ScalarJsonType | readonly ScalarJsonType[];
  readonly [word: string]: JsonValue;
};

type ScalarJsonType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array';

/** Whether a JSON value is valid for a scalar, as far as that is known without the implementation of the scalar. */
export function isStandardValue(scalar: StandardScalar, value: JsonValue): boolean {
  return checkOf(scalar)(value).length === 0;
}

/** Compiled for the first value: most topologies use few of the scalars. */
const checkOf = perObject(({ jsonSchema, isValid }: StandardScalar) =>
  compileSchema({ ...jsonSchema, ...(isValid && { accepts: isValid }) }),
);

/** Whether values are written as JSON text wherever other scalars are plain text. */
export function isStructured({ jsonSchema: { type } }: StandardScalar): boolean {
  return type === 'object' || (Array.isArray(type) && type.includes('object'));
}

const rfc = 'https://www.rfc-editor.org/rfc/rfc';
const rfc3339 = `${rfc}3339#section-5.6`;

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

const base64Text = '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$';
const uuidText = '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';

/**
 * The scalars whose values are strings: the name, an example, the description, and the expression that values match.
 * At least two blanks separate the columns.
 */
const texts = String.raw`
  AccountNumber    000000012345                A bank account number: 5 to 17 letters and digits.    ^[a-zA-Z0-9]{5,17}$
  Byte             aGVsbG8=                    Bytes, as base64.                                     ${base64Text}
  CountryCode      NZ                          A country as a code of ISO 3166-1 alpha-2.            ^[A-Z]{2}$
  CountryName      New Zealand                 The short name of a country in ISO 3166-1.
  Cuid             cjld2cyuq0000t3rmniod1foy   A collision-resistant identifier, first version.      ^c[^\s-]{8,}$
  Cuid2            dp71y53f6eykvl5g1393rmhl    A collision-resistant identifier, second version.     ^[a-z][a-z0-9]{1,31}$
  Currency         EUR                         A currency as a code of ISO 4217.                     ^[A-Z]{3}$
  DID              did:example:123456789abcdefghi  A decentralized identifier.                           ^did:[^:]+:.*$
  Date             2024-01-31                  A day of the calendar, without a time zone.           ^${dateText}$
  DateTime         2024-01-31T09:30:00.000Z    A moment in time, answered in UTC with milliseconds.  ^${dateText}[Tt]${clockText}${zoneText}$
  DateTimeISO      2024-01-31T09:30:00.000Z    A moment in time, answered in UTC with milliseconds, in the format of ISO 8601.  ^${dateText}[Tt]${clockText}${zoneText}$
  Decimal          12.50                       A decimal number with all its digits, as text.        ^-?\d+(?:\.\d+)?$
  DeweyDecimal     435.4357                    A class of the Dewey Decimal Classification.          ^[0-9]{1,3}(?:\.[0-9]+)?$
  Duration         P3DT12H30M                  A duration of ISO 8601.                               ${durationText}
  EmailAddress     ada@example.com             An email address.                                     ^[^@ ]+@[^@ ]+$
  GUID             61306e95-1c08-4e0a-8272-5e4601fffa5e  A globally unique identifier.                         ${uuidText}
  HSL              hsl(79, 77%, 51%)           A colour in the notation hsl() of CSS.                ^hsl\(.*\)$
  HSLA             hsla(111, 59%, 47%, 0.5)    A colour in the notation hsla() of CSS.               ^hsla\(.*\)$
  HexColorCode     #74b8fe                     A colour as hexadecimal digits.                       ^#(?:[A-Fa-f0-9]{6}|[A-Fa-f0-9]{3}|[A-Fa-f0-9]{8})$
  Hexadecimal      11b369                      A hexadecimal number.                                 ^[a-f0-9]+$
  IBAN             NL55INGB4789170233          An international bank account number.                 ^[A-Z]{2}[0-9]{2}[A-Z0-9 ]+$
  IP               192.0.2.1                   An IP address of version 4 or 6.                      ^[0-9a-fA-F:.]+(?:/[0-9]+)?$
  IPCPatent        G06F 12/803                 A class of the International Patent Classification.   ^[A-H]\d{2}[A-Z] \d{1,2}\/\d{2,4}$
  IPv4             192.0.2.1                   An IP address of version 4.
  IPv6             2001:db8::8a2e:370:7334     An IP address of version 6.
  ISBN             978-3-16-148410-0           An ISBN with 10 or 13 digits.                         ^[0-9A-Za-z :-]+$
  ISO8601Duration  P3DT12H30M                  A duration of ISO 8601.                               ${durationText}
  JWT              eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl  A JSON Web Token.                                     ^[\w-]+\.[\w-]+\.[\w-]*$
  LCCSubclass      KBM                         A subclass of the Library of Congress Classification.  ^[A-Z]{1,3}$
  LocalDate        2024-01-31                  A day of the calendar, without a time zone.           ^${dateText}$
  LocalDateTime    2024-01-31T09:30:00         A day and a time of day, in a time zone that is not given.  ^${dateText}[Tt]${clockText}${zoneText}?$
  LocalEndTime     24:00                       A time of day up to 24:00, without a time zone.       ^(?:${localTime}|24:00(?::00(?:\.000)?)?)$
  LocalTime        09:30:00                    A time of day, without a time zone.                   ^${localTime}$
  Locale           mi-NZ                       A language tag, with a country if needed.             ^[A-Za-z0-9-]+$
  MAC              5C:A1:29:FE:1E:C0           The hardware address of a network device.             ^[0-9A-Fa-f]{2}[0-9A-Fa-f.:-]+$
  NonEmptyString   text                        A text with more than white space.                    \S
  ObjectID         5e5677d71bdc2ae76344968c    The identifier of a document in MongoDB.              ^[A-Fa-f0-9]{24}$
  PhoneNumber      +6441234567                 A telephone number.                                   ^\+?[\d() -]+$
  PostalCode       60031                       A postal code.
  RGB              rgb(127, 245, 160)          A colour in the notation rgb() of CSS.                ^rgb\(.*\)$
  RGBA             rgba(127, 245, 160, 0.5)    A colour in the notation rgba() of CSS.               ^rgba\(.*\)$
  RoutingNumber    111000025                   The routing number of a bank of the United States.    ^\d{9}$
  SESSN            194907011813                A Swedish personal number.                            ^(?:\d{10}|\d{12})$
  SemVer           1.0.0-alpha.1               A version of Semantic Versioning.                     ^\d+\.\d+\.\d+(?:[-+].*)?$
  Time             09:30:00Z                   A time of day with a time zone, answered in UTC.      ^${clockText}${zoneText}$
  TimeZone         Pacific/Auckland            A time zone of the IANA database.                     ^[A-Za-z0-9_+:/-]+$
  ULID             01J9GHQM8N5X4TQ3M1ZV9J6CBK  A sortable unique identifier.                         ^[0-7][0-9ABCDEFGHJKMNPQRSTVWXYZ]{25}$
  URL              https://example.com/        An absolute URL.                                      ^[A-Za-z][A-Za-z0-9+.-]*:\S+$
  USCurrency       $10.00                      An amount of US dollars, in cents for resolvers.      ^\$[0-9]+(?:\.[0-9]{2})?$
  UUID             187fac1a-2efe-4d43-aa27-b7370cfd1407  A universally unique identifier.                      ${uuidText}
  UtcOffset        +03:00                      The distance of a time zone from UTC.                 ^[+-]?\d{2}:\d{2}$
`;

interface Details extends Partial<Omit<StandardScalar, 'description' | 'example' | 'jsonSchema'>> {
  readonly words?: Limits;
}

const moment: Details = {
  words: { format: 'date-time' },
  specifiedBy: rfc3339,
  given: 'Date',
  returned: 'string | number',
  isValid: isCalendarDay,
};

/**
 * Facts that the table of texts lacks: further keywords of the JSON Schema, the specification, and the types of
 * resolvers.
 */
const details: Readonly<Record<string, Details>> = {
  Byte: { words: { format: 'byte' }, specifiedBy: `${rfc}4648#section-4`, given: 'Uint8Array', returned: 'string' },
  DID: { specifiedBy: 'https://www.w3.org/TR/did-core/' },
  Date: { words: { format: 'date' }, specifiedBy: rfc3339, returned: 'Date', isValid: isCalendarDay },
  DateTime: moment,
  DateTimeISO: moment,
  Decimal: { returned: 'number | bigint | { toString(): string }', isDigits: true },
  EmailAddress: {
    words: { format: 'email' },
    specifiedBy: 'https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address',
  },
  GUID: { words: { format: 'uuid' } },
  IPv4: { words: { format: 'ipv4' } },
  IPv6: { words: { format: 'ipv6' } },
  JWT: { specifiedBy: `${rfc}7519` },
  LocalDate: { isValid: isCalendarDay },
  Locale: { specifiedBy: `${rfc}5646` },
  NonEmptyString: { words: { minLength: 1 } },
  PostalCode: { words: { minLength: 1 } },
  SemVer: { specifiedBy: 'https://semver.org/spec/v2.0.0.html' },
  Time: { words: { format: 'time' }, specifiedBy: rfc3339, returned: 'Date' },
  TimeZone: { specifiedBy: 'https://www.iana.org/time-zones' },
  ULID: { specifiedBy: 'https://github.com/ulid/spec' },
  URL: { words: { format: 'uri' }, specifiedBy: 'https://url.spec.whatwg.org/', given: 'URL', returned: 'string' },
  USCurrency: { given: 'number' },
  UUID: { words: { format: 'uuid' }, specifiedBy: `${rfc}9562` },
};

function textScalars(): (readonly [string, StandardScalar])[] {
  return texts.split('\n').flatMap((row) => {
    const [name = '', example = '', description = '', pattern] = row.trim().split(/ {2,}/);
    if (name === '') return [];
    const { words, ...rest } = details[name] ?? {};
    const jsonSchema = { type: 'string', ...words, ...defined({ pattern }) } as const;
    return [[name, { description, jsonSchema, example, given: 'string', ...rest }]];
  });
}

const safeRange = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

function integer(description: string, example: number, limits: Limits = {}): StandardScalar {
  return { description, jsonSchema: { type: 'integer', ...safeRange, ...limits }, example, given: 'number' };
}

function float(description: string, example: number, limits: Limits): StandardScalar {
  return { description, jsonSchema: { type: 'number', ...limits }, example, given: 'number' };
}

/** A large integer: text, because a number of JSON loses digits; safe integers are accepted as numbers, too. */
function largeInteger(description: string): StandardScalar {
  const jsonSchema = { type: ['string', 'integer'], pattern: String.raw`^-?\d+$`, ...safeRange } as const;
  const example = '9007199254740993';
  return { description, jsonSchema, example, given: 'bigint', returned: 'number | string', isDigits: true };
}

/** The scalars whose values are not only strings. */
const others: Readonly<Record<string, StandardScalar>> = {
  BigInt: largeInteger('An integer of any size, as text.'),
  File: {
    description: 'A file that a client uploads.',
    specifiedBy: `${rfc}7578`,
    jsonSchema: { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' },
    example: 'file.bin',
    given: "import('gg-svc').GgFile",
    sent: 'Blob',
    expected: 'a file, as a part of multipart/form-data',
    isValid: () => false,
  },
  GeoJSON: {
    description: 'A geographic object in the format GeoJSON.',
    specifiedBy: `${rfc}7946`,
    jsonSchema: { type: 'object', properties: { type: { type: 'string' } }, required: ['type'] },
    example: { type: 'Point', coordinates: [174.7756, -41.2865] },
    given: '{ readonly type: string; readonly [name: string]: unknown }',
  },
  JSON: {
    description: 'Any JSON value.',
    specifiedBy: `${rfc}8259`,
    jsonSchema: { type: ['string', 'number', 'boolean', 'object', 'array'], items: {} },
    example: { any: 'value' },
    given: 'unknown',
  },
  JSONObject: {
    description: 'A JSON object.',
    specifiedBy: `${rfc}8259`,
    jsonSchema: { type: 'object', additionalProperties: true },
    example: { any: 'value' },
    given: '{ readonly [name: string]: unknown }',
  },
  Latitude: float('A latitude in degrees.', -41.2865, { minimum: -90, maximum: 90 }),
  Long: largeInteger('A large integer, as text.'),
  Longitude: float('A longitude in degrees.', 174.7756, { minimum: -180, maximum: 180 }),
  NegativeFloat: float('A number below zero.', -1.5, { exclusiveMaximum: 0 }),
  NegativeInt: integer('An integer below zero.', -1, { maximum: -1 }),
  NonNegativeFloat: float('A number that is not below zero.', 1.5, { minimum: 0 }),
  NonNegativeInt: integer('An integer that is not below zero.', 1, { minimum: 0 }),
  NonPositiveFloat: float('A number that is not above zero.', -1.5, { maximum: 0 }),
  NonPositiveInt: integer('An integer that is not above zero.', -1, { maximum: 0 }),
  Port: integer('A port of TCP or UDP.', 8080, { minimum: 0, maximum: 65535 }),
  PositiveFloat: float('A number above zero.', 1.5, { exclusiveMinimum: 0 }),
  PositiveInt: integer('An integer above zero.', 1, { minimum: 1 }),
  SafeInt: integer('An integer that a number of JavaScript holds exactly.', 9007199254740991),
  Timestamp: {
    ...integer('Milliseconds since 1970-01-01T00:00:00Z.', 1706693400000, { minimum: -8.64e15, maximum: 8.64e15 }),
    returned: 'Date',
  },
  UnsignedFloat: float('A number that is not below zero.', 1.5, { minimum: 0 }),
  UnsignedInt: integer('An integer that is not below zero.', 1, { minimum: 0 }),
};

/** The scalar of uploads: its values are parts of a request, and have no JSON form. */
export const fileScalar = 'File';

/**
 * The standard scalars by name: those of the package `graphql-scalars`, which implements them at run time, `Decimal` and
 * `File`. `Void` is left out, because it has no values. The compiler knows nothing else of the package.
 */
export const standardScalars: ReadonlyMap<string, StandardScalar> = new Map(
  [...textScalars(), ...Object.entries(others)].sort(([one], [other]) => (one < other ? -1 : 1)),
);
