// The data behind the parcel example: a small firm in Hamburg, held in memory.
// `gg-svc serve docs/examples/parcel/main.gg` finds this file by its name. Its types were written by
// `gg-svc types docs/examples/parcel/main.gg --scalar DateTime=string -o docs/examples/parcel/main.types.ts`.

/** @import * as Api from './main.types.js' */

// The time is fixed, so that the same request has the same response over REST and GraphQL.
const now = '2026-03-02T09:00:00Z';
const soon = '2026-03-03T18:00:00Z';

const harbour = { latitude: 53.54, longitude: 9.98 };
const home = {
  lines: ['Deichstrasse 1'],
  postcode: '20459',
  city: 'Hamburg',
  country: 'DE',
  position: harbour,
};
const away = { lines: ['Domkloster 4', 'Side door'], postcode: '50667', city: 'Cologne', country: 'DE' };

/** @type {Table<Api.Customer>} */
const customers = table([
  { id: '1', name: 'Ada', email: 'ada@example.com', addresses: [home], since: '2024-05-01T00:00:00Z' },
  { id: '2', name: 'Grace', phone: '+49 40 123456', addresses: [away], since: '2025-01-15T00:00:00Z' },
  { id: '3', name: 'Context Books', addresses: [home, away] },
]);
/** @type {Table<Api.Courier>} */
const couriers = table([
  { id: '1', name: 'Tom', status: 'ON_DUTY', position: harbour, capacity: 80 },
  { id: '2', name: 'Mia', status: 'OFF_DUTY', capacity: 20 },
]);
/** @type {Table<Api.Parcel>} */
const parcels = table([
  {
    id: '1',
    weightGrams: 1200,
    dimensions: { lengthMm: 300, widthMm: 200, heightMm: 100 },
    contents: 'Books',
    insuredFor: money({ minor: 5000 }),
    tags: ['books'],
  },
  { id: '2', weightGrams: 350, contents: 'A teapot', fragile: true },
]);
/** @type {Table<Api.Shipment>} */
const shipments = table([
  {
    id: '1',
    sender: customers.get('1'),
    recipient: customers.get('2'),
    destination: away,
    service: 'STANDARD',
    status: 'IN_TRANSIT',
    parcels: parcels.all(),
    price: money({ minor: 1290 }),
    bookedAt: '2026-03-01T10:00:00Z',
    deliverBy: soon,
  },
  {
    id: '2',
    sender: customers.get('1'),
    recipient: customers.get('3'),
    destination: home,
    service: 'SAME_DAY',
    status: 'BOOKED',
    parcels: [],
    bookedAt: now,
  },
]);
/** @type {Table<Api.Depot>} */
const depots = table([
  { id: '1', name: 'Harbour', address: home, position: harbour, belts: 6 },
  { id: '2', name: 'Cologne', address: away, position: { latitude: 50.94, longitude: 6.96 } },
]);
/** @type {Api.Vehicle} */
const vehicle = { id: '1', kind: 'CARGO_BIKE', plate: 'HH-P 1', home: depots.get('1') };
/** @type {Table<Api.Route>} */
const routes = table([
  {
    id: '1',
    courier: couriers.get('1'),
    vehicle,
    stops: [{ sequence: 1, address: away, parcels: parcels.all(), arriveBy: soon }],
    distanceKm: 12.5,
    lastLeg: { __typename: 'VanLeg', minutes: 14, courier: couriers.get('1') },
  },
]);
/** @type {Table<Api.TrackingEvent>} */
const events = table([
  {
    id: '1',
    parcelId: '1',
    kind: 'SCANNED',
    at: '2026-03-01T12:00:00Z',
    depot: depots.get('1'),
    position: harbour,
  },
]);
/** @type {Table<Api.Invoice>} */
const invoices = table([
  {
    id: '1',
    customerId: '1',
    customer: customers.get('1'),
    lines: [{ text: 'Shipment 1', amount: money({ minor: 1290 }) }],
    total: money({ minor: 1290 }),
    status: 'OPEN',
    dueAt: soon,
  },
  {
    id: '2',
    customerId: '1',
    customer: customers.get('1'),
    lines: [{ text: 'Shipment 2', amount: money({ minor: 1290 }) }],
    total: money({ minor: 1290 }),
    status: 'OPEN',
    dueAt: soon,
  },
]);
/** @type {Table<Api.Claim>} */
const claims = table([
  {
    id: '1',
    parcelId: '2',
    parcel: parcels.get('2'),
    reason: 'DAMAGED',
    status: 'FILED',
    evidence: ['https://example.com/teapot.jpg'],
    claimed: money({ minor: 2500 }),
    filedAt: now,
  },
]);

