import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * A process that follows the events of servers, and keeps each with its id in a file, before it reads the next one.
 * After a kill, it continues after the last id in the file. A server that is gone is replaced by another one.
 */
const [kept = '', ports = ''] = process.argv.slice(2);

const known = existsSync(kept) ? readFileSync(kept, 'utf8') : '';
// The kill may have cut the last line.
const whole = known.slice(0, known.lastIndexOf('\n') + 1);
writeFileSync(kept, whole);
let last = whole.trimEnd().split('\n').at(-1)?.split(' ')[0] ?? '';

for (;;) {
  await follow().catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 20));
}

async function follow(): Promise<void> {
  const open: number[] = JSON.parse(readFileSync(ports, 'utf8'));
  const port = open[Math.floor(Math.random() * open.length)];
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(last === '' ? {} : { 'last-event-id': last }),
    },
    body: JSON.stringify({ query: 'subscription { userSaved { id } }' }),
  });
  if (!response.ok) appendFileSync(kept, `refused ${await response.text()}\n`);
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const id = /^id: (.+)$/m.exec(event)?.[1];
      const data = /^data: (\{.+)$/m.exec(event)?.[1];
      if (data === undefined) continue;
      const { errors, data: result } = JSON.parse(data);
      if (errors?.[0].extensions.code === 'SUBSCRIBER_TOO_SLOW') continue;
      last = id ?? last;
      appendFileSync(kept, errors ? `error ${JSON.stringify(errors)}\n` : `${id} ${result.userSaved.id}\n`);
    }
  }
}
