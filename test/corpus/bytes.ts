import { SystemProgram } from '@solana/web3.js';
import { PROGRAMS } from '../../src/base/solana/programs';
import { base64FromBytes, parseTransaction } from '../../src/base/solana/wireTransaction';
import type { CaseInput } from '../../src/review/report/caseFormat';
import {
  addressOf,
  bytesOf,
  claim,
  type Draft,
  removal,
  THIEF,
  transferSol,
  type Version,
  VERSIONS,
  versionName,
  ZAP_OUT,
} from '../support/review/bundles';
import { TABLE, tableOf } from '../support/review/lookupTables';
import { attack, encoded, placed, type Attack, type ExpectedFinding, inputOf, type Placement, rawInput, tablesHold } from './attack';
import { EVERYWHERE, IN, type Operation, OUT } from './plant';
import type { PolicyRule } from './policyRules';

// Attacks on decoding (DEC, ALT, PRG-1): bytes that other decoders read differently, or that hide what a transaction does.

/** The formats with the signatures in front; `version1.ts` attacks the other one. */
const OLDER: readonly Version[] = ['legacy', 0];

/** Changes the encoded text of each transaction of an operation, one at a time. */
function respelt(rule: PolicyRule, what: string, finding: ExpectedFinding, respell: (text: string) => string, versions = VERSIONS): Attack {
  return placed(rule, what, () =>
    [OUT, IN].flatMap((operation) => versions.flatMap((version) => placementsOf(operation, version, finding, respell))),
  );
}

function placementsOf(
  { name, intent, drafts }: Operation,
  version: Version,
  finding: ExpectedFinding,
  respell: (text: string) => string,
): Placement[] {
  const honest = drafts(version);
  return honest.map((_, at) => ({
    variant: `${name}, ${versionName(version)}, transaction ${at + 1}`,
    finding,
    build: () =>
      rawInput(
        intent,
        honest.map((draft, index) => ({ group: draft.group, base64: index === at ? respell(encoded(draft)) : encoded(draft) })),
      ),
  }));
}

/** Changes the bytes of each transaction of an operation, one at a time. */
function rewritten(rule: PolicyRule, what: string, finding: ExpectedFinding, change: (bytes: Uint8Array) => Uint8Array): Attack {
  const respell = (text: string): string => Buffer.from(change(new Uint8Array(Buffer.from(text, 'base64')))).toString('base64');
  return respelt(rule, what, finding, respell, OLDER);
}

const joined = (...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array =>
  new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part))));

/** Returns a function that copies the bytes and changes the byte at the given offset. */
function withByte(
  at: (bytes: Uint8Array) => number,
  value: (before: number, bytes: Uint8Array) => number,
): (bytes: Uint8Array) => Uint8Array {
  return (bytes) => {
    const changed = bytes.slice();
    const place = at(bytes);
    changed[place] = value(bytes[place] ?? 0, bytes);
    return changed;
  };
}

/** Offset of the message header: after the version byte, if there is one. */
function headerAt(bytes: Uint8Array): number {
  const { messageOffset, version } = parseTransaction(bytes);
  return messageOffset + (version === 0 ? 1 : 0);
}

/** Offset of the first instruction's program index. */
const firstProgramAt = (bytes: Uint8Array): number => headerAt(bytes) + 3 + 1 + 32 * parseTransaction(bytes).staticKeys.length + 32 + 1;

const padded =
  (change: 'count' | 'keys') =>
  (bytes: Uint8Array): Uint8Array => {
    const at = change === 'count' ? 0 : headerAt(bytes) + 3;
    const count = bytes[at] ?? 0;
    return joined(bytes.subarray(0, at), [count | 0x80, 0], bytes.subarray(at + 1));
  };

const TEXTS: readonly Attack[] = [
  respelt('DEC-1', 'sends an empty text as a transaction', 'block DEC-1', () => ''),
  respelt('DEC-1', 'adds white space that some decoders skip', 'block DEC-1', (text) => `${text.slice(0, 40)} ${text.slice(40)}`),
  respelt('DEC-1', 'adds a line feed after the text', 'block DEC-1', (text) => `${text}\n`),
  respelt('DEC-1', 'adds characters that some decoders skip', 'block DEC-1', (text) => `${text.slice(0, 8)}****${text.slice(8)}`),
  respelt('DEC-1', 'uses the URL-safe base64 alphabet', 'block DEC-1', (text) => `${text.slice(0, -4)}-_A=`),
  respelt('DEC-1', 'sends too little or too much base64 padding', 'block DEC-1', (text) =>
    text.endsWith('=') ? text.slice(0, -1) : `${text}=`,
  ),
  respelt('DEC-1', 'sets bits in the base64 padding', 'block DEC-1', () => 'AB=='),
  respelt('DEC-1', 'sends base58 instead of base64', 'block DEC-1', () => THIEF.slice(0, 43)),
];

