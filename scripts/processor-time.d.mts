/** The processor time of the ended child processes, in milliseconds; 0 where the system does not tell. */
export function timeOfPrograms(): number;
