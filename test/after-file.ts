const works: (() => unknown)[] = [];

/**
 * Does something after the tests of the file that runs. Test files share their modules, so an `afterAll` of a module that
 * several files import would hold for the first of them alone.
 */
export function afterFile(work: () => unknown): void {
  works.push(work);
}

/** Does these things, the last one first. */
export async function endFile(): Promise<void> {
  for (const work of works.splice(0).reverse()) await work();
}