const FORMATS: readonly Attack[] = [
  rewritten('DEC-2', 'truncates a transaction by one byte', 'block DEC-2', (bytes) => bytes.subarray(0, -1)),
  rewritten('DEC-2', 'truncates a transaction within its signatures', 'block DEC-2', (bytes) => bytes.subarray(0, 40)),
  rewritten(
    'DEC-2',
    'declares more accounts than the message contains',
    'block DEC-2',
    withByte(
      (bytes) => headerAt(bytes) + 3,
      () => 0x7f,
    ),
  ),
  rewritten('DEC-3', 'sends a transaction above the size limit of the network', 'block DEC-3', (bytes) =>
    joined(bytes, new Uint8Array(1_233 - bytes.length)),
  ),
  rewritten('DEC-4', 'adds a byte after the message, which @solana/web3.js ignores', 'block DEC-4', (bytes) => joined(bytes, [0])),
  rewritten('DEC-4', 'adds a second transaction after the first', 'block DEC-4', (bytes) => joined(bytes, bytes).subarray(0, 1_232)),
  rewritten('DEC-4', 'encodes the account count in more bytes than it needs', 'block DEC-4', padded('keys')),
  rewritten('DEC-5', 'encodes the signature count in more bytes than it needs', 'block DEC-5', padded('count')),
  rewritten('DEC-5', 'uses the transaction format of 2026, with the signatures at the end', 'block DEC-5', (bytes) =>
    joined([0x81], bytes.subarray(1)),
  ),
  rewritten(
    'DEC-5',
    'sends a message of version 1',
    'block DEC-5',
    withByte(
      (bytes) => parseTransaction(bytes).messageOffset,
      () => 0x81,
    ),
  ),
  rewritten(
    'DEC-5',
    'sends a message of version 127',
    'block DEC-5',
    withByte(
      (bytes) => parseTransaction(bytes).messageOffset,
      () => 0xff,
    ),
  ),
  rewritten(
    'DEC-6',
    'requires a signer that has no signature slot',
    'block DEC-6',
    withByte(headerAt, (before) => before + 1),
  ),
  rewritten(
    'DEC-6',
    'sends a message without signers',
    'block DEC-6',
    withByte(headerAt, () => 0),
  ),
  rewritten(
    'DEC-6',
    'makes the fee payer read-only',
    'block DEC-6',
    withByte(
      (bytes) => headerAt(bytes) + 1,
      (_, bytes) => parseTransaction(bytes).requiredSignatures,
    ),
  ),
  rewritten(
    'DEC-6',
    'declares more read-only accounts than accounts',
    'block DEC-6',
    withByte(
      (bytes) => headerAt(bytes) + 2,
      (_, bytes) => parseTransaction(bytes).staticKeys.length,
    ),
  ),
  rewritten('DEC-6', 'lists an account twice', 'block DEC-6', (bytes) => {
    const { staticKeys, requiredSignatures } = parseTransaction(bytes);
    const at = (place: number): number => headerAt(bytes) + 4 + 32 * place;
    const changed = bytes.slice();
    changed.copyWithin(at(staticKeys.length - 1), at(requiredSignatures), at(requiredSignatures) + 32);
    return changed;
  }),
  rewritten(
    'PRG-1',
    'calls the wallet as a program',
    'block PRG-1',
    withByte(firstProgramAt, () => 0),
  ),
  rewritten(
    'ALT-1',
    'calls a program that only a lookup table could name',
    'block ALT-1',
    withByte(firstProgramAt, (_, bytes) => parseTransaction(bytes).staticKeys.length),
  ),
];

const NO_BLOCKHASH = SystemProgram.programId.toBase58();

const EMPTINESS: readonly Attack[] = [
  attack('DEC-7', 'sends a transaction without instructions, which costs its fee', 'confirm DEC-7', () =>
    Object.fromEntries(
      EVERYWHERE.flatMap(({ name, intent, drafts }) =>
        VERSIONS.map((version) => [
          `${name}, ${version}`,
          inputOf(intent, [...drafts(version), { group: drafts(version).at(-1)?.group ?? 'swap', version, instructions: [] }]),
        ]),
      ),
    ),
  ),
  attack('DEC-7', 'sends a transaction without a blockhash', 'confirm DEC-7', () =>
    Object.fromEntries(
      EVERYWHERE.map(({ name, intent, drafts }) => [
        name,
        inputOf(
          intent,
          drafts(0).map((draft, at) => (at === 0 ? { ...draft, blockhash: NO_BLOCKHASH } : draft)),
        ),
      ]),
    ),
  ),
];

const HIDDEN = addressOf('hidden');
const OTHER_TABLE = addressOf('another table');

