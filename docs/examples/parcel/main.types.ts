// Made by gg-svc from a topology. Whatever is changed here is lost when it is made again.
/* eslint-disable */

import type { GraphQLResolveInfo, GraphQLScalarType } from 'graphql';

/** What a courier is doing. */
export type CourierStatus = 'ON_DUTY' | 'ON_BREAK' | 'OFF_DUTY';

/** How quickly a shipment travels. */
export type ServiceLevel = 'STANDARD' | 'EXPRESS' | 'SAME_DAY';

/** How far a shipment has come. */
export type ShipmentStatus =
  | 'BOOKED'
  | 'COLLECTED'
  | 'IN_TRANSIT'
  | 'OUT_FOR_DELIVERY'
  | 'DELIVERED'
  | 'RETURNED';

/** What parcels ride in. */
export type VehicleKind = 'VAN' | 'CARGO_BIKE' | 'TRUCK' | 'DRONE';

/** What can happen to a parcel. */
export type TrackingKind = 'SCANNED' | 'SORTED' | 'LOADED' | 'HANDED_OVER' | 'DELIVERY_FAILED';

/** How far an invoice has come. */
export type InvoiceStatus = 'OPEN' | 'PAID' | 'OVERDUE';

/** Why somebody claims. */
export type ClaimReason = 'LOST' | 'DAMAGED' | 'LATE';

/** How far a claim has come. */
export type ClaimStatus = 'FILED' | 'IN_REVIEW' | 'SETTLED' | 'REJECTED';

/** The currencies that we bill in. */
export type Currency = 'EUR' | 'GBP' | 'USD';

/** A moment, with date, time and offset. */
export type DateTime = string;

/** How the business is doing, for the screen in the hall. */
export interface Dashboard {
  readonly product?: string | undefined;
  readonly version?: number | undefined;
  readonly depots?: number | undefined;
  readonly onTime?: number | undefined;
  readonly open?: boolean | undefined;
  readonly languages?: readonly string[] | undefined;
}

/** A person or firm that sends or receives parcels. */
export interface Customer<Rows = unknown> {
  readonly id: string | number;
  readonly name: string;
  readonly email?: string | null | undefined;
  readonly phone?: string | null | undefined;
  /** The first is the one that we deliver to. */
  readonly addresses: readonly Given<Rows, 'Address', Address<Rows>>[];
  readonly since?: DateTime | null | undefined;
}

/** A person who carries parcels. */
export interface Courier<Rows = unknown> {
  readonly id: string | number;
  readonly name: string;
  readonly status?: CourierStatus | undefined;
  readonly position?: Given<Rows, 'GeoPoint', GeoPoint> | null | undefined;
  /** How many parcels fit into the vehicle. */
  readonly capacity?: number | undefined;
}

/** The values of the type ReportPosition. */
export interface ReportPosition<Rows = unknown> {
  readonly courierId: string | number;
  readonly position: Given<Rows, 'GeoPoint', GeoPoint>;
}

/** The values of the type CourierMoved. */
export interface CourierMoved<Rows = unknown> {
  readonly courierId: string | number;
  readonly position: Given<Rows, 'GeoPoint', GeoPoint>;
}

/** Length, width and height. */
export interface Dimensions {
  readonly lengthMm: number;
  readonly widthMm: number;
  readonly heightMm: number;
}

/** One box. */
export interface Parcel<Rows = unknown> {
  readonly id: string | number;
  readonly weightGrams: number;
  readonly dimensions?: Given<Rows, 'Dimensions', Dimensions> | null | undefined;
  /** What is in it, in the sender's words. */
  readonly contents?: string | null | undefined;
  readonly fragile?: boolean | undefined;
  readonly insuredFor?: Given<Rows, 'Money', Money> | null | undefined;
  readonly tags?: readonly string[] | undefined;
}

/** One or more parcels that travel together, from one customer to another. */
export interface Shipment<Rows = unknown> {
  readonly id: string | number;
  readonly sender: Given<Rows, 'Customer', Customer<Rows>>;
  readonly recipient: Given<Rows, 'Customer', Customer<Rows>>;
  readonly destination: Given<Rows, 'Address', Address<Rows>>;
  readonly service?: ServiceLevel | undefined;
  readonly status?: ShipmentStatus | undefined;
  readonly parcels: readonly Given<Rows, 'Parcel', Parcel<Rows>>[];
  readonly price?: Given<Rows, 'Money', Money> | null | undefined;
  readonly bookedAt: DateTime;
  readonly deliverBy?: DateTime | null | undefined;
}

/** The sticker on a parcel. */
export interface Label {
  readonly parcelId: string | number;
  readonly barcode: string;
  readonly format?: string | undefined;
  readonly url: string;
}

/** The values of the type ShipmentBooked. */
export interface ShipmentBooked {
  readonly id: string | number;
  readonly at: DateTime;
}

/** The values of the type LabelReady. */
export interface LabelReady {
  readonly id: string | number;
  readonly url: string;
}

/** Where parcels are sorted. */
export interface Depot<Rows = unknown> {
  readonly id: string | number;
  readonly name: string;
  readonly address: Given<Rows, 'Address', Address<Rows>>;
  readonly position: Given<Rows, 'GeoPoint', GeoPoint>;
  readonly belts?: number | undefined;
}

/** The values of the type Vehicle. */
export interface Vehicle<Rows = unknown> {
  readonly id: string | number;
  readonly kind?: VehicleKind | undefined;
  readonly plate?: string | null | undefined;
  readonly home: Given<Rows, 'Depot', Depot<Rows>>;
}

/** One halt of a route. */
export interface RouteStop<Rows = unknown> {
  readonly sequence: number;
  readonly address: Given<Rows, 'Address', Address<Rows>>;
  readonly parcels: readonly Given<Rows, 'Parcel', Parcel<Rows>>[];
  readonly arriveBy?: DateTime | null | undefined;
}

/** What one courier drives in one shift. */
export interface Route<Rows = unknown> {
  readonly id: string | number;
  readonly courier: Given<Rows, 'Courier', Courier<Rows>>;
  readonly vehicle: Given<Rows, 'Vehicle', Vehicle<Rows>>;
  readonly stops: readonly Given<Rows, 'RouteStop', RouteStop<Rows>>[];
  readonly distanceKm?: number | undefined;
  /** The last stretch, by whichever way is offered first. */
  readonly lastLeg?: Given<Rows, 'LastLegRace', LastLegRace<Rows>> | null | undefined;
}

