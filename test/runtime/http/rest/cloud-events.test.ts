import { CloudEvent, HTTP } from 'cloudevents';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cloudEventOf } from '../../../../src/compiler/api/cloud-event.js';
import type { JsonValue } from '../../../../src/compiler/graph/json-value.js';
import type { GqlOperation } from '../../../../src/compiler/schema/gql-schema.js';
import { createGqlServer } from '../../../../src/runtime/server/service.js';
import { asyncApiValidator } from '../../../compiler/emit/validator.js';
import { EventReader } from '../../../conformance/event-reader.js';

const source = `(root)-[:PROCESS]->(hello { text: 'Hello' })
(pet_form { id: ID!, name: String })-[:FOLD { operation: 'savePet' }]->(pet { id: ID!, name: String })
(pet)-[:FORK]->(pet_saved { id: ID!, name: String! })
`;

type Options = Omit<Parameters<typeof createGqlServer>[0], 'topologies'>;

function serve(options: Options = {}) {
  const server = createGqlServer({
    topologies: [{ name: 'pets.gg', source }],
    resolvers: { Mutation: { savePet: (_parent, { input }) => input } },
    ...options,
  });
  const open = async (path: string) => new EventReader(await server.fetch(new Request(`http://pets.local${path}`)));
  return { server, open };
}

/** Parses and validates with the SDK of CloudEvents; throws if the event is invalid. */
function readCloudEvent(text: string): CloudEvent<unknown> {
  const event = HTTP.toEvent({ headers: { 'content-type': 'application/cloudevents+json' }, body: text });
  if (!(event instanceof CloudEvent)) throw new Error('This is a batch.');
  event.validate();
  return event;
}

describe('a stream of CloudEvents', () => {
  it('has events that the CloudEvents SDK accepts', async () => {
    const { server, open } = serve({ eventFormat: 'cloudevents' });
    const events = await open('/api/petSaved');
    const next = events.next();
    const before = Date.now();
    await server.executeOperation({ query: 'mutation { savePet(input: { id: "7", name: "Tom" }) { id } }' });
    const received = await next;
    expect(received?.event).toBe('message');
    const { time } = JSON.parse(received?.data ?? '');
    expect(new Date(time).toISOString()).toBe(time);
    expect([Date.parse(time) >= before, Date.parse(time) <= Date.now()]).toEqual([true, true]);
    expect(readCloudEvent(received?.data ?? '')).toMatchObject({
      specversion: '1.0',
      source: '/api/petSaved',
      type: 'petSaved',
      subject: '7',
      datacontenttype: 'application/json',
      data: { id: '7', name: 'Tom' },
    });
    await events.cancel();
  });

  it('sends the same bytes to all subscribers of an event, with a distinct id for each event', async () => {
    const { server, open } = serve({ eventFormat: 'cloudevents', context: {} });
    const [one, other] = [await open('/api/petSaved'), await open('/api/petSaved')];
    const first = Promise.all([one.next(), other.next()]);
    server.publish('petSaved', { id: '1', name: 'Tom' });
    const [mine, theirs] = await first;
    expect(mine?.data).toBe(theirs?.data);
    const second = one.next();
    server.publish('petSaved', { id: '1', name: 'Tom' });
    const ids = [mine, await second].map((event) => readCloudEvent(event?.data ?? '').id);
    expect(new Set(ids).size).toBe(2);
    await one.cancel();
    await other.cancel();
  });

  it('repeats an event with the same bytes to a client that resumes, under the id of the stream', async () => {
    const { server, open } = serve({ eventFormat: 'cloudevents' });
    const events = await open('/api/petSaved');
    const both = events.next().then(async (first) => [first, await events.next()]);
    server.publish('petSaved', { id: '1', name: 'Tom' });
    server.publish('petSaved', { id: '2', name: 'Ada' });
    const [first, second] = await both;
    expect(readCloudEvent(second?.data ?? '').id).toBe(second?.id);
    const resumed = await open(`/api/petSaved?after=${first?.id}`);
    expect(await resumed.next()).toEqual(second);
    await events.cancel();
    await resumed.cancel();
  });

  it('has the fields that the client selects as data', async () => {
    const { server, open } = serve({ eventFormat: 'cloudevents' });
    const events = await open('/api/petSaved?fields=name');
    const next = events.next();
    server.publish('petSaved', { id: '1', name: 'Tom' });
    const event = readCloudEvent((await next)?.data ?? '');
    expect([event.data, event.subject]).toEqual([{ name: 'Tom' }, undefined]);
    await events.cancel();
  });

  it('has problem documents for events that fail', async () => {
    const { server, open } = serve({ eventFormat: 'cloudevents' });
    const events = await open('/api/petSaved');
    const next = events.next();
    server.publish('petSaved', { id: '1' });
    const failed = await next;
    expect(failed?.event).toBe('error');
    expect(JSON.parse(failed?.data ?? '')).toMatchObject({ code: 'EVENT_INCOMPLETE' });
    await events.cancel();
  });

  it.each(['json', 'cloudevents'] as const)('fits the AsyncAPI document, as %s', async (eventFormat) => {
    const { server, open } = serve({ eventFormat });
    const response = await server.fetch(new Request('http://pets.local/asyncapi.json'));
    const validate = asyncApiValidator(await response.json());
    const fits = validate('/channels/petSaved/messages/event/payload');
    const events = await open('/api/petSaved');
    const next = events.next();
    server.publish('petSaved', { id: '1', name: 'Tom' });
    const { data } = (await next) ?? { data: '' };
    expect(fits(JSON.parse(data)), `${data} ${JSON.stringify(fits.errors)}`).toBe(true);
    expect(fits({ id: '1', name: 1 })).toBe(false);
    await events.cancel();
  });

  it('must be requested by a known format name', () => {
    expect(() => serve({ eventFormat: 'xml' as 'json' })).toThrow('eventFormat must be json or cloudevents.');
  });
});

describe('a CloudEvent', () => {
  const operation = { kind: 'subscription', name: 'x' } as GqlOperation;

  it('is valid with any value and any id', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ minLength: 1 }), (data, id) => {
        const event = cloudEventOf(operation, { id, data: data as JsonValue });
        expect(readCloudEvent(JSON.stringify(event)).id).toBe(id);
      }),
    );
  });

  it.each<[JsonValue, string | undefined]>([
    [{ id: '7' }, '7'],
    [{ id: 7 }, '7'],
    [{ id: '' }, undefined],
    [{ id: { key: 7 } }, undefined],
    [{ name: 'Tom' }, undefined],
    ['7', undefined],
    [null, undefined],
  ])('of %j has the subject %s', (data, subject) => {
    expect(cloudEventOf(operation, { id: '1', data }).subject).toBe(subject);
  });

  it('has a valid URI as its source for any route', () => {
    const route = { method: 'GET', path: '/pets/{id}/events' } as const;
    expect(cloudEventOf({ ...operation, route }, { id: '1', data: null }).source).toBe('/pets/%7Bid%7D/events');
  });
});
