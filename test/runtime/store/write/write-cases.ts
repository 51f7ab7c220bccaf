import fc from 'fast-check';
import { expect } from 'vitest';
import type { Store } from '../../../../src/index.js';
import { createGqlServer } from '../../../../src/index.js';
import type { ModelRun } from '../model-run.js';

/** The columns that a random table of parents has, or has not. */
interface Parts {
  readonly code: boolean;
  readonly stars: boolean;
  readonly isOpen: boolean;
  readonly tags: boolean;
  readonly version: boolean;
  /** What shows the parent of a kid: a field for its key, a relation without one, or the list of the parent alone. */
  readonly kin: keyof typeof kins;
}

const kins = {
  field: ['topId: ID!, top: Top', 'topId'],
  relation: ['top: Top!', 'top { id }'],
  list: ['', ''],
} as const;

const parts: fc.Arbitrary<Parts> = fc.record({
  code: fc.boolean(),
  stars: fc.boolean(),
  isOpen: fc.boolean(),
  tags: fc.boolean(),
  version: fc.boolean(),
  kin: fc.constantFrom('field', 'relation', 'list'),
});

const topologyOf = ({ code, stars, isOpen, tags, version, kin }: Parts): string => {
  const columns = [
    'id: ID!, name: String!, kids: [Kid!]!',
    ...(code ? ['/// @store unique\n  code: String'] : []),
    ...(stars ? ['stars: Int'] : []),
    ...(isOpen ? ['isOpen: Boolean! = true'] : []),
    ...(tags ? ['tags: [String!]'] : []),
    ...(version ? ['/// @store version\n  version: Int!'] : []),
  ];
  return `
(top: Stored {
  ${columns.join(',\n  ')}
})
(kid: Stored { id: ID!, label: String, ${kins[kin][0]} })
(new_kid: Input { id: ID, topId: ID!, label: String })
/// @store unique number, label
(seat: Stored {
  /// @store key
  topId: ID!,
  top: Top,
  /// @store key
  number: Int!,
  label: String,
  tickets: [Ticket!]!
})
(ticket: Stored { id: ID!, seatTopId: ID, seatNumber: Int, seat: Seat })
(new_seat: Input { topId: ID!, number: Int!, label: String })
(new_ticket: Input { id: ID! })
(changed_top: Input { id: ID!, name: String${code ? ', code: String' : ''}${stars ? ', stars: Int' : ''}${version ? ', version: Int' : ''} })
(root)-[:PROCESS { operation: 'top', id: ID!, returns: Top }]->(top)
(top)-[:FOLD { operation: 'saveTop', returns: Top! }]->(top)
(changed_top)-[:FOLD { operation: 'changeTop', returns: Top }]->(top)
(root)-[:FOLD { operation: 'dropTop', id: ID!, returns: Boolean }]->(top)
(new_kid)-[:FOLD { operation: 'saveKid', returns: Kid! }]->(kid)
(root)-[:PROCESS { operation: 'seats', returns: [Seat!]! }]->(seat)
(root)-[:FOLD { operation: 'addSeat', topId: ID!, number: Int!, label: String, writes: 'insert', returns: Seat! }]->(seat)
(root)-[:FOLD { operation: 'changeSeat', topId: ID!, number: Int!, label: String, returns: Seat }]->(seat)
(root)-[:FOLD { operation: 'saveSeat', topId: ID!, number: Int, label: String, returns: Seat! }]->(seat)
(root)-[:FOLD { operation: 'dropSeat', topId: ID!, number: Int!, returns: Boolean }]->(seat)
(root)-[:PROCESS { operation: 'tickets', returns: [Ticket!]! }]->(ticket)
(root)-[:FOLD { operation: 'addTicket', id: ID!, seatTopId: ID, seatNumber: Int, writes: 'insert', returns: Ticket! }]->(ticket)
(root)-[:FOLD { operation: 'addWithSeat', id: ID!, seat: NewSeat!, writes: 'insert', returns: Ticket! }]->(ticket)
(root)-[:FOLD { operation: 'moveTicket', id: ID!, seatTopId: ID, seatNumber: Int, returns: Ticket }]->(ticket)
(root)-[:FOLD { operation: 'dropTicket', id: ID!, returns: Boolean }]->(ticket)
(root)-[:FOLD {
  operation: 'sellSeat', topId: ID!, number: Int!, label: String, tickets: [NewTicket!], writes: 'insert', returns: Seat!
}]->(seat)
(root)-[:FOLD { operation: 'dropKid', id: ID!, returns: ID }]->(kid)
`;
};

