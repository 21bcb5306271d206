import type { AccountRole } from './instructionCodec';

/**
 * Writes the accounts of an instruction from their names as the program's IDL has them, with marks behind them: `*` for a
 * signer, `+` for writable, `?` for optional.
 */
export function accountRoles(...names: readonly string[]): readonly AccountRole[] {
  return names.map((marked) => ({
    name: marked.replace(/[*+?]+$/, ''),
    ...(marked.includes('*') ? { signer: true } : {}),
    ...(marked.includes('+') ? { writable: true } : {}),
    ...(marked.includes('?') ? { optional: true } : {}),
  }));
}
