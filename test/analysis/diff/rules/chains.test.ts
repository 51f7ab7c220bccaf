import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { changesBetween } from '../schemas.js';

const waits = readFileSync('golden/language-run-waits/input.gg', 'utf8');

function between(before: string, after: string): readonly string[] {
  return changesBetween(before, after).map(({ kind, message }) => `${kind}: ${message}`);
}

describe('the waits of a durable chain', () => {
  const changed =
    'durable-chain-changed: The steps of the durable chain payShipment changed: its open runs wait for a server with the old ones.';

  test.each([
    ["awaits: 'shipmentScanned', ", ''],
    ["pause: '1.5h'", "pause: '2h'"],
    ['{ id: ID!, shipmentId: ID! })\n(root)-[:PROCESS', '{ shipmentId: ID!, id: ID!, weight: Int })\n(root)-[:PROCESS'],
  ])('keep open runs at the old steps if %j becomes %j, unless the matching id is the same', (old, now) => {
    const after = waits.replace(old, now);
    expect(after).not.toBe(waits);
    const isSame = now.includes('weight');
    expect(between(waits, after).includes(changed)).toBe(!isSame);
  });

  test('have deadlines that open runs follow', () => {
    expect(between(waits, waits.replace("within: '2d'", "within: '3d'"))).toEqual([
      "step-policy-changed: Runs now treat failures of Mutation.payShipment with retries: 3, no undo, within: '3d' instead of retries: 3, no undo, within: '2d'.",
    ]);
  });
});
