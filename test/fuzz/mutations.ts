import type { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { address } from '../../src/base/solana/address';
import { base64FromBytes } from '../../src/base/solana/wireTransaction';
import { associatedTokenAddress } from '../../src/base/solana/pda';
import { PROGRAMS } from '../../src/base/solana/programs';
import { bytesOfDraft, configOf, draftOf, emptySignature, signDraft, type Draft, type DraftInstruction } from './draft';
import type { Random } from './random';

// Changes that a hostile, broken or badly connected service may make to an honest transaction.

/** The input of a mutation. */
export interface Material {
  readonly bytes: Uint8Array;
  /** Other transactions, whose parts a mutation may insert. */
  readonly others: readonly Uint8Array[];
  /** Replacement addresses: a thief's, programs, accounts of the owner. */
  readonly strangers: readonly string[];
  /** Keys that the service holds and can sign with again. */
  readonly keys: readonly Keypair[];
  readonly random: Random;
}

/** Returns the text that the service would send. */
type Mutation = (material: Material) => string;

const JUNK = [' ', '\n', '=', '-', '_', '\u0000', '*'];
const EDGES = [0n, 1n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n, 10_000_000n, 1_000_000_000n];

/** All kinds of changes, by name. */
export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'one byte': onBytes((bytes, random) => {
    const at = random.below(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 + random.below(255));
    return bytes;
  }),
  'some bytes': onBytes((bytes, random) => {
    bytes.set(random.bytes(Math.min(1 + random.below(8), bytes.length)), random.below(Math.max(1, bytes.length - 8)));
    return bytes;
  }),
  'cut or inserted': onBytes((bytes, random) => {
    const at = random.below(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), random.bytes(random.below(40)), bytes.subarray(at + random.below(40))]);
  }),
  'truncated, or with extra bytes': onBytes((bytes, random) =>
    random.once(2) ? bytes.subarray(0, random.below(bytes.length)) : Buffer.concat([bytes, random.bytes(1 + random.below(64))]),
  ),
  'not base64': ({ bytes, random }) => {
    const text = base64FromBytes(bytes);
    const at = random.below(text.length);
    return text.slice(0, at) + random.of(JUNK) + text.slice(at + random.below(2));
  },
  'another account': onDraft((draft, { random, strangers }) => {
    draft.keys[random.below(draft.keys.length)] = bs58.decode(random.of(strangers));
  }),
  'accounts swapped': onDraft((draft, { random }) => {
    const [one, other] = [random.below(draft.keys.length), random.below(draft.keys.length)];
    [draft.keys[one], draft.keys[other]] = [draft.keys[other] ?? new Uint8Array(32), draft.keys[one] ?? new Uint8Array(32)];
  }),
  'another account index': onInstruction((instruction, { random, keys }) => {
    instruction.accounts[random.below(instruction.accounts.length)] = random.below(keys + 2);
  }),
  'a stranger instead of an account': onInstruction((instruction, { random, strangers, draft }) => {
    // After all others: a read-only account that does not sign.
    draft.keys.push(bs58.decode(random.of(strangers)));
    draft.header[2] += random.below(2);
    instruction.accounts[random.below(instruction.accounts.length)] = draft.keys.length - 1;
  }),
  'another program': onInstruction((instruction, { random, keys }) => {
    instruction.program = random.below(keys + 1);
  }),
  'another amount': onInstruction((instruction, { random }) => {
    const data = Buffer.from(instruction.data);
    if (data.length >= 8) {
      data.writeBigUInt64LE(random.of(EDGES), random.below(data.length - 7));
    }
    instruction.data = data;
  }),
  'data of another length': onInstruction((instruction, { random }) => {
    instruction.data = random.once(2)
      ? instruction.data.slice(0, random.below(instruction.data.length + 1))
      : Buffer.concat([instruction.data, random.bytes(1 + random.below(16))]);
  }),
  'instructions removed, doubled or moved': onDraft(({ instructions }, { random }) => {
    const at = random.below(instructions.length);
    const [taken] = instructions.splice(at, random.below(2));
    if (taken !== undefined && random.once(2)) {
      instructions.splice(random.below(instructions.length), 0, taken, taken);
    }
  }),
  'the opening of the position in another transaction, or after the deposit': onDraft(({ instructions }, { random }) => {
    const at = instructions.findIndex(({ data }) => OPENINGS.includes(Buffer.from(data.subarray(0, 8)).toString('hex')));
    const [opening] = at < 0 ? [] : instructions.splice(at, 1);
    if (opening !== undefined && random.once(2)) {
      instructions.push(opening);
    }
  }),
  'a deposit at other prices': onDraft(({ instructions }, { random }) => {
    const deposits = instructions.filter(({ data }) => DEPOSITS.has(nameOf(data)));
    if (deposits.length === 0) {
      return;
    }
    const deposit = random.of(deposits);
    const data = Buffer.from(deposit.data);
    if (DEPOSITS.get(nameOf(data)) === 'bins') {
      const at = random.of([ACTIVE_BIN_AT, BIN_SLIPPAGE_AT]);
      data.writeInt32LE(data.readInt32LE(at) + random.below(400) - 200, at);
    } else {
      const at = random.of([LIQUIDITY_AT, THRESHOLD_A_AT, THRESHOLD_B_AT]);
      const value = data.readBigUInt64LE(at);
      const changed = (value * BigInt(1 + random.below(400))) / 100n;
      data.writeBigUInt64LE(changed < 2n ** 64n ? changed : value, at);
    }
    deposit.data = data;
  }),
  'an instruction of another transaction': onDraft((draft, { random, others }) => {
    const other = draftOf(random.of(others));
    const moved = random.of(other.instructions);
    draft.instructions.splice(random.below(draft.instructions.length + 1), 0, moveIn(draft, other, moved));
  }),
  'a hostile instruction': onDraft((draft, { random, strangers }) => {
    const owner = 0;
    const stranger = draft.keys.push(bs58.decode(random.of(strangers))) - 1;
    const [program, data] = random.of(HOSTILE);
    const place = draft.keys.push(bs58.decode(program)) - 1;
    draft.instructions.splice(random.below(draft.instructions.length + 1), 0, {
      program: place,
      accounts: [owner, stranger, owner],
      data: Uint8Array.from(data),
    });
  }),
  'another header': onDraft((draft, { random }) => {
    draft.header[random.below(3)] = random.below(6);
  }),
  'another version': onDraft((draft, { random }) => {
    const before = draft.version;
    draft.version = random.of(['legacy', 0, 1] as const);
    if (before !== 1 && draft.version === 1) {
      draft.config = configOf(BigInt(random.below(100_000)), 400_000);
    }
  }),
  'another config': onDraft((draft, { random }) => {
    draft.version = 1;
    const limit = random.of([0, 1, 400_000, 1_400_000, 2 ** 32 - 1]);
    draft.config = random.once(3)
      ? { mask: random.below(64), values: random.bytes(4 * random.below(6)) }
      : configOf(random.once(2) ? random.of(EDGES) : 20_000n, limit);
  }),
  'a budget in both places': onDraft((draft, { random }) => {
    draft.version = 1;
    draft.config = configOf(random.once(4) ? random.of(EDGES) : 20_000n, random.once(4) ? 0 : 400_000);
    const known = draft.keys.findIndex((one) => bs58.encode(one) === PROGRAMS.computeBudget);
    const program = known < 0 ? draft.keys.push(bs58.decode(PROGRAMS.computeBudget)) - 1 : known;
    draft.header[2] += known < 0 ? 1 : 0;
    const data = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0]);
    data.writeBigUInt64LE(random.of(EDGES), 1);
    draft.instructions.unshift({ program, accounts: [], data: random.once(2) ? data : random.bytes(random.below(10)) });
  }),
  'another signature': onDraft((draft, { random }) => {
    draft.signatures[random.below(draft.signatures.length)] = random.once(2) ? emptySignature() : random.bytes(64);
  }),
  'one more signer': onDraft((draft, { random, strangers }) => {
    draft.keys.splice(1, 0, bs58.decode(random.of(strangers)));
    draft.signatures.splice(1, 0, random.once(2) ? emptySignature() : random.bytes(64));
    draft.header[0] += 1;
    const shift = (place: number): number => (place >= 1 ? place + 1 : place);
    draft.instructions.forEach((instruction) => {
      instruction.program = shift(instruction.program);
      instruction.accounts = instruction.accounts.map(shift);
    });
  }),
  'a lookup table': onDraft((draft, { random, strangers }) => {
    draft.version = 0;
    const before = draft.keys.length + draft.lookups.reduce((sum, { writable, readonly }) => sum + writable.length + readonly.length, 0);
    draft.lookups.push({ table: bs58.decode(random.of(strangers)), writable: [], readonly: [random.below(4)] });
    const instruction = random.of(draft.instructions);
    instruction.accounts[random.below(instruction.accounts.length)] = before;
  }),
  'an account moved into a lookup table': onDraft((draft, { random, strangers }) => {
    draft.version = 0;
    const [signers] = draft.header;
    const programs = draft.instructions.map(({ program }) => program);
    const movable = draft.keys.map((_, place) => place).filter((place) => place >= signers && !programs.includes(place));
    if (movable.length > 0) {
      moveIntoTable(draft, random.of(movable), bs58.decode(random.of(strangers)));
    }
  }),
  'a destination that the attacker has created': onInstruction((instruction, { random, draft }) => {
    // An RPC reports it as the owner's (test/corpus/stricter.ts).
    draft.keys.push(bs58.decode(PLANTED));
    instruction.accounts[random.below(instruction.accounts.length)] = draft.keys.length - 1;
  }),
  'a text that the wallet signs': onDraft((draft, { random }) => {
    const program = draft.keys.push(bs58.decode('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')) - 1;
    draft.header[2] += 1;
    draft.instructions.splice(random.below(draft.instructions.length + 1), 0, {
      program,
      accounts: [0],
      data: random.bytes(random.below(60)),
    });
  }),
  'a bin array that may be outside the range': onDraft((draft, { random }) => {
    const made = draft.instructions.find(({ data }) => Buffer.from(data.subarray(0, 8)).toString('hex') === INITIALIZE_BIN_ARRAY);
    if (made !== undefined) {
      const data = Buffer.from(made.data);
      data.writeBigInt64LE(BigInt(random.below(20) - 10) * (random.once(4) ? 997n : 1n), 8);
      draft.instructions.push({ ...made, data });
    }
  }),
  'an account of an unused token': onDraft((draft, { random, strangers }) => {
    const program = draft.keys.findIndex((one) => bs58.encode(one) === PROGRAMS.associatedToken);
    const made = draft.instructions.find((one) => one.program === program);
    const owner = draft.keys[0];
    if (made !== undefined && owner !== undefined) {
      const mint = random.of(strangers);
      const place = draft.keys.push(bs58.decode(mint)) - 1;
      draft.header[2] += 1;
      draft.keys.splice(draft.header[0], 0, bs58.decode(associatedTokenAddress(address(bs58.encode(owner)), address(mint))));
      const shift = (at: number): number => (at >= draft.header[0] ? at + 1 : at);
      draft.instructions.forEach((instruction) => {
        instruction.program = shift(instruction.program);
        instruction.accounts = instruction.accounts.map(shift);
      });
      draft.instructions.push({
        ...made,
        accounts: made.accounts.map((at, role) => (role === 1 ? draft.header[0] : role === 3 ? shift(place) : at)),
      });
    }
  }),
  'a quote that is too good': onInstruction((instruction, { random }) => {
    const data = Buffer.from(instruction.data);
    if (nameOf(data) === ROUTE) {
      const quotedAt = data.length - QUOTED_FROM_END;
      const quoted = (data.readBigUInt64LE(quotedAt) * random.of([101n, 106n, 150n, 200n, 201n, 300n, 200_000n])) / 100n;
      data.writeBigUInt64LE(quoted < 2n ** 64n ? quoted : 2n ** 64n - 1n, quotedAt);
      instruction.data = new Uint8Array(data);
    }
  }),
  'more of a token deposited': onInstruction((instruction, { random }) => {
    const data = Buffer.from(instruction.data);
    if (DEPOSITS.get(nameOf(data)) === 'bins') {
      // The two amounts come first.
      const at = random.of([8, 16]);
      const raw = (data.readBigUInt64LE(at) * random.of([105n, 112n, 150n, 300n, 200_000n])) / 100n;
      data.writeBigUInt64LE(raw < 2n ** 64n ? raw : 2n ** 64n - 1n, at);
      instruction.data = new Uint8Array(data);
    }
  }),
  'random bytes': ({ random }) => base64FromBytes(random.bytes(1 + random.below(1_300))),
};