/** The last stretch on wheels. */
export interface VanLeg<Rows = unknown> {
  readonly minutes: number;
  readonly courier: Given<Rows, 'Courier', Courier<Rows>>;
}

/** The last stretch through the air. */
export interface DroneLeg {
  readonly minutes: number;
  readonly windLimit?: number | undefined;
}

/** One thing that happened to a parcel. */
export interface TrackingEvent<Rows = unknown> {
  readonly id: string | number;
  readonly parcelId: string | number;
  readonly kind: TrackingKind;
  readonly at: DateTime;
  readonly depot?: Given<Rows, 'Depot', Depot<Rows>> | null | undefined;
  readonly position?: Given<Rows, 'GeoPoint', GeoPoint> | null | undefined;
  readonly note?: string | null | undefined;
}

/** The whole story of a parcel. */
export interface Tracking<Rows = unknown> {
  readonly parcel: Given<Rows, 'Parcel', Parcel<Rows>>;
  readonly events: readonly Given<Rows, 'TrackingEvent', TrackingEvent<Rows>>[];
  readonly expectedAt?: DateTime | null | undefined;
}

/** The values of the type ParcelTracked. */
export interface ParcelTracked {
  readonly parcelId: string | number;
  readonly kind: TrackingKind;
  readonly at: DateTime;
}

/** A price out of our own table. */
export interface HouseQuote<Rows = unknown> {
  readonly price: Given<Rows, 'Money', Money>;
  readonly service: ServiceLevel;
  readonly tariff: string;
}

/** A price that a partner offers. */
export interface PartnerQuote<Rows = unknown> {
  readonly price: Given<Rows, 'Money', Money>;
  readonly service: ServiceLevel;
  readonly partner: string;
  readonly expiresAt?: DateTime | null | undefined;
}

/** The answer to a price request. */
export interface Price<Rows = unknown> {
  readonly request: string;
  readonly quote: Given<Rows, 'QuoteOffer', QuoteOffer<Rows>>;
  readonly alternatives: readonly Given<Rows, 'HouseQuote', HouseQuote<Rows>>[];
}

/** The values of the type InvoiceLine. */
export interface InvoiceLine<Rows = unknown> {
  readonly text: string;
  readonly amount: Given<Rows, 'Money', Money>;
}

/** What a customer owes us. */
export interface Invoice<Rows = unknown> {
  readonly id: string | number;
  readonly customer: Given<Rows, 'Customer', Customer<Rows>>;
  readonly lines: readonly Given<Rows, 'InvoiceLine', InvoiceLine<Rows>>[];
  readonly total: Given<Rows, 'Money', Money>;
  readonly status?: InvoiceStatus | undefined;
  readonly dueAt: DateTime;
}

/** The values of the type InvoicePaid. */
export interface InvoicePaid<Rows = unknown> {
  readonly id: string | number;
  readonly customerId: string | number;
  readonly total: Given<Rows, 'Money', Money>;
}

/** A wish for compensation. */
export interface Claim<Rows = unknown> {
  readonly id: string | number;
  readonly parcel: Given<Rows, 'Parcel', Parcel<Rows>>;
  readonly reason: ClaimReason;
  readonly status?: ClaimStatus | undefined;
  /** Addresses of pictures. */
  readonly evidence?: readonly string[] | undefined;
  readonly claimed: Given<Rows, 'Money', Money>;
  readonly settled?: Given<Rows, 'Money', Money> | null | undefined;
  readonly filedAt: DateTime;
}

/** The values of the type ClaimChanged. */
export interface ClaimChanged {
  readonly id: string | number;
  readonly parcelId: string | number;
  readonly status: ClaimStatus;
}

/** An amount of money. */
export interface Money {
  /** In the smallest unit of the currency: cents, for instance. */
  readonly minor: number;
  readonly currency?: Currency | undefined;
}

/** A point on the map. */
export interface GeoPoint {
  readonly latitude: number;
  readonly longitude: number;
}

/** Where somebody lives or works. */
export interface Address<Rows = unknown> {
  /** Street and house number, one or two lines. */
  readonly lines: readonly string[];
  readonly postcode: string;
  readonly city: string;
  /** Two letters, by ISO 3166-1. */
  readonly country?: string | undefined;
  /** Where the door is, when we know it. */
  readonly position?: Given<Rows, 'GeoPoint', GeoPoint> | null | undefined;
}

/** Union (race) of van_leg | drone_leg for last_leg */
export type LastLegRace<Rows = unknown> =
  | Member<'VanLeg', Given<Rows, 'VanLeg', VanLeg<Rows>>>
  | Member<'DroneLeg', Given<Rows, 'DroneLeg', DroneLeg>>;

/** Union (race) of house_quote | partner_quote for best_quote */
export type QuoteOffer<Rows = unknown> =
  | Member<'HouseQuote', Given<Rows, 'HouseQuote', HouseQuote<Rows>>>
  | Member<'PartnerQuote', Given<Rows, 'PartnerQuote', PartnerQuote<Rows>>>;

/** What a customer says on signing up. */
export interface SignUpInput {
  readonly name?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly address?: AddressInput | null | undefined;
}

/** What may be said of PositionReport. */
export interface PositionReportInput {
  readonly courierId?: string | null | undefined;
  readonly position?: GeoPointInput | null | undefined;
}

/** Length, width and height. */
export interface DimensionsInput {
  readonly lengthMm?: number | null | undefined;
  readonly widthMm?: number | null | undefined;
  readonly heightMm?: number | null | undefined;
}

/** One box. */
export interface ParcelInput {
  readonly id?: string | null | undefined;
  readonly weightGrams?: number | null | undefined;
  readonly dimensions?: DimensionsInput | null | undefined;
  /** What is in it, in the sender's words. */
  readonly contents?: string | null | undefined;
  readonly fragile?: boolean | null | undefined;
  readonly insuredFor?: MoneyInput | null | undefined;
  readonly tags?: readonly string[] | null | undefined;
}

/** Who sends, and to whom. */
export interface PartiesInput {
  readonly senderId?: string | null | undefined;
  readonly recipientId?: string | null | undefined;
  readonly destination?: AddressInput | null | undefined;
}

