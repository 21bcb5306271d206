import { spawn } from 'node:child_process';

/**
 * Opens an address in the user's browser where there is somebody to see it; otherwise, and where it cannot be done,
 * nothing happens. The browser is the user's: it is not ended with this process.
 * @param {string} address
 */
export function openInBrowser(address) {
  const desktop = process.platform === 'darwin' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  if (!desktop || !process.stdout.isTTY) return;
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const child = spawn(opener, [address], { detached: true, stdio: 'ignore' });
  child.once('error', () => undefined);
  child.unref();
}
