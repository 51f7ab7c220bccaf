import { expect } from 'vitest';
import type { Resolvers } from '../../../src/runtime/execute/resolvers/contract.js';
import { createGqlServer } from '../../../src/runtime/server/service.js';
import type { Store } from '../../../src/runtime/store/store.js';
import { counting } from './read/serve-rows.js';

const point = { latitude: 53.5, longitude: 10 };
const home = { lines: ['Deichstrasse 1'], postcode: '20459', city: 'Hamburg', country: 'DE', position: point };
const away = { lines: ['Domkloster 4'], postcode: '50667', city: 'Cologne', country: 'DE' };

/** Rows for which the topology has no mutation. */
const firm: readonly (readonly [table: string, rows: readonly Readonly<Record<string, unknown>>[]])[] = [
  [
    'depot',
    [
      { id: 'd1', name: 'Harbour', address: JSON.stringify(home), position: JSON.stringify(point) },
      { id: 'd2', name: 'South', address: JSON.stringify(away), position: JSON.stringify({ ...point, latitude: 48 }) },
    ],
  ],
  [
    'courier',
    [
      { id: 'c1', name: 'Tom', status: 'ON_DUTY' },
      { id: 'c2', name: 'Mia', status: 'OFF_DUTY' },
    ],
  ],
  ['vehicle', [{ id: 'v1', kind: 'CARGO_BIKE', homeId: 'd1' }]],
];

type Selected = Readonly<Record<string, unknown>>;

