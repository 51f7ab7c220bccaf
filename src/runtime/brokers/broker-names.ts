/** The names of the brokers in the project file. They load no broker. */
export const brokerNames = ['memory', 'redis', 'redis-streams', 'nats', 'postgres'] as const;

/** The name of a broker, as in the project file and in metrics. */
export type BrokerName = (typeof brokerNames)[number];
