import { type Draft, type DraftTag, type DraftValue, nearestName } from '../draft/draft.js';
import type { JsonPlace } from '../draft/json-place.js';
import { isTakenByEdges } from '../draft/operation-edge.js';
import type { References } from './references.js';
import { jsonSchema, type RestOperation } from './rest-operation.js';
import { shapeOf } from './schema-parts.js';
import { pascal, type SchemaTypes } from './schema-types.js';
import type { UnreadWords } from './unread-words.js';
import { deprecatedTags, exampleTags } from './value-tags.js';

/** The arguments of an operation, and its route if it is not the default one. */
interface RestArguments {
  readonly values: readonly DraftValue[];
  readonly route: string | undefined;
}

/** Reads the parameters and the bodies of operations as arguments. */
export class ArgumentReader {
  readonly #draft: Draft;
  readonly #references: References;
  readonly #types: SchemaTypes;
  readonly #words: UnreadWords;

  constructor(draft: Draft, references: References, types: SchemaTypes, words: UnreadWords) {
    this.#draft = draft;
    this.#references = references;
    this.#types = types;
    this.#words = words;
  }

  read(operation: RestOperation): RestArguments {
    const values = new Map<string, DraftValue>();
    const add = (value: DraftValue): void => {
      const subject = `argument ${value.name} of ${operation.subject}`;
      if (isTakenByEdges(this.#draft, value, subject)) return;
      if (values.has(value.name)) this.#draft.lose(value.place, subject, 'Another argument has this name.');
      else values.set(value.name, value);
    };
    const renamed = new Map<string, string>();
    for (const parameter of this.#parametersOf(operation)) {
      const value = this.#parameter(parameter, operation);
      if (value === undefined) continue;
      if (parameter.text('in') === 'path') renamed.set(parameter.text('name') ?? '', value.name);
      add(value);
    }
    for (const value of this.#body(operation)) add(value);
    return { values: [...values.values()], route: this.#route(operation, renamed, values) };
  }

  /** The parameters of the path and of the operation; those of the operation come first, and replace the others. */
  #parametersOf({ item, place }: RestOperation): readonly JsonPlace[] {
    const found = new Map<string, JsonPlace>();
    for (const given of [...place.list('parameters'), ...item.list('parameters')]) {
      const parameter = this.#references.resolve(given);
      if (parameter === undefined) continue;
      const key = `${parameter.text('in')} ${parameter.text('name')}`;
      if (!found.has(key)) found.set(key, parameter);
    }
    return [...found.values()];
  }

  #parameter(
    parameter: JsonPlace,
    { method, name: operation, subject }: RestOperation,
  ): DraftValue | undefined {
    const draft = this.#draft;
    const given = parameter.text('name') ?? '';
    const place = parameter.text('in');
    if (place !== 'path' && place !== 'query') {
      draft.loseOnce(
        parameter.place,
        `${place} parameter ${given}`,
        'Arguments are in the path, the query string or the JSON of the body.',
      );
      return undefined;
    }
    const schema =
      parameter.at('schema') ?? jsonSchema(parameter, draft, `parameter ${given} of ${operation}`);
    if (schema === undefined) {
      draft.lose(parameter.place, `parameter ${given} of ${operation}`, 'It has no schema.');
      return undefined;
    }
    this.#words.report('parameter', parameter, `parameter ${given} of ${operation}`);
    for (const [type, media] of parameter.entries('content'))
      this.#words.report('mediaType', media, `${type} of parameter ${given} of ${operation}`);
    const isRequired = place === 'path' || parameter.flag('required');
    const value = this.#types.valueOf(given, schema, {
      of: subject,
      use: 'input',
      isRequired,
      hint: `${pascal(operation)}${pascal(given)}`,
    });
    if (value === undefined) return undefined;
    if (place === 'query' && method !== 'GET' && method !== 'DELETE') {
      draft.loseOnce(
        parameter.place,
        `query parameter ${given} of ${operation}`,
        'It moves into the JSON of the body.',
      );
    }
    const style = parameter.text('style') ?? 'form';
    const isJoined = parameter.has('explode') && !parameter.flag('explode') && value.type.startsWith('[');
    if (place === 'query' && (isJoined || !['form', 'deepObject'].includes(style))) {
      draft.lose(
        parameter.place,
        `style of ${given} of ${operation}`,
        'Lists are repeated parameters: `a=1&a=2`.',
      );
    }
    if (place === 'path' && parameter.has('style') && style !== 'simple')
      draft.lose(parameter.place, `style of ${given} of ${operation}`, 'A segment of a path is the value.');
    const tags: readonly DraftTag[] = [
      ...(value.tags ?? []),
      ...deprecatedTags(parameter),
      ...exampleTags(parameter),
    ];
    return {
      ...value,
      description: parameter.text('description') ?? value.description,
      tags: withoutRepeats(tags),
    };
  }