/** What is to be sent, and how. */
export interface DraftInput {
  readonly service?: ServiceLevel | null | undefined;
  readonly parcels?: readonly ParcelInput[] | null | undefined;
  readonly deliverBy?: DateTime | null | undefined;
}

/** What may be said of PlanRequest. */
export interface PlanRequestInput {
  readonly depotId?: string | null | undefined;
  readonly day?: DateTime | null | undefined;
  readonly vehicles?: readonly VehicleKind[] | null | undefined;
}

/** What may be said of Scan. */
export interface ScanInput {
  readonly barcode?: string | null | undefined;
  readonly kind?: TrackingKind | null | undefined;
  readonly depotId?: string | null | undefined;
  readonly position?: GeoPointInput | null | undefined;
}

/** What may be said of Payment. */
export interface PaymentInput {
  readonly invoiceId?: string | null | undefined;
  readonly amount?: MoneyInput | null | undefined;
  readonly reference?: string | null | undefined;
}

/** What may be said of ClaimForm. */
export interface ClaimFormInput {
  readonly parcelId?: string | null | undefined;
  readonly reason?: ClaimReason | null | undefined;
  readonly claimed?: MoneyInput | null | undefined;
  readonly evidence?: readonly string[] | null | undefined;
}

/** An amount of money. */
export interface MoneyInput {
  /** In the smallest unit of the currency: cents, for instance. */
  readonly minor?: number | null | undefined;
  readonly currency?: Currency | null | undefined;
}

/** A point on the map. */
export interface GeoPointInput {
  readonly latitude?: number | null | undefined;
  readonly longitude?: number | null | undefined;
}

/** Where somebody lives or works. */
export interface AddressInput {
  /** Street and house number, one or two lines. */
  readonly lines?: readonly string[] | null | undefined;
  readonly postcode?: string | null | undefined;
  readonly city?: string | null | undefined;
  /** Two letters, by ISO 3166-1. */
  readonly country?: string | null | undefined;
  /** Where the door is, when we know it. */
  readonly position?: GeoPointInput | null | undefined;
}

/** The arguments of each query. */
export interface QueryArguments {
  /** Query from topology edge hall to dashboard */
  readonly dashboard: NoArguments;
  /** Query from topology edge office to customer */
  readonly customer: {
    readonly id: string;
  };
  /** Query from topology edge office to customer */
  readonly listCustomers: {
    /** Part of a name; everybody when it is left out. */
    readonly name?: string | null | undefined;
    /** `20` unless given. */
    readonly first: number | null;
  };
  /** Query from topology edge office to courier */
  readonly courier: {
    readonly id: string;
  };
  /** Query from topology edge office to courier */
  readonly listCouriers: {
    /** `"ON_DUTY"` unless given. */
    readonly status: CourierStatus | null;
  };
  /** Query from topology edge shop to shipment */
  readonly shipment: {
    readonly id: string;
  };
  /** The shipments of a customer, newest first. */
  readonly listShipments: {
    readonly customerId?: string | null | undefined;
    readonly status?: ShipmentStatus | null | undefined;
    /** `20` unless given. */
    readonly first: number | null;
  };
  /** Query from topology edge shop to parcel */
  readonly parcel: {
    readonly id: string;
  };
  /** Query from topology edge shop to label */
  readonly label: {
    readonly parcelId: string;
    /** `"pdf"` unless given. */
    readonly format: string | null;
  };
  /** Query from topology edge control_room to depot */
  readonly depot: {
    readonly id: string;
  };
  /** Query from topology edge control_room to depot */
  readonly listDepots: {
    readonly near?: GeoPointInput | null | undefined;
    /** `50` unless given. */
    readonly withinKm: number | null;
  };
  /** Query from topology edge control_room to route */
  readonly route: {
    readonly id: string;
  };
  /** Query from topology edge tracking_code to tracking */
  readonly tracking: {
    readonly code: string;
    readonly postcode?: string | null | undefined;
  };
  /** Query from topology edge price_request to price */
  readonly price: {
    readonly fromPostcode: string;
    readonly toPostcode: string;
    /** `500` unless given. */
    readonly weightGrams: number;
    /** `"STANDARD"` unless given. */
    readonly service: ServiceLevel;
    readonly dimensions?: DimensionsInput | null | undefined;
  };
  /** Query from topology edge accounts to invoice */
  readonly invoice: {
    readonly id: string;
  };
  /** Query from topology edge accounts to invoice */
  readonly listInvoices: {
    readonly customerId?: string | null | undefined;
    /** `"OPEN"` unless given. */
    readonly status: InvoiceStatus | null;
  };
  /** Query from topology edge support to claim */
  readonly claim: {
    readonly id: string;
  };
  /** Query from topology edge support to claim */
  readonly listClaims: {
    readonly status?: ClaimStatus | null | undefined;
  };
}

/** What each query returns. */
export interface QueryResults<Rows = unknown> {
  /** Query from topology edge hall to dashboard */
  readonly dashboard: Given<Rows, 'Dashboard', Dashboard> | null | undefined;
  /** Query from topology edge office to customer */
  readonly customer: Given<Rows, 'Customer', Customer<Rows>> | null | undefined;
  /** Query from topology edge office to customer */
  readonly listCustomers: readonly Given<Rows, 'Customer', Customer<Rows>>[];
  /** Query from topology edge office to courier */
  readonly courier: Given<Rows, 'Courier', Courier<Rows>> | null | undefined;
  /** Query from topology edge office to courier */
  readonly listCouriers: readonly Given<Rows, 'Courier', Courier<Rows>>[];
  /** Query from topology edge shop to shipment */
  readonly shipment: Given<Rows, 'Shipment', Shipment<Rows>> | null | undefined;
  /** The shipments of a customer, newest first. */
  readonly listShipments: readonly Given<Rows, 'Shipment', Shipment<Rows>>[];
  /** Query from topology edge shop to parcel */
  readonly parcel: Given<Rows, 'Parcel', Parcel<Rows>> | null | undefined;
  /** Query from topology edge shop to label */
  readonly label: Given<Rows, 'Label', Label> | null | undefined;
  /** Query from topology edge control_room to depot */
  readonly depot: Given<Rows, 'Depot', Depot<Rows>> | null | undefined;
  /** Query from topology edge control_room to depot */
  readonly listDepots: readonly Given<Rows, 'Depot', Depot<Rows>>[];
  /** Query from topology edge control_room to route */
  readonly route: Given<Rows, 'Route', Route<Rows>> | null | undefined;
  /** Query from topology edge tracking_code to tracking */
  readonly tracking: Given<Rows, 'Tracking', Tracking<Rows>> | null | undefined;
  /** Query from topology edge price_request to price */
  readonly price: Given<Rows, 'Price', Price<Rows>> | null | undefined;
  /** Query from topology edge accounts to invoice */
  readonly invoice: Given<Rows, 'Invoice', Invoice<Rows>> | null | undefined;
  /** Query from topology edge accounts to invoice */
  readonly listInvoices: readonly Given<Rows, 'Invoice', Invoice<Rows>>[];
  /** Query from topology edge support to claim */
  readonly claim: Given<Rows, 'Claim', Claim<Rows>> | null | undefined;
  /** Query from topology edge support to claim */
  readonly listClaims: readonly Given<Rows, 'Claim', Claim<Rows>>[];
}

