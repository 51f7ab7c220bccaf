import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGqlServer, type GqlServer, type Resolvers } from '../../../src/index.js';
import { connectTo, eras, textOf } from './connect.js';

let server: GqlServer;
beforeAll(async () => {
  const { default: resolvers } = (await import(
    new URL('../../../docs/examples/parcel/main.resolvers.mjs', import.meta.url).href
  )) as { default: Resolvers };
  server = createGqlServer({ topologies: ['docs/examples/parcel/main.gg'], resolvers, mcp: true });
});
afterAll(() => server.close());

const address = { lines: ['Domkloster 4'], postcode: '50667', city: 'Cologne', country: 'DE' };
const tool = 'bookShipment_and_4_more';

describe.each(eras)('an agent of MCP %s', (era) => {
  test('negotiates its version', async () => {
    const client = await connectTo(server, era);
    expect(client.getNegotiatedProtocolVersion()).toBe(era);
    await client.close();
  });

  test('books a shipment for a new customer with one call', async () => {
    const client = await connectTo(server, era);
    const result = await client.callTool({
      name: tool,
      arguments: {
        signUp: { input: { name: 'Linus', email: 'linus@example.com' } },
        bookShipment: {
          parties: { recipientId: '2', destination: address },
          draft: { parcels: [{ weightGrams: 900, contents: 'A lamp' }] },
        },
      },
    });
    const { signUp, bookShipment } = result.structuredContent as never as {
      signUp: { id: string };
      bookShipment: { id: string; sender: { id: string }; recipient: { id: string } };
    };
    expect(result.isError).toBeUndefined();
    expect(bookShipment.sender.id).toBe(signUp.id);
    expect(bookShipment.recipient.id).toBe('2');
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
    const read = await client.callTool({ name: 'read', arguments: { shipment: { id: bookShipment.id } } });
    expect(read.structuredContent).toMatchObject({ shipment: { sender: { name: 'Linus' } } });
    await client.close();
  });
});

test('fills in a path argument from a single id, and asks for one of several ids', async () => {
  const client = await connectTo(server);
  const claims = await client.callTool({
    name: tool,
    arguments: {
      bookShipment: {
        parties: { senderId: '1', recipientId: '2', destination: address },
        draft: { parcels: [{ weightGrams: 1, contents: 'One' }] },
      },
      fileClaim: { input: { reason: 'LOST', claimed: { minor: 100 } } },
      decideClaim: {},
      label: {},
    },
  });
  const { bookShipment, fileClaim, decideClaim } = claims.structuredContent as never as Record<
    string,
    { id: string; parcelId: string; parcels: { id: string }[]; status: string }
  >;
  expect(claims.isError).toBeUndefined();
  expect(fileClaim?.parcelId).toBe(bookShipment?.parcels[0]?.id);
  expect(decideClaim?.id).toBe(fileClaim?.id);
  expect(Object.keys(claims.structuredContent as object)).toEqual([
    'bookShipment',
    'fileClaim',
    'decideClaim',
    'label',
  ]);

  const several = await client.callTool({
    name: tool,
    arguments: {
      bookShipment: {
        parties: { senderId: '1', recipientId: '2', destination: address },
        draft: { parcels: [{ weightGrams: 1 }, { weightGrams: 2 }] },
      },
      fileClaim: { input: { reason: 'LOST', claimed: { minor: 100 } } },
    },
  });
  expect(several.isError).toBe(true);
  expect(textOf(several)).toMatch(
    /^fileClaim: bookShipment gave 2 ids: "\d+", "\d+"\. Pass “fileClaim.input.parcelId” itself\.\n/,
  );
  expect(several.structuredContent).toMatchObject({
    done: { bookShipment: { status: 'BOOKED' } },
    failed: { step: 'fileClaim', status: 400 },
  });
  await client.close();
});
