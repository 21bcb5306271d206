import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Codes of npm where the registry does not answer. */
const UNREACHABLE = [
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'ETIMEDOUT',
  'ERR_SOCKET_TIMEOUT',
];

/** What the codes of npm and of the file system mean to somebody who has just cloned the project. */
const MEANINGS = [
  {
    // The last: npm was told to do with what it has stored (processes.mjs).
    codes: [...UNREACHABLE, 'ENOTCACHED'],
    text: 'The npm registry cannot be reached, so packages are missing. Check the network, or the proxy and registry in your npm settings (`npm config list`), and run the command again.',
  },
  {
    codes: ['EACCES', 'EPERM', 'EROFS'],
    text: 'npm may not write to a folder that it needs. The lines below name it. Allow writing there, and run the command again.',
  },
  { codes: ['ENOSPC', 'EDQUOT'], text: 'The disk is full. Free some space, and run the command again.' },
];

/**
 * Says what a failure of npm means and what to do, or undefined where that is not known.
 * @param {string} output of npm
 */
export function meaningOfNpmFailure(output) {
  // On a medium that is read-only, npm says that the folder is missing.
  const code = /^npm (?:error|ERR!) syscall mkdir$/m.test(output) ? 'EROFS' : codeOf(output);
  return MEANINGS.find(({ codes }) => code !== undefined && codes.includes(code))?.text;
}

/** Whether npm failed because the registry does not answer. @param {string} output of npm */
export const isUnreachable = (output) => UNREACHABLE.includes(codeOf(output));

/** What of the output of npm says which address did not answer, and why. @param {string} output */
export const linesOfCause = (output) =>
  [...output.matchAll(/^npm (?:error|ERR!) (?:code|(?:\w+: )?request) .*$/gm)].map(([line]) => line).join('\n');

const codeOf = (output) => /^npm (?:error|ERR!) code (\w+)/m.exec(output)?.[1];

/**
 * Makes a folder where it is missing, and makes sure that files can be made in it.
 * @param {string} folder
 * @param {string} remedy what to do where they cannot, as a sentence
 * @throws Error that says so
 */
export function requireWritable(folder, remedy) {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new Error(`Binsight cannot write to ${folder} (${reasonOf(folder, error)}). ${remedy}`, { cause: error });
  }
}

/** For a folder on a medium that is read-only, Node says that it is missing. */
function reasonOf(folder, error) {
  let above = folder;
  while (!existsSync(above) && above !== dirname(above)) above = dirname(above);
  try {
    accessSync(above, constants.W_OK);
    return error.code ?? error.message;
  } catch ({ code }) {
    return code;
  }
}