/** The arguments of each mutation. */
export interface MutationArguments {
  /** Signs a customer up. */
  readonly signUp: {
    readonly input?: SignUpInput | null | undefined;
  };
  /** Tells where a courier is. */
  readonly reportPosition: {
    readonly input?: PositionReportInput | null | undefined;
  };
  /** Books a shipment: the parties and the draft become one thing. */
  readonly bookShipment: {
    readonly parties?: PartiesInput | null | undefined;
    readonly draft?: DraftInput | null | undefined;
  };
  /** Takes a shipment back before it is collected. */
  readonly cancelShipment: {
    readonly id: string;
    /** `"changed my mind"` unless given. */
    readonly reason: string | null;
  };
  /** Plans the routes of a depot for a day. */
  readonly planRoutes: {
    readonly input?: PlanRequestInput | null | undefined;
  };
  /** A scanner read a barcode. */
  readonly recordScan: {
    readonly input?: ScanInput | null | undefined;
  };
  /** Records that an invoice was paid. */
  readonly payInvoice: {
    readonly input?: PaymentInput | null | undefined;
  };
  /** Files a claim. */
  readonly fileClaim: {
    readonly input?: ClaimFormInput | null | undefined;
  };
  /** Decides a claim: settled with an amount, rejected without one. */
  readonly decideClaim: {
    readonly id: string;
    readonly settled?: MoneyInput | null | undefined;
  };
}

/** What each mutation returns. */
export interface MutationResults<Rows = unknown> {
  /** Signs a customer up. */
  readonly signUp: Given<Rows, 'Customer', Customer<Rows>> | null | undefined;
  /** Tells where a courier is. */
  readonly reportPosition: Given<Rows, 'ReportPosition', ReportPosition<Rows>> | null | undefined;
  /** Books a shipment: the parties and the draft become one thing. */
  readonly bookShipment: Given<Rows, 'Shipment', Shipment<Rows>>;
  /** Takes a shipment back before it is collected. */
  readonly cancelShipment: Given<Rows, 'Shipment', Shipment<Rows>> | null | undefined;
  /** Plans the routes of a depot for a day. */
  readonly planRoutes: readonly Given<Rows, 'Route', Route<Rows>>[];
  /** A scanner read a barcode. */
  readonly recordScan: Given<Rows, 'TrackingEvent', TrackingEvent<Rows>> | null | undefined;
  /** Records that an invoice was paid. */
  readonly payInvoice: Given<Rows, 'Invoice', Invoice<Rows>> | null | undefined;
  /** Files a claim. */
  readonly fileClaim: Given<Rows, 'Claim', Claim<Rows>> | null | undefined;
  /** Decides a claim: settled with an amount, rejected without one. */
  readonly decideClaim: Given<Rows, 'Claim', Claim<Rows>> | null | undefined;
}

/** The arguments of each subscription. */
export interface SubscriptionArguments {
  /** A courier moved. Watch one courier, or all of them. */
  readonly courierMoved: {
    readonly courierId?: string | null | undefined;
  };
  /** A booked shipment is news to the depot and makes the printer run. */
  readonly shipmentBooked: NoArguments;
  /** A booked shipment is news to the depot and makes the printer run. */
  readonly labelReady: NoArguments;
  /** Something happened to a parcel. Follow one parcel, or all of them. */
  readonly parcelTracked: {
    readonly parcelId?: string | null | undefined;
  };
  /** An invoice was paid. */
  readonly invoicePaid: {
    readonly customerId?: string | null | undefined;
  };
  /** A claim was filed or decided. */
  readonly claimChanged: {
    readonly parcelId?: string | null | undefined;
  };
}

/** What each subscription brings. */
export interface SubscriptionPayloads<Rows = unknown> {
  /** A courier moved. Watch one courier, or all of them. */
  readonly courierMoved: Given<Rows, 'CourierMoved', CourierMoved<Rows>> | null | undefined;
  /** A booked shipment is news to the depot and makes the printer run. */
  readonly shipmentBooked: Given<Rows, 'ShipmentBooked', ShipmentBooked> | null | undefined;
  /** A booked shipment is news to the depot and makes the printer run. */
  readonly labelReady: Given<Rows, 'LabelReady', LabelReady> | null | undefined;
  /** Something happened to a parcel. Follow one parcel, or all of them. */
  readonly parcelTracked: Given<Rows, 'ParcelTracked', ParcelTracked> | null | undefined;
  /** An invoice was paid. */
  readonly invoicePaid: Given<Rows, 'InvoicePaid', InvoicePaid<Rows>> | null | undefined;
  /** A claim was filed or decided. */
  readonly claimChanged: Given<Rows, 'ClaimChanged', ClaimChanged> | null | undefined;
}

