import { conform } from './conform.js';

conform('Alpha standalone');