/** A zap-out whose first transaction takes these addresses from a lookup table. */
function hiding(instructions: Draft['instructions'], ...addresses: readonly (typeof HIDDEN)[]): Draft[] {
  const [first, ...rest] = OUT.drafts(0);
  return first === undefined
    ? []
    : [{ ...first, instructions: [...first.instructions, ...instructions], tables: [tableOf(addresses)] }, ...rest];
}

/** Uses one table index twice: changes the second of two consecutive indexes to the first. */
function doubledPlace(): CaseInput {
  const bytes = bytesOf({
    group: 'close',
    instructions: [claim(), removal(10_000, { reserve_x: HIDDEN, reserve_y: THIEF })],
    tables: [tableOf([HIDDEN, THIEF])],
  });
  bytes[bytes.length - 2] = 0;
  return rawInput(ZAP_OUT, [{ group: 'close', base64: base64FromBytes(bytes) }]);
}

const TABLES: readonly Attack[] = [
  attack('ALT-2', 'sends SOL to an account that only an unknown table names', 'block SYS-1', () => ({
    'at the end': inputOf(ZAP_OUT, hiding([transferSol(HIDDEN, 1n)], HIDDEN)),
    'the RPC read another table': inputOf(ZAP_OUT, hiding([transferSol(HIDDEN, 1n)], HIDDEN), {
      facts: tablesHold([OTHER_TABLE, [HIDDEN]]),
    }),
    strictly: inputOf(ZAP_OUT, hiding([transferSol(HIDDEN, 1n)], HIDDEN), { policy: { isStrictWithoutRpc: true } }),
  })),
  attack('ALT-2', 'withdraws into an account that only an unknown table names', 'confirm DLMM-2', () => ({
    v0: inputOf(ZAP_OUT, hiding([claim({ user_token_x: HIDDEN })], HIDDEN)),
  })),
  attack(
    'ALT-2',
    'withdraws into an account that only an unknown table names, under the strict setting without an RPC',
    'block DLMM-2',
    () => ({ v0: inputOf(ZAP_OUT, hiding([claim({ user_token_x: HIDDEN })], HIDDEN), { policy: { isStrictWithoutRpc: true } }) }),
  ),
  attack('ALT-2', "uses a table that holds a thief's address where the service declares the owner's", 'block DLMM-2', () => ({
    resolved: inputOf(ZAP_OUT, hiding([claim({ user_token_x: HIDDEN })], HIDDEN), { facts: tablesHold([TABLE, [THIEF]]) }),
  })),
  attack('ALT-2', 'names accounts of the pool only in an unknown table (no attack)', 'info ALT-2', () => ({
    v0: inputOf(ZAP_OUT, hiding([claim({ reserve_x: HIDDEN })], HIDDEN)),
  })),
  attack('ALT-3', 'uses a table index that the table authority can fill after the signature', 'block ALT-3', () => ({
    'an empty table': inputOf(ZAP_OUT, hiding([claim({ reserve_x: HIDDEN })], HIDDEN), { facts: tablesHold([TABLE, []]) }),
    'a table that is one address too short': inputOf(ZAP_OUT, hiding([claim({ reserve_x: HIDDEN, reserve_y: THIEF })], HIDDEN, THIEF), {
      facts: tablesHold([TABLE, [HIDDEN]]),
    }),
    'the index of the SOL destination': inputOf(ZAP_OUT, hiding([transferSol(HIDDEN, 1n)], HIDDEN), { facts: tablesHold([TABLE, []]) }),
  })),
  attack('ALT-4', 'uses a deactivated table', 'confirm ALT-4', () => ({
    v0: inputOf(ZAP_OUT, hiding([claim({ reserve_x: HIDDEN })], HIDDEN), {
      facts: { ...tablesHold(), lookupTables: new Map([[TABLE, { addresses: [HIDDEN], isDeactivated: true }]]) },
    }),
  })),
  attack('DEC-6', 'loads an account from a table that the transaction also names directly', 'block DEC-6', () => ({
    'the owner': inputOf(ZAP_OUT, hiding([claim({ reserve_x: HIDDEN })], HIDDEN), { facts: tablesHold([TABLE, [ZAP_OUT.owner]]) }),
    'a program': inputOf(ZAP_OUT, hiding([claim({ reserve_x: HIDDEN })], HIDDEN), { facts: tablesHold([TABLE, [PROGRAMS.token]]) }),
    'the same index twice': doubledPlace(),
    'one account at two indexes': inputOf(ZAP_OUT, hiding([claim({ reserve_x: HIDDEN, reserve_y: THIEF })], HIDDEN, THIEF), {
      facts: tablesHold([TABLE, [HIDDEN, HIDDEN]]),
    }),
  })),
];

export const BYTES: readonly Attack[] = [...TEXTS, ...FORMATS, ...EMPTINESS, ...TABLES];
