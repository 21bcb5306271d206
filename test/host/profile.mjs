import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What would come between a newcomer and Binsight: assistants, updates, tips. All of it can be changed in the window. */
const QUIET = {
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  // VS Code in the browser would offer to open the ports of other programs on this machine.
  'remote.autoForwardPorts': false,
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'update.showReleaseNotes': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/** For tests: without a graphics card each frame is drawn by the processor, so nothing moves but what has changed. */
export const STILL_SETTINGS = { 'editor.cursorBlinking': 'solid', 'workbench.reduceMotion': 'on' };

/**
 * Makes a profile folder with settings, unless it has some: what the user changed there stays.
 * @param {string} profile the user-data folder; the desktop and the server keep settings at the same place in it
 * @param {Record<string, unknown>} settings beside the usual ones
 */
export function makeProfile(profile, settings = {}) {
  const file = join(profile, 'User', 'settings.json');
  if (existsSync(file)) return;
  mkdirSync(join(profile, 'User'), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ ...QUIET, ...settings }, null, 2)}\n`);
}