/** @type {Api.CompleteResolvers} */
const resolvers = {
  Query: {
    customer: (_parent, { id }) => customers.find(id),
    listCustomers: (_parent, { name, first }) =>
      customers
        .all()
        .filter((customer) => customer.name.includes(name ?? ''))
        .slice(0, first ?? undefined),
    courier: (_parent, { id }) => couriers.find(id),
    listCouriers: (_parent, { status }) => couriers.all().filter((courier) => courier.status === status),
    shipment: (_parent, { id }) => shipments.find(id),
    listShipments: (_parent, { customerId, status, first }) =>
      shipments
        .all()
        .filter(
          (shipment) => isUnsaidOr(customerId, shipment.sender.id) && isUnsaidOr(status, shipment.status),
        )
        .slice(0, first ?? undefined),
    parcel: (_parent, { id }) => parcels.find(id),
    label: (_parent, { parcelId, format }) => labelFor(parcelId, format),
    depot: (_parent, { id }) => depots.find(id),
    listDepots: (_parent, { near, withinKm }) => {
      if (near == null || withinKm == null) return depots.all();
      const here = point(near);
      const byDistance = depots
        .all()
        .map((depot) => ({ depot, km: distanceKm(here, depot.position) }))
        .toSorted((one, other) => one.km - other.km);
      // Every address has a nearest depot, however far away.
      return byDistance.filter(({ km }, at) => at === 0 || km <= withinKm).map(({ depot }) => depot);
    },
    route: (_parent, { id }) => routes.find(id),
    tracking: (_parent, { code }) => {
      const parcel = parcels.find(code) ?? parcels.get('1');
      const ofParcel = events.all().filter((event) => event.parcelId === parcel.id);
      return { parcel, events: ofParcel, expectedAt: soon };
    },
    price: (_parent, { fromPostcode, toPostcode, weightGrams, service }) => {
      const amount = money({ minor: 490 + Math.ceil((weightGrams ?? 500) / 10) });
      /** @type {Api.HouseQuote} */
      const house = { price: amount, service: service ?? 'STANDARD', tariff: '2026' };
      return {
        request: `${fromPostcode} to ${toPostcode}`,
        quote: { __typename: 'HouseQuote', ...house },
        alternatives: [house],
      };
    },
    invoice: (_parent, { id }) => invoices.find(id),
    listInvoices: (_parent, { customerId, status }) =>
      invoices
        .all()
        .filter(
          (invoice) => isUnsaidOr(customerId, invoice.customer.id) && isUnsaidOr(status, invoice.status),
        ),
    claim: (_parent, { id }) => claims.find(id),
    listClaims: (_parent, { status }) => claims.all().filter((claim) => isUnsaidOr(status, claim.status)),
  },

  Mutation: {
    signUp: (_parent, { input }) =>
      customers.add({
        name: input?.name ?? 'Nobody',
        email: input?.email,
        addresses: [address(input?.address)],
        since: now,
      }),
    reportPosition: (_parent, { input }) => {
      const courierId = input?.courierId ?? '1';
      const position = point(input?.position);
      couriers.change(courierId, { position });
      return { courierId, position };
    },
    bookShipment: (_parent, { parties, draft }) =>
      shipments.add({
        sender: customers.find(parties?.senderId) ?? customers.get('1'),
        recipient: customers.find(parties?.recipientId) ?? customers.get('2'),
        destination: address(parties?.destination),
        service: draft?.service ?? 'STANDARD',
        status: 'BOOKED',
        parcels: (draft?.parcels ?? []).map((parcel) =>
          parcels.add({
            weightGrams: parcel.weightGrams ?? 0,
            contents: parcel.contents,
            tags: parcel.tags ?? undefined,
          }),
        ),
        price: money({ minor: 1290 }),
        bookedAt: now,
        deliverBy: draft?.deliverBy,
      }),
    cancelShipment: (_parent, { id }) => shipments.change(id, { status: 'RETURNED' }),
    planRoutes: () => routes.all(),
    recordScan: (_parent, { input }) =>
      events.add({
        parcelId: parcels.find(input?.barcode)?.id ?? '1',
        kind: input?.kind ?? 'SCANNED',
        at: now,
        depot: depots.find(input?.depotId),
        position: input?.position == null ? undefined : point(input.position),
      }),
    payInvoice: (_parent, { input }) => invoices.change(input?.invoiceId ?? '1', { status: 'PAID' }),
    fileClaim: (_parent, { input }) => {
      const parcel = parcels.find(input?.parcelId) ?? parcels.get('1');
      return claims.add({
        parcelId: parcel.id,
        parcel,
        reason: input?.reason ?? 'LOST',
        status: 'FILED',
        evidence: input?.evidence ?? [],
        claimed: money(input?.claimed),
        filedAt: now,
      });
    },
    decideClaim: (_parent, { id, settled }) =>
      claims.change(
        id,
        settled == null ? { status: 'REJECTED' } : { status: 'SETTLED', settled: money(settled) },
      ),
  },
};

