import { base64FromBytes, messageOf, parseTransaction, type WireTransaction } from '../../src/base/solana/wireTransaction';
import type { CaseInput } from '../../src/review/report/caseFormat';
import { signWithSeed } from '../../src/wallet/keys';
import { addressOf, bytesOf, claim, key, POSITION, POSITION_KEY, THIEF, transferSol, ZAP_IN, ZAP_OUT } from '../support/review/bundles';
import { attack, encoded, inputOf, placed, rawInput, type Attack, type ExpectedFinding, type Placement } from './attack';
import { IN, OUT } from './plant';
import type { PolicyRule } from './policyRules';

// Attacks with transactions of version 1 (SIMD-0385): what the format forbids, and fees and limits in its config.

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** Of the message: version byte, three numbers of the header, config mask, blockhash, numbers of instructions and addresses, addresses. */
const AT = { header: 1, mask: 4, blockhash: 8, instructionCount: 40, accountCount: 41, keys: 42 } as const;

const joined = (...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array =>
  new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part))));

/** The same operation with each of its v1 transactions changed, one at a time. */
function rewritten(
  rule: PolicyRule,
  what: string,
  finding: ExpectedFinding,
  change: (bytes: Uint8Array, wire: WireTransaction) => Uint8Array,
): Attack {
  return placed(rule, `version 1: ${what}`, () =>
    [OUT, IN].flatMap(({ name, intent, drafts }) =>
      drafts(1).map((draft, at, honest): Placement => ({
        variant: `${name}, transaction ${at + 1}`,
        finding,
        build: () => {
          const bytes = bytesOf(draft);
          const changed = base64FromBytes(change(bytes.slice(), parseTransaction(bytes)));
          return rawInput(
            intent,
            honest.map((other) => ({ group: other.group, base64: other === draft ? changed : encoded(other) })),
          );
        },
      })),
    ),
  );
}

/** Changes one byte at an offset. */
const withByte =
  (at: number | ((wire: WireTransaction) => number), value: number | ((before: number, wire: WireTransaction) => number)) =>
  (bytes: Uint8Array, wire: WireTransaction): Uint8Array => {
    const place = typeof at === 'number' ? at : at(wire);
    bytes[place] = typeof value === 'number' ? value : value(bytes[place] ?? 0, wire);
    return bytes;
  };

const keysEnd = ({ staticKeys }: WireTransaction): number => AT.keys + KEY_BYTES * staticKeys.length;
/** Config of the honest transactions: a fee of eight bytes and two limits of four. */
const CONFIG_BYTES = 16;
const firstInstruction = (wire: WireTransaction): number => keysEnd(wire) + CONFIG_BYTES;

/** Puts another config into an honest transaction. */
const withConfig =
  (mask: number, values: Uint8Array) =>
  (bytes: Uint8Array, wire: WireTransaction): Uint8Array => {
    const from = keysEnd(wire);
    const changed = joined(bytes.subarray(0, from), values, bytes.subarray(from + CONFIG_BYTES));
    Buffer.from(changed.buffer, changed.byteOffset).writeUInt32LE(mask, AT.mask);
    return changed;
  };

function littleEndian(...values: readonly (readonly [value: bigint, size: number])[]): Uint8Array {
  return Buffer.concat(
    values.map(([value, size]) => {
      const bytes = Buffer.alloc(8);
      bytes.writeBigUInt64LE(value);
      return bytes.subarray(0, size);
    }),
  );
}

const LIMITS = [
  [400_000n, 4],
  [1n << 26n, 4],
] as const;

/** Inserts addresses that nothing uses behind all others, read-only. */
const withKeys =
  (count: (wire: WireTransaction) => number) =>
  (bytes: Uint8Array, wire: WireTransaction): Uint8Array => {
    const added = count(wire);
    const more = Array.from({ length: added }, (_, index) => key(addressOf(`unused ${index}`)).toBytes());
    const changed = joined(bytes.subarray(0, keysEnd(wire)), ...more, bytes.subarray(keysEnd(wire)));
    changed[AT.accountCount] = wire.staticKeys.length + added;
    changed[AT.header + 2] = wire.readonlyUnsigned + added;
    return changed;
  };

/** A v0 transaction of the same length: signatures, then the message. */
const inOlderEnvelope = (bytes: Uint8Array, wire: WireTransaction): Uint8Array =>
  joined([wire.requiredSignatures], bytes.subarray(wire.messageEnd), messageOf(bytes, wire));

