import { accessSync, constants, mkdirSync } from 'node:fs';

/** What the codes of npm and of the file system mean to somebody who has just cloned the project. */
const MEANINGS = [
  {
    codes: ['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ECONNRESET', 'ENETUNREACH', 'EHOSTUNREACH', 'ETIMEDOUT', 'ERR_SOCKET_TIMEOUT'],
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
  const code = /^npm (?:error|ERR!) code (\w+)/m.exec(output)?.[1];
  return MEANINGS.find(({ codes }) => code !== undefined && codes.includes(code))?.text;
}

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
    throw new Error(`Binsight cannot write to ${folder} (${error.code ?? error.message}). Nothing was installed or built. ${remedy}`, {
      cause: error,
    });
  }
}
