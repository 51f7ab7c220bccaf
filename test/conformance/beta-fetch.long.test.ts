import { conform } from './conform.js';

conform('Beta over plain fetch');