/** The object types, by their names in the schema. */
export interface ObjectTypes<Rows = unknown> {
  readonly Dashboard: Dashboard;
  readonly Customer: Customer<Rows>;
  readonly Courier: Courier<Rows>;
  readonly ReportPosition: ReportPosition<Rows>;
  readonly CourierMoved: CourierMoved<Rows>;
  readonly Dimensions: Dimensions;
  readonly Parcel: Parcel<Rows>;
  readonly Shipment: Shipment<Rows>;
  readonly Label: Label;
  readonly ShipmentBooked: ShipmentBooked;
  readonly LabelReady: LabelReady;
  readonly Depot: Depot<Rows>;
  readonly Vehicle: Vehicle<Rows>;
  readonly RouteStop: RouteStop<Rows>;
  readonly Route: Route<Rows>;
  readonly VanLeg: VanLeg<Rows>;
  readonly DroneLeg: DroneLeg;
  readonly TrackingEvent: TrackingEvent<Rows>;
  readonly Tracking: Tracking<Rows>;
  readonly ParcelTracked: ParcelTracked;
  readonly HouseQuote: HouseQuote<Rows>;
  readonly PartnerQuote: PartnerQuote<Rows>;
  readonly Price: Price<Rows>;
  readonly InvoiceLine: InvoiceLine<Rows>;
  readonly Invoice: Invoice<Rows>;
  readonly InvoicePaid: InvoicePaid<Rows>;
  readonly Claim: Claim<Rows>;
  readonly ClaimChanged: ClaimChanged;
  readonly Money: Money;
  readonly GeoPoint: GeoPoint;
  readonly Address: Address<Rows>;
}

/** The names of the members of each union, by its name in the schema. */
export interface UnionTypes {
  readonly LastLegRace: 'VanLeg' | 'DroneLeg';
  readonly QuoteOffer: 'HouseQuote' | 'PartnerQuote';
}

/** The types that have a row. Unknown, or any, means that none has. */
export type RowNames<Rows> = unknown extends Rows ? never : keyof Rows;

/** What stands in the place of a type: its row, where Rows has one. */
export type Given<Rows, Name extends string, Type> = Name extends RowNames<Rows> ? Rows[Name] : Type;

/** A member of a union, which says by `__typename` what it is. */
export type Member<Name extends string, Type> = Type & { readonly __typename: Name };

/** The arguments of what takes none. */
export type NoArguments = Readonly<Record<string, never>>;

/** A function that gives a value, at once or later. */
export type Resolver<Parent, Arguments, Context, Result> = (
  parent: Parent,
  args: Arguments,
  context: Context,
  info: GraphQLResolveInfo,
) => Result | PromiseLike<Result>;

/** What resolves a field: a function, or a value that is served as it is. */
export type FieldResolver<Parent, Arguments, Context, Result> =
  | Resolver<Parent, Arguments, Context, Result>
  | (unknown extends Result ? never : Exclude<Result, undefined>);

/**
 * What resolves a subscription: a function that returns an async iterable of events. An event is the
 * payload, or holds it under the name of the subscription, or `resolve` makes the payload out of it.
 */
export type SubscriptionResolver<Name extends string, Arguments, Context, Payload> =
  | Resolver<undefined, Arguments, Context, AsyncIterable<Payload | { readonly [Field in Name]: Payload }>>
  | {
      readonly subscribe: Resolver<
        undefined,
        Arguments,
        Context,
        AsyncIterable<Payload | { readonly [Field in Name]: Payload }>
      >;
      readonly resolve?: undefined;
    }
  | {
      readonly subscribe: Resolver<undefined, Arguments, Context, AsyncIterable<unknown>>;
      /** A method, so that the type of the event may be declared by whoever knows it. */
      resolve(
        event: unknown,
        args: Arguments,
        context: Context,
        info: GraphQLResolveInfo,
      ): Payload | PromiseLike<Payload>;
    };

/** The fields of a type that a row does not have. */
export type Lacking<Parent, Type> = {
  readonly [Field in keyof Type]-?: Field extends keyof Parent
    ? Parent[Field] extends Type[Field] | PromiseLike<Type[Field]> | ((...args: never) => unknown)
      ? never
      : Field
    : undefined extends Type[Field]
      ? never
      : Field;
}[keyof Type];

/** What tells the name of the member of a union that a value is. */
export type TypeResolver<Value, Context, Name> = (
  value: Value,
  context: Context,
  info: GraphQLResolveInfo,
) => Name | PromiseLike<Name>;

/** The resolvers of the fields of a type; those that its row lacks must be there. */
export type FieldResolvers<Parent, Type, Context> = {
  readonly [Field in keyof Type]?: FieldResolver<Parent, NoArguments, Context, Type[Field]>;
} & {
  readonly [Field in Lacking<Parent, Type>]: FieldResolver<Parent, NoArguments, Context, Type[Field]>;
} & {
  /** Whether a member of a union is of this type, where the value does not say so by `__typename`. */
  readonly __isTypeOf?: (
    value: unknown,
    context: Context,
    info: GraphQLResolveInfo,
  ) => boolean | PromiseLike<boolean>;
};

/** The resolvers of the queries. */
export type QueryResolvers<Context = unknown, Rows = unknown> = {
  readonly [Name in keyof QueryArguments]?: FieldResolver<
    undefined,
    QueryArguments[Name],
    Context,
    QueryResults<Rows>[Name]
  >;
};

/** The resolvers of the mutations. */
export type MutationResolvers<Context = unknown, Rows = unknown> = {
  readonly [Name in keyof MutationArguments]?: FieldResolver<
    undefined,
    MutationArguments[Name],
    Context,
    MutationResults<Rows>[Name]
  >;
};

/** The resolvers of the subscriptions, for those whose events do not come from a mutation. */
export type SubscriptionResolvers<Context = unknown, Rows = unknown> = {
  readonly [Name in keyof SubscriptionArguments]?: SubscriptionResolver<
    Name,
    SubscriptionArguments[Name],
    Context,
    SubscriptionPayloads<Rows>[Name]
  >;
};

/**
 * The resolvers of the API, as `createGqlServer` takes them.
 *
 * Context is the third argument of every resolver. Rows says what resolvers give in place of a type, by the
 * name of the type: `{ User: UserRow }`. A field that a row lacks needs a resolver then, and a union that
 * has a row needs `__resolveType`.
 */
export type Resolvers<Context = unknown, Rows = unknown> = {
  readonly Query?: QueryResolvers<Context, Rows>;
  readonly Mutation?: MutationResolvers<Context, Rows>;
  readonly Subscription?: SubscriptionResolvers<Context, Rows>;
  /** How values of DateTime are read and written. */
  readonly DateTime?: GraphQLScalarType<DateTime, unknown>;
} & {
  readonly [Name in keyof ObjectTypes]?: FieldResolvers<
    Given<Rows, Name, ObjectTypes<Rows>[Name]>,
    ObjectTypes<Rows>[Name],
    Context
  >;
} & {
  readonly [Name in keyof UnionTypes]?: {
    readonly __resolveType?: TypeResolver<Given<Rows, Name, unknown>, Context, UnionTypes[Name]>;
  };
} & RowResolvers<Context, Rows>;

