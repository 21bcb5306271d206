import * as l10n from '@vscode/l10n';
import { parseAddress, type Address } from '../../../base/solana/address';
import type { Reading } from './prompts';

/** Parses an address as typed or pasted. */
export function readAddress(text: string): Reading<Address> {
  const address = parseAddress(text.trim());
  return address === undefined
    ? { ok: false, message: l10n.t('Not a Solana address. Addresses have 32 to 44 letters and digits, without 0, O, I and l.') }
    : { ok: true, value: address };
}