/** Names a static account as the first, writable entry of one more table. */
function moveIntoTable(draft: Draft, moved: number, table: Uint8Array): void {
  draft.header[2] -= moved >= draft.keys.length - draft.header[2] ? 1 : 0;
  draft.keys.splice(moved, 1);
  const entry = draft.keys.length + draft.lookups.reduce((sum, { writable }) => sum + writable.length, 0);
  draft.lookups.push({ table, writable: [0], readonly: [] });
  const placeOf = (place: number): number => {
    const shifted = place > moved ? place - 1 : place;
    return place === moved ? entry : shifted >= entry ? shifted + 1 : shifted;
  };
  draft.instructions.forEach((instruction) => {
    instruction.program = placeOf(instruction.program);
    instruction.accounts = instruction.accounts.map(placeOf);
  });
}

/** An account whose key an attacker holds. */
const PLANTED = 'Atta3erAtta3erAtta3erAtta3erAtta3erAtta3erA';
/** The discriminator of Jupiter's `route`, whose quote is this far from the end of its data. */
const ROUTE = 'e517cb977ae3ad2a';
const QUOTED_FROM_END = 11;
/** The discriminator of DLMM's `initialize_bin_array`. */
const INITIALIZE_BIN_ARRAY = '235613b94ed44bd3';
/** Discriminators of instructions that open a position: `initialize_position2` of DLMM, `create_position` of DAMM v2 (IDLs). */
const OPENINGS: readonly string[] = ['8f13f291d50f6873', '30d7c59960cbb485'];