/** What must be there because rows stand in the place of types. A name that is no type is refused. */
export type RowResolvers<Context, Rows> = {
  readonly [Name in Extract<RowNames<Rows>, keyof ObjectTypes> as [
    Lacking<Rows[Name], ObjectTypes<Rows>[Name]>,
  ] extends [never]
    ? never
    : Name]: FieldResolvers<Rows[Name], ObjectTypes<Rows>[Name], Context>;
} & {
  readonly [Name in Extract<RowNames<Rows>, keyof UnionTypes>]: {
    readonly __resolveType: TypeResolver<Rows[Name], Context, UnionTypes[Name]>;
  };
} & {
  readonly [Name in Exclude<RowNames<Rows>, keyof ObjectTypes | keyof UnionTypes>]: never;
};

/** The queries that answer `NOT_IMPLEMENTED` without a resolver. */
export type NeededQueries =
  | 'customer'
  | 'listCustomers'
  | 'courier'
  | 'listCouriers'
  | 'shipment'
  | 'listShipments'
  | 'parcel'
  | 'label'
  | 'depot'
  | 'listDepots'
  | 'route'
  | 'tracking'
  | 'price'
  | 'invoice'
  | 'listInvoices'
  | 'claim'
  | 'listClaims';

/** The mutations that answer `NOT_IMPLEMENTED` without a resolver. */
export type NeededMutations =
  | 'signUp'
  | 'reportPosition'
  | 'bookShipment'
  | 'cancelShipment'
  | 'planRoutes'
  | 'recordScan'
  | 'payInvoice'
  | 'fileClaim'
  | 'decideClaim';

/** The same, with all queries and mutations in them that nothing else answers. */
export type CompleteResolvers<Context = unknown, Rows = unknown> = Resolvers<Context, Rows> & {
  readonly Query: Required<Pick<QueryResolvers<Context, Rows>, NeededQueries>>;
} & {
  readonly Mutation: Required<Pick<MutationResolvers<Context, Rows>, NeededMutations>>;
};

/** The REST routes of the API, and the JSON that they take and give. */
export namespace Rest {
  /** The paths, with what each method takes and answers. */
  export interface Paths {
    readonly '/api/dashboard': {
      /** Query from topology edge hall to dashboard */
      readonly get: {
        readonly parameters: Readonly<Record<string, never>>;
        readonly answer: Dashboard | null;
      };
    };
    readonly '/api/customer': {
      /** Query from topology edge office to customer */
      readonly get: {
        readonly parameters: {
          readonly id: string;
        };
        readonly answer: Customer | null;
      };
    };
    readonly '/api/listCustomers': {
      /** Query from topology edge office to customer */
      readonly get: {
        readonly parameters: {
          /** Part of a name; everybody when it is left out. */
          readonly name?: string | null | undefined;
          /** `20` unless given. */
          readonly first?: number | null | undefined;
        };
        readonly answer: readonly Customer[];
      };
    };
    readonly '/api/courier': {
      /** Query from topology edge office to courier */
      readonly get: {
        readonly parameters: {
          readonly id: string;
        };
        readonly answer: Courier | null;
      };
    };
    readonly '/api/listCouriers': {
      /** Query from topology edge office to courier */
      readonly get: {
        readonly parameters: {
          /** `"ON_DUTY"` unless given. */
          readonly status?: CourierStatus | null | undefined;
        };
        readonly answer: readonly Courier[];
      };
    };
    readonly '/api/shipment': {
      /** Query from topology edge shop to shipment */
      readonly get: {
        readonly parameters: {
          readonly id: string;
        };
        readonly answer: Shipment | null;
      };
    };
    readonly '/api/listShipments': {
      /** The shipments of a customer, newest first. */
      readonly get: {
        readonly parameters: {
          readonly customerId?: string | null | undefined;
          readonly status?: ShipmentStatus | null | undefined;
          /** `20` unless given. */
          readonly first?: number | null | undefined;
        };
        readonly answer: readonly Shipment[];
      };
    };
    readonly '/api/parcel': {
      /** Query from topology edge shop to parcel */
      readonly get: {
        readonly parameters: {
          readonly id: string;
        };
        readonly answer: Parcel | null;
      };
    };
    readonly '/api/label': {
      /** Query from topology edge shop to label */
      readonly get: {
        readonly parameters: {
          readonly parcelId: string;
          /** `"pdf"` unless given. */
          readonly format?: string | null | undefined;
        };
        readonly answer: Label | null;
      };
    };
    readonly '/api/depot': {
      /** Query from topology edge control_room to depot */
      readonly get: {
        readonly parameters: {
          readonly id: string;
        };
        readonly answer: Depot | null;
      };
    };
    readonly '/api/listDepots': {
      /** Query from topology edge control_room to depot */
      readonly get: {
        readonly parameters: {
          readonly near?: GeoPointInput | null | undefined;
          /** `50` unless given. */
          readonly withinKm?: number | null | undefined;
        };
        readonly answer: readonly Depot[];
      };
    };
    readonly '/api/route': {
      /** Query from topology edge control_room to route */
      readonly get: {
        readonly parameters: {
          readonly id: string;
        };
        readonly answer: Route | null;
      };
    };
    readonly '/api/tracking': {
      /** Query from topology edge tracking_code to tracking */
      readonly get: {
        readonly parameters: {
          readonly code: string;
          readonly postcode?: string | null | undefined;
        };
        readonly answer: Tracking | null;
      };
    };
    readonly '/api/price': {
      /** Query from topology edge price_request to price */
      readonly get: {
        readonly parameters: {
          readonly fromPostcode: string;
          readonly toPostcode: string;
          /** `500` unless given. */
          readonly weightGrams?: number | undefined;
          /** `"STANDARD"` unless given. */
          readonly service?: ServiceLevel | undefined;
          readonly dimensions?: DimensionsInput | null | undefined;
        };
        readonly answer: Price | null;
      };
    };
    readonly '/api/invoice': {
      /** Query from topology edge accounts to invoice */
      readonly get: {
        readonly parameters: {
          readonly id: string;
        };
        readonly answer: Invoice | null;
      };
    };
    readonly '/api/listInvoices': {
      /** Query from topology edge accounts to invoice */
      readonly get: {
        readonly parameters: {
          readonly customerId?: string | null | undefined;
          /** `"OPEN"` unless given. */
          readonly status?: InvoiceStatus | null | undefined;
        };
        readonly answer: readonly Invoice[];
      };
    };
    readonly '/api/claim': {
      /** Query from topology edge support to claim */
      readonly get: {
        readonly parameters: {
          readonly id: string;
        };
        readonly answer: Claim | null;
      };
    };
    readonly '/api/listClaims': {
      /** Query from topology edge support to claim */
      readonly get: {
        readonly parameters: {
          readonly status?: ClaimStatus | null | undefined;
        };
        readonly answer: readonly Claim[];
      };
    };
    readonly '/api/signUp': {
      /** Signs a customer up. */
      readonly post: {
        readonly body: {
          readonly input?: SignUpInput | null | undefined;
        };
        readonly answer: Customer | null;
      };
    };
    readonly '/api/reportPosition': {
      /** Tells where a courier is. */
      readonly post: {
        readonly body: {
          readonly input?: PositionReportInput | null | undefined;
        };
        readonly answer: ReportPosition | null;
      };
    };
    readonly '/api/bookShipment': {
      /** Books a shipment: the parties and the draft become one thing. */
      readonly post: {
        readonly body: {
          readonly parties?: PartiesInput | null | undefined;
          readonly draft?: DraftInput | null | undefined;
        };
        readonly answer: Shipment;
      };
    };
    readonly '/api/cancelShipment': {
      /** Takes a shipment back before it is collected. */
      readonly post: {
        readonly body: {
          readonly id: string;
          /** `"changed my mind"` unless given. */
          readonly reason?: string | null | undefined;
        };
        readonly answer: Shipment | null;
      };
    };
    readonly '/api/planRoutes': {
      /** Plans the routes of a depot for a day. */
      readonly post: {
        readonly body: {
          readonly input?: PlanRequestInput | null | undefined;
        };
        readonly answer: readonly Route[];
      };
    };
    readonly '/api/recordScan': {
      /** A scanner read a barcode. */
      readonly post: {
        readonly body: {
          readonly input?: ScanInput | null | undefined;
        };
        readonly answer: TrackingEvent | null;
      };
    };
    readonly '/api/payInvoice': {
      /** Records that an invoice was paid. */
      readonly post: {
        readonly body: {
          readonly input?: PaymentInput | null | undefined;
        };
        readonly answer: Invoice | null;
      };
    };
    readonly '/api/fileClaim': {
      /** Files a claim. */
      readonly post: {
        readonly body: {
          readonly input?: ClaimFormInput | null | undefined;
        };
        readonly answer: Claim | null;
      };
    };
    readonly '/api/decideClaim': {
      /** Decides a claim: settled with an amount, rejected without one. */
      readonly post: {
        readonly body: {
          readonly id: string;
          readonly settled?: MoneyInput | null | undefined;
        };
        readonly answer: Claim | null;
      };
    };
  }

