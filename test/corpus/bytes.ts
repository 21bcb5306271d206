import { SystemProgram } from '@solana/web3.js';
import { PROGRAMS } from '../../src/base/solana/programs';
import { base64FromBytes, parseTransaction } from '../../src/base/solana/wireTransaction';
import type { CaseInput } from '../../src/review/report/caseFormat';
import {
  addressOf,
  base64Of,
  bytesOf,
  claim,
  type Draft,
  removal,
  THIEF,
  transferSol,
  type Version,
  ZAP_OUT,
} from '../unit/review/bundles';
import { TABLE, tableOf } from '../unit/review/lookupTables';
import { attack, type Attack, type ExpectedFinding, inputOf, rawInput, tablesHold } from './attack';
import { EVERYWHERE, IN, type Operation, OUT } from './plant';
import type { PolicyRule } from './policyRules';

// Attacks on the reading itself (DEC, ALT, PRG-1): bytes that other readers take for something else, or that hide what is done.

const VERSIONS: readonly Version[] = ['legacy', 0];

/** One transaction of an operation as another text, each in turn. */
function respelt(rule: PolicyRule, what: string, finding: ExpectedFinding, respell: (text: string) => string): Attack {
  const forms = [OUT, IN].flatMap((operation) => VERSIONS.flatMap((version) => formsOf(operation, version, respell)));
  return attack(rule, what, finding, Object.fromEntries(forms));
}

function formsOf({ name, intent, drafts }: Operation, version: Version, respell: (text: string) => string): [string, CaseInput][] {
  const honest = drafts(version).map((draft) => ({ group: draft.group, base64: base64Of(draft) }));
  return honest.map((_, at) => [
    `${name}, ${version === 0 ? 'v0' : version}, transaction ${at + 1}`,
    rawInput(
      intent,
      honest.map(({ group, base64 }, index) => ({ group, base64: index === at ? respell(base64) : base64 })),
    ),
  ]);
}

/** One transaction of an operation with other bytes, each in turn. */
function rewritten(rule: PolicyRule, what: string, finding: ExpectedFinding, change: (bytes: Uint8Array) => Uint8Array): Attack {
  return respelt(rule, what, finding, (text) => Buffer.from(change(new Uint8Array(Buffer.from(text, 'base64')))).toString('base64'));
}

const joined = (...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array =>
  new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part))));

/** A copy with one byte changed, counted from a place in the message. */
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

/** Where the header begins: behind the version, where there is one. */
function headerAt(bytes: Uint8Array): number {
  const { messageOffset, version } = parseTransaction(bytes);
  return messageOffset + (version === 0 ? 1 : 0);
}

/** Where the first instruction names its program. */
const firstProgramAt = (bytes: Uint8Array): number => headerAt(bytes) + 3 + 1 + 32 * parseTransaction(bytes).staticKeys.length + 32 + 1;

const padded =
  (change: 'count' | 'keys') =>
  (bytes: Uint8Array): Uint8Array => {
    const at = change === 'count' ? 0 : headerAt(bytes) + 3;
    const count = bytes[at] ?? 0;
    return joined(bytes.subarray(0, at), [count | 0x80, 0], bytes.subarray(at + 1));
  };

const TEXTS: readonly Attack[] = [
  respelt('DEC-1', 'nothing in place of a transaction', 'block DEC-1', () => ''),
  respelt('DEC-1', 'white space that some decoders skip', 'block DEC-1', (text) => `${text.slice(0, 40)} ${text.slice(40)}`),
  respelt('DEC-1', 'a line feed behind the text', 'block DEC-1', (text) => `${text}\n`),
  respelt('DEC-1', 'characters that some decoders drop', 'block DEC-1', (text) => `${text.slice(0, 8)}****${text.slice(8)}`),
  respelt('DEC-1', 'the alphabet of URLs', 'block DEC-1', (text) => `${text.slice(0, -4)}-_A=`),
  respelt('DEC-1', 'padding that is missing or too much', 'block DEC-1', (text) => (text.endsWith('=') ? text.slice(0, -1) : `${text}=`)),
  respelt('DEC-1', 'bits in the padding', 'block DEC-1', () => 'AB=='),
  respelt('DEC-1', 'base58 in place of base64', 'block DEC-1', () => THIEF.slice(0, 43)),
];