type Row = Record<string, unknown>;

const ids = fc.constantFrom('a', 'b', 'c');
const strings = fc.constantFrom('x', "it's", '', '$1', '\u{1f4a9}', '"; --', '%');
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const ofSeats = ['addSeat', 'changeSeat', 'saveSeat', 'dropSeat'] as const;
const ofTickets = ['addTicket', 'addWithSeat', 'moveTicket', 'dropTicket', 'sellSeat'] as const;
const kinds = ['saveTop', 'changeTop', 'dropTop', 'saveKid', 'dropKid', ...ofSeats, ...ofTickets] as const;

interface Step {
  readonly kind: (typeof kinds)[number];
  readonly seat: { readonly number: number; readonly label: string | null };
  readonly row: Row;
  readonly kids: readonly Row[];
  /** The reference of a ticket. A column that is absent keeps its value. */
  readonly ticket: { readonly id: string; readonly seatTopId?: unknown; readonly seatNumber?: unknown };
}

const kid = fc.record({ id: fc.constantFrom('k', 'l', 'm'), label: fc.option(strings) });
const steps = (length: number): fc.Arbitrary<readonly Step[]> =>
  fc.array(
    fc.record({
      kind: fc.constantFrom(...kinds),
      seat: fc.record({ number: fc.integer({ min: 1, max: 2 }), label: fc.constantFrom('x', 'y', null) }),
      row: fc.record({
        id: ids,
        name: optional(fc.option(strings, { freq: 5 })),
        code: optional(fc.option(strings)),
        stars: optional(fc.option(fc.integer({ min: -9, max: 9 }))),
        isOpen: optional(fc.boolean()),
        tags: optional(fc.option(fc.array(strings, { maxLength: 2 }))),
        version: optional(fc.integer({ min: 1, max: 3 })),
      }),
      kids: fc.array(kid, { maxLength: 2 }),
      ticket: fc.record(
        {
          id: fc.constantFrom('s', 't', 'u'),
          seatTopId: fc.option(ids),
          seatNumber: fc.option(fc.integer({ min: 1, max: 2 })),
        },
        { requiredKeys: ['id'] },
      ),
    }) as fc.Arbitrary<Step>,
    { minLength: Math.ceil(length / 25), maxLength: length, size: 'max' },
  );

/** The rows of both tables in memory, and what a mutation makes of them: its error, or undefined. */
class Model {
  tops = new Map<string, Row>();
  kids = new Map<string, Row>();
  seats = new Map<string, Row>();
  tickets = new Map<string, Row>();

  constructor(private readonly has: Parts) {}

  run(step: Step): string | undefined {
    const { kind, row, kids, seat } = step;
    if (isOfTickets(kind)) return this.changeTicket(kind, step);
    if (kind.endsWith('Seat')) return this.changeSeat(kind, { topId: row.id, ...seat });
    const before = [new Map(this.tops), new Map(this.kids)] as const;
    const failed = this.change(kind, row, kids);
    if (failed !== undefined) [this.tops, this.kids] = before;
    return failed;
  }

  /** The key is the pair of the parent and the number. */
  private changeSeat(kind: Step['kind'], seat: Row): string | undefined {
    const key = `${seat.topId} ${seat.number}`;
    const isThere = this.seats.has(key);
    if (kind === 'dropSeat' && this.ticketsOf(seat).length > 0) return 'STILL_REFERENCED';
    if (kind === 'dropSeat') this.seats.delete(key);
    if (kind === 'dropSeat' || (kind === 'changeSeat' && !isThere)) return undefined;
    if (kind === 'addSeat' && isThere) return 'ALREADY_EXISTS';
    const others = [...this.seats].filter(([other]) => other !== key).map(([, other]) => other);
    const isTaken = others.some(({ number, label }) => number === seat.number && label === seat.label);
    if (isTaken && seat.label !== null) return 'ALREADY_EXISTS';
    if (!this.tops.has(seat.topId as string)) return 'BAD_USER_INPUT';
    this.seats.set(key, seat);
    return undefined;
  }

  /** The tickets that refer to a seat by both columns of its key. */
  ticketsOf({ topId, number }: Row): readonly Row[] {
    return [...this.tickets.values()].filter((one) => one.seatTopId === topId && one.seatNumber === number);
  }

