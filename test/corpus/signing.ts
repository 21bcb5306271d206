import bs58 from 'bs58';
import type { CaseInput } from '../../src/review/report/caseFormat';
import { keyOf, OWNER, OWNER_KEY, THIEF, transferSol, ZAP_IN, ZAP_OUT } from '../support/review/bundles';
import { inputOf } from './attack';
import type { PolicyRule } from './policyRules';
import { IN, OUT } from './plant';

// Attempts to get a signature that the command line must refuse (SGN).

/** One attempt to get something signed. */
export interface SigningAttempt {
  readonly rule: PolicyRule;
  readonly what: string;
  readonly input: CaseInput;
  /** Additional request fields: the key, and whether the user has confirmed. */
  readonly more: Readonly<Record<string, unknown>>;
}

const base58Of = (name: string): string => bs58.encode(keyOf(name).secretKey);

export const OWNER_SECRET = bs58.encode(OWNER_KEY.secretKey);

const honest = inputOf(ZAP_OUT, OUT.drafts(0));
const blocked = inputOf(ZAP_OUT, [...OUT.drafts(0), { group: 'swap', instructions: [transferSol(THIEF, 10n ** 10n)] }]);
const questioned = inputOf(ZAP_OUT, [...OUT.drafts(0), { group: 'swap', instructions: [transferSol(THIEF, 1n)] }]);
const filled = inputOf(
  ZAP_OUT,
  OUT.drafts(0).map((draft, at) => (at === 0 ? { ...draft, signers: [OWNER_KEY] } : draft)),
);
const asks = (what: string, input: CaseInput, more: SigningAttempt['more']): SigningAttempt => ({ rule: 'SGN', what, input, more });

/** None of these gets a signature. */
export const SIGNING_ATTEMPTS: readonly SigningAttempt[] = [
  asks('a blocked operation', blocked, { secretKeyBase58: OWNER_SECRET }),
  asks('a blocked operation, confirmed', blocked, { secretKeyBase58: OWNER_SECRET, confirmed: true }),
  asks('an operation that needs confirmation, not confirmed', questioned, { secretKeyBase58: OWNER_SECRET }),
  asks('an operation that needs confirmation, confirmed with another value than true', questioned, {
    secretKeyBase58: OWNER_SECRET,
    confirmed: 'true',
  }),
  asks('an operation that needs confirmation, denied', questioned, { secretKeyBase58: OWNER_SECRET, confirmed: false }),
  asks('an operation with a filled signature slot', filled, { secretKeyBase58: OWNER_SECRET, confirmed: true }),
  asks("with another wallet's key", honest, { secretKeyBase58: base58Of('thief') }),
  asks('with the key of the new position, which has signed', inputOf(ZAP_IN, IN.drafts(0)), { secretKeyBase58: base58Of('position') }),
  asks('without a key', honest, {}),
  asks('with a key that is not a text', honest, { secretKeyBase58: 7 }),
  asks('with an address as a key', honest, { secretKeyBase58: OWNER }),
  asks('with a key whose halves do not match', honest, {
    secretKeyBase58: bs58.encode(Buffer.concat([OWNER_KEY.secretKey.slice(0, 32), keyOf('thief').secretKey.slice(32)])),
  }),
  asks('with a truncated key', honest, { secretKeyBase58: OWNER_SECRET.slice(0, -1) }),
  asks('no transactions', inputOf(ZAP_OUT, []), { secretKeyBase58: OWNER_SECRET, confirmed: true }),
];
