import { describe, expect, test } from 'vitest';
import { schemaToCollection } from '../../../src/compiler/emit/collection.js';
import { artifactFiles } from '../../../src/compiler/emit/emitter.js';
import { emitAll, emitters, standardFiles } from '../../../src/compiler/emit/emitters.js';
import { schemaToGraphQL } from '../../../src/compiler/emit/graphql.js';
import { schemaToOpenAPI } from '../../../src/compiler/emit/openapi.js';
import { writeJson } from '../../../src/compiler/emit/text/write-json.js';
import { parcelExample } from './examples.js';
import { sampleSchema } from './fixtures.js';

const options = { title: 'Title', collectionName: 'Name', baseUrl: 'http://localhost:4000' };

describe('the emitters', () => {
  test('write one file each', () => {
    const files = Object.keys(emitters);
    expect(files).toEqual([...artifactFiles]);
    expect(files).toEqual([...standardFiles, 'asyncapi.json', 'workflows.arazzo.json']);
    expect(Object.keys(emitAll(parcelExample(), options, files))).toEqual(files);
    expect(Object.keys(emitAll(sampleSchema(), options))).toEqual([...standardFiles]);
  });

  test('write the output of the functions with a final line break', () => {
    const schema = sampleSchema();
    const artifacts = emitAll(schema, options);
    expect(artifacts['schema.graphql']).toBe(schemaToGraphQL(schema));
    expect(artifacts['openapi.json']).toBe(writeJson(schemaToOpenAPI(schema, 'Title')));
    expect(artifacts['collection.json']).toBe(
      `${JSON.stringify(schemaToCollection(schema, 'Name', options.baseUrl), null, '\t')}\n`,
    );
  });

  test('give the same bytes for the same topology in every run', () => {
    expect(emitAll(parcelExample(), options)).toEqual(emitAll(parcelExample(), options));
  });
});
