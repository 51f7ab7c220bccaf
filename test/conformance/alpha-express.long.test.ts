import { conform } from './conform.js';

conform('Alpha on Express');