export default resolvers;

/**
 * @template {{ readonly id: string | number }} Row
 * @typedef {object} Table
 * @property {(id: string | number | null | undefined) => Row | undefined} find
 * @property {(id: string | number) => Row} get
 * @property {() => Row[]} all
 * @property {(row: Omit<Row, 'id'>) => Row} add
 * @property {(id: string | number, changes: Partial<Row>) => Row | undefined} change
 */

/**
 * Rows by id. Fields with a default in the topology are omitted; the server fills them in.
 *
 * @template {{ readonly id: string | number }} Row
 * @param {readonly NoInfer<Row>[]} rows
 * @returns {Table<Row>}
 */
function table(rows) {
  const byId = new Map(rows.map((row) => [row.id, row]));
  /** @type {Table<Row>['find']} */
  const find = (id) => (id == null ? undefined : byId.get(id));
  return {
    find,
    get: (id) => {
      const row = find(id);
      if (row === undefined) throw new Error(`There is no row ${id}.`);
      return row;
    },
    all: () => [...byId.values()],
    add: (row) => {
      const added = /** @type {Row} */ ({ id: String(byId.size + 1), ...row });
      byId.set(added.id, added);
      return added;
    },
    change: (id, changes) => {
      const row = find(id);
      return row === undefined ? undefined : Object.assign(row, changes);
    },
  };
}

/**
 * @param {Api.MoneyInput | null} [input]
 * @returns {Api.Money}
 */
function money(input) {
  return { minor: input?.minor ?? 0, currency: input?.currency ?? 'EUR' };
}

/**
 * @param {Api.GeoPointInput | null} [input]
 * @returns {Api.GeoPoint}
 */
function point(input) {
  return { latitude: input?.latitude ?? harbour.latitude, longitude: input?.longitude ?? harbour.longitude };
}

/**
 * Values that a caller omits are taken from the home of the firm.
 *
 * @param {Api.AddressInput | null} [input]
 * @returns {Api.Address}
 */
function address(input) {
  return {
    lines: input?.lines ?? home.lines,
    postcode: input?.postcode ?? home.postcode,
    city: input?.city ?? home.city,
    country: input?.country ?? home.country,
    position: point(input?.position),
  };
}

/**
 * @param {unknown} wanted
 * @param {unknown} value
 */
function isUnsaidOr(wanted, value) {
  return wanted == null || wanted === value;
}

/**
 * @param {string} parcelId
 * @param {string | null} format
 * @returns {Api.Label}
 */
function labelFor(parcelId, format) {
  const barcode = `PARCEL-${parcelId}`;
  const ending = format ?? 'pdf';
  return { parcelId, barcode, format: ending, url: `https://example.com/labels/${barcode}.${ending}` };
}

/**
 * Good enough for a city: the earth is taken for flat.
 *
 * @param {Api.GeoPoint} one
 * @param {Api.GeoPoint} other
 */
export function distanceKm(one, other) {
  const north = (one.latitude - other.latitude) * 111;
  const east = (one.longitude - other.longitude) * 111 * Math.cos((one.latitude * Math.PI) / 180);
  return Math.hypot(north, east);
}