  /** How the business is doing, for the screen in the hall. */
  export interface Dashboard {
    readonly product: string;
    readonly version: number;
    readonly depots: number;
    readonly onTime: number;
    readonly open: boolean;
    readonly languages: readonly string[];
  }

  /** A person or firm that sends or receives parcels. */
  export interface Customer {
    readonly id: string;
    readonly name: string;
    readonly email: string | null;
    readonly phone: string | null;
    /** The first is the one that we deliver to. */
    readonly addresses: readonly Address[];
    readonly since: DateTime | null;
  }

  /** A person who carries parcels. */
  export interface Courier {
    readonly id: string;
    readonly name: string;
    readonly status: CourierStatus;
    readonly position?: GeoPoint | null;
    /** How many parcels fit into the vehicle. */
    readonly capacity: number;
  }

  export interface ReportPosition {
    readonly courierId: string;
    readonly position: GeoPoint;
  }

  /** Length, width and height. */
  export interface Dimensions {
    readonly lengthMm: number;
    readonly widthMm: number;
    readonly heightMm: number;
  }

  /** One box. */
  export interface Parcel {
    readonly id: string;
    readonly weightGrams: number;
    readonly dimensions?: Dimensions | null;
    /** What is in it, in the sender's words. */
    readonly contents: string | null;
    readonly fragile: boolean;
    readonly insuredFor?: Money | null;
    readonly tags: readonly string[];
  }

  /** One or more parcels that travel together, from one customer to another. */
  export interface Shipment {
    readonly id: string;
    readonly sender: Customer;
    readonly recipient: Customer;
    readonly destination: Address;
    readonly service: ServiceLevel;
    readonly status: ShipmentStatus;
    readonly parcels: readonly Parcel[];
    readonly price: Money | null;
    readonly bookedAt: DateTime;
    readonly deliverBy: DateTime | null;
  }

  /** The sticker on a parcel. */
  export interface Label {
    readonly parcelId: string;
    readonly barcode: string;
    readonly format: string;
    readonly url: string;
  }

  /** Where parcels are sorted. */
  export interface Depot {
    readonly id: string;
    readonly name: string;
    readonly address?: Address;
    readonly position?: GeoPoint;
    readonly belts: number;
  }

  export interface Vehicle {
    readonly id: string;
    readonly kind: VehicleKind;
    readonly plate: string | null;
    readonly home: Depot;
  }

  /** One halt of a route. */
  export interface RouteStop {
    readonly sequence: number;
    readonly address: Address;
    readonly parcels: readonly Parcel[];
    readonly arriveBy: DateTime | null;
  }

  /** What one courier drives in one shift. */
  export interface Route {
    readonly id: string;
    readonly courier: Courier;
    readonly vehicle: Vehicle;
    readonly stops: readonly RouteStop[];
    readonly distanceKm: number;
    /** The last stretch, by whichever way is offered first. */
    readonly lastLeg: LastLegRace | null;
  }

  /** The last stretch on wheels. */
  export interface VanLeg {
    readonly minutes: number;
    readonly courier: Courier;
  }