const FORMAT: readonly Attack[] = [
  rewritten('DEC-2', 'truncates a transaction by one byte', 'block DEC-2', (bytes) => bytes.subarray(0, -1)),
  rewritten('DEC-2', 'omits the signatures', 'block DEC-2', (bytes, wire) => bytes.subarray(0, wire.messageEnd)),
  rewritten('DEC-2', 'truncates a transaction within its message', 'block DEC-2', (bytes) => bytes.subarray(0, 40)),
  rewritten('DEC-3', 'sends a transaction above the size limit of the network', 'block DEC-3', (bytes) =>
    joined(bytes, new Uint8Array(4_097 - bytes.length)),
  ),
  rewritten('DEC-4', 'adds a byte after the signatures, which the sandbox VM ignores', 'block DEC-4', (bytes) => joined(bytes, [0])),
  rewritten('DEC-4', 'adds a signature that no signer needs', 'block DEC-4', (bytes) => joined(bytes, new Uint8Array(SIGNATURE_BYTES))),
  rewritten('DEC-4', 'adds a second transaction after the first', 'block DEC-4', (bytes) => joined(bytes, bytes).subarray(0, 4_096)),
  rewritten('DEC-5', 'is in the envelope of an older version, as @solana/web3.js reads it', 'block DEC-5', inOlderEnvelope),
  rewritten('DEC-5', 'sends version 2', 'block DEC-5', withByte(0, 0x82)),
  rewritten('DEC-5', 'sends version 127', 'block DEC-5', withByte(0, 0xff)),
  rewritten('DEC-5', 'has no signers', 'block DEC-5', withByte(AT.header, 0)),
  rewritten('DEC-5', 'has 13 signers', 'block DEC-5', withByte(AT.header, 13)),
  rewritten(
    'DEC-6',
    'makes the fee payer read-only',
    'block DEC-6',
    withByte(AT.header + 1, (_, wire) => wire.requiredSignatures),
  ),
  rewritten(
    'DEC-6',
    'declares more read-only accounts than accounts',
    'block DEC-6',
    withByte(AT.header + 2, (_, wire) => wire.staticKeys.length),
  ),
  rewritten('DEC-6', 'makes all programs writable', 'block DEC-6', withByte(AT.header + 2, 0)),
  rewritten('DEC-6', 'lists an account twice', 'block DEC-6', (bytes, { staticKeys, requiredSignatures }) =>
    bytes.copyWithin(
      AT.keys + KEY_BYTES * (staticKeys.length - 1),
      AT.keys + KEY_BYTES * requiredSignatures,
      AT.keys + KEY_BYTES * (requiredSignatures + 1),
    ),
  ),
  rewritten(
    'DEC-6',
    'has 65 accounts',
    'block DEC-6',
    withKeys(({ staticKeys }) => 65 - staticKeys.length),
  ),
  rewritten('DEC-6', 'has 65 instructions', 'block DEC-6', withByte(AT.instructionCount, 65)),
  rewritten(
    'DEC-6',
    'calls a program that is not listed',
    'block DEC-6',
    withByte(firstInstruction, (_, wire) => wire.staticKeys.length),
  ),
  rewritten('PRG-1', 'calls the wallet as a program', 'block PRG-1', withByte(firstInstruction, 0)),
  rewritten('DEC-8', 'sets an option that the network does not know', 'block DEC-8', withByte(AT.mask, 0b10_1111)),
  rewritten('DEC-8', 'sets the last option', 'block DEC-8', withByte(AT.mask + 3, 0x80)),
  rewritten('DEC-8', 'sets the lower half of the priority fee', 'block DEC-8', withConfig(0b1101, littleEndian([1n, 4], ...LIMITS))),
  rewritten('DEC-8', 'sets the upper half of the priority fee', 'block DEC-8', withConfig(0b1110, littleEndian([1n, 4], ...LIMITS))),
  ...[0n, 31n * 1_024n, 33n * 1_024n + 1n, 257n * 1_024n, 2n ** 32n - 1n].map((heap) =>
    rewritten('DEC-8', `asks for a heap of ${heap} bytes`, 'block DEC-8', withConfig(0b1_1100, littleEndian(...LIMITS, [heap, 4]))),
  ),
];

/** Replaces the position's signature. */
function resigned(
  change: (signature: Uint8Array, bytes: Uint8Array, wire: WireTransaction) => Uint8Array,
): Readonly<Record<string, CaseInput>> {
  const transactions = IN.drafts(1).map((draft) => {
    const bytes = bytesOf(draft);
    const wire = parseTransaction(bytes);
    const slot = wire.staticKeys.slice(0, wire.requiredSignatures).indexOf(POSITION);
    if (slot >= 0) {
      bytes.set(
        change(wire.signatures[slot] ?? new Uint8Array(SIGNATURE_BYTES), bytes, wire),
        wire.signaturesOffset + SIGNATURE_BYTES * slot,
      );
    }
    return { group: draft.group, base64: base64FromBytes(bytes) };
  });
  return { 'zap-in': rawInput(ZAP_IN, transactions) };
}

const signedByPosition = (content: Uint8Array): Uint8Array => signWithSeed(POSITION_KEY.secretKey.subarray(0, 32), content);

const SIGNATURES: readonly Attack[] = [
  attack('SIG-2', 'version 1: signs the message without its version byte', 'block SIG-2', () =>
    resigned((_, bytes, wire) => signedByPosition(messageOf(bytes, wire).slice(1))),
  ),
  attack('SIG-2', 'version 1: signs the message with the signatures', 'block SIG-2', () => resigned((_, bytes) => signedByPosition(bytes))),
  rewritten(
    'SIG-3',
    "fills the owner's signature slot with arbitrary bytes",
    'block SIG-3',
    withByte(({ signaturesOffset }) => signaturesOffset + 9, 1),
  ),
];

/** More instructions than fit into an older transaction. */
const LARGE: readonly Attack[] = [
  attack('SYS-1', 'version 1: hides a transfer among the instructions of a large transaction', 'block SYS-1', () => ({
    'the last of 64': inputOf(ZAP_OUT, [
      { group: 'close', version: 1, instructions: [...Array.from({ length: 63 }, () => claim()), transferSol(THIEF, 1_000_000_000n)] },
    ]),
  })),
  attack('SYS-1', 'version 1: hides a transfer in the newest transaction of an operation of all versions', 'block SYS-1', () => ({
    'zap-out': inputOf(
      ZAP_OUT,
      ([0, 'legacy', 1] as const).flatMap((version, at) => {
        const draft = OUT.drafts(version)[at];
        const theft = version === 1 ? [transferSol(THIEF, 1_000_000_000n)] : [];
        return draft === undefined ? [] : [{ ...draft, instructions: [...draft.instructions, ...theft] }];
      }),
    ),
  })),
];

export const VERSION_1: readonly Attack[] = [...FORMAT, ...SIGNATURES, ...LARGE];
