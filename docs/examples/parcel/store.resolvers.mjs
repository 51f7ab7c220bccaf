// The parcel example on the store: gg-svc.config.json names this file and the database. The store serves what is not here,
// and all fields that lead to other rows.

import { randomUUID } from 'node:crypto';
import inMemory, { distanceKm } from './main.resolvers.mjs';

const { label, price } = inMemory.Query;

export default {
  Query: {
    label,
    price,
    async listDepots(_parent, { near, withinKm }, context) {
      const depots = await rowsOf((await context.store()).selectFrom('depot').selectAll().orderBy('id'));
      if (near == null || withinKm == null) return depots;
      const byDistance = depots
        .map((depot) => ({ depot, km: distanceKm(near, depot.position) }))
        .toSorted((one, other) => one.km - other.km);
      return byDistance.filter(({ km }, at) => at === 0 || km <= withinKm).map(({ depot }) => depot);
    },
    async route(_parent, { id }, context) {
      return (await plannedRoutes(await context.store())).find((route) => route.id === id);
    },
    async tracking(_parent, { code }, context) {
      const database = await context.store();
      const [parcel] = await rowsOf(database.selectFrom('parcel').selectAll().where('id', '=', code));
      if (parcel === undefined) return null;
      const events = database
        .selectFrom('tracking_event')
        .selectAll()
        .where('parcelId', '=', code)
        .orderBy('at');
      const shipment = database
        .selectFrom('shipment')
        .select('deliverBy')
        .where('id', '=', parcel.shipmentId);
      const expectedAt = (await shipment.executeTakeFirst())?.deliverBy;
      return { parcel, events: await rowsOf(events), expectedAt };
    },
  },
  Mutation: {
    async signUp(_parent, { input }, context) {
      const { name, email, address } = input;
      const addresses = JSON.stringify(address ? [address] : []);
      const row = { id: randomUUID(), name, email, addresses, since: new Date().toISOString() };
      const [customer] = await rowsOf(
        (await context.store()).insertInto('customer').values(row).returningAll(),
      );
      return customer;
    },
    async reportPosition(_parent, { input }, context) {
      await change(context, 'courier', input.courierId, { position: JSON.stringify(input.position) });
      return input;
    },
    cancelShipment: (_parent, { id }, context) => change(context, 'shipment', id, { status: 'RETURNED' }),
    async planRoutes(_parent, { input }, context) {
      return plannedRoutes(await context.store(), input);
    },
    payInvoice: (_parent, { input }, context) =>
      change(context, 'invoice', input.invoiceId, { status: 'PAID' }),
    decideClaim: (_parent, { id, settled }, context) =>
      change(
        context,
        'claim',
        id,
        settled ? { status: 'SETTLED', settled: JSON.stringify(settled) } : { status: 'REJECTED' },
      ),
  },
};

/** Changes a row, and returns it; undefined if there is none. */
async function change(context, table, id, values) {
  const query = (await context.store()).updateTable(table).set(values).where('id', '=', id).returningAll();
  const [row] = await rowsOf(query);
  return row;
}

/** Routes are planned, and not stored: each courier on duty drives a vehicle to a part of the booked shipments. */
async function plannedRoutes(database, { depotId, vehicles: kinds } = {}) {
  const on = (table, column, value) =>
    database.selectFrom(table).selectAll().where(column, '=', value).orderBy('id');
  const [couriers, shipments, all] = [
    await rowsOf(on('courier', 'status', 'ON_DUTY')),
    await rowsOf(on('shipment', 'status', 'BOOKED')),
    await rowsOf(
      depotId ? on('vehicle', 'homeId', depotId) : database.selectFrom('vehicle').selectAll().orderBy('id'),
    ),
  ];
  const vehicles = kinds ? all.filter(({ kind }) => kinds.includes(kind)) : all;
  const ids = shipments.map(({ id }) => id);
  const parcels =
    ids.length > 0
      ? await rowsOf(database.selectFrom('parcel').selectAll().where('shipmentId', 'in', ids))
      : [];
  return couriers.slice(0, vehicles.length).map((courier, at, { length }) => ({
    id: courier.id,
    courier,
    vehicle: vehicles[at],
    stops: shipments
      .filter((_, index) => index % length === at)
      .map(({ id, destination, deliverBy }, index) => ({
        sequence: index + 1,
        address: destination,
        parcels: parcels.filter(({ shipmentId }) => shipmentId === id),
        arriveBy: deliverBy,
      })),
    lastLeg: { __typename: 'VanLeg', minutes: 14, courier },
  }));
}

/** The columns that SQLite gives as the text of JSON. */
const json = new Set(
  'address addresses claimed destination dimensions evidence insuredFor lines position price settled tags total'.split(
    ' ',
  ),
);

/** The rows of a statement, with the values of objects and lists. */
async function rowsOf(query) {
  const value = (name, given) => (json.has(name) && typeof given === 'string' ? JSON.parse(given) : given);
  return (await query.execute()).map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, given]) => [name, value(name, given)])),
  );
}
