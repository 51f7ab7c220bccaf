import { expect, test } from 'vitest';
import { edgeSettings } from '../../../../src/compiler/schema/edge-settings/edge-settings.js';

test.each(['chain', 'durable'])('the constant true is the setting “%s”, and another one is an argument', (key) => {
  const setting = edgeSettings.find((one) => one.key === key);
  expect([true, false, 'true'].map((value) => setting?.isMeant?.(value))).toEqual([true, false, false]);
});
