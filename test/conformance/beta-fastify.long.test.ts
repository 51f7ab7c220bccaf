import { conform } from './conform.js';

conform('Beta on Fastify');