/** Discriminators of deposits: by strategy and by weight into bins, and into DAMM v2 (IDLs). */
const DEPOSITS: ReadonlyMap<string, 'bins' | 'liquidity'> = new Map([
  ['03dd95da6f8d76d5', 'bins'],
  ['d13b3f5b6fc899e4', 'bins'],
  ['b59d59438fb63448', 'liquidity'],
]);
/** Offsets in their data: after the discriminator and two amounts; the upper half of the liquidity, in whole units, and the thresholds. */
const ACTIVE_BIN_AT = 24;
const BIN_SLIPPAGE_AT = 28;
const LIQUIDITY_AT = 16;
const THRESHOLD_A_AT = 24;
const THRESHOLD_B_AT = 32;

function nameOf(data: Uint8Array): string {
  return Buffer.from(data.subarray(0, 8)).toString('hex');
}

/** Programs and data of hostile instructions, with the owner as the first account and a stranger after it. */
const HOSTILE: readonly (readonly [string, readonly number[]])[] = [
  // System: transfer of half a SOL, assign, createAccount, transferWithSeed, advanceNonce.
  ...[
    [2, 0, 0, 0, 0, 101, 205, 29, 0, 0, 0, 0],
    [1, 0, 0, 0, ...Array<number>(32).fill(7)],
    [0, 0, 0, 0, ...Array<number>(48).fill(1)],
    [11, 0, 0, 0, ...Array<number>(52).fill(1)],
    [4, 0, 0, 0],
  ].map((data): readonly [string, readonly number[]] => ['11111111111111111111111111111111', data]),
  // Token: transfer, approve, set authority, close, burn, batch, unwrap lamports, withdraw excess lamports.
  ...[
    [3, 1, 0, 0, 0, 0, 0, 0, 0],
    [4, 255, 255, 255, 255, 255, 255, 255, 255],
    [6, 2, 1, ...Array<number>(32).fill(7)],
    [9],
    [8, 1, 0, 0, 0, 0, 0, 0, 0],
    [255, 3, 9, 3, 1, 0, 0, 0, 0, 0, 0, 0],
    [45, 0],
    [38],
  ].flatMap((data): (readonly [string, readonly number[]])[] => [
    ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', data],
    ['TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb', data],
  ]),
  ['Stake11111111111111111111111111111111111111', [1, 0, 0, 0]],
  ['AddressLookupTab1e1111111111111111111111111', [0, 0, 0, 0]],
  ['proVF4pMXVaYqmy4NjniPh4pqKNfMmsihgd4wdkCX3u', [0x3f, 0x72, 0xf6, 0x83, 0x33, 0x02, 0xf7, 0x1d]],
];