  private changeTicket(kind: (typeof ofTickets)[number], { ticket, row, seat }: Step): string | undefined {
    const { id } = ticket;
    const old = this.tickets.get(id);
    const key = { seatTopId: row.id, seatNumber: seat.number };
    if (kind === 'dropTicket') this.tickets.delete(id);
    if (kind === 'dropTicket' || (kind === 'moveTicket' && old === undefined)) return undefined;
    if (kind === 'addWithSeat' || kind === 'sellSeat') {
      const failed = this.changeSeat('addSeat', { topId: row.id, ...seat });
      if (failed !== undefined) return failed;
    }
    const isNew = kind !== 'moveTicket';
    if (isNew && old !== undefined) {
      if (kind !== 'addTicket') this.seats.delete(`${row.id} ${seat.number}`);
      return 'ALREADY_EXISTS';
    }
    const given = kind === 'addWithSeat' || kind === 'sellSeat' ? { id, ...key } : ticket;
    const made = { ...(old ?? { seatTopId: null, seatNumber: null }), ...given };
    const isWhole = made.seatTopId !== null && made.seatNumber !== null;
    if (isWhole && !this.seats.has(`${made.seatTopId} ${made.seatNumber}`)) return 'BAD_USER_INPUT';
    this.tickets.set(id, made);
    return undefined;
  }

  private change(kind: Step['kind'], row: Row, kids: readonly Row[]): string | undefined {
    const id = row.id as string;
    if (kind === 'dropTop') {
      if ([...this.kids.values(), ...this.seats.values()].some(({ topId }) => topId === id)) return 'STILL_REFERENCED';
      this.tops.delete(id);
      return undefined;
    }
    const [first] = kids;
    if (kind === 'dropKid') {
      if (first !== undefined) this.kids.delete(first.id as string);
      return undefined;
    }
    if (kind === 'saveKid') {
      if (first === undefined) return undefined;
      if (!this.tops.has(id)) return 'BAD_USER_INPUT';
      this.kids.set(first.id as string, { ...first, topId: id });
      return undefined;
    }
    const old = this.tops.get(id);
    if (row.name === null) return 'BAD_USER_INPUT';
    if (old === undefined && kind === 'changeTop') return undefined;
    if (row.version !== undefined && row.version !== old?.version) return 'VERSION_CONFLICT';
    if (old === undefined && row.name === undefined) return 'BAD_USER_INPUT';
    const codes = [...this.tops.values()].filter((top) => top.id !== id).map(({ code }) => code);
    if (row.code !== undefined && row.code !== null && codes.includes(row.code)) return 'ALREADY_EXISTS';
    const { code, stars, isOpen, tags, version } = this.has;
    const fresh = {
      ...(code && { code: null }),
      ...(stars && { stars: null }),
      ...(isOpen && { isOpen: true }),
      ...(tags && { tags: null }),
      ...(version && { version: 0 }),
    };
    const made: Row = { ...(old ?? fresh), ...row };
    if (version) made.version = Number((old ?? fresh).version) + 1;
    this.tops.set(id, made);
    for (const one of kind === 'saveTop' ? kids : []) {
      if (this.kids.has(one.id as string)) return 'ALREADY_EXISTS';
      this.kids.set(one.id as string, { ...one, topId: id });
    }
    return undefined;
  }
}

function isOfTickets(kind: Step['kind']): kind is (typeof ofTickets)[number] {
  return (ofTickets as readonly string[]).includes(kind);
}

/** The step with the columns that the topology and the mutation have. */
function fitted({ row, ...step }: Step, has: Parts): Step {
  const { kind } = step;
  const isChange = kind === 'changeTop';
  const kept = Object.entries(row).filter(
    ([name, value]) =>
      value !== undefined &&
      (has[name as keyof Parts] ?? true) &&
      !(isChange && (name === 'isOpen' || name === 'tags')),
  );
  return { ...step, row: Object.fromEntries(kept) };
}