const FORMATS: readonly Attack[] = [
  rewritten('DEC-2', 'a transaction that is cut short by a byte', 'block DEC-2', (bytes) => bytes.subarray(0, -1)),
  rewritten('DEC-2', 'a transaction that ends within the signatures', 'block DEC-2', (bytes) => bytes.subarray(0, 40)),
  rewritten(
    'DEC-2',
    'more accounts announced than there are',
    'block DEC-2',
    withByte(
      (bytes) => headerAt(bytes) + 3,
      () => 0x7f,
    ),
  ),
  rewritten('DEC-3', 'more bytes than the network takes', 'block DEC-3', (bytes) => joined(bytes, new Uint8Array(1_233 - bytes.length))),
  rewritten('DEC-4', 'a byte behind the message, which @solana/web3.js passes over', 'block DEC-4', (bytes) => joined(bytes, [0])),
  rewritten('DEC-4', 'a second transaction behind the first', 'block DEC-4', (bytes) => joined(bytes, bytes).subarray(0, 1_232)),
  rewritten('DEC-4', 'a number of accounts in more bytes than it needs', 'block DEC-4', padded('keys')),
  rewritten('DEC-5', 'a number of signatures in more bytes than it needs', 'block DEC-5', padded('count')),
  rewritten('DEC-5', 'the format of 2026, with its signatures at the end', 'block DEC-5', (bytes) => joined([0x81], bytes.subarray(1))),
  rewritten(
    'DEC-5',
    'a message of version 1',
    'block DEC-5',
    withByte(
      (bytes) => parseTransaction(bytes).messageOffset,
      () => 0x81,
    ),
  ),
  rewritten(
    'DEC-5',
    'a message of version 127',
    'block DEC-5',
    withByte(
      (bytes) => parseTransaction(bytes).messageOffset,
      () => 0xff,
    ),
  ),
  rewritten(
    'DEC-6',
    'a signer without a place for the signature',
    'block DEC-6',
    withByte(headerAt, (before) => before + 1),
  ),
  rewritten(
    'DEC-6',
    'nobody who signs',
    'block DEC-6',
    withByte(headerAt, () => 0),
  ),
  rewritten(
    'DEC-6',
    'a fee payer that cannot be written',
    'block DEC-6',
    withByte(
      (bytes) => headerAt(bytes) + 1,
      (_, bytes) => parseTransaction(bytes).requiredSignatures,
    ),
  ),
  rewritten(
    'DEC-6',
    'more read-only accounts than accounts',
    'block DEC-6',
    withByte(
      (bytes) => headerAt(bytes) + 2,
      (_, bytes) => parseTransaction(bytes).staticKeys.length,
    ),
  ),
  rewritten('DEC-6', 'an account that is listed twice', 'block DEC-6', (bytes) => {
    const { staticKeys, requiredSignatures } = parseTransaction(bytes);
    const at = (place: number): number => headerAt(bytes) + 4 + 32 * place;
    const changed = bytes.slice();
    changed.copyWithin(at(staticKeys.length - 1), at(requiredSignatures), at(requiredSignatures) + 32);
    return changed;
  }),
  rewritten(
    'PRG-1',
    'the wallet called as a program',
    'block PRG-1',
    withByte(firstProgramAt, () => 0),
  ),
  rewritten(
    'ALT-1',
    'a program that only a lookup table could name',
    'block ALT-1',
    withByte(firstProgramAt, (_, bytes) => parseTransaction(bytes).staticKeys.length),
  ),
];

const NO_BLOCKHASH = SystemProgram.programId.toBase58();