function onBytes(change: (bytes: Uint8Array, random: Random) => Uint8Array): Mutation {
  return ({ bytes, random }) => base64FromBytes(change(bytes.slice(), random));
}

/** Signs most changes again with the service's keys: otherwise the missing signature would hide other findings. */
function onDraft(change: (draft: Draft, material: Material) => void): Mutation {
  return (material) => {
    const draft = draftOf(material.bytes);
    change(draft, material);
    if (!material.random.once(4)) {
      signDraft(draft, material.keys);
    }
    return base64FromBytes(bytesOfDraft(draft));
  };
}

function onInstruction(
  change: (instruction: DraftInstruction, material: Omit<Material, 'keys'> & { readonly draft: Draft; readonly keys: number }) => void,
): Mutation {
  return onDraft((draft, material) => {
    change(material.random.of(draft.instructions), { ...material, draft, keys: draft.keys.length });
  });
}

/** The same instruction with the account indexes of `draft`, or with accounts added at its end. */
function moveIn(draft: Draft, from: Draft, { program, accounts, data }: DraftInstruction): DraftInstruction {
  const placeOf = (index: number): number => {
    const key = from.keys[index] ?? new Uint8Array(32);
    const known = draft.keys.findIndex((one) => Buffer.from(one).equals(key));
    return known >= 0 ? known : draft.keys.push(key) - 1;
  };
  return { program: placeOf(program), accounts: accounts.map(placeOf), data };
}
