import { PublicKey } from '@solana/web3.js';
import BN from 'bn.js';

/** Fields of an account that only fill it up. */
const FILLING = /^_?(?:padding|reserved)\d*$/i;

/** An account as the SDK decodes it, in plain values: addresses and numbers of 64 bits and more as text. */
export function plainAccount(decoded: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(decoded).flatMap(([name, value]): readonly (readonly [string, unknown])[] =>
      FILLING.test(name) ? [] : [[name, plain(value)]],
    ),
  );
}

function plain(value: unknown): unknown {
  if (BN.isBN(value)) {
    return value.toString();
  }
  if (value instanceof PublicKey) {
    return value.toBase58();
  }
  if (Array.isArray(value)) {
    return value.map(plain);
  }
  return typeof value === 'object' && value !== null ? plainAccount(value) : value;
}