const EMPTINESS: readonly Attack[] = [
  attack(
    'DEC-7',
    'a transaction that does nothing and costs its fee',
    'confirm DEC-7',
    Object.fromEntries(
      EVERYWHERE.flatMap(({ name, intent, drafts }) =>
        VERSIONS.map((version) => [
          `${name}, ${version}`,
          inputOf(intent, [...drafts(version), { group: 'swap', version, instructions: [] }]),
        ]),
      ),
    ),
  ),
  attack(
    'DEC-7',
    'no blockhash',
    'confirm DEC-7',
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

/** A zap-out whose first transaction takes these out of a table. */
function hiding(instructions: Draft['instructions'], ...addresses: readonly (typeof HIDDEN)[]): Draft[] {
  const [first, ...rest] = OUT.drafts(0);
  return first === undefined
    ? []
    : [{ ...first, instructions: [...first.instructions, ...instructions], tables: [tableOf(addresses)] }, ...rest];
}

/** The same place of a table twice: of the two places behind each other, the second becomes the first. */
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
  attack('ALT-2', 'SOL for an account that only an unknown table names', 'block SYS-1', {
    'at the end': inputOf(ZAP_OUT, hiding([transferSol(HIDDEN, 1n)], HIDDEN)),
    'in a table that is not the one that was read': inputOf(ZAP_OUT, hiding([transferSol(HIDDEN, 1n)], HIDDEN), {
      facts: tablesHold([OTHER_TABLE, [HIDDEN]]),
    }),
    strictly: inputOf(ZAP_OUT, hiding([transferSol(HIDDEN, 1n)], HIDDEN), { policy: { isStrictWithoutRpc: true } }),
  }),
  attack('ALT-2', 'a withdrawal into an account that only an unknown table names', 'confirm DLMM-2', {
    v0: inputOf(ZAP_OUT, hiding([claim({ user_token_x: HIDDEN })], HIDDEN)),
  }),
  attack('ALT-2', 'the same, for a user who is strict without an RPC', 'block DLMM-2', {
    v0: inputOf(ZAP_OUT, hiding([claim({ user_token_x: HIDDEN })], HIDDEN), { policy: { isStrictWithoutRpc: true } }),
  }),
  attack('ALT-2', 'a table that holds a thief where the service says that it holds the owner', 'block DLMM-2', {
    resolved: inputOf(ZAP_OUT, hiding([claim({ user_token_x: HIDDEN })], HIDDEN), { facts: tablesHold([TABLE, [THIEF]]) }),
  }),
  attack('ALT-2', 'accounts of the pool that only an unknown table names, which is no attack', 'info ALT-2', {
    v0: inputOf(ZAP_OUT, hiding([claim({ reserve_x: HIDDEN })], HIDDEN)),
  }),
  attack('ALT-3', "a place that the table's keeper fills after the signature", 'block ALT-3', {
    'an empty table': inputOf(ZAP_OUT, hiding([claim({ reserve_x: HIDDEN })], HIDDEN), { facts: tablesHold([TABLE, []]) }),
    'a table that is one short': inputOf(ZAP_OUT, hiding([claim({ reserve_x: HIDDEN, reserve_y: THIEF })], HIDDEN, THIEF), {
      facts: tablesHold([TABLE, [HIDDEN]]),
    }),
    'the place that SOL goes to': inputOf(ZAP_OUT, hiding([transferSol(HIDDEN, 1n)], HIDDEN), { facts: tablesHold([TABLE, []]) }),
  }),
  attack('ALT-4', 'a table that is being given up', 'confirm ALT-4', {
    v0: inputOf(ZAP_OUT, hiding([claim({ reserve_x: HIDDEN })], HIDDEN), {
      facts: { ...tablesHold(), lookupTables: new Map([[TABLE, { addresses: [HIDDEN], isDeactivated: true }]]) },
    }),
  }),
  attack('DEC-6', 'an account out of a table that the transaction names itself', 'block DEC-6', {
    'the owner': inputOf(ZAP_OUT, hiding([claim({ reserve_x: HIDDEN })], HIDDEN), { facts: tablesHold([TABLE, [ZAP_OUT.owner]]) }),
    'a program': inputOf(ZAP_OUT, hiding([claim({ reserve_x: HIDDEN })], HIDDEN), { facts: tablesHold([TABLE, [PROGRAMS.token]]) }),
    'the same place twice': doubledPlace(),
    'one account in two places': inputOf(ZAP_OUT, hiding([claim({ reserve_x: HIDDEN, reserve_y: THIEF })], HIDDEN, THIEF), {
      facts: tablesHold([TABLE, [HIDDEN, HIDDEN]]),
    }),
  }),
];

export const BYTES: readonly Attack[] = [...TEXTS, ...FORMATS, ...EMPTINESS, ...TABLES];
