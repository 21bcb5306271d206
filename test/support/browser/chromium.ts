import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser } from 'playwright-core';

/** Opens a Chromium by itself, the one that editors are opened in (test/host/chromium.mjs, which is not bundled: it finds its own files). */
export async function openChromium(): Promise<Browser> {
  const script = (name: string): Promise<unknown> => import(pathToFileURL(join(process.cwd(), 'test', 'host', name)).href);
  const { findChromium } = (await script('chromium.mjs')) as {
    findChromium: (ending: unknown, tell: unknown) => Promise<{ executablePath: string; env: Record<string, string> }>;
  };
  const { Ending } = (await script('ending.mjs')) as { Ending: new () => unknown };
  const { createTeller } = (await script('tell.mjs')) as { createTeller: (stream: unknown) => unknown };
  const { executablePath, env } = await findChromium(new Ending(), createTeller(process.stderr));
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ];
  return chromium.launch({ executablePath, args, env: { ...process.env, ...env } });
}
