import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';

/** What V8 tells about a script. */
interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly unknown[];
}

/**
 * Notes which code of a page and its frames runs from now on, where the tests are run for their coverage (test/host/coverage.mjs).
 * @param fileOf the built file of a script's address
 * @returns writes it down, into the folder and in the form of Node's own: to be called before the page is closed or reloaded, which drops what was counted
 */
export async function notePageCoverage(page: Page, fileOf: (url: string) => string | undefined): Promise<() => Promise<void>> {
  const folder = process.env['NODE_V8_COVERAGE'];
  if (folder === undefined) {
    return () => Promise.resolve();
  }
  const session = await page.context().newCDPSession(page);
  await session.send('Profiler.enable');
  await session.send('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const write = async (): Promise<void> => {
    if (page.isClosed()) {
      return;
    }
    const { result } = (await session.send('Profiler.takePreciseCoverage')) as { readonly result: readonly ScriptCoverage[] };
    const scripts = result.flatMap(({ url, functions }) => {
      const file = fileOf(url);
      return file === undefined ? [] : [{ url: pathToFileURL(file).href, functions }];
    });
    writeFileSync(join(folder, `coverage-page-${randomUUID()}.json`), JSON.stringify({ result: scripts }));
  };
  // V8 forgets the scripts of a frame that is gone, such as a hidden panel, when it next collects garbage.
  page.on('framedetached', () => void write().catch(() => undefined));
  return write;
}