function requestOf({ kind, row, kids, seat, ticket }: Step): { query: string; variables: Row } {
  const [first = { id: 'none' }] = kids;
  const { number, label } = seat;
  const given = `topId: $topId, number: $number${kind === 'dropSeat' ? '' : ', label: $label'}`;
  switch (kind) {
    case 'addSeat':
    case 'changeSeat':
    case 'saveSeat':
    case 'dropSeat':
      return {
        query: `mutation ($topId: ID!, $number: Int!${kind === 'dropSeat' ? '' : ', $label: String'}) { ${kind}(${given})${kind === 'dropSeat' ? '' : ' { number }'} }`,
        variables: { topId: row.id, number, ...(kind !== 'dropSeat' && { label }) },
      };
    case 'addTicket':
    case 'moveTicket':
      return {
        query: `mutation ($id: ID!, $seatTopId: ID, $seatNumber: Int) { ${kind}(id: $id, seatTopId: $seatTopId, seatNumber: $seatNumber) { id seat { topId } } }`,
        variables: ticket,
      };
    case 'addWithSeat':
      return {
        query: 'mutation ($id: ID!, $seat: NewSeat!) { addWithSeat(id: $id, seat: $seat) { id seat { label } } }',
        variables: { id: ticket.id, seat: { topId: row.id, ...seat } },
      };
    case 'sellSeat':
      return {
        query: `mutation ($topId: ID!, $number: Int!, $label: String, $tickets: [NewTicket!]) {
          sellSeat(topId: $topId, number: $number, label: $label, tickets: $tickets) { tickets { id } }
        }`,
        variables: { topId: row.id, ...seat, tickets: [{ id: ticket.id }] },
      };
    case 'dropTicket':
      return { query: 'mutation ($id: ID!) { dropTicket(id: $id) }', variables: { id: ticket.id } };
    case 'dropTop':
      return { query: 'mutation ($id: ID!) { dropTop(id: $id) }', variables: { id: row.id } };
    case 'dropKid':
      return { query: 'mutation ($id: ID!) { dropKid(id: $id) }', variables: { id: first.id } };
    case 'saveKid':
      return {
        query: 'mutation ($input: NewKid!) { saveKid(input: $input) { id } }',
        variables: { input: { ...first, topId: row.id } },
      };
    default:
      return {
        query: `mutation ($input: ${kind === 'saveTop' ? 'TopInput' : 'ChangedTop!'}) { ${kind}(input: $input) { id } }`,
        variables: { input: kind === 'saveTop' ? { ...row, kids } : row },
      };
  }
}

const sorted = (rows: Iterable<Row>) => [...rows].sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));

/** Random topologies and sequences of mutations leave the rows, and give the errors, that a model in memory has. */
export async function checkWrites(
  open: () => Promise<Store> | Store,
  { length = 25, onOperation = () => undefined, ...run }: ModelRun,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(parts, steps(length), async (has, given) => {
      const store = await open();
      const model = new Model(has);
      const server = createGqlServer({
        topologies: [{ name: 'a.gg', source: topologyOf(has) }],
        store,
      });
      const { kin, ...columns } = has;
      const names = ['id', 'name', ...Object.entries(columns).flatMap(([name, isThere]) => (isThere ? [name] : []))];
      const query = `query ($id: ID!) { top(id: $id) { ${names.join(' ')} kids { id label ${kins[kin][1]} } } }`;
      try {
        for (const step of given.map((one) => fitted(one, has))) {
          if (step.kids.length === 0 && step.kind === 'saveKid') continue;
          onOperation();
          const { errors } = await server.executeOperation(requestOf(step));
          expect(errors?.[0]?.extensions.code).toBe(model.run(step));
        }
        const { data: all } = await server.executeOperation({
          query: `{ seats { topId number label tickets { id } } tickets { id seatTopId seatNumber seat { label } } }`,
        });
        const order = (seats: Iterable<unknown>) => [...seats].map((one) => JSON.stringify(one)).sort();
        const seats = [...model.seats.values()].map(({ topId, number, label }) => {
          const sold = sorted(model.ticketsOf({ topId, number }));
          return { topId, number, label, tickets: sold.map(({ id }) => ({ id })) };
        });
        expect(order(all?.seats as unknown[])).toEqual(order(seats));
        const tickets = [...model.tickets.values()].map(({ id, seatTopId, seatNumber }) => {
          const seat = model.seats.get(`${seatTopId} ${seatNumber}`);
          return { id, seatTopId, seatNumber, seat: seat ? { label: seat.label } : null };
        });
        expect(order(all?.tickets as unknown[])).toEqual(order(tickets));
        for (const id of ['a', 'b', 'c']) {
          onOperation();
          const { data } = await server.executeOperation({ query, variables: { id } });
          const top = data?.top as (Row & { kids: Row[] }) | null;
          const { kids = [], ...row } = top ?? {};
          expect(top === null ? undefined : row).toEqual(model.tops.get(id));
          const found = kids.map(({ top: parent, ...kid }) => ({ topId: parent ? (parent as Row).id : id, ...kid }));
          expect(sorted(found)).toEqual(sorted([...model.kids.values()].filter(({ topId }) => topId === id)));
        }
      } finally {
        await store.close();
      }
    }),
    run,
  );
}
