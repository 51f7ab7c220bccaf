import { expect, test } from 'vitest';
import { hosts } from './hosts.js';
import { drainUnderLoad } from './topics/drain.js';

const runs = 20;

test.each(hosts.filter(({ hasNetwork }) => hasNetwork))(
  `$name loses no request of 40 busy clients in ${runs} shutdowns`,
  async (host) => {
    let answered = 0;
    const lost: string[] = [];
    for (let run = 0; run < runs; run++) {
      const counts = await drainUnderLoad(host);
      answered += counts.answered;
      lost.push(...counts.lost);
    }
    console.log(`${host.name}: ${runs} shutdowns, ${answered} requests answered, ${lost.length} lost`);
    expect(lost).toEqual([]);
  },
);
