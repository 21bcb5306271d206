/** The path under which the service lives, version included. */
export const BASE_PATH = '/open-api/v1';

/** Where the sandbox's own controls are. */
export const CONTROL_PATH = '/sandbox';

/** Where Solana's JSON-RPC is. */
export const RPC_PATH = '/rpc';

/** Says whether a request's path is that one or lies below it. */
export function isUnder(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
