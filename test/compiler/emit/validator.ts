import { Ajv } from 'ajv';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** A JSON Schema validator for places of a document, given as JSON pointers. */
export function validator(document: object): (pointer: string) => ValidateFunction {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    allErrors: true,
    ownProperties: true,
  });
  addFormats.default(ajv);
  // The document is no schema itself, and OpenAPI's discriminator adds nothing to what oneOf allows.
  for (const keyword of ['openapi', 'info', 'servers', 'security', 'tags', 'paths', 'components', 'discriminator']) {
    ajv.addKeyword(keyword);
  }
  ajv.addSchema({ ...document, $id: 'https://example.org/openapi' });
  return (pointer) => ajv.compile({ $ref: `https://example.org/openapi#${pointer}` });
}

/** The same for an AsyncAPI document, whose schemas are those of draft-07. */
export function asyncApiValidator(document: object): (pointer: string) => ValidateFunction {
  const ajv = new Ajv({ strict: true, strictTypes: false, ownProperties: true });
  addFormats.default(ajv);
  for (const member of ['asyncapi', 'info', 'defaultContentType', 'servers', 'channels', 'operations', 'components']) {
    ajv.addKeyword(member);
  }
  ajv.addSchema({ ...document, $id: 'https://example.org/events' });
  return (pointer) => ajv.compile({ $ref: `https://example.org/events#${pointer}` });
}