  /** The last stretch through the air. */
  export interface DroneLeg {
    readonly minutes: number;
    readonly windLimit: number;
  }

  /** One thing that happened to a parcel. */
  export interface TrackingEvent {
    readonly id: string;
    readonly parcelId: string;
    readonly kind: TrackingKind;
    readonly at: DateTime;
    readonly depot: Depot | null;
    readonly position: GeoPoint | null;
    readonly note: string | null;
  }

  /** The whole story of a parcel. */
  export interface Tracking {
    readonly parcel: Parcel;
    readonly events: readonly TrackingEvent[];
    readonly expectedAt: DateTime | null;
  }

  /** A price out of our own table. */
  export interface HouseQuote {
    readonly price: Money;
    readonly service: ServiceLevel;
    readonly tariff: string;
  }

  /** A price that a partner offers. */
  export interface PartnerQuote {
    readonly price: Money;
    readonly service: ServiceLevel;
    readonly partner: string;
    readonly expiresAt: DateTime | null;
  }

  /** The answer to a price request. */
  export interface Price {
    readonly request: string;
    readonly quote: QuoteOffer;
    readonly alternatives: readonly HouseQuote[];
  }

  export interface InvoiceLine {
    readonly text: string;
    readonly amount: Money;
  }

  /** What a customer owes us. */
  export interface Invoice {
    readonly id: string;
    readonly customer: Customer;
    readonly lines: readonly InvoiceLine[];
    readonly total: Money;
    readonly status: InvoiceStatus;
    readonly dueAt: DateTime;
  }

  /** A wish for compensation. */
  export interface Claim {
    readonly id: string;
    readonly parcel: Parcel;
    readonly reason: ClaimReason;
    readonly status: ClaimStatus;
    /** Addresses of pictures. */
    readonly evidence: readonly string[];
    readonly claimed: Money;
    readonly settled: Money | null;
    readonly filedAt: DateTime;
  }

  /** An amount of money. */
  export interface Money {
    /** In the smallest unit of the currency: cents, for instance. */
    readonly minor: number;
    readonly currency: Currency;
  }

  /** A point on the map. */
  export interface GeoPoint {
    readonly latitude: number;
    readonly longitude: number;
  }

  /** Where somebody lives or works. */
  export interface Address {
    /** Street and house number, one or two lines. */
    readonly lines: readonly string[];
    readonly postcode: string;
    readonly city: string;
    /** Two letters, by ISO 3166-1. */
    readonly country: string;
    /** Where the door is, when we know it. */
    readonly position?: GeoPoint | null;
  }

  /** Union (race) of van_leg | drone_leg for last_leg */
  export type LastLegRace =
    | (VanLeg & { readonly __typename: 'VanLeg' })
    | (DroneLeg & { readonly __typename: 'DroneLeg' });

  /** Union (race) of house_quote | partner_quote for best_quote */
  export type QuoteOffer =
    | (HouseQuote & { readonly __typename: 'HouseQuote' })
    | (PartnerQuote & { readonly __typename: 'PartnerQuote' });

  /** What a customer says on signing up. */
  export interface SignUpInput {
    readonly name?: string | null | undefined;
    readonly email?: string | null | undefined;
    readonly address?: AddressInput | null | undefined;
  }

  export interface PositionReportInput {
    readonly courierId?: string | null | undefined;
    readonly position?: GeoPointInput | null | undefined;
  }

  /** Length, width and height. */
  export interface DimensionsInput {
    readonly lengthMm?: number | null | undefined;
    readonly widthMm?: number | null | undefined;
    readonly heightMm?: number | null | undefined;
  }

  /** One box. */
  export interface ParcelInput {
    readonly id?: string | null | undefined;
    readonly weightGrams?: number | null | undefined;
    readonly dimensions?: DimensionsInput | null | undefined;
    /** What is in it, in the sender's words. */
    readonly contents?: string | null | undefined;
    readonly fragile?: boolean | null | undefined;
    readonly insuredFor?: MoneyInput | null | undefined;
    readonly tags?: readonly string[] | null | undefined;
  }

  /** Who sends, and to whom. */
  export interface PartiesInput {
    readonly senderId?: string | null | undefined;
    readonly recipientId?: string | null | undefined;
    readonly destination?: AddressInput | null | undefined;
  }

  /** What is to be sent, and how. */
  export interface DraftInput {
    readonly service?: ServiceLevel | null | undefined;
    readonly parcels?: readonly ParcelInput[] | null | undefined;
    readonly deliverBy?: DateTime | null | undefined;
  }

  export interface PlanRequestInput {
    readonly depotId?: string | null | undefined;
    readonly day?: DateTime | null | undefined;
    readonly vehicles?: readonly VehicleKind[] | null | undefined;
  }

  export interface ScanInput {
    readonly barcode?: string | null | undefined;
    readonly kind?: TrackingKind | null | undefined;
    readonly depotId?: string | null | undefined;
    readonly position?: GeoPointInput | null | undefined;
  }

  export interface PaymentInput {
    readonly invoiceId?: string | null | undefined;
    readonly amount?: MoneyInput | null | undefined;
    readonly reference?: string | null | undefined;
  }

  export interface ClaimFormInput {
    readonly parcelId?: string | null | undefined;
    readonly reason?: ClaimReason | null | undefined;
    readonly claimed?: MoneyInput | null | undefined;
    readonly evidence?: readonly string[] | null | undefined;
  }

  /** An amount of money. */
  export interface MoneyInput {
    /** In the smallest unit of the currency: cents, for instance. */
    readonly minor?: number | null | undefined;
    readonly currency?: Currency | null | undefined;
  }

  /** A point on the map. */
  export interface GeoPointInput {
    readonly latitude?: number | null | undefined;
    readonly longitude?: number | null | undefined;
  }

  /** Where somebody lives or works. */
  export interface AddressInput {
    /** Street and house number, one or two lines. */
    readonly lines?: readonly string[] | null | undefined;
    readonly postcode?: string | null | undefined;
    readonly city?: string | null | undefined;
    /** Two letters, by ISO 3166-1. */
    readonly country?: string | null | undefined;
    /** Where the door is, when we know it. */
    readonly position?: GeoPointInput | null | undefined;
  }

  /** A moment, with date, time and offset. */
  export type DateTime = string;
}
