import { setTimeout as delay } from 'node:timers/promises';
import { extensions, type Extension } from 'vscode';
import { PATIENCE_MS } from '../patience';

const EXTENSION_ID = 'binsight.binsight';
const POLL_MS = 50;

/**
 * Waits until Binsight has been activated by VS Code itself. Calling `activate()` would be too early: in the browser's
 * workbench, views and status bar items that are registered before it has finished starting never show.
 * @throws where Binsight is not loaded, or is not active after {@link PATIENCE_MS}
 */
export async function extensionReady(): Promise<Extension<unknown>> {
  const extension = extensions.getExtension(EXTENSION_ID);
  if (extension === undefined) {
    throw new Error(`${EXTENSION_ID} is not loaded in this window`);
  }
  const limit = performance.now() + PATIENCE_MS;
  while (!extension.isActive) {
    if (performance.now() > limit) {
      throw new Error(`${EXTENSION_ID} is not active after ${PATIENCE_MS / 1000} s`);
    }
    await delay(POLL_MS);
  }
  return extension;
}
