// The data behind the parcel example: a small firm in Hamburg, held in memory.
// `gg-svc serve docs/examples/parcel/main.gg` finds this file by its name.

// Time stands still here, so that the same question has the same answer over REST and GraphQL.
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

const customers = table([
  { id: '1', name: 'Ada', email: 'ada@example.com', addresses: [home], since: '2024-05-01T00:00:00Z' },
  { id: '2', name: 'Grace', phone: '+49 40 123456', addresses: [away], since: '2025-01-15T00:00:00Z' },
  { id: '3', name: 'Context Books', addresses: [home, away] },
]);
const couriers = table([
  { id: '1', name: 'Tom', status: 'ON_DUTY', position: harbour, capacity: 80 },
  { id: '2', name: 'Mia', status: 'OFF_DUTY', capacity: 20 },
]);
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
const depots = table([
  { id: '1', name: 'Harbour', address: home, position: harbour, belts: 6 },
  { id: '2', name: 'Cologne', address: away, position: { latitude: 50.94, longitude: 6.96 } },
]);
const vehicle = { id: '1', kind: 'CARGO_BIKE', plate: 'HH-P 1', home: depots.get('1') };
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
const invoices = table([
  {
    id: '1',
    customer: customers.get('1'),
    lines: [{ text: 'Shipment 1', amount: money({ minor: 1290 }) }],
    total: money({ minor: 1290 }),
    status: 'OPEN',
    dueAt: soon,
  },
]);
const claims = table([
  {
    id: '1',
    parcel: parcels.get('2'),
    reason: 'DAMAGED',
    status: 'FILED',
    evidence: ['https://example.com/teapot.jpg'],
    claimed: money({ minor: 2500 }),
    filedAt: now,
  },
]);

export default {
  Query: {
    customer: (_parent, { id }) => customers.get(id),
    listCustomers: (_parent, { name, first }) =>
      customers
        .all()
        .filter((customer) => customer.name.includes(name ?? ''))
        .slice(0, first),
    courier: (_parent, { id }) => couriers.get(id),
    listCouriers: (_parent, { status }) => couriers.all().filter((courier) => courier.status === status),
    shipment: (_parent, { id }) => shipments.get(id),
    listShipments: (_parent, { customerId, status, first }) =>
      shipments
        .all()
        .filter(
          (shipment) => isUnsaidOr(customerId, shipment.sender.id) && isUnsaidOr(status, shipment.status),
        )
        .slice(0, first),
    parcel: (_parent, { id }) => parcels.get(id),
    label: (_parent, { parcelId, format }) => labelFor(parcelId, format),
    depot: (_parent, { id }) => depots.get(id),
    listDepots: (_parent, { near, withinKm }) => {
      if (near?.latitude == null || near.longitude == null) return depots.all();
      const byDistance = depots
        .all()
        .map((depot) => ({ depot, km: distanceKm(near, depot.position) }))
        .toSorted((one, other) => one.km - other.km);
      // Whoever lives far from all of them still has a nearest one.
      return byDistance.filter(({ km }, at) => at === 0 || km <= withinKm).map(({ depot }) => depot);
    },
    route: (_parent, { id }) => routes.get(id),
    tracking: (_parent, { code }) => {
      const parcel = parcels.get(code) ?? parcels.get('1');
      const ofParcel = events.all().filter((event) => event.parcelId === parcel.id);
      return { parcel, events: ofParcel, expectedAt: soon };
    },
    price: (_parent, { fromPostcode, toPostcode, weightGrams, service }) => {
      const amount = money({ minor: 490 + Math.ceil((weightGrams ?? 500) / 10) });
      const house = { price: amount, service: service ?? 'STANDARD', tariff: '2026' };
      return {
        request: `${fromPostcode} to ${toPostcode}`,
        quote: { __typename: 'HouseQuote', ...house },
        alternatives: [house],
      };
    },
    invoice: (_parent, { id }) => invoices.get(id),
    listInvoices: (_parent, { customerId, status }) =>
      invoices
        .all()
        .filter(
          (invoice) => isUnsaidOr(customerId, invoice.customer.id) && isUnsaidOr(status, invoice.status),
        ),
    claim: (_parent, { id }) => claims.get(id),
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
        sender: customers.get(parties?.senderId) ?? customers.get('1'),
        recipient: customers.get(parties?.recipientId) ?? customers.get('2'),
        destination: address(parties?.destination),
        service: draft?.service,
        status: 'BOOKED',
        parcels: (draft?.parcels ?? []).map((parcel) =>
          parcels.add({ weightGrams: parcel.weightGrams ?? 0, contents: parcel.contents, tags: parcel.tags }),
        ),
        price: money({ minor: 1290 }),
        bookedAt: now,
        deliverBy: draft?.deliverBy,
      }),
    cancelShipment: (_parent, { id }) => shipments.change(id, { status: 'RETURNED' }),
    planRoutes: () => routes.all(),
    recordScan: (_parent, { input }) =>
      events.add({
        parcelId: parcels.get(input?.barcode)?.id ?? '1',
        kind: input?.kind ?? 'SCANNED',
        at: now,
        depot: depots.get(input?.depotId),
        position: input?.position == null ? undefined : point(input.position),
      }),
    payInvoice: (_parent, { input }) => invoices.change(input?.invoiceId, { status: 'PAID' }),
    fileClaim: (_parent, { input }) =>
      claims.add({
        parcel: parcels.get(input?.parcelId) ?? parcels.get('1'),
        reason: input?.reason ?? 'LOST',
        status: 'FILED',
        evidence: input?.evidence,
        claimed: money(input?.claimed),
        filedAt: now,
      }),
    decideClaim: (_parent, { id, settled }) =>
      claims.change(
        id,
        settled == null ? { status: 'REJECTED' } : { status: 'SETTLED', settled: money(settled) },
      ),
  },
};

/** Rows by id. What the topology gives a default is left out of a row; the server fills it in. */
function table(rows) {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const change = (id, changes) => {
    const row = byId.get(id);
    return row === undefined ? undefined : Object.assign(row, changes);
  };
  const add = (row) => {
    const id = String(byId.size + 1);
    byId.set(id, { id, ...row });
    return byId.get(id);
  };
  return { get: (id) => byId.get(id), all: () => [...byId.values()], add, change };
}

function money(input) {
  return { minor: input?.minor ?? 0, currency: input?.currency ?? 'EUR' };
}

function point(input) {
  return { latitude: input?.latitude ?? harbour.latitude, longitude: input?.longitude ?? harbour.longitude };
}

function address(input) {
  return { ...home, ...said(input), position: point(input?.position) };
}

/** What an input says, without what it leaves open. */
function said(input) {
  return Object.fromEntries(Object.entries(input ?? {}).filter(([, value]) => value != null));
}

function isUnsaidOr(wanted, value) {
  return wanted == null || wanted === value;
}

function labelFor(parcelId, format) {
  const barcode = `PARCEL-${parcelId}`;
  return { parcelId, barcode, format, url: `https://example.com/labels/${barcode}.${format}` };
}

/** Good enough for a city: the earth is taken for flat. */
function distanceKm(one, other) {
  const north = (one.latitude - other.latitude) * 111;
  const east = (one.longitude - other.longitude) * 111 * Math.cos((one.latitude * Math.PI) / 180);
  return Math.hypot(north, east);
}
