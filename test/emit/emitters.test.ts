import { describe, expect, test } from 'vitest';
import { schemaToCollection } from '../../src/emit/collection.js';
import { emitAll, emitters, standardFiles } from '../../src/emit/emitters.js';
import { schemaToGraphQL } from '../../src/emit/graphql.js';
import { schemaToOpenAPI } from '../../src/emit/openapi.js';
import { writeJson } from '../../src/emit/text/write-json.js';
import { parcelExample } from './examples.js';
import { sampleSchema } from './fixtures.js';

const options = { title: 'Title', collectionName: 'Name', baseUrl: 'http://localhost:4000' };

describe('the emitters', () => {
  test('make one file each', () => {
    const files = emitters.map(({ file }) => file);
    expect(files).toEqual([...standardFiles, 'asyncapi.json', 'workflows.arazzo.json']);
    expect(Object.keys(emitAll(parcelExample(), options, files))).toEqual(files);
    expect(Object.keys(emitAll(sampleSchema(), options))).toEqual([...standardFiles]);
  });

  test('write what the functions make, with a final line break', () => {
    const schema = sampleSchema();
    const artifacts = emitAll(schema, options);
    expect(artifacts['schema.graphql']).toBe(schemaToGraphQL(schema));
    expect(artifacts['openapi.json']).toBe(writeJson(schemaToOpenAPI(schema, 'Title')));
    expect(artifacts['collection.json']).toBe(
      `${JSON.stringify(schemaToCollection(schema, 'Name', options.baseUrl), null, 2)}\n`,
    );
  });

  test('give the same bytes for the same topology, in any run', () => {
    expect(emitAll(parcelExample(), options)).toEqual(emitAll(parcelExample(), options));
  });
});