  #body({ method, place, name, subject }: RestOperation): readonly DraftValue[] {
    const given = place.at('requestBody');
    const body = given && this.#references.resolve(given);
    if (body === undefined) return [];
    const draft = this.#draft;
    this.#words.report('requestBody', body, `body of ${name}`);
    for (const [type, media] of body.entries('content'))
      this.#words.report('mediaType', media, `${type} of body of ${name}`);
    if (method === 'GET') {
      draft.lose(body.place, `body of ${name}`, 'A GET has no body.');
      return [];
    }
    if (method === 'DELETE')
      draft.lose(body.place, `body of ${name}`, 'The arguments of a DELETE are in its query string.');
    const schema = jsonSchema(body, draft, `body of ${name}`);
    const resolved = schema && this.#references.resolve(schema);
    if (schema === undefined || resolved === undefined) {
      draft.lose(body.place, `body of ${name}`, 'It is no JSON with a schema.');
      return [];
    }
    let open = resolved;
    let { shape } = shapeOf(open, this.#references);
    for (let hops = 0; shape.kind === 'same' && hops < 32; hops++) {
      open = this.#references.resolve(shape.as) ?? open;
      shape = shapeOf(open, this.#references).shape;
    }
    this.#words.addSchema(open, `body of ${name}`);
    if (shape.kind === 'object') this.#words.take(open, 'additionalProperties');
    // The members of the body are the arguments, so that callers send the same JSON as before.
    if (shape.kind === 'object') {
      if (shape.parts.others !== undefined) {
        draft.loseOnce(
          open.place,
          `body of ${name}`,
          'Its further members, whose names are not fixed, are left out.',
        );
      }
      return this.#types.fieldsOf(shape.parts, subject, 'input', pascal(name));
    }
    const isRequired = body.flag('required');
    const value = this.#types.valueOf('body', schema, {
      of: subject,
      use: 'input',
      isRequired,
      hint: `${pascal(name)}Body`,
    });
    draft.lose(
      resolved.place,
      `body of ${name}`,
      'It is no object with members, so callers give it as “body” of one.',
    );
    return value === undefined ? [] : [value];
  }

  #route(
    { method, path, name, kind, place }: RestOperation,
    renamed: ReadonlyMap<string, string>,
    values: ReadonlyMap<string, DraftValue>,
  ): string | undefined {
    const route = path.replace(/\{([^{}]*)\}/g, (_, parameter: string) => {
      const argument = renamed.get(parameter) ?? nearestName(parameter);
      return values.has(argument ?? '') ? `{${argument}}` : '{}';
    });
    const isPlain = route.startsWith('/') && !/['"\\\s]/.test(route);
    if (!isPlain || route.includes('{}')) {
      const reason = isPlain
        ? 'The document does not declare each parameter of the path.'
        : 'It is no path of a route.';
      this.#draft.lose(
        place.place,
        `route ${method} ${path}`,
        `${reason} The operation has the default route.`,
      );
      return undefined;
    }
    return route === `/api/${name}` && method === (kind === 'query' ? 'GET' : 'POST')
      ? undefined
      : `${method} ${route}`;
  }
}

function withoutRepeats(tags: readonly DraftTag[]): readonly DraftTag[] {
  const seen = new Set<string>();
  return tags.filter(({ name, text }) => {
    const key = `${name} ${text}`;
    return !seen.has(key) && seen.add(key);
  });
}