/** The parcel example answers all of its operations from a database, with a number of statements that no row adds to. */
export async function checkParcel(store: Store): Promise<void> {
  const statements: string[] = [];
  const module = new URL('../../../docs/examples/parcel/store.resolvers.mjs', import.meta.url).href;
  const { default: resolvers } = (await import(module)) as { default: Resolvers };
  const server = createGqlServer({
    topologies: ['docs/examples/parcel/main.gg'],
    resolvers,
    federation: false,
    store: counting(store, statements),
  });
  const { schema } = server;
  // Published events and expired keys are deleted meanwhile.
  const counted = () => statements.filter((sql) => !sql.includes('gg_svc_')).length;
  const left = new Set([...schema.queries, ...schema.mutations].map(({ name }) => name));
  const run = async (query: string, variables: Readonly<Record<string, unknown>> = {}) => {
    const [name = ''] = /(?<=\{ (?:\w+: )?)\w+(?=[ ({])/.exec(query) ?? [];
    left.delete(name);
    statements.length = 0;
    const { data, errors } = await server.executeOperation({ query, variables });
    expect(errors, query).toBeUndefined();
    return (data as Record<string, Selected>)[name] as Selected;
  };
  /** Reads, by one statement. */
  const read = async (query: string, variables?: Readonly<Record<string, unknown>>) => {
    const found = await run(query, variables);
    expect(counted(), query).toBe(1);
    return found;
  };
  const nextOf = async (query: string) => {
    const events = (await server.subscribe({ query })) as AsyncGenerator<{ data: unknown; errors: unknown }>;
    const next = events.next();
    return async () => {
      const { value } = await next;
      await events.return(undefined);
      expect(value.errors, query).toBeUndefined();
      return value.data;
    };
  };

  const database = await server.store();
  for (const [table, rows] of firm)
    await database
      .insertInto(table)
      .values([...rows])
      .execute();

  const signUp = 'mutation ($input: SignUp!) { signUp(input: $input) { id addresses { city } } }';
  const ada = await run(signUp, { input: { name: 'Ada', email: 'ada@example.com', address: home } });
  const grace = await run(signUp, { input: { name: 'Grace', email: 'grace@example.com' } });
  expect([ada.addresses, grace.addresses]).toEqual([[{ city: 'Hamburg' }], []]);
  expect(await read('query ($id: ID!) { customer(id: $id) { name addresses { city } } }', { id: ada.id })).toEqual({
    name: 'Ada',
    addresses: [{ city: 'Hamburg' }],
  });
  expect(await read('{ listCustomers(name: "ra") { name } }')).toEqual([{ name: 'Grace' }]);
  expect(await read('{ listCustomers(first: 1) { id } }')).toHaveLength(1);

  const booked = await nextOf('subscription { shipmentBooked { id } }');
  const labelled = await nextOf('subscription { labelReady { id parcels { contents } } }');
  const book = `mutation ($parties: Parties!, $draft: Draft!) { bookShipment(parties: $parties, draft: $draft) {
    id status destination { city } sender { name } recipient { name } parcels { id weightGrams tags }
  } }`;
  const parties = { senderId: ada.id, recipientId: grace.id, destination: away };
  const draft = {
    parcels: [
      { weightGrams: 900, contents: 'A lamp' },
      { weightGrams: 100, contents: 'A bulb', tags: [] },
    ],
  };
  const shipment = await run(book, { parties, draft });
  expect(shipment).toMatchObject({
    status: 'BOOKED',
    destination: { city: 'Cologne' },
    sender: { name: 'Ada' },
    recipient: { name: 'Grace' },
    parcels: [
      { weightGrams: 900, tags: ['parcel'] },
      { weightGrams: 100, tags: [] },
    ],
  });
  expect(await booked()).toEqual({ shipmentBooked: { id: shipment.id } });
  expect(await labelled()).toEqual({
    labelReady: { id: shipment.id, parcels: [{ contents: 'A lamp' }, { contents: 'A bulb' }] },
  });
  const many = { parcels: Array.from({ length: 20 }, () => draft.parcels[0]) };
  const later = await run(book, { parties: { ...parties, senderId: grace.id, recipientId: ada.id }, draft: many });
  // One for each relation of the answer; before, the event had one of its own.
  expect(counted()).toBe(3);
  await expect(
    server.executeOperation({ query: book, variables: { parties: { ...parties, senderId: 'none' }, draft } }),
  ).resolves.toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT', parameter: 'parties.senderId' } }] });

  const related = '{ id sender { name addresses { city } } recipient { name } parcels { id } price { minor } }';
  expect(await read(`query ($id: ID!) { shipment(id: $id) ${related} }`, { id: shipment.id })).toEqual({
    id: shipment.id,
    sender: { name: 'Ada', addresses: [{ city: 'Hamburg' }] },
    recipient: { name: 'Grace' },
    parcels: (shipment.parcels as readonly { readonly id: string }[]).map(({ id }) => ({ id })),
    price: null,
  });
  const listed = (await read(`{ listShipments ${related} }`)) as never as readonly { readonly parcels: unknown[] }[];
  expect(listed.map(({ parcels }) => parcels.length)).toEqual([20, 2]);
  expect(await read('{ listShipments(first: 1) { id } }')).toEqual([{ id: later.id }]);
  expect(await read('query ($id: ID) { listShipments(customerId: $id) { id } }', { id: ada.id })).toEqual([
    { id: shipment.id },
  ]);
  expect(await read('{ listShipments(status: RETURNED) { id } }')).toEqual([]);
  const [{ id: parcelId }] = shipment.parcels as readonly [{ readonly id: string }];
  expect(await read('query ($id: ID!) { parcel(id: $id) { contents fragile } }', { id: parcelId })).toEqual({
    contents: 'A lamp',
    fragile: false,
  });

  const tracked = await nextOf('subscription { parcelTracked { parcelId kind } }');
  const scan = `mutation ($input: Scan!) { recordScan(input: $input) { parcelId kind depot { name } position { latitude } } }`;
  const scanned = { parcelId, kind: 'SCANNED', depot: { name: 'Harbour' }, position: point };
  const input = { barcode: parcelId, depotId: 'd1', position: point };
  expect(await run(scan, { input })).toMatchObject({ ...scanned, position: { latitude: 53.5 } });
  expect(await tracked()).toEqual({ parcelTracked: { parcelId, kind: 'SCANNED' } });
  const tracking = `query ($code: String!) { tracking(code: $code) { parcel { weightGrams } events { kind depot { name } } } }`;
  await run(tracking, { code: parcelId });
  const trackedBy = counted();
  await run(scan, { input: { ...input, kind: 'SORTED', depotId: 'd2' } });
  const events = [
    { kind: 'SCANNED', depot: { name: 'Harbour' } },
    { kind: 'SORTED', depot: { name: 'South' } },
  ];
  expect(await run(tracking, { code: parcelId })).toEqual({ parcel: { weightGrams: 900 }, events });
  expect(counted()).toBe(trackedBy);

  const filed = await nextOf('subscription { claimChanged { parcelId status } }');
  const file = `mutation ($input: ClaimForm!) { fileClaim(input: $input) { id status evidence claimed { minor } parcel { contents } } }`;
  const claim = await run(file, { input: { parcelId, reason: 'DAMAGED', claimed: { minor: 500 } } });
  expect(claim).toMatchObject({
    status: 'FILED',
    evidence: [],
    claimed: { minor: 500 },
    parcel: { contents: 'A lamp' },
  });
  expect(await filed()).toEqual({ claimChanged: { parcelId, status: 'FILED' } });
  expect(await read('query ($id: ID!) { claim(id: $id) { parcel { id } } }', { id: claim.id })).toEqual({
    parcel: { id: parcelId },
  });
  expect(await read('{ listClaims(status: FILED) { id parcel { weightGrams } } }')).toHaveLength(1);
  const decide = `mutation ($id: ID!, $settled: MoneyInput) { decideClaim(id: $id, settled: $settled) { status settled { minor currency } parcel { id } } }`;
  expect(await run(decide, { id: claim.id, settled: { minor: 400, currency: 'EUR' } })).toEqual({
    status: 'SETTLED',
    settled: { minor: 400, currency: 'EUR' },
    parcel: { id: parcelId },
  });

  const money = JSON.stringify({ minor: 1290, currency: 'EUR' });
  const lines = JSON.stringify([{ text: 'Shipment', amount: { minor: 1290, currency: 'EUR' } }]);
  const dueAt = '2026-03-03T18:00:00.000Z';
  await database.insertInto('invoice').values({ id: 'i1', customerId: ada.id, lines, total: money, dueAt }).execute();
  const invoice = { id: 'i1', dueAt, total: { minor: 1290 }, customer: { name: 'Ada' } };
  const ofInvoice = '{ id dueAt total { minor } customer { name } }';
  expect(await read(`{ invoice(id: "i1") ${ofInvoice} }`)).toEqual(invoice);
  expect(await read(`query ($id: ID) { listInvoices(customerId: $id) ${ofInvoice} }`, { id: ada.id })).toEqual([
    invoice,
  ]);
  const pay = `mutation ($input: Payment!) { payInvoice(input: $input) { status lines { text amount { minor } } customer { name } } }`;
  expect(await run(pay, { input: { invoiceId: 'i1', amount: { minor: 1290 } } })).toEqual({
    status: 'PAID',
    lines: [{ text: 'Shipment', amount: { minor: 1290 } }],
    customer: { name: 'Ada' },
  });

  expect(await read('{ courier(id: "c1") { name capacity position { latitude } } }')).toEqual({
    name: 'Tom',
    capacity: 80,
    position: null,
  });
  expect(await read('{ listCouriers { name } }')).toEqual([{ name: 'Tom' }]);
  const moved = 'mutation ($input: PositionReport!) { reportPosition(input: $input) { courierId } }';
  await run(moved, { input: { courierId: 'c1', position: point } });
  expect(await run('{ courier(id: "c1") { position { latitude } } }')).toEqual({ position: { latitude: 53.5 } });
  expect(await read('{ depot(id: "d1") { name belts address { city } } }')).toMatchObject({
    name: 'Harbour',
    belts: 4,
  });
  const near = '{ listDepots(near: { latitude: 48, longitude: 10 }) { name } }';
  expect(await run(near)).toEqual([{ name: 'South' }]);
  const ofRoute =
    '{ id courier { name } vehicle { kind home { name } } stops { sequence parcels { contents fragile } } }';
  const plan = `mutation ($input: PlanRequest!) { planRoutes(input: $input) ${ofRoute} }`;
  const routes = await run(plan, { input: { depotId: 'd1', day: dueAt } });
  expect(routes).toMatchObject([
    { courier: { name: 'Tom' }, vehicle: { kind: 'CARGO_BIKE', home: { name: 'Harbour' } }, stops: [{}, {}] },
  ]);
  expect([await run(`{ route(id: "c1") ${ofRoute} }`)]).toEqual(routes);
  expect(
    await run('mutation ($id: ID!) { cancelShipment(id: $id) { status parcels { id } sender { name } } }', later),
  ).toMatchObject({
    status: 'RETURNED',
    sender: { name: 'Grace' },
  });
  expect(await run('{ label(parcelId: "1") { barcode } }')).toEqual({ barcode: 'PARCEL-1' });
  expect(await run('{ price(fromPostcode: "1", toPostcode: "2") { request } }')).toEqual({ request: '1 to 2' });
  expect(await run('{ dashboard { product } }')).toEqual({ product: 'Parcel' });
  expect([...left]).toEqual([]);

  const overRest = await server.fetch(
    new Request(`http://localhost/api/shipment?id=${shipment.id}&fields=sender.name`),
  );
  expect(await overRest.json()).toEqual({ sender: { name: 'Ada' } });
  await server.close();
}
