import { expect, onTestFinished, test, vi } from 'vitest';
import { checkAccessibility, expectFault, openPage } from './browser.js';
import { startDev } from './dev-server.js';

const hello = "(root)-[:PROCESS]->(hello { text: 'Hello' })\n";
const token = 'a token of the tests';

test('a studio with a token asks for the token once', async () => {
  vi.stubEnv('GG_SVC_STUDIO_TOKEN', token);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { origin } = await startDev({ 'a.gg': hello }, ['serve', 'a.gg', '--studio']);
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await openPage(`${origin}/_gg/`, { colorScheme });
    expect(page.url()).toBe(`${origin}/_gg/sign-in`);
    await checkAccessibility(page);
    expectFault(page, /401 \(Unauthorized\)/);
    await page.getByLabel('Token').fill('a wrong token');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('This is not the token.').waitFor();
    await checkAccessibility(page);
    await page.getByLabel('Token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page
      .getByRole('button', { name: /^hello/ })
      .first()
      .waitFor();
    expect(page.url()).toBe(`${origin}/_gg/`);
    expect(await page.evaluate('document.cookie')).toBe('');
  }
});
